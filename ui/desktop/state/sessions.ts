import type { Session } from "$bridge/types";

/** Sessions whose changes wait for the person. */
export function waitingSessions(sessions: readonly Session[]): Session[] {
  return sessions.filter((session) => session.review.kind === "waiting_for_review");
}

/** The three groups a person looks for work in; every session is in exactly one. */
export function groupsOf(sessions: readonly Session[]): Record<"waiting" | "running" | "finished", Session[]> {
  const newest = [...sessions].sort((a, b) => b.lastAt - a.lastAt);
  const of = (kind: Session["review"]["kind"]) => newest.filter((session) => session.review.kind === kind);
  return { waiting: of("waiting_for_review"), running: of("running"), finished: of("finished") };
}
