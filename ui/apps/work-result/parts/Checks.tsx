import { visible } from "$kit/visible";
import { StateMark } from "../../controls/Icon";
import type { Check } from "../data/types";
import { view } from "../view";
import { checkIcon, checkWord } from "./outcomes";

/** The commands that were run to check the work, and what came of each. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  const { t, f, when } = view;
  return (
    <section class="section checks">
      <h3>{t.checks}</h3>
      {checks.length === 0 && <p class="small t2">{t.noChecks}</p>}
      <ul class="stack s1 small">
        {checks.map((check) => (
          <li key={check.job_id} class="line">
            <StateMark name={checkIcon(check)} />
            <span class="grow cut" title={visible(check.command)}><code>{visible(check.command)}</code></span>
            <span class="t2 nowrap">{checkWord(check, t)}{check.outdated && <span class="t3"> · {t.outdated}</span>}</span>
            <span class="meta t3 num nowrap">{f.length(check.duration_ms)} · {when(check.started_ms)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
