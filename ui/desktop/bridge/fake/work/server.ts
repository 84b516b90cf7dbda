import type { ToolResult } from "../../../../apps/bridge/types";
import type { Check, FinalChanges, Loaded, Presented, Rejection, ReviewFile, ReviewHunk, WorkState } from "../../../../apps/work-result/data/types";
import { awkwardFiles, type FakeFile, hostileFiles, manyFiles, shopFiles } from "./files";

/** Situations the page has to be right in; each is a session of the same name. */
export const works = ["open", "running", "empty", "sealed", "partial", "conflict", "expired", "hostile", "many", "offline", "lost", "reading"] as const;
export type WorkName = (typeof works)[number];

/** The tools that a page may call. */
export const PAGE_TOOLS = ["work_result_state", "changes_file_diff", "changes_file_text", "review_decision"] as const;

const LOAD = 32 * 1024;
const LIMIT = 256 * 1024;
/** Where a long run of changed lines is cut. */
const HUNK = 8 * 1024;
const PAGE = 500;
const DAY = 86_400_000;
const PROJECT = "agent:desk-7f2c:webshop";

type Arguments = Record<string, unknown>;
interface Refusal { code: string; message: string; hint?: string }
const refuse = (code: string, message: string, hint?: string): never => {
  const error: Refusal = { code, message, ...(hint ? { hint } : {}) };
  throw Object.assign(new Error(message), { refusal: error });
};

const TITLES: Partial<Record<WorkName, string>> = {
  open: "Coupons in the cart", running: "Fix the menu on phones", sealed: "Price list as PDF", reading: "Explain the checkout",
  partial: "Prices for 2026", conflict: "Prices for 2026", lost: "References of chapter 4", hostile: "<b>A</b> \u202etitle\nwith \"everything\"",
};

/** Server and Runner of one session in memory, as far as the Work Result asks them. They keep every rule of the contract. */
export class FakeWork {
  /** Every call with its arguments, in order. */
  readonly calls: { tool: string; arguments: Arguments }[] = [];
  #files: FakeFile[];
  #revision = 1;
  #accepted = new Set<string>();
  #rejections: { rejection: Rejection; file: FakeFile; at: number; hunk?: NonNullable<FakeFile["hunks"]>[number] }[] = [];

  constructor(readonly name: WorkName, readonly project = PROJECT, private readonly now: () => number = Date.now) {
    this.#files = filesOf(name);
  }

  get session(): string {
    return `wcs_${this.name}`;
  }

  /** What the tool says that opens the page. */
  presented(view: Presented["view"]): ToolResult {
    return said({ project: this.project, session_id: this.session, title: TITLES[this.name] ?? this.name, view } satisfies Presented);
  }

