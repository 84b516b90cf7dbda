/** Colours for code: a few kinds of words, found line by line. Not a parser; what it does not know stays plain. */

export type Kind = "key" | "str" | "num" | "com" | "fn" | "type";
export interface Token {
  start: number;
  end: number;
  kind: Kind;
}

interface Language {
  keys: ReadonlySet<string>;
  line: readonly string[];
  block?: readonly [open: string, close: string];
  quotes: string;
  /** Whether a word before `(` is a function and one with a capital is a type. */
  words: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const C_LIKE = "if else for while do switch case default break continue return new try catch finally throw class interface enum extends implements public private protected static final abstract void this super import package true false null";
const script: Language = {
  keys: words(`${C_LIKE} const let var function async await yield of in typeof instanceof export from as type delete undefined readonly declare satisfies keyof`),
  line: ["//"], block: ["/*", "*/"], quotes: "\"'`", words: true,
};
const curly: Language = {
  keys: words(`${C_LIKE} func fn let mut pub use mod impl trait struct match where move ref self Self crate dyn unsafe async await loop go chan defer range select map var const type package nil int char bool float double long short unsigned signed string using namespace template typename virtual override operator auto sizeof typedef union extern val fun when object companion data sealed internal guard protocol extension init lateinit suspend`),
  line: ["//"], block: ["/*", "*/"], quotes: "\"'`", words: true,
};
const python: Language = {
  keys: words("def class return if elif else for while try except finally raise with as import from pass break continue lambda yield global nonlocal in is not and or None True False async await del assert match case"),
  line: ["#"], quotes: "\"'", words: true,
};
const shell: Language = {
  keys: words("if then else elif fi for while do done case esac in function return export local set unset true false begin end def module require puts do elsif unless nil self class FROM RUN COPY ENV CMD ENTRYPOINT WORKDIR ARG"),
  line: ["#"], quotes: "\"'", words: false,
};
const sql: Language = {
  keys: words("select from where insert into values update set delete create table alter drop index primary key references not null and or join left right inner on as group by order limit distinct having union begin commit rollback"
    .split(" ").flatMap((word) => [word, word.toUpperCase()]).join(" ")),
  line: ["--"], block: ["/*", "*/"], quotes: "'\"", words: false,
};
const style: Language = { keys: words("@media @import @supports @font-face !important"), line: [], block: ["/*", "*/"], quotes: "\"'", words: false };
const json: Language = { keys: words("true false null"), line: ["//"], quotes: "\"", words: false };
const markup: Language = { keys: words(""), line: [], block: ["<!--", "-->"], quotes: "\"'", words: false };

const ENDINGS: readonly [string, Language][] = [
  ["js mjs cjs jsx ts mts cts tsx svelte vue", script],
  ["rs go java kt kts c h cc cpp hpp cs swift scala dart php zig m mm", curly],
  ["py pyi", python],
  ["sh bash zsh fish yml yaml toml rb conf ini env dockerfile makefile ps1 r properties", shell],
  ["sql", sql],
  ["css scss less", style],
  ["json jsonc json5", json],
  ["html htm xml svg", markup],
];

/** The language of a file by its name; nothing for one that is shown plain. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  return ENDINGS.find(([endings]) => endings.split(" ").includes(ending))?.[1];
}

const LONGEST = 2000;
const WORD = /[@!]?[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const NUMBER = /(?:0x[\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)\w*/iy;

/** The coloured words of consecutive lines; a comment over several lines is carried from one to the next. */
export function colour(lines: readonly string[], language: Language): Token[][] {
  let inside = false;
  return lines.map((line) => {
    const found = line.length > LONGEST ? { tokens: [], inside } : tokensOf(line, language, inside);
    inside = found.inside;
    return found.tokens;
  });
}

function tokensOf(line: string, language: Language, startsInside: boolean): { tokens: Token[]; inside: boolean } {
  const tokens: Token[] = [];
  const push = (start: number, end: number, kind: Kind) => tokens.push({ start, end, kind });
  const [open, close] = language.block ?? [];
  let at = 0;
  let inside = startsInside;
  while (at < line.length) {
    if (inside && close) {
      const end = line.indexOf(close, at);
      const until = end < 0 ? line.length : end + close.length;
      push(at, until, "com");
      inside = end < 0;
      at = until;
      continue;
    }
    if (open && line.startsWith(open, at)) {
      // Begins here; where it ends is found above, after its own sign.
      const end = close === undefined ? -1 : line.indexOf(close, at + open.length);
      const until = end < 0 ? line.length : end + (close?.length ?? 0);
      push(at, until, "com");
      inside = end < 0;
      at = until;
    } else if (language.line.some((sign) => line.startsWith(sign, at) && (sign !== "#" || at === 0 || /\s/.test(line[at - 1] ?? "")))) {
      push(at, line.length, "com");
      at = line.length;
    } else if (language.quotes.includes(line[at] as string)) {
      const end = endOfString(line, at);
      push(at, end, "str");
      at = end;
    } else at = wordAt(line, at, language, push);
  }
  return { tokens, inside };
}

function endOfString(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === line[start]) return at + 1;
  }
  // No end on this line: an apostrophe in plain words more often than a long string.
  return line[start] === "'" ? start + 1 : line.length;
}

function wordAt(line: string, at: number, language: Language, push: (start: number, end: number, kind: Kind) => void): number {
  WORD.lastIndex = NUMBER.lastIndex = at;
  const word = WORD.exec(line)?.[0];
  if (word) {
    const end = at + word.length;
    if (language.keys.has(word)) push(at, end, "key");
    else if (language.words && line[end] === "(") push(at, end, "fn");
    else if (language.words && /^[A-Z][\p{L}\p{N}]*[a-z]/u.test(word)) push(at, end, "type");
    return end;
  }
  const number = NUMBER.exec(line)?.[0];
  if (!number) return at + 1;
  push(at, at + number.length, "num");
  return at + number.length;
}
