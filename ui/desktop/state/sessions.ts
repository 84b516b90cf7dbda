import type { Session } from "$bridge/types";

/** Sessions that have changed something, are quiet now and were used a short while ago. */
export function waitingSessions(sessions: readonly Session[]): Session[] {
  return sessions.filter((session) => session.state === "idle" && session.changedFiles > 0);
}

/** The three groups a person looks for work in; every session is in exactly one. */
export function groupsOf(sessions: readonly Session[]): Record<"waiting" | "running" | "finished", Session[]> {
  const newest = [...sessions].sort((a, b) => b.lastAt - a.lastAt);
  const waiting = waitingSessions(newest);
  const running = newest.filter((session) => session.state === "running");
  return { waiting, running, finished: newest.filter((session) => !waiting.includes(session) && !running.includes(session)) };
}
