import { createContext } from "svelte";
import { type Format, formatFor } from "$text/format";
import { type WorkResultText, workResultTexts } from "$text/apps";
import { languageFor } from "$text/language";
import type { Host, HostContext } from "../bridge/types";
import { Timing } from "../timing.svelte";
import type { Trouble } from "./data/calls";
import type { Work } from "./data/work.svelte";

/** What every part of the page is given: words, formats, the host and the time. */
export class View {
  context = $state.raw<HostContext>({});
  now = $state(Date.now());
  work = $state.raw<Work | null>(null);
  readonly timing = new Timing();
  readonly language = $derived(languageFor([this.context.locale ?? "", ...navigator.languages]));
  readonly t: WorkResultText = $derived(workResultTexts[this.language]);
  readonly f: Format = $derived(formatFor(this.language));
  readonly inline = $derived(this.context.displayMode === "inline");
  readonly canExpand = $derived(this.context.availableDisplayModes?.includes("fullscreen") ?? false);

  constructor(readonly host: Host) {}

  /** The time goes on, and the document follows language and appearance, until the returned function is called. */
  start(): () => void {
    const timer = setInterval(() => (this.now = Date.now()), 1000);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const end = $effect.root(() => {
      $effect(() => {
        document.documentElement.lang = this.language;
        document.documentElement.dataset["theme"] = this.context.theme ?? (dark.matches ? "dark" : "light");
      });
    });
    return () => {
      clearInterval(timer);
      end();
    };
  }

  /** `today 14:02`, or with its day: a moment that has to be exact. */
  when(at: number): string {
    const [day, clock] = [this.f.moment(at, this.now), this.f.clock(at)];
    return day === clock ? clock : `${day} ${clock}`;
  }

  /** Our words where we know the code, else what the tool said. */
  explain(trouble: Trouble): { message: string; hint: string | null } {
    const known: Record<string, { message: string; hint: string }> = this.t.troubles;
    return Object.hasOwn(known, trouble.code) ? (known[trouble.code] ?? trouble) : trouble;
  }
}

export const [useView, provideView] = createContext<View>();
