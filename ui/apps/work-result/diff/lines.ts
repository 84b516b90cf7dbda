import type { ReviewHunk } from "../data/types";

/** One line of a diff with its numbers on either side. */
export interface DiffLine {
  sign: " " | "+" | "-";
  old: number | null;
  new: number | null;
  text: string;
  /** The last line of a file that does not end its line. */
  noEnd?: true;
}

/** The lines of a hunk. What is not a line of a diff is left out rather than shown as something it is not. */
export function linesOf(hunk: ReviewHunk): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after] = [hunk.old_start, hunk.new_start];
  const texts = hunk.text.split("\n");
  if (texts.at(-1) === "") texts.pop();
  for (const line of texts) {
    const text = line.slice(1);
    if (line.startsWith("+")) lines.push({ sign: "+", old: null, new: after++, text });
    else if (line.startsWith("-")) lines.push({ sign: "-", old: before++, new: null, text });
    else if (line.startsWith("\\")) {
      const last = lines.at(-1);
      if (last) last.noEnd = true;
    } else lines.push({ sign: " ", old: before++, new: after++, text });
  }
  return lines;
}

/** A line before beside the line after; either may be missing. */
export interface Pair {
  left: DiffLine | null;
  right: DiffLine | null;
}

/** For side by side: removed lines face the added ones that follow them. */
export function pairsOf(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as DiffLine;
    if (line.sign === " ") {
      pairs.push({ left: line, right: line });
      at += 1;
      continue;
    }
    const { removed, added, end } = changeAt(lines, at);
    for (let row = 0; row < Math.max(removed.length, added.length); row++) {
      pairs.push({ left: removed[row] ?? null, right: added[row] ?? null });
    }
    at = end;
  }
  return pairs;
}

/** The run of removed lines and the run of added ones after it, beginning at `from`. */
export function changeAt(lines: readonly DiffLine[], from: number): { removed: DiffLine[]; added: DiffLine[]; end: number } {
  let at = from;
  const take = (sign: string) => {
    const start = at;
    while (lines[at]?.sign === sign) at += 1;
    return lines.slice(start, at);
  };
  return { removed: take("-"), added: take("+"), end: at };
}

/** Where the changed lines of a hunk are, for people: in the new file, or in the old one where all were removed. */
export function rangeOf(lines: readonly DiffLine[]): { first: number; last: number } {
  const numbers = lines.filter((line) => line.sign !== " ").map((line) => line.new ?? line.old ?? 0);
  return { first: Math.min(...numbers), last: Math.max(...numbers) };
}

/** How many unchanged lines lie between two hunks (or before the first). */
export function gapBefore(hunk: ReviewHunk, previous: ReviewHunk | undefined): { first: number; count: number } {
  // A side without lines stands after the line it names.
  const start = hunk.new_lines === 0 ? hunk.new_start + 1 : hunk.new_start;
  const end = previous ? previous.new_start + Math.max(previous.new_lines, previous.new_lines === 0 ? 1 : 0) : 1;
  return { first: end, count: Math.max(0, start - end) };
}

/** The unchanged lines of a gap before a hunk, out of the whole new text. */
export function linesBefore(hunk: ReviewHunk, { first, count }: { first: number; count: number }, text: string): DiffLine[] {
  const shift = hunk.old_start - hunk.new_start;
  return text.split("\n").slice(first - 1, first - 1 + count).map((line, at) => ({ sign: " ", old: first + at + shift, new: first + at, text: line }));
}

/** The same in pieces that are drawn together. */
export function inChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
