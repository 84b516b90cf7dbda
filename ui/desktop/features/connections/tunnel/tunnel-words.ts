import type { TunnelConnection, TunnelEvent, TunnelHop, TunnelHopState, TunnelReason } from "$bridge/types";
import type { StateIcon } from "$kit/icons";
import { reasonOf, reasonWords, type TunnelView } from "$state/tunnels";
import type { Format, Text } from "$text";

/** The one thing that helps against a reason, as far as a button can do it. */
export type Remedy =
  | "restartServer" | "activity" | "route" | "certificate" | "key" | "organization" | "tunnel" | "tryNow" | "keys" | "connectors";

const REMEDIES: Record<TunnelReason, Remedy | null> = {
  local_server_down: "restartServer", local_server_refuses: "restartServer", busy: "activity",
  address_invalid: "tryNow", proxy_unsupported: "route", proxy_failed: "route", proxy_auth_needed: "route", proxy_refuses: "route",
  dns_failed: "route", network_blocked: "route", connect_timed_out: "route",
  tls_failed: "route", certificate_untrusted: "certificate", certificate_expired: "tryNow", certificate_file_unusable: "certificate",
  client_certificate_needed: "key",
  captive_portal: "tryNow", connection_cut: "tryNow", proxy_cuts_long_poll: null, no_answer: "tryNow", unexpected_answer: "tryNow",
  service_trouble: "tryNow", service_conflict: "tryNow", rate_limited: null, service_refuses: "tunnel",
  key_malformed: "key", key_rejected: "key", key_without_workspace: "key", organization_needed: "organization",
  tunnel_id_invalid: "tunnel", tunnel_not_found: "tunnel", tunnel_not_visible: "key", key_cannot_use_tunnel: "keys",
  connector_sends_credentials: "connectors", waiting_for_chat_gpt: "connectors",
};

export function remedyOf(reason: TunnelReason): Remedy | null {
  // A reason of a newer Server has none.
  return REMEDIES[reason] ?? null;
}

/** What is added to the title: never more than what was observed. */
export function aboutWords(connection: TunnelConnection, view: TunnelView, t: Text, f: Format, now: number): string {
  const { tunnels: w } = t;
  const { state, lastSuccess } = connection;
  const reason = reasonOf(connection);
  const answered = lastSuccess === null ? w.notAnswered : w.answered(f.ago(lastSuccess, now));
  const running = connection.running > 0 ? w.running(connection.running) : null;
  const sentence = reason ? reasonWords(reason, t).sentence : null;
  // Chinese sentences follow each other without a space.
  const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(" ").replaceAll("。 ", "。");
  switch (view) {
    case "online":
      return join(w.online(f.ago(lastSuccess ?? now, now)), w.closed, running);
    case "waiting":
      return join(sentence, state.name === "waiting" ? nextTry(state.nextTry, t, f, now) : null);
    case "needs_you":
      return join(sentence, w.noRetry);
    case "degraded":
      return join(sentence, answered, running);
    case "off":
      return w.offMore;
    case "stopping":
      return running ?? "";
    case "starting": case "checking":
      return lastSuccess === null ? "" : answered;
    default:
      return answered;
  }
}

function nextTry(at: number, t: Text, f: Format, now: number): string {
  const left = Math.ceil((at - now) / 1000) * 1000;
  return left > 0 ? t.tunnels.nextTry(f.lengthInWords(left)) : t.tunnels.tryingNow;
}

/** What was found at a hop where nothing is the matter. */
export function worksWords(hop: TunnelHop, connection: TunnelConnection, projects: number, t: Text, f: Format, now: number): string {
  const { works: w } = t.tunnels;
  const { lastSuccess, routeInUse, tunnelName, lastToolList } = connection;
  switch (hop) {
    case "runner":
      return w.runner(projects);
    case "route":
      return routeInUse ?? w.route;
    case "control_plane":
      return lastSuccess === null ? w.control_plane : w.control_planeAt(f.ago(lastSuccess, now));
    case "key":
      return w.key(connection.keyEndsWith);
    case "tunnel":
      return tunnelName ? w.tunnelNamed(tunnelName) : w.tunnel;
    case "last_call":
      return callWords(connection, t, f, now) ?? w.last_call;
    case "tools":
      return lastToolList === null ? w.tools : w.toolsAt(f.ago(lastToolList, now));
    default:
      return w[hop];
  }
}

export function callWords(connection: TunnelConnection, t: Text, f: Format, now: number): string | null {
  const { lastCall } = connection;
  if (!lastCall) return null;
  const said = t.tunnels.call(lastCall.method, f.ago(lastCall.at, now), t.tunnels.outcomes[lastCall.outcome]);
  return lastCall.protocol ? `${said} · ${t.tunnels.protocol(lastCall.protocol)}` : said;
}

/** What is said of a hop of which nothing is known. */
export function unknownWords(hop: TunnelHop, all: readonly TunnelHopState[], connection: TunnelConnection, t: Text, f: Format, now: number): string {
  const { tunnels: w } = t;
  if (hop === "last_call") return callWords(connection, t, f, now) ?? w.noCall;
  if (hop === "tools") return connection.lastToolList === null ? w.noToolList : w.works.toolsAt(f.ago(connection.lastToolList, now));
  const place = all.findIndex((one) => one.hop === hop);
  const broken = all.findIndex((one) => one.state === "broken");
  return broken >= 0 && broken < place ? w.behind : w.notYet;
}

export function routeWords(connection: TunnelConnection, t: Text): string {
  const { route, routeInUse } = connection;
  const wanted = route.mode === "custom" ? t.tunnels.routes.custom(route.proxy) : t.tunnels.routes[route.mode];
  return routeInUse && route.mode === "auto" ? t.tunnels.factRouteNow(wanted, routeInUse) : wanted;
}

export function eventWords(event: TunnelEvent, t: Text): string {
  const { eventKinds: w } = t.tunnels;
  const sentence = event.reason ? reasonWords(event.reason, t).sentence : null;
  const method = event.method ?? "";
  switch (event.kind) {
    case "offline":
      return sentence ? w.offlineBecause(sentence) : w.offline;
    case "call_finished":
      return w.call_finished(method);
    case "call_failed":
      return sentence ? w.call_failedBecause(method, sentence) : w.call_failed(method);
    default:
      return w[event.kind];
  }
}

export function eventIcon(event: TunnelEvent): StateIcon {
  const icons = {
    online: "ready", offline: "degraded", call_finished: "ready", call_failed: "problem", switched_on: "ready", switched_off: "off", edited: "ready",
  } as const;
  return icons[event.kind];
}

/** Since when it is waited for ChatGPT: since it last went online. */
export function waitingSince(connection: TunnelConnection): number | null {
  return connection.events.find((event) => event.kind === "online")?.at ?? null;
}

export function hopWorks(connection: TunnelConnection, hop: TunnelHop): boolean {
  return connection.hops.some((one) => one.hop === hop && (one.state === "works" || one.state === "attention"));
}

