import en from "./en";
import zhCN from "./zh-CN";

/** The languages there are. A new one is a folder here and one line below. */
export type Language = "en" | "zh-CN";

type Widen<T> = T extends string
  ? string
  : T extends (...values: infer V) => string
    ? (...values: V) => string
    : { readonly [K in keyof T]: Widen<T[K]> };

/** Every word of the pages: the same keys in each language, checked by the compiler and by a test. */
export type Text = Widen<typeof en>;

export const texts: Readonly<Record<Language, Text>> = { en, "zh-CN": zhCN };

/** The language to speak to somebody whose system prefers `preferred`, most wanted first. */
export function languageFor(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const base = tag.toLowerCase().split("-")[0];
    if (base === "zh") return "zh-CN";
    if (base === "en") return "en";
  }
  return "en";
}

export { formatFor, type Format } from "./format";
