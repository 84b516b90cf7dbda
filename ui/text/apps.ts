import type { Widen } from ".";
import type { Language } from "./language";
import { workResult as english } from "./en/work-result";
import { workResult as chinese } from "./zh-CN/work-result";

/** The words of the pages that any host shows. They are apart from the window's, so that each page carries only its own. */
export type WorkResultText = Widen<typeof english>;

export const workResultTexts: Readonly<Record<Language, WorkResultText>> = { en: english, "zh-CN": chinese };
