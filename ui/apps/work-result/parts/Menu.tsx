import { rove } from "$kit/roving";
import { Button } from "../../controls/Button";
import { view } from "../view";

const close = () => view.change({ menu: false });
const buttonOf = (menu: HTMLElement) => menu.previousElementSibling as HTMLElement | null;

/** A few acts that are seldom wanted, behind a button. */
export function Menu({ items }: { items: readonly { words: string; act: () => void }[] }) {
  const { t, menu: open } = view;
  return (
    <div class="has-menu">
      <Button look="quiet" dense icon="dots" label={t.more} popup="menu" expanded={open} onClick={() => view.change({ menu: !open })} />
      {open && (
        <div ref={hold} class="menu" role="menu" aria-label={t.more} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map(({ words, act }) => <button key={words} type="button" role="menuitem" tabIndex={-1} onClick={() => { close(); act(); }}>{words}</button>)}
        </div>
      )}
    </div>
  );
}

function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    close();
  } else rove(event.currentTarget, event, "[role=menuitem]");
}

/** Has the focus while it is there, and goes when something else is pressed. */
function hold(menu: HTMLElement) {
  const button = buttonOf(menu);
  menu.querySelector<HTMLElement>("button")?.focus();
  const away = ({ target }: Event) => { if (!menu.parentElement?.contains(target as Node)) close(); };
  addEventListener("pointerdown", away, true);
  return () => {
    removeEventListener("pointerdown", away, true);
    if (menu.contains(document.activeElement)) button?.focus();
  };
}
