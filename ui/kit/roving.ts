import type { Attachment } from "svelte/attachments";

const NEXT = ["ArrowRight", "ArrowDown"];
const PREVIOUS = ["ArrowLeft", "ArrowUp"];

/** The place a key leads to in a list of `count`, or nothing for other keys. */
export function stepTo(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (NEXT.includes(key)) return (from + 1) % count;
  if (PREVIOUS.includes(key)) return (from - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

/**
 * Answers a key within `root`: arrow keys, Home and End move the focus among the elements that `selector` finds there;
 * `follow` may act on the one that has it then (a radio group chooses as it moves, a menu does not).
 */
export function rove(root: HTMLElement, event: KeyboardEvent, selector: string, follow?: (element: HTMLElement) => void): void {
  const items = [...root.querySelectorAll<HTMLElement>(selector)];
  const from = items.indexOf(document.activeElement as HTMLElement);
  const to = from < 0 ? undefined : stepTo(event.key, from, items.length);
  const target = to === undefined ? undefined : items[to];
  if (!target) return;
  event.preventDefault();
  target.focus();
  follow?.(target);
}

/** The same as an attachment of Svelte. */
export function roving(selector: string, follow?: (element: HTMLElement) => void): Attachment<HTMLElement> {
  return (root) => {
    const onKey = (event: KeyboardEvent) => rove(root, event, selector, follow);
    root.addEventListener("keydown", onKey);
    return () => root.removeEventListener("keydown", onKey);
  };
}
