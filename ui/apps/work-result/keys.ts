/** Buttons by the key that presses them, within the file or the part of a file that has the focus. */
const ACTS: Readonly<Record<string, string>> = { a: "accept", r: "reject", z: "take-back" };
const FILES = "[data-file]";
const HUNKS = "[data-hunk]";
/** Where to go, and which way. */
const MOVES: Readonly<Record<string, readonly [selector: string, by: 1 | -1]>> = { j: [FILES, 1], k: [FILES, -1], n: [HUNKS, 1], p: [HUNKS, -1] };

/** Single keys of the review: J and K go over files, N and P over their parts, A accepts, R rejects, Z takes back. */
export function reviewKey(root: HTMLElement, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select")) return;
  const [move, act] = [MOVES[event.key], ACTS[event.key]];
  if (!move && !act) return;
  const reached = move ? go(root, target, ...move) : press(target, act as string);
  if (reached) event.preventDefault();
}

/** Draws; where what had the focus is gone then, such as the button of a decision, its file has it. */
export function keepingPlace(draw: () => void): void {
  const had = document.activeElement;
  const row = had?.closest("[data-row]");
  draw();
  if (!had?.isConnected && document.activeElement === document.body) row?.querySelector<HTMLElement>(FILES)?.focus({ preventScroll: true });
}

function go(root: HTMLElement, from: HTMLElement, selector: string, by: 1 | -1): boolean {
  const all = [...root.querySelectorAll<HTMLElement>(selector)];
  const after = (one: HTMLElement) => (from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !one.contains(from);
  const before = (one: HTMLElement) => (from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 && !one.contains(from);
  const next = from === root ? all[0] : by > 0 ? all.find(after) : all.filter(before).at(-1);
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return !!next;
}

function press(from: HTMLElement, act: string): boolean {
  const place = from.closest(HUNKS) ?? from.closest("[data-row]");
  const button = place?.querySelector<HTMLElement>(`[data-act="${act}"]`);
  button?.click();
  return !!button;
}