  /** Answers a call as the Server would, over MCP. */
  call(tool: string, given: Arguments): ToolResult {
    this.calls.push({ tool, arguments: given });
    try {
      if (this.name === "offline") refuse("agent_offline", "The Runner does not answer.", "Open WebCodex there.");
      if (given["project"] !== this.project || given["session_id"] !== this.session) refuse("project_not_configured", "There is no such project.");
      switch (tool) {
        case "work_result_state": return said(this.#state(given));
        case "changes_file_diff": return said(this.#diff(given));
        case "changes_file_text": return said(this.#text(given));
        case "review_decision": return said(this.#decide(given));
        default: return refuse("unknown_tool", `There is no tool ${tool} for pages.`);
      }
    } catch (error) {
      const { refusal } = error as { refusal?: Refusal };
      if (!refusal) throw error;
      return { isError: true, content: [{ type: "text", text: refusal.message }], structuredContent: { success: false, error: refusal } };
    }
  }

  get #snapshot(): string {
    return `wcx_${this.name}_${this.#revision}`;
  }
  get #sealed(): string {
    return `wcx_${this.name}_final`;
  }

  #state(given: Arguments): WorkState {
    const now = this.now();
    const at = Number(given["offset"] ?? 0);
    const listed = this.#files.map((file) => this.#listed(file));
    const sums = { added_lines: sum(listed, "added_lines"), removed_lines: sum(listed, "removed_lines") };
    const unchanged = given["known_snapshot_id"] === this.#snapshot;
    const next = at + PAGE < listed.length ? { next_offset: at + PAGE } : {};
    const running = this.name === "running";
    const idle = ["empty", "reading"].includes(this.name);
    const base = { kind: "session_start" as const, at_ms: now - 1_860_000, head: "4f1c2ab90d" };
    const sealed = this.name === "sealed" || this.name === "expired";
    const final: FinalChanges = {
      snapshot_id: this.#sealed, attempt: 1, sealed_ms: now - 100_800_000, base, head: "4f1c2ab90d", expires_ms: now + 13 * DAY,
      summary: "The price list can be exported as PDF, one page a group. Fonts are embedded.",
      file_count: listed.length, ...sums, files: listed.slice(at, at + PAGE), ...next,
    };
    return {
      at_ms: now,
      project: { project: this.project, name: "webshop", git: true, branch: "feature/coupons", head: "4f1c2ab90d", ...(this.name === "conflict" ? { operation: "merge" } : {}) },
      session: { session_id: this.session, title: TITLES[this.name] ?? this.name, client_name: "ChatGPT", created_ms: now - 1_860_000, last_used_ms: now - 120_000 },
      phase: running ? "running" : idle ? "empty" : sealed ? "sealed" : "open",
      review: {
        snapshot_id: this.#snapshot, taken_ms: now, expires_ms: now + 14 * DAY, base, file_count: listed.length, ...sums,
        files: unchanged ? [] : listed.slice(at, at + PAGE), ...(unchanged ? { unchanged } : next),
        ...(this.name === "conflict" ? { conflicted: ["src/checkout/tax.ts", "src/checkout/totals.ts"] } : {}),
        ...(this.name === "partial" ? { partial: true, notes: ["12 ignored folders are not looked at."], left_out: [{ what: "video/launch.mov", reason: "larger than what a snapshot keeps", bytes: 412_000_000 }] } : {}),
        rejections: this.#rejections.map(({ rejection }) => rejection),
      },
      checks: idle ? [] : checksOf(now, this.name),
      ...(sealed ? { final_changes: final } : {}),
      activity: activityOf(now, idle), activity_count: idle ? 8 : 61,
      collaboration: [{ title: "Explain the checkout", client_name: "Claude", created_ms: now - 9_000_000, last_used_ms: now - 7_200_000 }, { client_name: "Codex", created_ms: now - DAY, last_used_ms: now - DAY }],
      diagnostics: { window_known: true, attempt: 1, server_version: "1.4.0" },
    };
  }

  #listed(file: FakeFile): ReviewFile {
    const { hunks: _hunks, text: _text, decision, ...entry } = file;
    const accepted = [...this.#accepted].filter((key) => key.startsWith(`${file.path}\u0001`)).length;
    return {
      ...entry, ...(this.#accepted.has(file.path) || decision ? { decision: "accept" as const } : {}),
      ...(accepted > 0 ? { accepted_hunks: accepted } : {}),
    };
  }

  #find(given: Arguments): FakeFile {
    if (this.name === "expired") refuse("snapshot_expired", "This snapshot is not kept any more.", "Take a new look.");
    if (given["snapshot_id"] !== this.#snapshot && given["snapshot_id"] !== this.#sealed) refuse("stale_revision", "The files have changed since.", "Take a new look.");
    return this.#files.find((file) => file.path === given["path"]) ?? refuse("not_listed", "This snapshot does not list the file.");
  }

  #diff(given: Arguments): { hunks: ReviewHunk[] } & Loaded {
    const file = this.#find(given);
    if (file.no_diff) refuse("no_preview", "There are no lines to show.");
    const all = (file.hunks ?? []).flatMap((hunk, index) => partsOf(hunk, `h${index}`));
    const offset = Number(given["offset"] ?? 0);
    const sizes = all.map((hunk) => hunk.text.length);
    const before = sizes.slice(0, offset).reduce((bytes, size) => bytes + size, 0);
    let [end, loaded] = [offset, before];
    while (end < all.length && loaded + (sizes[end] as number) - before <= LOAD && loaded + (sizes[end] as number) <= LIMIT) loaded += sizes[end++] as number;
    const hunks = all.slice(offset, end).map((hunk) => ({ ...hunk, ...(this.#accepted.has(`${file.path}\u0001${hunk.hunk_id}`) ? { accepted: true } : {}) }));
    const total = sizes.reduce((bytes, size) => bytes + size, 0);
    const more = end < all.length;
    const limit_reached = more && loaded + (sizes[end] as number) > LIMIT;
    return {
      hunks, loaded_bytes: loaded, total_bytes: total, ...(more ? { partial: true } : {}), ...(limit_reached ? { limit_reached } : {}),
      ...(more && !limit_reached ? { next_offset: end } : {}), ...(file.note ? { note: file.note } : {}),
    };
  }

  #text(given: Arguments): { text: string } & Loaded {
    const file = this.#find(given);
    if (file.no_text || file.text === undefined) return refuse("no_preview", "There is no text to show.");
    const offset = Number(given["offset"] ?? 0);
    const text = file.text.slice(offset, offset + LOAD);
    return { text, ...progress(offset + text.length, file.text.length) };
  }

  #decide(given: Arguments) {
    if (given["action"] === "take_back" && given["rejection_id"]) return this.#restore(String(given["rejection_id"]));
    const file = this.#find(given);
    const hunk = given["hunk_id"] === undefined ? undefined : String(given["hunk_id"]);
    const key = hunk === undefined ? file.path : `${file.path}\u0001${hunk}`;
    if (given["action"] === "accept") this.#accepted.add(key);
    else if (given["action"] === "take_back") {
      this.#accepted.delete(key);
      delete file.decision;
    } else return this.#reject(file, hunk, given["note"] === undefined ? undefined : String(given["note"]));
    return { path: file.path, changed: false };
  }

  #reject(file: FakeFile, hunk: string | undefined, note: string | undefined) {
    const at = this.#files.indexOf(file);
    const part = hunk === undefined ? undefined : file.hunks?.[Number.parseInt(hunk.slice(1), 10)];
    const rejection: Rejection = {
      rejection_id: `r${this.#rejections.length + 1}`, path: file.path, status: file.status, at_ms: this.now(),
      ...(part ? { hunk: part.text } : {}), ...(note ? { note } : {}),
    };
    this.#rejections.unshift({ rejection, file: { ...file }, at, ...(part ? { hunk: part } : {}) });
    const rest = part ? (file.hunks ?? []).filter((one) => one !== part) : [];
    if (rest.length > 0) this.#files = this.#files.map((one) => (one === file ? { ...file, hunks: rest } : one));
    else this.#files = this.#files.filter((one) => one !== file);
    this.#revision += 1;
    return { path: file.path, changed: true, rejection };
  }

  #restore(id: string) {
    const found = this.#rejections.find(({ rejection }) => rejection.rejection_id === id);
    if (!found) return refuse("not_listed", "There is no such rejection.");
    this.#rejections = this.#rejections.filter((one) => one !== found);
    this.#files = [...this.#files.filter((file) => file.path !== found.file.path), found.file].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#revision += 1;
    return { path: found.file.path, changed: true };
  }
}

function said(output: unknown): ToolResult {
  return { content: [{ type: "text", text: "Done." }], structuredContent: { success: true, output }, isError: false };
}

function filesOf(name: WorkName): FakeFile[] {
  switch (name) {
    case "empty": case "reading": return [];
    case "partial": return awkwardFiles().filter((file) => file.status !== "conflicted");
    case "conflict": return awkwardFiles();
    case "hostile": return hostileFiles();
    case "many": return manyFiles(5000);
    case "running": return shopFiles().slice(0, 2);
    case "sealed": case "expired": return shopFiles().slice(0, 5);
    case "lost": return shopFiles().slice(3, 6);
    case "open": case "offline": return shopFiles();
  }
}

function sum(files: readonly ReviewFile[], field: "added_lines" | "removed_lines"): number {
  return files.reduce((lines, file) => lines + (file[field] ?? 0), 0);
}

/** A long run of lines is told as several hunks, as the Runner does it. */
function partsOf(hunk: { old_start: number; new_start: number; text: string }, id: string): ReviewHunk[] {
  const parts: ReviewHunk[] = [];
  let [old_start, new_start] = [hunk.old_start, hunk.new_start];
  for (let at = 0; at < hunk.text.length; ) {
    const end = at + HUNK >= hunk.text.length ? hunk.text.length : hunk.text.indexOf("\n", at + HUNK) + 1;
    const text = hunk.text.slice(at, end);
    const lines = text.split("\n").slice(0, -1);
    const count = (signs: string) => lines.filter((line) => signs.includes(line[0] ?? "")).length;
    const [old_lines, new_lines] = [count(" -"), count(" +")];
    // A side without lines stands after the line it names.
    parts.push({
      hunk_id: parts.length === 0 ? id : `${id}-${parts.length}`, text, old_lines, new_lines,
      old_start: old_lines === 0 && old_start > 0 ? old_start - 1 : old_start, new_start: new_lines === 0 && new_start > 0 ? new_start - 1 : new_start,
    });
    [old_start, new_start, at] = [old_start + old_lines, new_start + new_lines, end];
  }
  return parts;
}

function progress(loaded: number, total: number): Loaded {
  if (loaded >= total) return { loaded_bytes: loaded, total_bytes: total };
  if (loaded + LOAD > LIMIT) return { loaded_bytes: loaded, total_bytes: total, partial: true, limit_reached: true };
  return { loaded_bytes: loaded, total_bytes: total, partial: true, next_offset: loaded };
}

function checksOf(now: number, name: WorkName): Check[] {
  const check = (id: string, command: string, different: Partial<Check>): Check => ({
    job_id: `wcj_${id}`, command, execution_state: "finished", outcome: "passed", exit_code: 0, started_ms: now - 168_000, duration_ms: 48_000, ...different,
  });
  if (name === "running") return [check("r", "npm test", { execution_state: "pending", outcome: undefined, exit_code: undefined, started_ms: now - 72_000, duration_ms: 72_000 } as Partial<Check>)];
  if (name === "lost") return [check("l", "latexmk -pdf thesis.tex", { outcome: "lost", exit_code: undefined } as Partial<Check>)];
  return [
    check("a", "npm test", {}), check("b", "tsc --noEmit", { duration_ms: 9_000 }),
    check("c", "npm run lint -- --max-warnings 0 src tests", { outcome: "failed", exit_code: 1, outdated: true, started_ms: now - 900_000, duration_ms: 12_400 }),
  ];
}

function activityOf(now: number, reading: boolean) {
  const tools = reading ? ["read_files", "search_project_texts"] : ["edit_project_files", "run_process", "read_files", "read_files", "search_project_texts", "some_new_tool"];
  return Array.from({ length: reading ? 8 : 50 }, (_, n) => ({
    at_ms: now - 120_000 - n * 31_000, tool: tools[n % tools.length] as string, success: n % 17 !== 16, duration_ms: 41 + n * 37,
    ...(n % 17 === 16 ? { error_code: "stale_revision" } : {}),
  }));
}
