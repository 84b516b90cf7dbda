/** The languages there are. A new one is a folder beside this file and a line in `index.ts`. */
export type Language = "en" | "zh-CN";

/** The language to speak to somebody whose system prefers `preferred`, most wanted first. */
export function languageFor(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const base = tag.toLowerCase().split("-")[0];
    if (base === "zh") return "zh-CN";
    if (base === "en") return "en";
  }
  return "en";
}
