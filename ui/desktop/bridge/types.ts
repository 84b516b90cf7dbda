/**
 * What the shell says and is asked, as plain data. Moments (`…At`) are milliseconds since 1970, lengths end in
 * `Ms`, sizes in `Bytes`. Nothing in here is a sentence for people except names, commands and a model's own words:
 * sentences are made from codes in `text/`.
 */

import type { TunnelConnection } from "./tunnels";

export * from "./tunnels";

export type ProjectId = string;
export type CallId = string;
export type JobId = string;
export type SessionId = string;
export type ApprovalId = string;
export type ClientId = string;
export type ConnectionId = string;

/** The whole truth of one moment. The tray, the window and the command line read the same value. */
export interface Status {
  /** When the shell last saw this to be so. */
  observedAt: number;
  state: StateName;
  /** Why it is so; decides the sentence of Home. */
  reason: Reason;
  /** The one thing that would help now; nothing when all is well. */
  action: Action | null;
  server: Part;
  runner: Part;
  /** True until the person has been through, or has skipped, the first steps. */
  firstRun: boolean;
  system: "linux" | "macos" | "windows";
  version: string;
  projects: Project[];
  /** Newest first, at most {@link CALLS_HELD}; earlier ones are asked for. */
  calls: Call[];
  callsToday: number;
  /** Whether the record holds calls before the last of `calls`. */
  earlierCalls: boolean;
  sessions: Session[];
  jobs: Job[];
  approvals: Approval[];
  clients: Client[];
  connections: TunnelConnection[];
  /** A tunnel named by `CONTROL_PLANE_…` in the environment, until it is taken over or declined. */
  importable: { tunnel: string } | null;
  address: Address;
  settings: Settings;
  update: Update;
  /** Things that work, but differently than a person would expect. */
  remarks: Remark[];
}

/** How many calls one `Status` carries. */
export const CALLS_HELD = 5000;

export type StateName = "off" | "starting" | "ready" | "working" | "problem";

/** One background program. */
export interface Part {
  state: "stopped" | "starting" | "running" | "backoff" | "failed";
  /** When the next try begins; only with `backoff`. */
  retryAt: number | null;
}

export type Reason =
  | { code: "ready" }
  | { code: "no_project" }
  | { code: "no_client" }
  | { code: "paused" }
  | { code: "starting" }
  | { code: "working"; client: string; project: string; command: string | null }
  | { code: "approval_waits"; count: number }
  | { code: "server_restarting"; retryAt: number }
  | { code: "server_failed"; detail: string }
  | { code: "runner_restarting"; retryAt: number }
  | { code: "runner_failed"; detail: string }
  | { code: "port_taken"; port: number; newPort: number }
  | { code: "disk_full"; folder: string }
  | { code: "secrets_unavailable" }
  | { code: "connection_broken"; client: string };

export type Action =
  | "add_folder"
  | "connect_client"
  | "resume"
  | "restart"
  | "show_logs"
  | "open_approvals"
  | "open_activity"
  | "open_connections"
  | "keep_secrets_in_file";

export type Remark =
  | { code: "settings_restored"; keptAs: string }
  | { code: "history_restored"; keptAs: string }
  | { code: "connections_restored"; keptAs: string }
  | { code: "no_tray" }
  | { code: "secrets_in_file"; path: string }
  | { code: "address_changed"; from: string; to: string };

export type Permission = "read" | "edit" | "edit_run";

export interface Project {
  id: ProjectId;
  name: string;
  path: string;
  permission: Permission;
  askFirst: boolean;
  facts: FolderFacts;
  /** Whether the folder can be reached now. */
  reachable: boolean;
  lastUse: { client: string; at: number } | null;
  working: boolean;
}

export interface FolderFacts {
  git: { branch: string | null; uncommitted: number } | null;
  /** Nothing while it is still being counted. */
  files: number | null;
  bytes: number | null;
  /** The registered project this folder lies in. */
  inside: string | null;
  /** Registered projects inside this folder. */
  contains: string[];
  place: "local" | "cloud" | "network";
  /** Where a link led to; nothing for an ordinary folder. */
  linkedFrom: string | null;
}

/** What became of one folder that was dropped, picked or pasted. */
export type FolderResult =
  | { kind: "added"; project: ProjectId; name: string; path: string; facts: FolderFacts }
  | { kind: "refused"; name: string; path: string; why: FolderRefusal };

