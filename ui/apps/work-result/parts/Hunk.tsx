import { Button } from "../../controls/Button";
import { StateWords } from "../../controls/Icon";
import type { FileView } from "../data/file";
import type { ReviewHunk } from "../data/types";
import type { Target, Work } from "../data/work";
import { kept } from "../kept";
import { inChunks, linesOf, rangeOf } from "../diff/lines";
import { view } from "../view";
import { diffLines } from "./DiffLines";
import { blockOf, LazyBlock } from "./LazyBlock";
import { nameOf } from "./names";
import { RejectForm } from "./RejectForm";

/** Lines that are drawn together. */
const CHUNK = 80;
const LINE_HEIGHT = 20;
const partsOf = kept((hunk: ReviewHunk) => {
  const lines = linesOf(hunk);
  return { chunks: inChunks(lines, CHUNK), ...rangeOf(lines) };
});

interface Props {
  hunk: ReviewHunk;
  /** Nothing where no decision is possible. */
  work: Work | null;
  file: FileView;
  split: boolean;
}

/** One part of the changes of a file, which can be decided on by itself. */
export function Hunk({ hunk, work, file, split }: Props) {
  const { t, f } = view;
  const { chunks, first, last } = partsOf(hunk);
  const { path, decision } = file.file;
  const [from, to] = [f.count(first), f.count(last)];
  const target: Target = { file: file.file, hunk: hunk.hunk_id, named: t.linesOf(from, to, nameOf(path).base) };
  const accepted = hunk.accepted === true || decision === "accept";
  const rejecting = work?.rejecting?.hunk === hunk.hunk_id && work.rejecting.file.path === path;
  const digits = String(Math.max(hunk.new_start + hunk.new_lines, hunk.old_start + hunk.old_lines)).length;
  return (
    <div class="hunk" role="group" aria-label={t.lines(from, to)} data-hunk tabIndex={0}>
      <div class="strip">
        <span class="grow cut num">{t.lines(from, to)}{split && <span class="t3"> · {t.sides}</span>}</span>
        {work && hunk.accepted && <StateWords icon="ready" words={t.accepted} />}
        {work && hunk.accepted && <Button key="back" look="quiet" dense act="take-back" label={t.takeBackNamed(target.named)} onClick={() => void work.takeBack(target)}>{t.takeBack}</Button>}
        {work && !accepted && <Button key="accept" dense icon="check" act="accept" label={t.acceptNamed(target.named)} onClick={() => void work.accept(target)}>{t.accept}</Button>}
        {work && !accepted && <Button key="reject" dense icon="undo" act="reject" label={t.rejectNamed(target.named)} blocked={file.diff?.hunks_fixed} onClick={() => work.ask(target)}>{t.reject}</Button>}
      </div>
      {work && rejecting && <RejectForm work={work} />}
      <div class={accepted ? "code-lines decided" : "code-lines"} style={{ "--gutter": `${Math.max(4, digits + 1)}ch` }}>
        {chunks.map((chunk, part) => (
          <LazyBlock block={blockOf(hunk, part)} estimate={chunk.length * LINE_HEIGHT} same={`${split} ${view.language}`} draw={() => diffLines(chunk, path, split)} />
        ))}
      </div>
    </div>
  );
}
