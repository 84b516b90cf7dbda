import type { Child } from "../../draw/types";
import { visible } from "$kit/visible";
import { Button } from "../../controls/Button";
import { kept } from "../kept";
import { view } from "../view";

/** Whether the address of a link is shown, and whether the host would not open it. */
const stateOf = kept((_link: object) => ({ open: false, refused: false }));

/** A link goes nowhere by itself: it shows its address, and opening that is asked of the host. */
export function DocumentLink({ link, children }: { link: { link: string }; children: Child }) {
  const { t, host } = view;
  const url = link.link;
  const state = stateOf(link);
  const change = (by: Partial<typeof state>) => {
    Object.assign(state, by);
    view.tell();
  };
  // Only addresses of the web are worth handing to the host, which asks the person before it opens one.
  const canOpen = host.abilities.openLinks && /^https?:\/\//i.test(url);
  const ask = async () => change({ refused: !(await host.openLink(url).catch(() => false)) });
  return (
    <>
      <button type="button" class="link" aria-expanded={state.open} title={visible(url)} onClick={() => change({ open: !state.open })}>{children}</button>
      {state.open && (
        <span class="address meta">
          <bdi class="wrap-any">{t.link(visible(url))}</bdi>
          {canOpen && <Button dense icon="out" onClick={() => void ask()}>{t.openLink}</Button>}
          {state.refused && <span role="status">{t.linkRefused}</span>}
        </span>
      )}
    </>
  );
}