export type FolderRefusal =
  | { code: "duplicate"; project: string }
  | { code: "home" }
  | { code: "system" }
  | { code: "missing" }
  | { code: "not_a_folder" }
  | { code: "unreadable" }
  | { code: "no_answer"; afterMs: number }
  | { code: "outside_allowed"; allowed: string[] }
  | { code: "failed"; error: Failure };

export interface Call {
  id: CallId;
  at: number;
  tool: string;
  subject: Subject;
  projectName: string | null;
  client: string;
  outcome: Outcome;
  /** How long it took; nothing while it runs or waits. */
  tookMs: number | null;
  lines: { added: number; removed: number } | null;
}

/** What a call was about, as far as it is recorded. */
export type Subject =
  | { kind: "read"; files: string[] }
  | { kind: "search"; query: string; matches: number | null }
  | { kind: "edit"; files: string[] }
  | { kind: "command"; command: string }
  | { kind: "session"; title: string }
  | { kind: "review"; files: number }
  | { kind: "other" };

export type Outcome =
  | { kind: "running" }
  | { kind: "waiting" }
  | { kind: "finished" }
  | { kind: "exit"; code: number }
  | { kind: "refused" }
  | { kind: "denied" }
  | { kind: "no_answer" }
  | { kind: "failed" }
  | { kind: "interrupted" };

export interface CallDetail {
  id: CallId;
  session: string | null;
  door: "local" | "public" | "tunnel";
  allowedBy: { kind: "permission"; permission: Permission } | { kind: "person"; scope: "once" | "session" } | null;
  steps: Step[];
  totalMs: number;
  answer: { bytes: number; cut: boolean; handedOverAt: number } | null;
  /** The failure as the model was told it. */
  failure: Failure | null;
  /** The person's word to the model. */
  word: string | null;
}

export interface Step {
  kind: "arrived" | "waited_runner" | "waited_person" | "worked" | "answered";
  startMs: number;
  lengthMs: number;
}

export interface Session {
  id: SessionId;
  title: string;
  projectId: ProjectId;
  project: string;
  client: string;
  review: SessionReview;
  startedAt: number;
  /** When the client last used it; what the person does with its changes is no use of it. */
  lastAt: number;
  calls: number;
  /** Files that are changed by it now: those that were rejected or undone are not. */
  changedFiles: number;
  /** Those of them that the person has accepted. */
  acceptedFiles: number;
}

/** How a session and the review of its changes stand. */
export type SessionReview =
  /** A call or a job of it is at work, or was a moment ago. */
  | { kind: "running" }
  /** It is quiet, and there are changes that the person has neither accepted nor undone. */
  | { kind: "waiting_for_review" }
  /** Its model has closed and thereby sealed it, or nothing of it waits for anybody. */
  | { kind: "finished"; sealed: boolean; at: number };

export interface Job {
  id: JobId;
  /** Nothing where the record of that call is gone. */
  call: CallId | null;
  project: string;
  client: string;
  command: string;
  folder: string;
  startedAt: number;
  endedAt: number | null;
  limitMs: number;
  outputBytes: number;
  lastLineAt: number | null;
  state: "running" | "stopping" | "finished" | "failed" | "stopped" | "timed_out" | "lost";
  exitCode: number | null;
}

/** Output of a job. The first message starts over; later ones continue it. */
export interface OutputMessage {
  startsOver: boolean;
  text: string;
  /** Bytes between the kept start and the kept end; the text marks the place with {@link GAP}. */
  leftOutBytes: number;
  totalBytes: number;
}

/** Stands in an output where its middle was left out. */
export const GAP = "\u0000";

export interface Approval {
  id: ApprovalId;
  call: CallId;
  askedAt: number;
  /** When the model is told that nobody answered. */
  expiresAt: number;
  client: string;
  project: string;
  folder: string;
  /** What the model said its session is for; null where it has none, or said nothing. */
  because: string | null;
  /** Whether the call belongs to a session, so that an answer can count for the rest of it. */
  forSession: boolean;
  asks: { kind: "command"; command: string } | { kind: "edit"; files: ChangedFile[] };
  state: "waiting" | "expired";
}

export interface ChangedFile {
  path: string;
  change: "modified" | "added" | "deleted" | "renamed";
  added: number;
  removed: number;
  /** Nothing where the change is too large or not text. */
  lines: DiffLine[] | null;
}

export interface DiffLine {
  sign: "+" | "-" | " ";
  old: number | null;
  new: number | null;
  text: string;
}

export type ApprovalAnswer =
  | { kind: "allow"; scope: "once" | "session" }
  | { kind: "deny"; word: string };

