import type { Calls, Result, Trouble } from "./calls";
import type { FileDiff, FileText, Loaded, ReviewFile } from "./types";

export type View = "diff" | "text" | "document";

/** One file of one snapshot as it is looked at: what is open, what is loaded, what went wrong. */
export class FileView {
  open = false;
  view: View = "diff";
  diff: FileDiff | null = null;
  text: FileText | null = null;
  busy = false;
  trouble: Trouble | null = null;
  /** The hunks before which the unchanged lines are shown. */
  gaps: ReadonlySet<string> = new Set();
  /** The host did not open it. */
  unopened = false;

  /** `tell` is called when something has changed that is shown. */
  constructor(private readonly calls: Calls, private readonly tell: () => void, readonly snapshot: string, readonly file: ReviewFile) {
    if (file.no_diff && !file.no_text) this.view = "text";
  }

  /** Opens or closes it; the first part is loaded when it is first wanted, and not before. */
  toggle(): void {
    this.open = !this.open;
    this.tell();
    if (this.open) this.#want();
  }

  show(view: View): void {
    this.view = view;
    this.tell();
    this.#want();
  }

  #want(): void {
    if (this.view === "diff" ? this.diff || this.file.no_diff : this.text || this.file.no_text) return;
    void this.more();
  }

  /** Loads the first or the next part of what is shown. */
  async more(): Promise<void> {
    if (this.view === "diff") await this.#load(this.diff, (offset) => this.calls.diff(this.#place(offset)), (next) => (this.diff = joinDiffs(this.diff, next)));
    else await this.#load(this.text, (offset) => this.calls.text(this.#place(offset)), (next) => (this.text = joinTexts(this.text, next)));
  }

  /** Shows the unchanged lines before a hunk; text is loaded until it reaches them, or its end, or the limit. */
  async showGap(hunk: string, line: number): Promise<void> {
    const count = () => (this.text?.text.split("\n").length ?? 0) - 1;
    while (count() < line && !this.trouble && (!this.text || this.text.next_offset !== undefined)) {
      await this.#load(this.text, (offset) => this.calls.text(this.#place(offset)), (next) => (this.text = joinTexts(this.text, next)));
    }
    if (this.text) this.gaps = new Set([...this.gaps, hunk]);
    this.tell();
  }

  /** Whether the host opened it. */
  opened(well: boolean): void {
    this.unopened = !well;
    this.tell();
  }

  #place(offset: number | undefined) {
    return { snapshot_id: this.snapshot, path: this.file.path, ...(offset === undefined ? {} : { offset }) };
  }

  async #load<T extends Loaded>(so: T | null, call: (offset?: number) => Promise<Result<T>>, take: (next: T) => void): Promise<void> {
    if (this.busy || (so && so.next_offset === undefined)) return;
    this.busy = true;
    this.tell();
    const result = await call(so?.next_offset);
    this.busy = false;
    this.trouble = result.ok ? null : result.trouble;
    if (result.ok) take(result.value);
    this.tell();
  }
}

function joinTexts(before: FileText | null, next: FileText): FileText {
  return before ? { ...next, text: before.text + next.text } : next;
}

function joinDiffs(before: FileDiff | null, next: FileDiff): FileDiff {
  return before ? { ...next, hunks: [...before.hunks, ...next.hunks] } : next;
}
