import { Button } from "../../controls/Button";
import type { Work } from "../data/work";
import { view } from "../view";

/** Has the focus while it is there; then it goes back to where it was. */
function holdFocus(node: HTMLElement) {
  const before = document.activeElement;
  node.focus();
  return () => { if (before instanceof HTMLElement && before.isConnected) before.focus(); };
}

/** Asks before something is rejected. No form element: frames of pages may not submit any, even one that goes nowhere. */
export function RejectForm({ work }: { work: Work }) {
  const { t } = view;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") work.ask(null);
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement && !event.isComposing) void work.reject();
  };
  return (
    <div class="reject stack" role="group" aria-labelledby="reject" onKeyDown={onKeyDown}>
      <div><h3 id="reject">{t.rejectTitle(work.rejecting?.named ?? "")}</h3><p class="meta t2">{t.rejectMeans}</p></div>
      <label class="stack s1 meta"><span>{t.rejectWhy}</span><input class="input" maxLength={500} ref={holdFocus} onInput={(event) => (work.note = event.currentTarget.value)} /></label>
      <div class="line wrap">
        <Button dense icon="undo" look="danger" busy={work.sending} onClick={() => void work.reject()}>{t.rejectDo}</Button>
        <Button dense look="quiet" onClick={() => work.ask(null)}>{t.cancel}</Button>
      </div>
    </div>
  );
}
