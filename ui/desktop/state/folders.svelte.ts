import type { FolderRefusal, FolderResult } from "$bridge/types";
import type { App } from "./app.svelte";

/** One folder on its way in: first being checked, then with its result. */
export interface Entry {
  path: string;
  result: FolderResult | null;
}

/** Folders that were dropped, picked or pasted last, and what became of each. */
export class Folders {
  entries = $state<Entry[]>([]);
  readonly settled = $derived(this.entries.filter((entry) => entry.result).length);
  readonly added = $derived(this.entries.filter((entry) => entry.result?.kind === "added").length);
  readonly checking = $derived(this.settled < this.entries.length);
  /** Refused ones first, then those still being checked, then the added. */
  readonly sorted = $derived([...this.entries].sort((a, b) => rank(a) - rank(b)));

  constructor(private readonly app: App) {}

  /** Adds each folder by itself: one that does not answer keeps no other waiting. */
  async add(paths: readonly string[]): Promise<FolderResult[]> {
    const wanted = [...new Set(paths.map((path) => path.trim()).filter((path) => path !== ""))];
    if (wanted.length === 0) return [];
    this.entries = wanted.map((path) => ({ path, result: null }));
    const entries = this.entries;
    return Promise.all(entries.map((entry) => this.#settle(entry)));
  }

  /** Tries one of the refused again, or another folder in its place. */
  async retry(entry: Entry, path = entry.path): Promise<void> {
    entry.path = path;
    entry.result = null;
    await this.#settle(entry);
  }

  /** Asks for folders and adds them. */
  async pick(startIn: string | null = null): Promise<FolderResult[]> {
    const paths = await this.app.run(this.app.bridge.pickFolders(startIn));
    return paths ? this.add(paths) : [];
  }

  close(): void {
    this.entries = [];
  }

  async #settle(entry: Entry): Promise<FolderResult> {
    const answer = await this.app.bridge.addFolder(entry.path);
    const result = answer.ok ? answer.value : refused(entry.path, { code: "failed", error: answer.error });
    entry.result = result;
    return result;
  }
}

function rank(entry: Entry): number {
  if (!entry.result) return 1;
  return entry.result.kind === "refused" ? 0 : 2;
}

function refused(path: string, why: FolderRefusal): FolderResult {
  return { kind: "refused", name: folderName(path), path, why };
}

/** The last part of a path, of whichever system. */
export function folderName(path: string): string {
  return path.replace(/[\\/]+$/, "").split(/[\\/]/).pop() || path;
}

/** The folder a path lies in. */
export function parentOf(path: string): string {
  return path.replace(/[\\/]+$/, "").replace(/[\\/][^\\/]*$/, "") || path;
}
