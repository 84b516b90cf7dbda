import type { Client, ClientKind, ClientSetup, Hop } from "../types";

export const ADDRESS = "http://127.0.0.1:8765/mcp";
export const PUBLIC = "https://code.example.org/mcp";
export const CREDENTIAL = "wck_7Qm2-vT9x-LbRe-41hs-Zp8d-KuWn";

const here = (projects: number): Hop[] => [
  { name: "app", state: "ok", finding: { code: "running", version: "1.4.0" } },
  { name: "server", state: "ok", finding: { code: "answers", ms: 1 } },
  { name: "runner", state: "ok", finding: { code: "linked", projects } },
];

export function chatgpt(now: number): Client {
  return {
    id: "chatgpt", kind: "chatgpt", name: "ChatGPT", via: "public", state: "online",
    lastCall: { at: now - 127_000, tool: "read_files", outcome: { kind: "finished" }, tookMs: 44 },
    hops: [
      ...here(4),
      { name: "proxy", state: "ok", finding: { code: "reachable", address: PUBLIC, ms: 210 } },
      { name: "credential", state: "ok", finding: { code: "accepted", at: now - 127_000 } },
      { name: "last_call", state: "ok", finding: { code: "last_call", at: now - 127_000, tookMs: 44 } },
      { name: "tools", state: "notice", finding: { code: "tools_old", from: now - 18 * 86_400_000 } },
    ],
    oldToolsFrom: now - 18 * 86_400_000,
    events: [
      { at: now - 127_000, kind: "call_finished", tool: "read_files", ms: 44 },
      { at: now - 546_000, kind: "call_failed", tool: "run_process", ms: 48_000 },
      { at: now - 18_000_000, kind: "offline", tool: null, ms: 8000 },
    ],
  };
}

export function brokenChatgpt(now: number): Client {
  return {
    ...chatgpt(now),
    state: "needs_you",
    lastCall: { at: now - 4 * 86_400_000, tool: "read_files", outcome: { kind: "finished" }, tookMs: 63 },
    oldToolsFrom: null,
    hops: [
      ...here(4),
      { name: "proxy", state: "broken", finding: { code: "unreachable", address: PUBLIC, detail: "502 Bad Gateway" } },
      { name: "credential", state: "unknown", finding: { code: "not_checked" } },
      { name: "last_call", state: "unknown", finding: { code: "last_call", at: now - 4 * 86_400_000, tookMs: 63 } },
    ],
    events: [{ at: now - 60_000, kind: "offline", tool: null, ms: 60_000 }],
  };
}

export function unsetChatgpt(): Client {
  return {
    id: "chatgpt", kind: "chatgpt", name: "ChatGPT", via: "public", state: "off", lastCall: null, oldToolsFrom: null, events: [],
    hops: [
      ...here(0),
      { name: "proxy", state: "unknown", finding: { code: "not_set" } },
      { name: "last_call", state: "unknown", finding: { code: "no_call" } },
    ],
  };
}

export function claude(now: number): Client {
  return {
    id: "claude", kind: "claude_desktop", name: "Claude", via: "local", state: "online",
    lastCall: { at: now - 9_827_000, tool: "search_project_texts", outcome: { kind: "finished" }, tookMs: 63 },
    hops: [
      ...here(4),
      { name: "address", state: "ok", finding: { code: "listening", address: "127.0.0.1:8765" } },
      { name: "credential", state: "ok", finding: { code: "accepted", at: now - 9_827_000 } },
      { name: "last_call", state: "ok", finding: { code: "last_call", at: now - 9_827_000, tookMs: 63 } },
    ],
    oldToolsFrom: null,
    events: [{ at: now - 9_827_000, kind: "call_finished", tool: "search_project_texts", ms: 63 }],
  };
}

export function quiet(kind: ClientKind, name: string): Client {
  return {
    id: kind, kind, name, via: "local", state: "quiet", lastCall: null, oldToolsFrom: null, events: [],
    hops: [
      ...here(4),
      { name: "address", state: "ok", finding: { code: "listening", address: "127.0.0.1:8765" } },
      { name: "last_call", state: "unknown", finding: { code: "no_call" } },
    ],
  };
}

const HIDDEN = "••••••••";

export function setupOf(kind: ClientKind, publicAddress: string | null): ClientSetup {
  const server = { url: ADDRESS, headers: { Authorization: `Bearer ${HIDDEN}` } };
  switch (kind) {
    case "chatgpt":
      return { kind, file: null, text: `${publicAddress ?? ""}`, writable: false };
    case "claude_desktop":
      return {
        kind, writable: true, file: "C:\\Users\\Lin\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
        text: JSON.stringify({ mcpServers: { webcodex: { command: "C:\\Program Files\\WebCodex\\webcodex.exe", args: ["connect"] } } }, null, 2),
      };
    case "claude_code":
      return { kind, file: null, writable: false, text: 'claude mcp add webcodex -- "C:\\Program Files\\WebCodex\\webcodex.exe" connect' };
    case "other":
      return { kind, file: null, writable: false, text: JSON.stringify({ mcpServers: { webcodex: server } }, null, 2) };
  }
}
