/** Characters that show nothing or turn text around, and with it what a person believes to read. Tabs are fine. */
const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

export function isHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** `U+202E`, in brackets that code does not use. */
export function nameOfHidden(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The same text with hidden characters written out, for names and commands on one line. */
export function visible(text: string): string {
  return isHidden(text) || text.includes("\t") ? [...text].map((one) => (isHidden(one) || one === "\t" ? nameOfHidden(one) : one)).join("") : text;
}
