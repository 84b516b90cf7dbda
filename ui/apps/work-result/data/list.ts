import type { Calls, Trouble } from "./calls";
import { FileView } from "./file";
import type { FinalChanges, Review, ReviewFile } from "./types";

export type Filter = "all" | "open" | "accepted" | "conflict";

/** The changed files of one snapshot, as far as they are listed, with what a person looks for among them. */
export class FileList {
  snapshot = "";
  files: readonly ReviewFile[] = [];
  total = 0;
  nextOffset: number | undefined;
  busy = false;
  trouble: Trouble | null = null;
  words = "";
  filter: Filter = "all";
  /** Whether the filter is open, also while nothing is looked for. */
  searching = false;
  conflicted: ReadonlySet<string> = new Set();
  #views = new Map<string, FileView>();

  /** `tell` is called when something has changed that is shown. */
  constructor(private readonly calls: Calls, private readonly tell: () => void, private readonly which: "review" | "final_changes") {}

  get accepted(): number {
    return this.files.filter((file) => file.decision === "accept").length;
  }

  get undecided(): ReviewFile[] {
    return this.files.filter((file) => !file.decision && !this.inConflict(file));
  }

  get shown(): ReviewFile[] {
    return this.files.filter((file) => this.#fits(file));
  }

  /** Looks for files whose path has these words and that stand as the filter says. */
  look(at: Partial<Pick<FileList, "words" | "filter" | "searching">>): void {
    Object.assign(this, at);
    this.tell();
  }

  inConflict(file: ReviewFile): boolean {
    return file.status === "conflicted" || this.conflicted.has(file.path);
  }

  #fits(file: ReviewFile): boolean {
    const words = this.words.trim().toLowerCase();
    if (words && !`${file.path} ${file.old_path ?? ""}`.toLowerCase().includes(words)) return false;
    switch (this.filter) {
      case "all": return true;
      case "open": return !file.decision;
      case "accepted": return file.decision === "accept";
      case "conflict": return this.inConflict(file);
    }
  }

  /** Takes a look at the files over. What is open stays open, and is read anew where the snapshot is another one. */
  take(look: Review | FinalChanges): void {
    this.total = look.file_count;
    this.conflicted = new Set("conflicted" in look ? look.conflicted : []);
    if ("unchanged" in look && look.unchanged) return;
    const open = [...this.#views.values()].filter((view) => view.open);
    const same = this.snapshot === look.snapshot_id;
    this.snapshot = look.snapshot_id;
    this.files = look.files ?? [];
    this.nextOffset = look.next_offset;
    this.#views = new Map();
    for (const before of open) {
      const file = this.files.find((one) => one.path === before.file.path);
      if (!file) continue;
      const view = this.view(file);
      if (same) [view.diff, view.text] = [before.diff, before.text];
      [view.open, view.view] = [true, before.view];
      // Decisions on parts of a file come with its lines.
      if (!same || before.view === "diff") { view.diff = null; void view.more(); }
    }
  }

  view(file: ReviewFile): FileView {
    const known = this.#views.get(file.path);
    if (known?.file === file) return known;
    const view = new FileView(this.calls, this.tell, this.snapshot, file);
    this.#views.set(file.path, view);
    return view;
  }

  /** Lists the next files of the same snapshot. */
  async more(): Promise<void> {
    if (this.busy || this.nextOffset === undefined) return;
    this.busy = true;
    this.tell();
    const snapshot = this.snapshot;
    const result = await this.calls.state({ snapshot_id: snapshot, offset: this.nextOffset });
    this.busy = false;
    this.trouble = result.ok ? null : result.trouble;
    const next = result.ok ? result.value[this.which] : undefined;
    if (next && snapshot === this.snapshot) {
      this.files = [...this.files, ...(next.files ?? [])];
      this.nextOffset = next.next_offset;
    }
    this.tell();
  }
}
