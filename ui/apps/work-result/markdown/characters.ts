/** Addresses by the labels that stand for them. */
export type Targets = Map<string, string>;

/** A label as labels are compared. */
export const labelOf = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** Named characters that turn up in documents; any other name stays as it is written. */
const NAMED = new Map(
  ("amp& lt< gt> quot\" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» bull• middot· deg° "
    + "plusmn± times× divide÷ sect§ para¶ larr← rarr→ uarr↑ darr↓ euro€ pound£ yen¥ cent¢ le≤ ge≥ ne≠ infin∞ micro\u00b5 check✓")
    .split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);
/** A reference to a character, by its name or its number. */
export const REFERENCE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,31}));/iy;

/** The character that a match of `REFERENCE` stands for, or the reference itself. */
export function characterOf([written, hex, digits, name]: RegExpMatchArray | RegExpExecArray | readonly string[]): string {
  if (name) return NAMED.get(name) ?? (written as string);
  const code = hex ? parseInt(hex, 16) : Number(digits);
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
}

const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const ALL_REFERENCES = new RegExp(REFERENCE, "gi");

/** Text without its escapes, with the characters that references stand for. */
export function plain(text: string): string {
  return text.replace(ESCAPE, "$1").replace(ALL_REFERENCES, (...found: string[]) => characterOf(found));
}

/** An address that is only shown may be relative; one with a scheme is of the web or of mail. */
export function isSafe(url: string): boolean {
  const scheme = /^[\s\u0000-\u001f]*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto"].includes(scheme);
}
