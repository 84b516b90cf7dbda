import { visible } from "$kit/visible";
import { Button } from "../../controls/Button";
import { Banner } from "../../controls/notes";
import type { Review, WorkState } from "../data/types";
import type { Work } from "../data/work";
import { view } from "../view";
import { Trouble } from "./Trouble";

/** What a person should know before they read the changes. */
export function Notices({ work, seen }: { work: Work; seen: WorkState }) {
  const { t, f, explain } = view;
  const review = seen.phase === "sealed" ? undefined : seen.review;
  const conflicts = review?.conflicted?.length ?? 0;
  const operation = seen.project.operation ? t.operation(visible(seen.project.operation)) : "";
  const notices = [
    work.trouble && (
      <Banner tone="notice" what={t.stale(f.clock(seen.at_ms))} next={explain(work.trouble).message}>
        <Button dense busy={work.busy} onClick={() => void work.refresh()}>{t.tryAgain}</Button>
      </Banner>
    ),
    work.refusal && <Trouble trouble={work.refusal} onClose={() => work.turn({ refusal: null })} />,
    conflicts > 0 && (
      <Banner tone="notice" what={t.conflictTitle(f.count(conflicts))} next={[t.conflictNext, operation].filter(Boolean).join(" ")}>
        <Button dense onClick={() => work.review.look({ filter: "conflict" })}>{t.showConflicts(f.count(conflicts))}</Button>
      </Banner>
    ),
    conflicts === 0 && operation && <Banner tone="notice" what={operation} />,
    seen.review_unavailable && <Banner tone="notice" what={t.unavailable} next={visible(seen.review_unavailable)} />,
    review && <Incomplete review={review} />,
  ];
  return <div class="notices stack">{notices}</div>;
}

/** That the list is not whole, and what is missing. */
function Incomplete({ review: { partial, left_out: missing = [], notes = [] } }: { review: Review }) {
  const { t, f } = view;
  if (!partial && missing.length === 0) return null;
  return (
    <>
      <Banner tone="notice" what={t.partialReview} next={notes.map(visible).join(" ")} />
      {missing.length > 0 && (
        <details class="small t2">
          <summary>{t.leftOut(f.count(missing.length))}</summary>
          <ul class="meta">
            {missing.map(({ what, reason, bytes }) => <li class="wrap-any">{t.leftOutOne(visible(what), visible(reason), bytes === undefined ? "" : f.bytes(bytes))}</li>)}
          </ul>
        </details>
      )}
    </>
  );
}
