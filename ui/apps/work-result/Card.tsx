import { type StateIcon, toneOf } from "$kit/icons-of-pages";
import { visible } from "$kit/visible";
import { Button } from "../controls/Button";
import { Icon } from "../controls/Icon";
import { Banner } from "../controls/notes";
import { factsOf, iconOf, isLost, type Line, linesOf } from "./card-facts";
import type { WorkState } from "./data/types";
import type { Work } from "./data/work";
import { view } from "./view";

interface Props {
  work: Work;
  seen: WorkState;
  onReview: () => void;
}

/** The work in a few lines, for a place within a conversation. */
export function Card({ work, seen, onReview }: Props) {
  const now = view.now();
  const { t, f } = view;
  const stale = work.trouble !== null;
  const icon = stale ? "degraded" : iconOf(seen);
  const lines = stale || seen.phase === "sealed" ? [] : linesOf(view, seen, now);
  const open = seen.phase === "open";
  const title = visible(seen.session?.title ?? work.presented.title ?? seen.project.name);
  return (
    <article class="card" aria-label={t.name}>
      <header>
        <Icon name={icon} tone={icon === "seal" ? "" : toneOf[icon]} />
        <div class="grow">
          <h2 class="cut" title={title}>{title}</h2>
          <p class="meta t2" role="status">{stale ? t.stale(f.clock(seen.at_ms)) : factsOf(view, seen, now)}</p>
        </div>
      </header>
      {isLost(seen) && <div class="said"><Banner tone="notice" what={t.interrupted} next={t.interruptedNext} /></div>}
      {lines.length > 0 && <ol>{lines.map((line) => <CardLine key={line.icon} line={line} seen={seen} />)}</ol>}
      {(stale || seen.phase !== "empty") && (
        <footer>
          {!stale && (
            <>
              <Button look={open ? "primary" : undefined} dense={!open} onClick={onReview}>
                {seen.phase === "sealed" ? t.showFinal : t.reviewFiles(f.count(seen.review?.file_count ?? 0))}
              </Button>
              <span class="meta t3 cut grow">{seen.phase === "running" ? t.updated(f.exactClock(seen.at_ms)) : ""}</span>
            </>
          )}
          <Button look={stale ? undefined : "quiet"} dense busy={work.busy} onClick={() => void work.refresh()}>{stale ? t.tryAgain : t.refresh}</Button>
        </footer>
      )}
    </article>
  );
}

function CardLine({ line: { icon, words, code, after, counts, live }, seen: { review } }: { line: Line; seen: WorkState }) {
  const { f } = view;
  return (
    <li class={live ? "live" : undefined}>
      <Icon name={icon} tone={icon in toneOf ? toneOf[icon as StateIcon] : "t2"} />
      <span class="cut" title={words}>{code ? <code>{words}</code> : words}</span>
      {counts
        ? <span class="pm"><span class="plus">+{f.compact(review?.added_lines ?? 0)}</span><span class="minus">−{f.compact(review?.removed_lines ?? 0)}</span></span>
        : <span class="meta t3 num">{after}</span>}
    </li>
  );
}
