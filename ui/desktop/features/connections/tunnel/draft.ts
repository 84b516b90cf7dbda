import type { ConnectionDraft, Failure, TunnelConnection } from "$bridge/types";
import type { Text } from "$text";

/** What stands in the fields of an editor. */
export interface Form {
  name: string;
  tunnel: string;
  key: string;
  organization: string;
  mode: "auto" | "direct" | "custom";
  proxy: string;
  caFile: string;
  autostart: boolean;
}

export type Field = "name" | "tunnel" | "key" | "organization" | "proxy" | "caFile";

const TUNNEL_ID = /^tunnel_[a-z0-9]{32}$/;
const LETTERS = /^[A-Za-z0-9_-]+$/;
const PROXIES = ["http:", "https:", "socks5:"];
const NAME_LENGTH = 64;

export function blankForm(name: string): Form {
  return { name, tunnel: "", key: "", organization: "", mode: "auto", proxy: "", caFile: "", autostart: true };
}

/** The fields of a saved connection. The key stays where it is: its field is empty. */
export function formOf(connection: TunnelConnection): Form {
  const { name, tunnel, organization, route, caFile, autostart } = connection;
  return {
    name, tunnel, key: "", organization: organization ?? "", mode: route.mode, proxy: route.mode === "custom" ? route.proxy : "",
    caFile: caFile ?? "", autostart,
  };
}

export function draftOf(form: Form): ConnectionDraft {
  const { mode, proxy, autostart } = form;
  return {
    name: form.name.trim(), tunnel: form.tunnel.trim(), key: form.key.trim(), organization: form.organization.trim(),
    route: mode === "custom" ? { mode, proxy: proxy.trim() } : { mode }, caFile: form.caFile.trim(), autostart,
  };
}

/** A name that no other connection has: `base`, `base 2`, … */
export function freeName(base: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

export function isTunnelId(value: string): boolean {
  return TUNNEL_ID.test(value.trim());
}

export function isKey(value: string): boolean {
  return LETTERS.test(value.trim());
}

function isProxy(value: string): boolean {
  return URL.canParse(value) && PROXIES.includes(new URL(value).protocol) && new URL(value).host !== "";
}

/** What is wrong with what was entered, by field. The Server judges again; this only saves the way there. */
export function problemsOf(form: Form, all: readonly TunnelConnection[], self: TunnelConnection | null, t: Text): Partial<Record<Field, string>> {
  const { checks } = t.tunnels;
  const draft = draftOf(form);
  const found: Partial<Record<Field, string>> = {};
  const other = all.find((one) => one.id !== self?.id && one.tunnel === draft.tunnel);
  if (draft.name === "") found.name = checks.nameMissing;
  else if ([...draft.name].length > NAME_LENGTH) found.name = checks.nameLong;
  if (!isTunnelId(draft.tunnel)) found.tunnel = checks.tunnel;
  else if (other) found.tunnel = checks.tunnelUsed(other.name);
  if (draft.key === "" && !self) found.key = checks.keyMissing;
  else if (draft.key !== "" && !isKey(draft.key)) found.key = checks.key;
  if (draft.organization !== "" && !LETTERS.test(draft.organization)) found.organization = checks.organization;
  if (draft.route.mode === "custom" && !isProxy(draft.route.proxy)) found.proxy = checks.proxy;
  return found;
}

const FIELDS: Record<string, Field> = {
  tunnel_in_use: "tunnel", tunnel_invalid: "tunnel", key_invalid: "key", name_invalid: "name", organization_invalid: "organization",
  proxy_invalid: "proxy", ca_file_invalid: "caFile",
};

/** The field a refusal is about; nothing where it is about the whole. */
export function fieldOf(failure: Failure): Field | null {
  return FIELDS[failure.code] ?? null;
}
