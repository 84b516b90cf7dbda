import {
  TUNNEL_HOPS, type TunnelConnection, type TunnelHop, type TunnelHopState, type TunnelReason, type TunnelState,
} from "../types";

/** The part of the way each reason is about, as the tunnel client says it. */
export const HOP_OF: Record<TunnelReason, TunnelHop> = {
  local_server_down: "local_server", local_server_refuses: "local_server", busy: "local_server",
  address_invalid: "route", proxy_unsupported: "route", proxy_failed: "route", proxy_auth_needed: "route", proxy_refuses: "route",
  dns_failed: "dns", network_blocked: "tcp", connect_timed_out: "tcp",
  tls_failed: "tls", certificate_untrusted: "tls", certificate_expired: "tls", certificate_file_unusable: "tls", client_certificate_needed: "tls",
  captive_portal: "control_plane", connection_cut: "control_plane", proxy_cuts_long_poll: "control_plane", no_answer: "control_plane",
  unexpected_answer: "control_plane", service_trouble: "control_plane", service_conflict: "control_plane", rate_limited: "control_plane", service_refuses: "control_plane",
  key_malformed: "key", key_rejected: "key", key_without_workspace: "key", organization_needed: "key",
  tunnel_id_invalid: "tunnel", tunnel_not_found: "tunnel", tunnel_not_visible: "tunnel", key_cannot_use_tunnel: "tunnel",
  connector_sends_credentials: "last_call", waiting_for_chat_gpt: "last_call",
};

/** Reasons that only the person can do something about. */
const FINAL: readonly TunnelReason[] = [
  "address_invalid", "proxy_unsupported", "proxy_auth_needed", "certificate_file_unusable", "client_certificate_needed",
  "key_malformed", "key_rejected", "key_without_workspace", "organization_needed", "tunnel_id_invalid",
];
/** Reasons that are there while polls succeed. */
const BESIDE: readonly TunnelReason[] = ["local_server_down", "local_server_refuses", "busy"];
/** Reasons that break nothing. */
const NOTICES: readonly TunnelReason[] = ["proxy_cuts_long_poll", "connector_sends_credentials"];

export const TUNNEL_ID = "tunnel_b7f2k0d9s8a7q6w5e4r3t2y1u0i990ac";

function hopsWith(different: Partial<Record<TunnelHop, [TunnelHopState["state"], TunnelReason | null]>>, rest: TunnelHopState["state"]): TunnelHopState[] {
  return TUNNEL_HOPS.map((hop) => {
    const [state, reason] = different[hop] ?? [hop === "runner" ? "works" : rest, null];
    return { hop, state, reason };
  });
}

/** A way that is broken at one place: what lies before it works, nothing is known of what lies behind. */
function brokenAt(reason: TunnelReason): TunnelHopState[] {
  const place = TUNNEL_HOPS.indexOf(HOP_OF[reason]);
  return TUNNEL_HOPS.map((hop, index) => {
    if (index === place) return { hop, state: "broken", reason };
    return { hop, state: index < place ? "works" : "unknown", reason: null };
  });
}

/** A connection that is online and is used. */
export function tunnel(now: number, different: Partial<TunnelConnection> = {}): TunnelConnection {
  return {
    id: "t1", revision: 3, name: "ChatGPT Personal", tunnel: TUNNEL_ID, keyEndsWith: "90ac", organization: null,
    route: { mode: "auto" }, caFile: null, autostart: true,
    state: { name: "online" }, hops: hopsWith({}, "works"),
    routeInUse: "system proxy 127.0.0.1:7890", tunnelName: "home-pc",
    lastSuccess: now - 2000,
    lastCall: { at: now - 127_000, method: "tools/call", outcome: "answered", protocol: "2026-07-28" },
    lastToolList: now - 7_200_000, oldTools: false, running: 0, notices: [], clockAheadSeconds: null, lastRequestId: "req_5f0c2e9a71",
    events: [
      { at: now - 127_000, kind: "call_finished", reason: null, method: "tools/call" },
      { at: now - 658_000, kind: "call_failed", reason: null, method: "tools/call" },
      { at: now - 18_000_000, kind: "online", reason: null, method: null },
      { at: now - 18_008_000, kind: "offline", reason: "connection_cut", method: null },
      { at: now - 18_600_000, kind: "switched_on", reason: null, method: null },
    ],
    ...different,
  };
}

