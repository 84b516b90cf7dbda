import { type StateIcon } from "$kit/icons-of-pages";
import { StateMark } from "../../controls/Icon";
import type { ActivityEntry } from "../data/types";
import { view } from "../view";

const iconOf = ({ success }: ActivityEntry): StateIcon => (success === undefined ? "working" : success ? "ready" : "notice");

/** The newest calls of the session, `count` in all. */
export function Activity({ entries, count }: { entries: readonly ActivityEntry[]; count: string }) {
  const { t, f } = view;
  const words: Record<string, string> = t.tools;
  const shown = f.count(entries.length);
  const outcome = ({ success, error_code }: ActivityEntry) => (success === undefined ? t.call.running : success ? t.call.done : t.call.failed(error_code ?? ""));
  return (
    <section class="section activity">
      {entries.length === 0 ? <p class="small t2">{t.noActivity}</p> : shown !== count && <p class="meta t3 newest">{t.activityNewest(shown, count)}</p>}
      <ol class="small">
        {entries.map((entry) => {
          const known = Object.hasOwn(words, entry.tool);
          return (
            <li class="line">
              <span class="meta t3 num when">{f.exactClock(entry.at_ms)}</span>
              <StateMark name={iconOf(entry)} />
              <span class="grow cut">{known ? words[entry.tool] : entry.tool} <span class="meta t3">{known && entry.tool}</span></span>
              <span class={`meta t2 nowrap${entry.success ? " vh" : ""}`}>{outcome(entry)}</span>
              <span class="meta t3 num nowrap took">{f.length(entry.duration_ms)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
