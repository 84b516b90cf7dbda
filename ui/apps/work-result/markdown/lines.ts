/** What a single line of a document may begin, looked at by itself. `null` is nothing of that kind. */

/** Tabs before the first word, as the spaces they stand for; `column` is where the line stands. */
export function withoutTabs(line: string, column = 0): string {
  const words = /[^ \t]|$/.exec(line)?.index ?? 0;
  const space = line.slice(0, words);
  if (!space.includes("\t")) return line;
  let spaces = "";
  for (const one of space) spaces += one === " " ? one : " ".repeat(4 - ((column + spaces.length) % 4));
  return spaces + line.slice(words);
}

export const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";
export const isIndented = (line: string): boolean => /^ {4}/.test(line) && !isBlank(line);
export const isQuote = (line: string): boolean => /^ {0,3}>/.test(line);

export function isRule(line: string): boolean {
  return !isIndented(line) && /^(-{3,}|\*{3,}|_{3,})$/.test(line.replaceAll(" ", ""));
}

/** A heading with signs in front; its level and its words. */
export function headingOf(line: string): { level: number; text: string } | null {
  const signs = /^ {0,3}(#{1,6})(?= |$)/.exec(line);
  if (!signs) return null;
  const text = line.slice(signs[0].length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  const closed = end === 0 || text[end - 1] === " ";
  return { level: signs[1]?.length ?? 1, text: closed ? text.slice(0, end).trimEnd() : text };
}

/** The signs that begin code between fences, and how far they stand in. */
export function fenceOf(line: string): { signs: string; indent: number } | null {
  const found = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line);
  if (!found) return null;
  const [, space = "", signs = "", info = ""] = found;
  return signs.startsWith("`") && info.includes("`") ? null : { signs, indent: space.length };
}

/** Whether a line ends the code that `signs` began. */
export function endsFence(line: string, signs: string): boolean {
  const bare = line.trim();
  return !isIndented(line) && bare.startsWith(signs) && [...bare].every((one) => one === signs[0]);
}

/** The mark of an item of a list. */
export interface Marker {
  /** `-`, `+`, `*`, `.` or `)`: items with another one belong to another list. */
  kind: string;
  start: number | null;
  /** How far the lines of the item stand in. */
  width: number;
  /** What follows on the same line. */
  rest: string;
}

export function markerOf(line: string): Marker | null {
  const found = /^ {0,3}(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(line);
  if (!found || isRule(line)) return null;
  const [mark, bullet, digits, sign] = found;
  const rest = withoutTabs(line.slice(mark.length), mark.length);
  const spaces = /[^ ]/.exec(rest)?.index ?? 0;
  // Further in than that, it is the code within the item that stands in.
  const gap = spaces >= 1 && spaces <= 4 ? spaces : 1;
  return { kind: bullet ?? sign ?? "", start: digits === undefined ? null : Number(digits), width: mark.length + gap, rest: rest.slice(gap) };
}

/** An item that may stand directly below the lines of a paragraph; any number there would end sentences by accident. */
export function interrupts(marker: Marker | null): boolean {
  return marker !== null && !isBlank(marker.rest) && (marker.start === null || marker.start === 1);
}

/** Whether a line ends the paragraph before it. */
export function beginsBlock(line: string): boolean {
  return !isIndented(line) && (isQuote(line) || isRule(line) || headingOf(line) !== null || fenceOf(line) !== null || interrupts(markerOf(line)));
}

/** The cells of a row, or nothing for a line without any. */
export function cellsOf(line: string): string[] | null {
  if (!line.includes("|") || isIndented(line)) return null;
  // An escaped bar is a bar; other escapes are read with the words.
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|"));
  const bare = line.trim();
  if (bare.startsWith("|")) cells.shift();
  if (bare.endsWith("|") && !bare.endsWith("\\|") && cells.length > 1) cells.pop();
  return cells.map((cell) => cell.trim());
}

/** The columns that the line below the head of a table describes. */
export function columnsOf(line: string | undefined): ("left" | "center" | "right" | undefined)[] | null {
  if (line === undefined || !/^[ |:-]+$/.test(line) || !line.includes("-")) return null;
  const cells = cellsOf(line) ?? [line.trim()];
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => (cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : cell.startsWith(":") ? "left" : undefined));
}
