import type { Client, Status, TunnelConnection, TunnelReason, TunnelState } from "$bridge/types";
import type { StateIcon } from "$kit/icons";
import type { Format, Text } from "$text";

/** How old an answer of OpenAI may be for the window to say "online", in ms: twice what the tunnel client takes for fresh. */
const FRESH_MS = 70_000;

/** What may be said of a connection. `stale`: it was online, but no proof of it is recent; `unknown`: the shell is silent. */
export type TunnelView = TunnelState["name"] | "stale" | "unknown";

export function viewOf(connection: TunnelConnection, now: number, lost = false): TunnelView {
  if (lost) return "unknown";
  const { state, lastSuccess } = connection;
  if (state.name === "online" && (lastSuccess === null || now - lastSuccess > FRESH_MS)) return "stale";
  return state.name;
}

const ICONS: Record<TunnelView, StateIcon> = {
  off: "off", starting: "checking", checking: "checking", online: "ready", degraded: "degraded", waiting: "waiting",
  needs_you: "notice", stopping: "working", stale: "unknown", unknown: "unknown",
};

export function tunnelIcon(view: TunnelView): StateIcon {
  return ICONS[view];
}

/** Why it is not simply online. */
export function reasonOf(connection: TunnelConnection): TunnelReason | null {
  return "reason" in connection.state ? connection.state.reason : null;
}

/** What is the matter and what helps. A reason of which only the Server knows is at least named. */
export function reasonWords(reason: TunnelReason, t: Text): { sentence: string; action: string } {
  const known: Partial<Record<string, { sentence: string; action: string }>> = t.tunnelReasons;
  return known[reason] ?? { sentence: t.tunnels.unknownReason(reason), action: t.tunnels.unknownReasonHelp };
}

/** Clients that have no connection of their own on the page: those behind a tunnel are shown as the tunnel. */
export function clientsBeside(status: Status): Client[] {
  return status.clients.filter((client) => client.via !== "tunnel");
}

/** How many connections and clients wait for the person. */
export function needingYou(status: Status, now: number, lost: boolean): number {
  const tunnels = status.connections.filter((one) => viewOf(one, now, lost) === "needs_you");
  return tunnels.length + clientsBeside(status).filter((client) => client.state === "needs_you").length;
}

/** How many ways in have been used. */
export function usedWays(status: Status): number {
  return [...clientsBeside(status), ...status.connections].filter((one) => one.lastCall).length;
}

/** What the list says below its name. */
export function briefWords(connection: TunnelConnection, view: TunnelView, t: Text, f: Format, now: number): string {
  const { tunnels: w } = t;
  const reason = reasonOf(connection);
  if (view === "unknown") return w.states.unknown;
  if (reason) return w.brief.because(w.states[view], reasonWords(reason, t).sentence);
  if (view !== "online") return w.states[view];
  return connection.lastCall ? w.brief.answered(f.ago(connection.lastSuccess ?? now, now)) : w.brief.firstCall;
}
