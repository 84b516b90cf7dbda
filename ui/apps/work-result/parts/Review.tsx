import { Empty } from "../../controls/notes";
import type { FileList } from "../data/list";
import type { WorkState } from "../data/types";
import type { Work } from "../data/work";
import { view } from "../view";
import { Checks } from "./Checks";
import { Diagnostics } from "./Diagnostics";
import { FileRows } from "./FileRows";
import { Notices } from "./Notices";
import { Rejections } from "./Rejections";
import { Seal } from "./Seal";
import { Toolbar } from "./Toolbar";

interface Props {
  work: Work;
  seen: WorkState;
  /** The files that are looked at: those of now, or the sealed ones. */
  list: FileList;
  split: boolean;
  /** Whether there is, or can be made, room for two sides. */
  canSplit: boolean;
  onSplit: (split: boolean) => void;
}

/** What was changed and checked, with what a person decides about it. */
export function Review({ work, seen, list, split, canSplit, onSplit }: Props) {
  const { t, f } = view;
  const final = seen.final_changes;
  const sealed = seen.phase === "sealed" ? final : undefined;
  const rejections = sealed ? [] : (seen.review?.rejections ?? []);
  return (
    <>
      <Notices work={work} seen={seen} />
      {list.total > 0 && <Toolbar list={list} seen={seen} decides={!sealed && work.canDecide} split={split} canSplit={canSplit} onSplit={onSplit} />}
      {sealed ? <Seal work={work} final={sealed} split={split} />
        : list.total > 0 ? <FileRows list={list} work={work} label={t.review} decides={work.canDecide} split={split} />
          : !seen.review_unavailable && <Empty icon="session" title={t.emptyTitle} about={t.emptyAbout} />}
      {rejections.length > 0 && <Rejections rejections={rejections} work={work} />}
      <Checks checks={seen.checks ?? []} />
      {!sealed && final && final.file_count > 0 && (
        <details class="section"><summary class="small t2">{t.sealOfAttempt(f.count(final.attempt))}</summary><Seal work={work} final={final} split={split} /></details>
      )}
      <Diagnostics seen={seen} />
    </>
  );
}
