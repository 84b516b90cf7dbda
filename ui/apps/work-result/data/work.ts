import type { Host } from "../../bridge/types";
import type { Timing } from "../../timing";
import { Calls, type Result, type Trouble } from "./calls";
import { FileList } from "./list";
import type { Decided, Presented, ReviewFile, WorkState } from "./types";

/** How often the state is asked for: while something runs, while it may change, while nobody looks. */
const POLL_MS = { running: 5_000, open: 20_000, hidden: 60_000 };

/** What is being decided on: a file, or one part of it. */
export interface Target {
  file: ReviewFile;
  hunk?: string;
  /** In words, for the question and its buttons. */
  named: string;
}

/** The work that is shown: its state as last heard, its files, and what the person does with them. */
export class Work {
  state: WorkState | null = null;
  /** Why the last question for the state had no answer; the state above is as old as it says then. */
  trouble: Trouble | null = null;
  /** Why the last decision did not come about. */
  refusal: Trouble | null = null;
  busy = false;
  /** The change that is about to be rejected. */
  rejecting: Target | null = null;
  /** How far "accept all" has come. */
  accepting: { done: number; of: number } | null = null;
  /** Why it is rejected, as far as it is written; whether that is on its way. */
  note = "";
  sending = false;
  /** What became of telling the model at once. */
  told: boolean | null = null;
  /** The part of the panel that is open, and whether two sides are wanted there. */
  tab: "review" | "activity" | "others" = "review";
  split = false;
  readonly review: FileList;
  readonly final: FileList;
  readonly calls: Calls;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  /** `tell` is called when something has changed that is shown. */
  constructor(host: Host, readonly presented: Presented, private readonly timing: Timing, private readonly tell: () => void) {
    const { project, session_id } = presented;
    this.calls = new Calls(host, { project, ...(session_id ? { session_id } : {}) }, timing.call);
    this.review = new FileList(this.calls, tell, "review");
    this.final = new FileList(this.calls, tell, "final_changes");
  }

  get canDecide(): boolean {
    return this.presented.session_id !== undefined && this.state?.phase !== "sealed";
  }

  /** Begins to follow the work until the returned function is called. */
  start(): () => void {
    const seen = () => {
      this.timing.note({ kind: document.hidden ? "hidden" : "visible" });
      this.#plan();
    };
    document.addEventListener("visibilitychange", seen);
    void this.refresh();
    return () => {
      this.#ended = true;
      clearTimeout(this.#timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }

  /** Asks for the state. Files that did not change are not sent again, unless a decision changed how they stand. */
  async refresh(anew = false): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.tell();
    const known = anew ? undefined : this.review.snapshot || undefined;
    const result = await this.calls.state(known ? { known_snapshot_id: known } : {});
    this.busy = false;
    if (this.#ended) return;
    this.trouble = result.ok ? null : result.trouble;
    if (result.ok) this.#take(result.value);
    this.tell();
    this.#plan();
  }

  #take(state: WorkState): void {
    if (state.review) this.review.take(state.review);
    const sealed = state.final_changes;
    if (sealed && (sealed.snapshot_id !== this.final.snapshot || this.final.files.length === 0)) this.final.take(sealed);
    this.state = state;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#ended || this.state?.phase === "sealed") return;
    const planned = document.hidden ? POLL_MS.hidden : this.state?.phase === "running" ? POLL_MS.running : POLL_MS.open;
    const start = performance.now();
    this.#timer = setTimeout(() => {
      this.timing.note({ kind: "poll", planned, actual: performance.now() - start });
      // A question that is still open, or a form that somebody fills in, is not disturbed.
      if (this.busy || this.rejecting || this.accepting) this.#plan();
      else void this.refresh();
    }, planned);
  }

  /** Asks whether this is to be rejected, or no longer. */
  ask(rejecting: Target | null): void {
    [this.rejecting, this.note] = [rejecting, ""];
    this.tell();
  }

  /** Turns to another part or another layout, or away from a refusal that was read. */
  turn(to: Partial<Pick<Work, "tab" | "split" | "refusal" | "told">>): void {
    Object.assign(this, to);
    this.tell();
  }

  async accept(target: Target): Promise<void> {
    await this.#decide(this.calls.accept(this.#of(target)));
  }

  /** Rejects what is asked about, with the reason that is written. */
  async reject(): Promise<void> {
    if (!this.rejecting || this.sending) return;
    const note = this.note.trim();
    this.sending = true;
    const done = await this.#decide(this.calls.reject({ ...this.#of(this.rejecting), ...(note ? { note } : {}) }));
    this.sending = false;
    if (done) this.ask(null);
    else this.tell();
  }

  async takeBack(target: Target): Promise<void> {
    await this.#decide(this.calls.takeBack(this.#of(target)));
  }

  async takeBackRejection(id: string): Promise<void> {
    await this.#decide(this.calls.takeBack({ rejection_id: id }));
  }

  #of({ file, hunk }: Target) {
    return { snapshot_id: this.review.snapshot, path: file.path, ...(hunk ? { hunk_id: hunk } : {}) };
  }

  async #decide(decision: Promise<Result<Decided>>): Promise<boolean> {
    const result = await decision;
    this.refusal = result.ok ? null : result.trouble;
    await this.refresh(true);
    return result.ok;
  }

  /** Accepts every file that is still open, those not listed yet too, one after the other until it is stopped. */
  async acceptAll(): Promise<void> {
    this.#accepting({ done: 0, of: this.review.total - this.review.accepted });
    while (this.review.nextOffset !== undefined && !this.review.trouble && this.accepting) await this.review.more();
    const open = this.review.undecided;
    const snapshot_id = this.review.snapshot;
    for (const [done, file] of open.entries()) {
      if (!this.accepting) break;
      this.#accepting({ done, of: open.length });
      const result = await this.calls.accept({ snapshot_id, path: file.path });
      this.refusal = result.ok ? null : result.trouble;
      if (!result.ok) break;
    }
    this.#accepting(null);
    await this.refresh(true);
  }

  stopAccepting(): void {
    this.#accepting(null);
  }

  #accepting(now: Work["accepting"]): void {
    this.accepting = now;
    this.tell();
  }
}
