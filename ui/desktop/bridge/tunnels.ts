/* Connections to OpenAI, as the window sees them: part of the vocabulary of `types.ts`. */
import type { ConnectionId } from "./types";

/** The parts of the way to ChatGPT through a tunnel, in the order of travel. */
export const TUNNEL_HOPS = [
  "local_server", "runner", "route", "dns", "tcp", "tls", "control_plane", "key", "tunnel", "last_call", "tools",
] as const;
export type TunnelHop = (typeof TUNNEL_HOPS)[number];

/** Why a connection is not simply online: the closed list of the tunnel client, in its order. */
export const TUNNEL_REASONS = [
  "local_server_down", "local_server_refuses", "busy",
  "address_invalid", "proxy_unsupported", "proxy_failed", "proxy_auth_needed", "proxy_refuses",
  "dns_failed", "network_blocked", "connect_timed_out",
  "tls_failed", "certificate_untrusted", "certificate_expired", "certificate_file_unusable", "client_certificate_needed",
  "captive_portal", "connection_cut", "proxy_cuts_long_poll", "no_answer", "unexpected_answer",
  "service_trouble", "service_conflict", "rate_limited", "service_refuses",
  "key_malformed", "key_rejected", "key_without_workspace", "organization_needed",
  "tunnel_id_invalid", "tunnel_not_found", "tunnel_not_visible", "key_cannot_use_tunnel",
  "connector_sends_credentials", "waiting_for_chat_gpt",
] as const;
export type TunnelReason = (typeof TUNNEL_REASONS)[number];

export type TunnelState =
  | { name: "off" | "starting" | "checking" | "online" | "stopping" }
  | { name: "degraded" | "needs_you"; reason: TunnelReason }
  /** A `nextTry` in the past: the try is under way. */
  | { name: "waiting"; reason: TunnelReason; nextTry: number };

/** How the way to OpenAI is found. A proxy is shown without its password; sent back unchanged it keeps it. */
export type TunnelRoute = { mode: "auto" } | { mode: "direct" } | { mode: "custom"; proxy: string };

/** One tunnel of OpenAI that leads to this computer. Its key never comes back from where it is kept. */
export interface TunnelConnection {
  id: ConnectionId;
  /** Goes up with each change; an editor that knows an older one is refused. */
  revision: number;
  name: string;
  /** The Tunnel ID. */
  tunnel: string;
  keyEndsWith: string;
  organization: string | null;
  route: TunnelRoute;
  caFile: string | null;
  autostart: boolean;
  state: TunnelState;
  hops: TunnelHopState[];
  /** The route that won, in words without credentials. */
  routeInUse: string | null;
  /** What the tunnel is called at OpenAI. */
  tunnelName: string | null;
  /** When OpenAI last answered a poll. */
  lastSuccess: number | null;
  lastCall: TunnelCall | null;
  lastToolList: number | null;
  /** Whether ChatGPT works with a list of tools older than ours. */
  oldTools: boolean;
  /** Calls running or queued. */
  running: number;
  /** Things to know that break nothing. */
  notices: TunnelReason[];
  clockAheadSeconds: number | null;
  /** For OpenAI's support. */
  lastRequestId: string | null;
  /** Newest first. */
  events: TunnelEvent[];
}

export interface TunnelHopState {
  hop: TunnelHop;
  state: "unknown" | "works" | "attention" | "broken";
  reason: TunnelReason | null;
}

export interface TunnelCall {
  at: number;
  method: string;
  outcome: "answered" | "failed" | "expired" | "not_delivered";
  /** The version of MCP the caller speaks. */
  protocol: string | null;
}

export interface TunnelEvent {
  at: number;
  kind: "online" | "offline" | "call_finished" | "call_failed" | "switched_on" | "switched_off" | "edited";
  reason: TunnelReason | null;
  method: string | null;
}

/** What a person enters for a connection. */
export interface ConnectionDraft {
  name: string;
  tunnel: string;
  /** Empty keeps the saved one. */
  key: string;
  organization: string;
  route: TunnelRoute;
  caFile: string;
  autostart: boolean;
}
