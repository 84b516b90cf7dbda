import type { Client, ClientEvent, Hop } from "$bridge/types";
import type { StateIcon } from "$kit/icons";
import type { Format, Text } from "$text";
import { type HopRow, lookIcon } from "./hop-row";

const CLIENT_ICONS: Record<Client["state"], StateIcon> = {
  online: "ready", checking: "checking", waiting: "waiting", needs_you: "notice", quiet: "unknown", off: "off", unknown: "unknown",
};

export function clientIcon(client: Client): StateIcon {
  return CLIENT_ICONS[client.state];
}

/** One hop of a client as it is shown. */
export function hopRow(hop: Hop, t: Text, f: Format, now: number): HopRow {
  const first = hop.state === "broken" ? { first: t.connections.broken } : {};
  return { hop: hop.name, look: hop.state, icon: lookIcon(hop.state), title: t.connections.hops[hop.name], ...first, finding: findingWords(hop, t, f, now) };
}

/** What was found at one hop. */
function findingWords(hop: Hop, t: Text, f: Format, now: number): string {
  const words = t.connections.findings;
  const { finding } = hop;
  switch (finding.code) {
    case "running":
      return words.running(finding.version);
    case "answers":
      return words.answers(f.lengthInWords(finding.ms));
    case "no_answer":
      return words.no_answer(f.lengthInWords(finding.afterMs));
    case "linked":
      return words.linked(finding.projects);
    case "listening":
      return words.listening(finding.address);
    case "reachable":
      return words.reachable(finding.address, f.lengthInWords(finding.ms));
    case "unreachable":
      return words.unreachable(finding.address, finding.detail);
    case "accepted":
      return words.accepted(f.ago(finding.at, now));
    case "rejected":
      return words.rejected(f.ago(finding.at, now));
    case "last_call":
      return finding.tookMs === null
        ? words.last_call_running(f.ago(finding.at, now))
        : words.last_call(f.ago(finding.at, now), f.lengthInWords(finding.tookMs));
    case "tools_old":
      return words.tools_old(f.moment(finding.from, now));
    default:
      return words[finding.code];
  }
}

export function eventWords(event: ClientEvent, t: Text, f: Format): string {
  const words = t.connections.eventKinds;
  const length = f.lengthInWords(event.ms ?? 0);
  switch (event.kind) {
    case "call_finished":
      return words.call_finished(event.tool ?? "", length);
    case "call_failed":
      return words.call_failed(event.tool ?? "");
    case "offline":
      return words.offline(length);
    default:
      return words[event.kind];
  }
}

export function eventIcon(event: ClientEvent): StateIcon {
  return ({ call_finished: "ready", call_failed: "problem", rejected: "notice", offline: "degraded", online: "ready" } as const)[event.kind];
}
