import type { PageIcon, StateIcon } from "$kit/icons-of-pages";
import { visible } from "$kit/visible";
import type { WorkState } from "./data/types";
import { checkIcon, checkWord } from "./parts/outcomes";
import type { View } from "./view";

/** What the card says of the work, as far as it follows from its state alone. */

const READING = ["read_files", "search_project_texts", "navigate_code", "read_git_history", "read_workspace_changes"];

/** Whether the last command ended with the program that ran it. */
export function isLost({ phase, checks }: WorkState): boolean {
  return phase !== "running" && checks?.[0]?.outcome === "lost";
}

export function iconOf(seen: WorkState): StateIcon | "seal" {
  const last = seen.checks?.[0];
  if (seen.phase === "running") return "working";
  if (seen.review?.conflicted?.length || isLost(seen)) return "notice";
  if (seen.phase === "sealed") return "seal";
  if (seen.phase === "empty") return "off";
  return last && last.outcome !== "passed" ? "notice" : "ready";
}

/** One sentence: where, for how long, and what came of it. */
export function factsOf(view: View, { phase, project, session, review, final_changes, activity_count }: WorkState, now: number): string {
  const { t, f } = view;
  const name = visible(project.name);
  const conflicts = review?.conflicted?.length ?? 0;
  if (conflicts > 0) return `${name} · ${t.cardConflict(f.count(conflicts))}`;
  if (phase === "sealed" && final_changes) return t.cardSealed(f.count(final_changes.file_count), view.when(final_changes.sealed_ms));
  if (phase === "empty") return t.cardEmpty(name);
  if (!session) return t.noSession(name);
  const age = Math.max(0, (phase === "running" ? now : session.last_used_ms) - session.created_ms);
  if (phase === "running") return t.cardRunning(name, f.lengthInWords(wholeSeconds(age)));
  return t.cardDone(name, f.lengthInWords(age), f.count(activity_count ?? 0));
}

export interface Line {
  icon: PageIcon;
  words: string;
  /** The words are a command. */
  code?: boolean;
  after?: string;
  /** The numbers of lines stand after it. */
  counts?: boolean;
  live?: boolean;
}

/** At most three lines: what was read, what was changed, what was checked last. */
export function linesOf(view: View, seen: WorkState, now: number): Line[] {
  const { t, f } = view;
  const lines: Line[] = [];
  const newest = seen.activity ?? [];
  const read = newest.filter((entry) => READING.includes(entry.tool)).length;
  const partly = (seen.activity_count ?? 0) > newest.length;
  if (read > 0) {
    const words = partly ? t.didReadNewest(f.count(read), f.count(newest.length)) : t.didRead(f.count(read));
    lines.push({ icon: "search", words, after: seen.session ? view.when(seen.session.created_ms) : "" });
  }
  const changed = seen.review?.file_count ?? 0;
  if (changed > 0) lines.push({ icon: "edit", words: t.didEdit(f.count(changed)), counts: true });
  const last = seen.checks?.[0];
  if (last) {
    const live = last.execution_state === "pending";
    const took = live ? wholeSeconds(Math.max(0, now - last.started_ms)) : last.duration_ms;
    const after = `${live ? "" : `${checkWord(last, t)} · `}${f.length(took)}`;
    lines.push({ icon: checkIcon(last), words: visible(last.command), code: true, after, live });
  }
  return lines;
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;
