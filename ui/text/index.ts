import en from "./en";
import type { Language } from "./language";
import zhCN from "./zh-CN";

/** The shape of words without the words themselves. */
export type Widen<T> = T extends string
  ? string
  : T extends (...values: infer V) => string
    ? (...values: V) => string
    : { readonly [K in keyof T]: Widen<T[K]> };

/** Every word of the pages: the same keys in each language, checked by the compiler and by a test. */
export type Text = Widen<typeof en>;

export const texts: Readonly<Record<Language, Text>> = { en, "zh-CN": zhCN };

export { formatFor, type Format } from "./format";
export { languageFor, type Language } from "./language";
