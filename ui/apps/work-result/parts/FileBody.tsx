import { Button } from "../../controls/Button";
import { Segmented } from "../../controls/Choices";
import { EXPIRED } from "../data/calls";
import type { FileView, View } from "../data/file";
import type { ReviewFile } from "../data/types";
import type { Work } from "../data/work";
import { isMarkdown } from "../markdown/tree";
import { view } from "../view";
import { DiffView } from "./DiffView";
import { Document } from "./Document";
import { PartialStrip } from "./PartialStrip";
import { TextView } from "./TextView";
import { Trouble } from "./Trouble";

/** What a host that stands on the person's own computer may offer. */
const OPEN_FILE = "webcodex/open-file";
interface Props {
  file: FileView;
  /** Nothing where no decision is possible. */
  work: Work | null;
  split: boolean;
  onFresh: () => void;
}

/** What is shown of an open file: its changes, its text, or the document that its text is. */
export function FileBody({ file, work, split, onFresh }: Props) {
  const { t } = view;
  const { no_diff } = file.file;
  const loaded = file.view === "diff" ? file.diff : file.text;
  return (
    <div class="body" aria-busy={file.busy}>
      <Head file={file} />
      {viewsOf(file.file).length === 0 && <p class="none small t2">{no_diff && t.noPreview[no_diff]}</p>}
      {file.trouble && <div class="none"><Trouble trouble={file.trouble} retry={file.trouble.code === EXPIRED ? onFresh : () => void file.more()} /></div>}
      {file.busy && !loaded && <p class="none small t3" role="status">{t.loadingFile}</p>}
      {file.view === "diff" ? <DiffView file={file} work={work} split={split} /> : file.view === "text" ? <TextView file={file} /> : <DocumentView file={file} />}
    </div>
  );
}

/** Which sides of a file there are to see. */
function viewsOf({ no_diff, no_text, path }: ReviewFile): View[] {
  const all: View[] = ["diff", "text", "document"];
  return all.filter((view) => (view === "diff" ? !no_diff : !no_text && (view === "text" || isMarkdown(path))));
}

function Head({ file }: { file: FileView }) {
  const { t, f, host } = view;
  const { path, status } = file.file;
  const views = viewsOf(file.file);
  const canOpen = Object.hasOwn(host.abilities.experimental, OPEN_FILE) && status !== "deleted";
  if (views.length < 2 && !canOpen) return null;
  const words = { diff: t.viewDiff, text: t.viewText, document: t.viewDocument };
  const open = () => void host.extra(OPEN_FILE, { path, where: "editor" }).then(() => file.opened(true), () => file.opened(false));
  return (
    <div class="strip">
      {views.length > 1 && (
        <Segmented label={t.views} value={file.view} options={views.map((value) => ({ value, words: words[value] }))} onChoose={(chosen) => file.show(chosen)} />
      )}
      <span class="grow cut t3">{file.view !== "diff" && file.text && !file.text.partial && t.whole(f.bytes(file.text.total_bytes))}</span>
      {file.unopened && <span class="problem" role="status">{t.openedNot}</span>}
      {canOpen && <Button look="quiet" dense icon="out" onClick={open}>{t.openInEditor}</Button>}
    </div>
  );
}

function DocumentView({ file }: { file: FileView }) {
  const { t } = view;
  const { text } = file;
  if (!text) return null;
  if (!text.partial) return <Document text={text} />;
  return (
    <>
      <p class="none small t2">{text.limit_reached ? t.documentNever : t.documentLater}</p>
      <PartialStrip loaded={text} file={file} />
    </>
  );
}
