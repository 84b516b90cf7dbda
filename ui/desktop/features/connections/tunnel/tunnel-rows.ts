import type { Status, TunnelConnection, TunnelHop, TunnelHopState, TunnelReason } from "$bridge/types";
import type { Format, Text } from "$text";
import { reasonWords } from "$state/tunnels";
import { type HopRow, lookIcon } from "../hop-row";
import { unknownWords, worksWords } from "./tunnel-words";

type Help = { words: string; act: () => void } | undefined;

const LOOKS: Record<TunnelHopState["state"], HopRow["look"]> = { works: "ok", unknown: "unknown", attention: "notice", broken: "broken" };

/** The way from this app to ChatGPT; what is wrong stands out with its sentence and what helps. */
export function tunnelRows(
  connection: TunnelConnection, status: Status, t: Text, f: Format, now: number,
  remedy: (reason: TunnelReason) => Help, help: (hop: TunnelHop) => Help,
): HopRow[] {
  const { tunnels: w } = t;
  const app: HopRow = { hop: "app", look: "ok", icon: "ready", title: w.hops.app, finding: w.appRunning(status.version) };
  return [app, ...connection.hops.map((one): HopRow => {
    const look = LOOKS[one.state];
    const row = { hop: one.hop, look, icon: lookIcon(look), title: w.hops[one.hop] };
    const reason = one.reason ?? null;
    if (one.state === "works") return { ...row, finding: worksWords(one.hop, connection, status.projects.length, t, f, now) };
    if (one.state === "unknown") return { ...row, finding: unknownWords(one.hop, connection.hops, connection, t, f, now) };
    const act = reason ? remedy(reason) : help(one.hop);
    return { ...row, ...wrongWords(one.hop, one.state, reason, t), ...(act ? { remedy: act } : {}) };
  })];
}

function wrongWords(hop: TunnelHop, state: "attention" | "broken", reason: TunnelReason | null, t: Text): Pick<HopRow, "first" | "finding"> {
  if (reason) {
    const said = reasonWords(reason, t);
    return { first: said.sentence, finding: said.action };
  }
  if (hop === "tools") return { finding: t.tunnels.oldTools };
  return { finding: t.tunnels[state] };
}
