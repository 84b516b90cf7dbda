import { visible } from "$kit/visible";
import { Button } from "../../controls/Button";
import { Icon } from "../../controls/Icon";
import type { Rejection } from "../data/types";
import type { Work } from "../data/work";
import { view } from "../view";
import { nameOf } from "./names";

/** What the person rejected, with the way back and the way to tell the model at once. */
export function Rejections({ rejections, work }: { rejections: readonly Rejection[]; work: Work }) {
  const { t, f, host, when } = view;

  /** Tells the conversation; without it the model is told at its next call. */
  async function tell() {
    const paths = [...new Set(rejections.map((one) => visible(one.path)))];
    const taken = await host.say(t.rejectedMessage(f.list(paths.slice(0, 20)))).catch(() => false);
    work.turn({ told: taken });
  }
  return (
    <section class="section">
      <header class="line">
        <h3 class="grow">{t.rejections(f.count(rejections.length))}</h3>
        <span class="meta t3" role="status">{work.told === null ? "" : work.told ? t.toldModel : t.toldModelNot}</span>
        {host.abilities.message && <Button look="quiet" dense icon="chat" onClick={() => void tell()}>{t.tellModel}</Button>}
      </header>
      <ul class="stack s1 small">
        {rejections.map(({ rejection_id, path, hunk, note, at_ms }) => {
          const { folder, base } = nameOf(path);
          const facts = [hunk === undefined ? t.rejectedWhole : t.rejectedPart, note && t.rejectedNote(visible(note))].filter(Boolean).join(" · ");
          return (
            <li key={rejection_id} class="line" data-rejection={rejection_id}>
              <Icon name="undo" tone="off" />
              <span class="grow cut" title={visible(path)}><bdi><span class="t3">{folder}</span>{base}</bdi> <span class="meta t3">{facts}</span></span>
              <span class="meta t3 num">{when(at_ms)}</span>
              <Button look="quiet" dense label={t.takeBackNamed(base)} onClick={() => void work.takeBackRejection(rejection_id)}>{t.takeBack}</Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
