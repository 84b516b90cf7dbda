import type { Settings } from "$bridge/types";
import { type Format, formatFor, type Language, languageFor, type Text, texts } from "$text";

/** Language and appearance: what the person chose, else what the system prefers. */
export class Words {
  #system = $state<Language>(languageFor(navigator.languages));
  readonly language: Language = $derived.by(() => {
    const chosen = this.settings()?.language ?? "system";
    return chosen === "system" ? this.#system : chosen;
  });
  #dark = $state(matchMedia("(prefers-color-scheme: dark)").matches);
  readonly theme: "light" | "dark" = $derived.by(() => {
    const chosen = this.settings()?.theme ?? "system";
    return chosen === "system" ? (this.#dark ? "dark" : "light") : chosen;
  });
  readonly text: Text = $derived(texts[this.language]);
  readonly format: Format = $derived(formatFor(this.language));

  constructor(private readonly settings: () => Settings | undefined) {}

  start(): () => void {
    const follow = () => (this.#system = languageFor(navigator.languages));
    addEventListener("languagechange", follow);
    const system = matchMedia("(prefers-color-scheme: dark)");
    const followDark = () => (this.#dark = system.matches);
    system.addEventListener("change", followDark);
    const end = $effect.root(() => {
      $effect(() => {
        document.documentElement.lang = this.language;
      });
      $effect(() => {
        const theme = this.settings()?.theme ?? "system";
        if (theme === "system") delete document.documentElement.dataset["theme"];
        else document.documentElement.dataset["theme"] = theme;
      });
    });
    return () => {
      removeEventListener("languagechange", follow);
      system.removeEventListener("change", followDark);
      end();
    };
  }
}
