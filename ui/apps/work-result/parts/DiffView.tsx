import { Button } from "../../controls/Button";
import { Icon } from "../../controls/Icon";
import type { FileView } from "../data/file";
import type { ReviewHunk } from "../data/types";
import type { Work } from "../data/work";
import { gapBefore, linesBefore } from "../diff/lines";
import { view } from "../view";
import { diffLines } from "./DiffLines";
import { Hunk } from "./Hunk";
import { PartialStrip } from "./PartialStrip";

/** More unchanged lines than this are better read in the full text. */
const LONGEST_GAP = 500;
interface Props {
  file: FileView;
  work: Work | null;
  split: boolean;
}

/** The hunks of a file as far as they are loaded, with the lines between them where somebody asked for those. */
export function DiffView({ file, work, split }: Props) {
  const { t, f } = view;
  if (!file.diff) return null;
  const { hunks, partial } = file.diff;

  function before(hunk: ReviewHunk, previous: ReviewHunk | undefined) {
    const gap = gapBefore(hunk, previous);
    if (gap.count === 0) return null;
    if (file.gaps.has(hunk.hunk_id)) {
      return <div class="code-lines">{diffLines(linesBefore(hunk, gap, file.text?.text ?? ""), file.file.path, split)}</div>;
    }
    return (
      <div class="strip">
        <Icon name="dots" tone="t3" /><span class="grow">{t.unchanged(f.count(gap.count))}</span>
        {!file.file.no_text && gap.count <= LONGEST_GAP && (
          <Button look="quiet" dense busy={file.busy} onClick={() => void file.showGap(hunk.hunk_id, gap.first + gap.count)}>{t.show}</Button>
        )}
      </div>
    );
  }
  return (
    <>
      {hunks.map((hunk, index) => [before(hunk, hunks[index - 1]), <Hunk key={hunk.hunk_id} hunk={hunk} work={work} file={file} split={split} />])}
      {hunks.length === 0 && !partial && <p class="none small t2">{t.emptyDiff}</p>}
      <PartialStrip loaded={file.diff} file={file} />
    </>
  );
}
