import { visible } from "$kit/visible";
import { Button } from "../../controls/Button";
import { Icon, StateWords } from "../../controls/Icon";
import type { FileList } from "../data/list";
import type { ReviewFile } from "../data/types";
import type { Target, Work } from "../data/work";
import { type View, view } from "../view";
import { FileBody } from "./FileBody";
import { nameOf } from "./names";
import { RejectForm } from "./RejectForm";

interface Props {
  file: ReviewFile;
  list: FileList;
  work: Work;
  place: number;
  /** Whether files can be decided on here; never in what is sealed. */
  decides: boolean;
  split: boolean;
}

/** One changed file: its name and how it stands, and below it what is shown of it. */
export function FileRow({ file, list, work, place, decides, split }: Props) {
  const one = list.view(file);
  const { base } = nameOf(file.path);
  const conflict = list.inConflict(file);
  const target: Target = { file, named: base };
  const rejecting = decides && work.rejecting && !work.rejecting.hunk && work.rejecting.file.path === file.path;
  const { added_lines: added, removed_lines: removed } = file;
  return (
    <div class="row" role="listitem" aria-setsize={list.total} aria-posinset={place + 1} data-row={file.path}>
      <div class={one.open ? "file open" : "file"}>
        <FileName file={file} open={one.open} decision={decisionOf(view, file, conflict)} onToggle={() => one.toggle()} />
        <span class="pm" aria-hidden="true">
          <span class="plus">{added ? `+${view.f.compact(added)}` : ""}</span><span class="minus">{removed ? `−${view.f.compact(removed)}` : ""}</span>
        </span>
        {decides && <Decision work={work} target={target} conflict={conflict} />}
      </div>
      {rejecting && <RejectForm work={work} />}
      {one.open && <FileBody file={one} work={decides && !conflict && !file.decision ? work : null} split={split} onFresh={() => void work.refresh(true)} />}
    </div>
  );
}

function decisionOf({ t, f }: View, { decision, accepted_hunks }: ReviewFile, conflict: boolean): string {
  if (conflict) return t.conflict;
  if (decision) return decision === "accept" ? t.accepted : t.rejected;
  return accepted_hunks ? t.acceptedHunks(f.count(accepted_hunks)) : t.undecided;
}

/** Why there is no preview, and whatever else is worth knowing before the file is opened. */
function notesOf({ t, f }: View, { no_diff, status, size_bytes, note, by }: ReviewFile): string {
  const why = no_diff && status !== "deleted" ? t.noPreview[no_diff] : "";
  return [
    why && size_bytes !== undefined ? t.sized(f.bytes(size_bytes), why) : why,
    note && visible(note),
    by && by !== "session" && t.by[by],
  ].filter(Boolean).join(" · ");
}

function FileName({ file, open, decision, onToggle }: { file: ReviewFile; open: boolean; decision: string; onToggle: () => void }) {
  const { t, f } = view;
  const { path, old_path, status, added_lines, removed_lines } = file;
  const { folder, base } = nameOf(path);
  const notes = notesOf(view, file);
  const counted = added_lines !== undefined || removed_lines !== undefined;
  return (
    <button type="button" class="name" aria-expanded={open} title={visible(path)} data-file onClick={onToggle}>
      <Icon name={open ? "down" : "right"} tone="t3" />
      <span class={`kind ${status}`} aria-hidden="true">{t.marks[status]}</span>
      <span class="path" dir="ltr">
        {old_path && [<bdi class="dir t3">{visible(old_path)}</bdi>, <span class="t3"> → </span>]}
        <bdi class="dir t3">{folder}</bdi><bdi class="base">{base}</bdi>
      </span>
      <span class="vh">{t.fileSaid(t.statuses[status], counted ? t.linesSaid(f.count(added_lines ?? 0), f.count(removed_lines ?? 0)) : "", decision)}</span>
      {notes && <span class="note meta t3" title={notes}>{notes}</span>}
    </button>
  );
}

/** What was decided, with the way back; or the two ways to decide. */
function Decision({ work, target, conflict }: { work: Work; target: Target; conflict: boolean }) {
  const { t } = view;
  const { file: { decision }, named } = target;
  const content = () => {
    if (conflict) return <span class="tag notice"><Icon name="notice" />{t.conflict}</span>;
    if (decision) {
      return (
        <>
          <StateWords icon={decision === "accept" ? "ready" : "off"} words={decision === "accept" ? t.accepted : t.rejected} />
          <Button key="back" look="quiet" dense icon="undo" act="take-back" label={t.takeBackNamed(named)} onClick={() => void work.takeBack(target)} />
        </>
      );
    }
    return (
      <>
        <Button key="accept" look="quiet" dense icon="check" act="accept" label={t.acceptNamed(named)} onClick={() => void work.accept(target)} />
        <Button key="reject" look="quiet" dense icon="undo" act="reject" label={t.rejectNamed(named)} onClick={() => work.ask(target)} />
      </>
    );
  };
  return <span class="dec">{content()}</span>;
}
