import { type Format, formatFor } from "$text/format";
import { type WorkResultText, workResultTexts } from "$text/apps";
import { type Language, languageFor } from "$text/language";
import type { Host, HostContext, ToolResult } from "../bridge/types";
import { Timing } from "../timing";
import { read, type Trouble } from "./data/calls";
import type { Presented } from "./data/types";
import { Work } from "./data/work";

/** What every part of the page is given: words, formats, the host and the work that is shown. */
export class View {
  context: HostContext = {};
  work: Work | null = null;
  /** Why there is nothing to show. */
  failure: Trouble | null = null;
  language!: Language;
  t!: WorkResultText;
  f!: Format;
  /** Review was asked for where the host has no larger place to show it. */
  expanded = false;
  /** Whether the menu of the panel is open, and how wide the panel is. */
  menu = false;
  width = 0;
  readonly timing: Timing;
  /** Whether something on the page says how long ago or for how long. */
  #live = false;
  #end: () => void = () => undefined;

  /** `draw` draws the page anew, with everything that has changed until then. */
  constructor(readonly host: Host, private readonly draw: () => void) {
    this.timing = new Timing(this.tell);
    this.#take({});
  }

  /** Begins to listen to the host, and to the clock while the time is shown. */
  start(): void {
    this.host.listen({
      context: (context) => this.#take(context),
      result: (result) => this.#begin(result),
      cancelled: (reason) => this.change({ failure: { code: "cancelled", message: reason, hint: null } }),
      teardown: () => this.#end(),
    });
    setInterval(() => this.#live && this.tell(), 1000);
  }

  #drawing = false;
  /** Something has changed that is shown. */
  readonly tell = (): void => {
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = this.#live = false;
      this.draw();
    });
  };

  change(by: Partial<Pick<View, "failure" | "expanded" | "menu" | "width">>): void {
    Object.assign(this, by);
    this.tell();
  }

  get inline(): boolean {
    return this.context.displayMode === "inline";
  }

  get canExpand(): boolean {
    return this.context.availableDisplayModes?.includes("fullscreen") ?? false;
  }

  /** The time, for what has to be drawn anew as it goes on. */
  now(): number {
    this.#live = true;
    return Date.now();
  }

  /** Follows what the host says: the language and the appearance of the whole document too. */
  #take(context: HostContext): void {
    this.context = context;
    const language = languageFor([context.locale ?? "", ...navigator.languages]);
    if (language !== this.language) [this.language, this.t, this.f] = [language, workResultTexts[language], formatFor(language)];
    const root = document.documentElement;
    root.lang = language;
    root.dataset["theme"] = context.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.tell();
  }

  /** What the tool that opened the page said; the same project and session again only means another look. */
  #begin(result: ToolResult): void {
    const said = read<Presented>(result);
    this.change({ failure: said.ok ? null : said.trouble });
    if (!said.ok) return;
    const now = this.work?.presented;
    if (now?.project === said.value.project && now.session_id === said.value.session_id) return void this.work?.refresh();
    this.#end();
    this.work = new Work(this.host, said.value, this.timing, this.tell);
    this.#end = this.work.start();
  }

  /** `14:02` today, or with its day: a moment that has to be exact. */
  readonly when = (at: number): string => {
    const [day, clock] = [this.f.moment(at, Date.now()), this.f.clock(at)];
    return day === clock ? clock : `${day} ${clock}`;
  };

  /** Our words where we know the code, else what the tool said. */
  readonly explain = (trouble: Trouble): { message: string; hint: string | null } => {
    const known: Record<string, { message: string; hint: string }> = this.t.troubles;
    return Object.hasOwn(known, trouble.code) ? (known[trouble.code] ?? trouble) : trouble;
  };
}

/** The view of this document. A document shows one page to one host, so there is one. */
export let view: View;

export function openView(host: Host, draw: () => void): void {
  view = new View(host, draw);
  view.start();
}
