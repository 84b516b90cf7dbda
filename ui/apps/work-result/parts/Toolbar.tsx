import { Button } from "../../controls/Button";
import { Segmented } from "../../controls/Choices";
import type { FileList, Filter } from "../data/list";
import type { WorkState } from "../data/types";
import { type View, view } from "../view";
import { Counts } from "./Counts";

interface Props {
  list: FileList;
  seen: WorkState;
  decides: boolean;
  split: boolean;
  canSplit: boolean;
  onSplit: (split: boolean) => void;
}

/** How many files there are and how many are decided, the filter, and the layout of the diff. */
export function Toolbar({ list, seen, decides, split, canSplit, onSplit }: Props) {
  const { t, f } = view;
  // A filter that is set from elsewhere shows itself.
  const filters = list.searching || list.filter !== "all" || list.words !== "";
  const { review } = seen;
  const toggle = () => list.look(filters ? { searching: false, words: "", filter: "all" } : { searching: true });
  return (
    <div class="tools">
      <div class="line">
        <span class="small grow cut">
          <b>{t.files(f.count(list.total))}</b> {review && seen.phase !== "sealed" && <Counts added={review.added_lines} removed={review.removed_lines} />}
          <span class="t3"> {standOf(view, list, decides)}</span>
        </span>
        <Button look="quiet" dense icon="search" label={t.filter} expanded={filters} onClick={toggle} />
        {canSplit && (
          <Segmented label={t.layout} value={split ? "split" : "unified"} onChoose={(value) => onSplit(value === "split")}
            options={[{ value: "unified", words: t.unified }, { value: "split", words: t.sideBySide }]} />
        )}
      </div>
      {filters && <Filters list={list} decides={decides} />}
    </div>
  );
}

/** How far the review, or the list itself, has come. */
function standOf({ t, f }: View, list: FileList, decides: boolean): string {
  if (list.nextOffset !== undefined) return t.shownOf(f.count(list.files.length), f.count(list.total));
  const { accepted } = list;
  if (!decides || accepted === 0) return "";
  const open = list.undecided.length;
  return open === 0 ? t.allAccepted : t.openCount(f.count(open), f.count(accepted));
}

function Filters({ list, decides }: { list: FileList; decides: boolean }) {
  const { t } = view;
  const options: { value: Filter; words: string }[] = [
    { value: "all", words: t.filterAll }, { value: "open", words: t.filterOpen }, { value: "accepted", words: t.filterAccepted },
  ];
  if (list.conflicted.size > 0) options.push({ value: "conflict", words: t.filterConflict });
  return (
    <div class="line wrap filter">
      <input class="input" type="search" aria-label={t.filter} placeholder={t.filterHint} value={list.words} onInput={(event) => list.look({ words: event.currentTarget.value })} />
      {decides && <Segmented label={t.filterLabel} value={list.filter} options={options} onChoose={(filter) => list.look({ filter })} />}
    </div>
  );
}
