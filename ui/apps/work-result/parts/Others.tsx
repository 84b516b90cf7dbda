import { visible } from "$kit/visible";
import { Icon } from "../../controls/Icon";
import type { OtherSession } from "../data/types";
import { view } from "../view";

/** The other sessions on the same project. */
export function Others({ others }: { others: readonly OtherSession[] }) {
  const { t, f } = view;
  const now = view.now();
  return (
    <section class="section others stack">
      <p class="small t2">{others.length === 0 ? t.noOthers : t.othersAbout}</p>
      <ul class="stack small">
        {others.map(({ title, client_name, last_used_ms }) => (
          <li class="line top">
            <Icon name="session" tone="t2" />
            <span class="grow">
              <b class="cut">{title === undefined ? t.othersUntitled : visible(title)}</b>
              <span class="meta t3">{t.othersFacts(visible(client_name ?? t.unknownClient), f.ago(last_used_ms, now))}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
