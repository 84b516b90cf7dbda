import type { ConnectionDraft, Failure, TunnelConnection } from "../types";

const MOST = 8;
const failure = (code: string, field: string | null = null): Failure => ({ code, message: code, hint: field });

/** What a Server refuses in a draft; nothing when it would take it. `self` is the edited one. */
export function refusalOf(draft: ConnectionDraft, all: readonly TunnelConnection[], self: TunnelConnection | null): Failure | null {
  const others = all.filter((one) => one.id !== self?.id);
  if (!self && all.length >= MOST) return failure("too_many");
  if (draft.name.trim() === "" || [...draft.name].length > 64) return failure("name_invalid", "name");
  if (!/^tunnel_[a-z0-9]{32}$/.test(draft.tunnel)) return failure("tunnel_invalid", "tunnel");
  if (others.some((one) => one.tunnel === draft.tunnel)) return failure("tunnel_in_use", "tunnel");
  if (!/^[A-Za-z0-9_-]*$/.test(draft.key) || (!self && draft.key === "")) return failure("key_invalid", "key");
  if (!/^[A-Za-z0-9_-]*$/.test(draft.organization)) return failure("organization_invalid", "organization");
  if (draft.route.mode === "custom" && !/^(https?|socks5):\/\/[^/]+/.test(draft.route.proxy)) return failure("proxy_invalid", "proxy");
  if (/\.txt$/.test(draft.caFile)) return failure("ca_file_invalid", "caFile");
  return null;
}

/** The connection with what the draft says; without a new key it keeps the one it has. */
export function edited(connection: TunnelConnection, draft: ConnectionDraft): TunnelConnection {
  const { route } = draft;
  return {
    ...connection,
    revision: connection.revision + 1,
    name: draft.name.trim(), tunnel: draft.tunnel, organization: draft.organization || null, caFile: draft.caFile || null, autostart: draft.autostart,
    route: route.mode === "custom" ? { mode: "custom", proxy: route.proxy.replace(/:[^:@/]*@/, "@") } : route,
    keyEndsWith: draft.key === "" ? connection.keyEndsWith : draft.key.slice(-4),
  };
}