/** Ready for ChatGPT, which has never called. */
export function silentTunnel(now: number, different: Partial<TunnelConnection> = {}): TunnelConnection {
  return tunnel(now, {
    lastCall: null, lastToolList: null,
    hops: hopsWith({ last_call: ["attention", "waiting_for_chat_gpt"], tools: ["unknown", null] }, "works"),
    events: [{ at: now - 24_000, kind: "online", reason: null, method: null }, { at: now - 25_000, kind: "switched_on", reason: null, method: null }],
    ...different,
  });
}

/** A connection in a state that has no reason. */
export function tunnelIn(name: (TunnelState & { name: "off" | "starting" | "checking" | "online" | "stopping" })["name"], now: number, different: Partial<TunnelConnection> = {}): TunnelConnection {
  if (name === "online") return tunnel(now, different);
  const stopping = name === "stopping";
  return tunnel(now, {
    state: { name }, hops: stopping ? tunnel(now).hops : hopsWith({ ...(name === "checking" ? { local_server: ["works", null] } : {}) }, "unknown"),
    lastSuccess: stopping ? now - 9000 : null, routeInUse: null, running: stopping ? 2 : 0, ...different,
  });
}

/** A connection for which the reason holds, in the state that the tunnel client would be in. */
export function tunnelWith(reason: TunnelReason, now: number, different: Partial<TunnelConnection> = {}): TunnelConnection {
  if (reason === "waiting_for_chat_gpt") return silentTunnel(now, different);
  if (NOTICES.includes(reason)) {
    return tunnel(now, { notices: [reason], ...(HOP_OF[reason] === "last_call" ? { hops: hopsWith({ last_call: ["attention", reason] }, "works") } : {}), ...different });
  }
  if (BESIDE.includes(reason)) {
    return tunnel(now, { state: { name: "degraded", reason }, hops: hopsWith({ local_server: ["broken", reason] }, "works"), ...different });
  }
  const state: TunnelState = FINAL.includes(reason) ? { name: "needs_you", reason } : { name: "waiting", reason, nextTry: now + 12_000 };
  return tunnel(now, {
    state, hops: brokenAt(reason), lastSuccess: now - 240_000, routeInUse: null,
    events: [{ at: now - 200_000, kind: "offline", reason, method: null }, ...tunnel(now).events], ...different,
  });
}

/** Six connections in six states, with names of every kind. */
export function sixTunnels(now: number): TunnelConnection[] {
  const id = (n: number) => TUNNEL_ID.slice(0, -2) + String(n).padStart(2, "0");
  return [
    tunnel(now, { id: "t1", tunnel: id(1), oldTools: true, hops: hopsWith({ tools: ["attention", null] }, "works"), notices: ["proxy_cuts_long_poll"], clockAheadSeconds: 420 }),
    tunnelWith("key_rejected", now, { id: "t2", tunnel: id(2), name: "ChatGPT Work", keyEndsWith: "77xz" }),
    tunnelWith("proxy_failed", now, { id: "t3", tunnel: id(3), name: "工作用的 ChatGPT，名字特别特别长，用来检查在窄列里是否会被截断", route: { mode: "custom", proxy: "http://user@proxy.corp.example.com:8080" } }),
    tunnelWith("local_server_down", now, { id: "t4", tunnel: id(4), name: "A connection whose name is far longer than the column it has to be shown in, as names are" }),
    tunnelIn("off", now, { id: "t5", tunnel: id(5), name: "<b>not bold</b>", autostart: false, lastCall: null, events: [] }),
    silentTunnel(now, { id: "t6", tunnel: id(6), name: "Laptop", tunnelName: null, organization: "org-7Qm2vT9x", caFile: "C:\\Users\\Lin\\Documents\\certificates\\company-root-ca-2026.pem" }),
  ];
}
