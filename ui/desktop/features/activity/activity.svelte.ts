import type { Call, Outcome } from "$bridge/types";
import type { Format, Text } from "$text";
import { outcomeWords, whatOf } from "$state/call-words";

export type View = "calls" | "sessions" | "jobs";
export type OutcomeGroup = "all" | "done" | "open" | "bad" | "stopped";

const GROUPS: Record<Outcome["kind"], OutcomeGroup> = {
  running: "open", waiting: "open", finished: "done", exit: "bad", failed: "bad", interrupted: "bad",
  refused: "stopped", denied: "stopped", no_answer: "stopped",
};

export function groupOf(outcome: Outcome): OutcomeGroup {
  return outcome.kind === "exit" && outcome.code === 0 ? "done" : GROUPS[outcome.kind];
}

/** Search, filters and the place in the list of calls. All of it is lost with the page, on purpose. */
export class CallList {
  search = $state("");
  project = $state("all");
  client = $state("all");
  outcome = $state<OutcomeGroup>("all");
  open = $state<string | null>(null);
  atTop = $state(true);
  /** The newest call that was there when the person left the top; news above it wait. */
  #held = $state<string | null>(null);

  readonly filtered = $derived(
    this.search.trim() !== "" || this.project !== "all" || this.client !== "all" || this.outcome !== "all",
  );
  readonly #fitting: readonly Call[] = $derived.by(() => this.calls().filter((call) => this.#fits(call)));
  /** How many of the newest are held back, so that nothing moves under the pointer. */
  readonly waiting: number = $derived.by(() => {
    if (this.#held === null) return 0;
    return Math.max(0, this.#fitting.findIndex((call) => call.id === this.#held));
  });
  readonly shown: readonly Call[] = $derived(this.waiting === 0 ? this.#fitting : this.#fitting.slice(this.waiting));
  readonly projects: string[] = $derived.by(() => distinct(this.calls().map((call) => call.projectName ?? "")));
  readonly clients: string[] = $derived.by(() => distinct(this.calls().map((call) => call.client)));

  constructor(
    private readonly calls: () => readonly Call[],
    private readonly words: () => { t: Text; f: Format },
  ) {}

  /** The list was scrolled, to its top or away from it. */
  scrolled(atTop: boolean): void {
    if (atTop === this.atTop) return;
    this.atTop = atTop;
    this.#hold();
  }

  /** Opens a call's details, or closes them; while they are open nothing moves. */
  toggle(id: string): void {
    this.open = this.open === id ? null : id;
    this.#hold();
  }

  /** Lets the held-back news in. */
  showNew(): void {
    this.open = null;
    this.atTop = true;
    this.#held = null;
  }

  clear(): void {
    this.search = "";
    this.project = "all";
    this.client = "all";
    this.outcome = "all";
  }

  #hold(): void {
    const still = this.atTop && this.open === null;
    this.#held = still ? null : (this.#held ?? this.#fitting[0]?.id ?? null);
  }

  #fits(call: Call): boolean {
    if (this.project !== "all" && (call.projectName ?? "") !== this.project) return false;
    if (this.client !== "all" && call.client !== this.client) return false;
    if (this.outcome !== "all" && groupOf(call.outcome) !== this.outcome) return false;
    const wanted = this.search.trim().toLowerCase();
    return wanted === "" || this.#searched(call).includes(wanted);
  }

  /** Everything a person sees of the call, and the files it names. */
  #searched(call: Call): string {
    const { t, f } = this.words();
    const files = "files" in call.subject && Array.isArray(call.subject.files) ? call.subject.files.join(" ") : "";
    return `${call.tool} ${whatOf(call, t, f)} ${files} ${call.projectName ?? ""} ${call.client} ${outcomeWords(call.outcome, t)}`.toLowerCase();
  }
}

function distinct(names: string[]): string[] {
  return [...new Set(names)].filter((name) => name !== "").sort();
}
