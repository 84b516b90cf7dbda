/** What the tools of the Work Result say, as the page reads it. Moments are milliseconds since 1970. */

export type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "type_changed" | "conflicted";
export type NoPreview = "deleted" | "binary" | "not_utf8" | "symlink" | "submodule" | "special" | "too_large";
export type Decision = "accept" | "reject";

export interface ReviewFile {
  path: string;
  status: ChangeStatus;
  old_path?: string;
  added_lines?: number;
  removed_lines?: number;
  size_bytes?: number;
  note?: string;
  no_diff?: NoPreview;
  no_text?: NoPreview;
  by?: "session" | "command" | "mixed" | "others";
  decision?: Decision;
  accepted_hunks?: number;
}

export interface ReviewHunk {
  hunk_id: string;
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
  /** Lines with ` `, `-` or `+` in front. */
  text: string;
  accepted?: boolean;
}

export interface Rejection {
  rejection_id: string;
  path: string;
  status: ChangeStatus;
  hunk?: string;
  note?: string;
  at_ms: number;
}

export interface Check {
  job_id: string;
  command: string;
  execution_state: "not_started" | "pending" | "finished" | "unknown";
  outcome?: "passed" | "failed" | "timed_out" | "stopped" | "lost";
  exit_code?: number;
  started_ms: number;
  duration_ms: number;
  outdated?: boolean;
}

export interface ReviewBase {
  kind: "session_start" | "head" | "first_look";
  at_ms?: number;
  head?: string;
}

export interface FinalChanges {
  snapshot_id: string;
  attempt: number;
  sealed_ms: number;
  base: ReviewBase;
  head?: string;
  summary?: string;
  expires_ms: number;
  file_count: number;
  added_lines: number;
  removed_lines: number;
  files?: ReviewFile[];
  next_offset?: number;
  work_went_on?: boolean;
}

export interface Omission {
  what: string;
  reason: string;
  bytes?: number;
}

export interface Review {
  snapshot_id: string;
  taken_ms: number;
  expires_ms: number;
  base: ReviewBase;
  file_count: number;
  added_lines: number;
  removed_lines: number;
  files: ReviewFile[];
  unchanged?: boolean;
  next_offset?: number;
  partial?: boolean;
  conflicted?: string[];
  left_out?: Omission[];
  rejections?: Rejection[];
  notes?: string[];
}

export interface ActivityEntry {
  at_ms: number;
  tool: string;
  success?: boolean;
  error_code?: string;
  duration_ms: number;
}

export interface OtherSession {
  title?: string;
  client_name?: string;
  created_ms: number;
  last_used_ms: number;
}

export interface WorkState {
  at_ms: number;
  project: { project: string; name: string; git: boolean; branch?: string; head?: string; operation?: string };
  session?: { session_id: string; title: string; client_name?: string; created_ms: number; last_used_ms: number };
  phase: "empty" | "running" | "open" | "sealed";
  review?: Review;
  review_unavailable?: string;
  checks?: Check[];
  final_changes?: FinalChanges;
  activity?: ActivityEntry[];
  activity_count?: number;
  collaboration?: OtherSession[];
  diagnostics?: { window_known?: boolean; attempt?: number; server_version?: string };
}

/** What the page begins with; the rest it loads. */
export interface Presented {
  project: string;
  session_id?: string;
  title?: string;
  view: "card" | "panel";
}

/** How much of a file is loaded. */
export interface Loaded {
  loaded_bytes: number;
  total_bytes: number;
  partial?: boolean;
  limit_reached?: boolean;
  next_offset?: number;
}

export interface FileDiff extends Loaded {
  hunks: ReviewHunk[];
  note?: string;
  hunks_fixed?: string;
}

export interface FileText extends Loaded {
  text: string;
}

export interface Decided {
  path: string;
  changed: boolean;
  rejection?: Rejection;
}