export type ClientKind = "chatgpt" | "claude_desktop" | "claude_code" | "other";

export interface Client {
  id: ClientId;
  kind: ClientKind;
  name: string;
  via: "local" | "public" | "tunnel";
  state: "online" | "checking" | "waiting" | "needs_you" | "quiet" | "off" | "unknown";
  lastCall: { at: number; tool: string; outcome: Outcome; tookMs: number | null } | null;
  hops: Hop[];
  /** When the client last fetched the list of tools, if that list is older than ours. */
  oldToolsFrom: number | null;
  events: ClientEvent[];
}

export interface Hop {
  name: "app" | "server" | "runner" | "address" | "proxy" | "credential" | "last_call" | "tools";
  state: "ok" | "broken" | "unknown" | "notice";
  finding: HopFinding;
}

export type HopFinding =
  | { code: "running"; version: string }
  | { code: "answers"; ms: number }
  | { code: "no_answer"; afterMs: number }
  | { code: "linked"; projects: number }
  | { code: "not_linked" }
  | { code: "listening"; address: string }
  | { code: "reachable"; address: string; ms: number }
  | { code: "unreachable"; address: string; detail: string }
  | { code: "not_set" }
  | { code: "accepted"; at: number }
  | { code: "rejected"; at: number }
  | { code: "last_call"; at: number; tookMs: number | null }
  | { code: "no_call" }
  | { code: "tools_old"; from: number }
  | { code: "not_checked" };

export interface ClientEvent {
  at: number;
  kind: "call_finished" | "call_failed" | "rejected" | "offline" | "online";
  tool: string | null;
  ms: number | null;
}

export interface Address {
  /** The address for programs on this computer. */
  local: string;
  /** The public https address the person has set up; ChatGPT needs one. */
  public: string | null;
}

/** A client's ready-made configuration, with the credential hidden. */
export interface ClientSetup {
  kind: ClientKind;
  /** The file it belongs in; nothing for a command to be typed. */
  file: string | null;
  text: string;
  /** Whether the shell can write the file itself. */
  writable: boolean;
}

export interface Settings {
  language: "system" | "en" | "zh-CN";
  theme: "system" | "light" | "dark";
  startAtLogin: boolean;
  notify: { workDone: boolean; workStuck: boolean; approvalWanted: boolean; connectionLost: boolean };
  /** Where models may register projects by themselves; empty: nowhere. */
  allowedRoots: string[];
  newProjects: { permission: Permission; askFirst: boolean };
  approvalSeconds: number;
  secrets: "windows" | "macos" | "secret_service" | "owner_file" | "none";
  proxy: { mode: "automatic" | "direct" | "custom"; url: string };
  publicAddress: string;
  waitSeconds: number;
  waitProfile: "direct" | "code_mode";
  record: "off" | "times" | "subjects";
  logBytes: number;
  logLimitBytes: number;
  updates: "ask" | "idle";
}

/** The settings a person can change; the rest is observed. */
export type SettingsChange = Partial<Omit<Settings, "secrets" | "logBytes" | "logLimitBytes" | "approvalSeconds">>;

export type Update =
  | { state: "unknown" }
  | { state: "checking" }
  | { state: "newest"; checkedAt: number }
  /** Its size, where it is told. */
  | { state: "available"; version: string; bytes: number | null }
  | { state: "installing"; version: string }
  | { state: "failed"; checkedAt: number };

/** What went wrong, what would help, and a code for programs. */
export interface Failure {
  code: string;
  message: string;
  hint: string | null;
}

/** A page of the Server's own that the window shows in frames of another origin. */
export interface AppPage {
  uri: string;
  /** The whole document. */
  html: string;
  /** What its resource declares that it may load: whole origins, by their kind. */
  csp: Record<string, string[]>;
  /** The tools that it may call. */
  tools: string[];
  /** The address of `host/sandbox.html`, on an origin that is not the window's. */
  sandbox: string;
}

/** The tools that the window calls by itself or for a page. */
export type WorkTool = "work_result_state" | "changes_file_diff" | "changes_file_text" | "review_decision" | "restore_changes";

/** What a tool answered, in the Server's own form: refused or not, the call took place. */
export interface ToolAnswer {
  success: boolean;
  output?: unknown;
  error?: { code: string; message: string; hint?: string | null };
}

/** The answer to a command: either a value or a failure, never an exception. */
export type Answer<T> = { ok: true; value: T } | { ok: false; error: Failure };
