import { describe, expect, test } from "vitest";
import { statusOf } from "$bridge/fake/scenarios";
import { refusalOf } from "$bridge/fake/tunnel-edits";
import { silentTunnel, tunnel, TUNNEL_ID, tunnelIn, tunnelWith } from "$bridge/fake/tunnels";
import { type ConnectionDraft, TUNNEL_HOPS, TUNNEL_REASONS, type TunnelReason } from "$bridge/types";
import { briefWords, needingYou, tunnelIcon, usedWays, viewOf } from "$state/tunnels";
import { formatFor, texts } from "$text";
import { choiceIn, firstChoice } from "../choice";
import { blankForm, draftOf, fieldOf, formOf, freeName, problemsOf } from "./draft";
import { tunnelRows } from "./tunnel-rows";
import { aboutWords, eventWords, remedyOf } from "./tunnel-words";

const now = new Date(2026, 10, 30, 14, 4, 38).getTime();
const t = texts.en;
const f = formatFor("en");
const status = statusOf("tunnels", now);
const rowsOf = (connection: ReturnType<typeof tunnel>) =>
  tunnelRows(connection, status, t, f, now, (reason) => ({ words: remedyOf(reason) ?? "", act: () => undefined }), () => undefined);

describe("what is said of a connection", () => {
  test("is online only while an answer of OpenAI is recent, and of that the age", () => {
    const online = tunnel(now);
    expect(aboutWords(online, viewOf(online, now), t, f, now)).toMatch(/^Online: OpenAI answered 2 s ago\./);
    expect(aboutWords(online, viewOf(online, now + 9000), t, f, now + 9000)).toMatch(/^Online: OpenAI answered 11 s ago\./);
    const later = now + 120_000;
    expect(viewOf(online, later)).toBe("stale");
    expect(aboutWords(online, "stale", t, f, later)).toBe("OpenAI last answered 2 min ago.");
    expect(viewOf({ ...online, lastSuccess: null }, now), "no success at all").toBe("stale");
    expect(viewOf(online, now, true), "the shell is silent").toBe("unknown");
  });

  test.each(["off", "starting", "checking", "online", "stopping"] as const)("has words and a shape of its own when %s", (name) => {
    for (const [language, text] of Object.entries(texts)) {
      const format = formatFor(language as "en");
      const view = viewOf(tunnelIn(name, now), now);
      expect(view).toBe(name);
      for (const said of [text.tunnels.titles[view]("N"), briefWords(tunnelIn(name, now), view, text, format, now), aboutWords(tunnelIn(name, now), view, text, format, now)]) {
        expect(said).not.toMatch(/undefined|\[object|NaN/);
      }
    }
  });

  test.each(TUNNEL_REASONS)("names the one place where %s is, with sentence and action", (reason: TunnelReason) => {
    for (const [language, text] of Object.entries(texts)) {
      const format = formatFor(language as "en");
      const connection = tunnelWith(reason, now);
      const view = viewOf(connection, now);
      const rows = tunnelRows(connection, status, text, format, now, () => undefined, () => undefined);
      expect(rows.map((row) => row.hop)).toEqual(["app", ...TUNNEL_HOPS]);
      const { sentence, action } = text.tunnelReasons[reason];
      const wrong = rows.filter((row) => row.look === "broken" || row.look === "notice");
      if (connection.notices.includes(reason) && wrong.length === 0) return;
      expect(wrong.map((row) => [row.first, row.finding])).toEqual([[sentence, action]]);
      if (view !== "online") expect(aboutWords(connection, view, text, format, now)).toContain(sentence);
    }
  });

  test("names a reason that only a newer Server knows, in both languages, and offers nothing it cannot do", () => {
    const reason = "moon_in_the_way" as TunnelReason;
    const known = tunnelWith("key_rejected", now);
    const connection = {
      ...known, notices: [reason], state: { name: "needs_you" as const, reason },
      hops: known.hops.map((one) => (one.reason ? { ...one, reason } : one)),
    };
    expect(remedyOf(reason)).toBeNull();
    for (const [language, text] of Object.entries(texts)) {
      const format = formatFor(language as "en");
      const rows = tunnelRows(connection, status, text, format, now, () => undefined, () => undefined);
      const event = eventWords({ at: now, kind: "offline", reason, method: null }, text);
      const said = [
        ...rows.filter((row) => row.look === "broken").map((row) => row.first ?? ""), event,
        aboutWords(connection, "needs_you", text, format, now), briefWords(connection, "needs_you", text, format, now),
      ];
      expect(said).toHaveLength(4);
      for (const words of said) expect(words).toContain("moon_in_the_way");
      expect(text.tunnels.unknownReasonHelp).not.toBe("");
    }
  });

  test("counts down to the next try and then says that it is tried", () => {
    const waiting = tunnelWith("proxy_failed", now);
    expect(aboutWords(waiting, "waiting", t, f, now)).toBe("The proxy does not answer. Next try in 12 s.");
    expect(aboutWords(waiting, "waiting", t, f, now + 13_000)).toBe("The proxy does not answer. Trying now.");
  });

  test("guesses nothing behind the broken place, and keeps what happened", () => {
    const rows = rowsOf(tunnelWith("key_rejected", now));
    const finding = (hop: string) => rows.find((row) => row.hop === hop)?.finding;
    expect(finding("tunnel")).toBe("not checked, comes after the broken one");
    expect(finding("last_call")).toBe("tools/call, 2 min ago: answered · MCP 2026-07-28");
    expect(rowsOf(tunnelIn("starting", now)).find((row) => row.hop === "dns")?.finding).toBe("not checked yet");
  });

  test("tells why a call or the line failed, where that is known", () => {
    const event = { at: now, reason: "connection_cut", method: null } as const;
    expect(eventWords({ ...event, kind: "offline" }, t)).toBe("Offline: The connection to OpenAI was cut; it is being made again.");
    expect(eventWords({ ...event, kind: "call_failed", reason: null, method: "tools/call" }, t)).toBe("Call tools/call failed");
  });
});

test("the window counts who needs the person once, tunnels and clients together", () => {
  expect(needingYou(status, now, false)).toBe(1);
  expect(needingYou(status, now, true), "nobody knows once the shell is silent").toBe(0);
  const broken = { ...statusOf("tunnel-broken", now), clients: statusOf("broken", now).clients };
  expect(needingYou(broken, now, false)).toBe(2);
  const behind = { ...statusOf("tunnel", now), clients: statusOf("ready", now).clients.map((one) => ({ ...one, via: "tunnel" as const })) };
  expect(usedWays(behind), "a client behind a tunnel is the tunnel").toBe(1);
  expect(tunnelIcon("needs_you")).not.toBe(tunnelIcon("waiting"));
});

describe("what the page shows first", () => {
  test("is what was asked for, else what needs the person, else how to begin", () => {
    expect(firstChoice(status, { connection: "t3" })).toEqual({ kind: "tunnel", id: "t3" });
    expect(firstChoice(status, { client: "claude_code" })).toEqual({ kind: "client", id: "claude_code" });
    expect(firstChoice(status, {})).toEqual({ kind: "tunnel", id: "t2" });
    expect(firstChoice(statusOf("tunnel", now), { client: "chatgpt" })).toEqual({ kind: "tunnel", id: "t1" });
    expect(firstChoice(statusOf("no-client", now), { client: "chatgpt" })).toEqual({ kind: "new" });
    expect(firstChoice(statusOf("no-client", now), {})).toEqual({ kind: "new" });
    expect(firstChoice(statusOf("ready", now), {})).toEqual({ kind: "client", id: "chatgpt" });
    expect(firstChoice(statusOf("broken", now), {})).toEqual({ kind: "client", id: "chatgpt" });
  });

  test("does not outlive what was shown", () => {
    expect(choiceIn(status, { kind: "tunnel", id: "gone" })).toBe(false);
    expect(choiceIn(status, { kind: "new" })).toBe(true);
  });
});

describe("a draft", () => {
  const all = status.connections;
  const self = all[0] ?? null;
  const good = { ...blankForm("ChatGPT"), tunnel: TUNNEL_ID, key: "sk-proj_a1" };

  test("is taken as pasted, without the blanks around it", () => {
    const draft = draftOf({ ...good, tunnel: ` ${TUNNEL_ID}\n`, key: " sk-a ", mode: "custom", proxy: " http://p:1 " });
    expect(draft).toMatchObject({ tunnel: TUNNEL_ID, key: "sk-a", route: { mode: "custom", proxy: "http://p:1" } });
    expect(problemsOf(good, [], null, t)).toEqual({});
  });

  test.each([
    [{ tunnel: "tunnel_ABC" }, "tunnel"], [{ tunnel: "" }, "tunnel"], [{ key: "" }, "key"], [{ key: "sk a" }, "key"], [{ key: "密钥" }, "key"],
    [{ name: " " }, "name"], [{ name: "n".repeat(65) }, "name"], [{ organization: "org 1" }, "organization"],
    [{ mode: "custom" as const, proxy: "ftp://x" }, "proxy"], [{ mode: "custom" as const, proxy: "" }, "proxy"],
  ])("says what is wrong with %o at that field", (different, field) => {
    expect(Object.keys(problemsOf({ ...good, ...different }, [], null, t))).toEqual([field]);
  });

  test("may not name a tunnel that another connection has, but may keep its own", () => {
    const taken = { ...good, tunnel: all[1]?.tunnel ?? "" };
    expect(problemsOf(taken, all, null, t)).toEqual({ tunnel: "ChatGPT Work uses this tunnel already." });
    expect(problemsOf(formOf(self ?? tunnel(now)), all, self, t)).toEqual({});
  });

  test("of a saved connection holds no key, and none is needed", () => {
    expect(formOf(tunnel(now)).key).toBe("");
    expect(problemsOf({ ...formOf(tunnel(now)), key: "" }, [tunnel(now)], tunnel(now), t)).toEqual({});
  });

  test("gets a name that is free", () => {
    expect(freeName("ChatGPT", [])).toBe("ChatGPT");
    expect(freeName("ChatGPT", ["ChatGPT", "ChatGPT 2"])).toBe("ChatGPT 3");
  });

  test("that the Server refuses leads to the field, in words of ours", () => {
    const codes = ["tunnel_in_use", "tunnel_invalid", "key_invalid", "name_invalid", "organization_invalid", "proxy_invalid", "ca_file_invalid"];
    for (const code of codes) expect(fieldOf({ code, message: "", hint: null }), code).not.toBeNull();
    for (const code of [...codes, "stale", "too_many", "secrets_unavailable", "connection_not_found"]) {
      for (const text of Object.values(texts)) expect(text.failures.codes, code).toHaveProperty(code);
    }
  });
});

test("the fake refuses what a Server refuses", () => {
  const draft = (different: Partial<ConnectionDraft> = {}): ConnectionDraft => ({ ...draftOf({ ...blankForm("N"), tunnel: TUNNEL_ID, key: "k" }), ...different });
  expect(refusalOf(draft(), [], null)).toBeNull();
  expect(refusalOf(draft(), [tunnel(now)], null)?.code).toBe("tunnel_in_use");
  expect(refusalOf(draft({ key: "" }), [tunnel(now)], tunnel(now))).toBeNull();
  const eight = Array.from({ length: 8 }, (_, n) => silentTunnel(now, { id: `${n}` }));
  expect(refusalOf(draft(), eight, null)?.code).toBe("too_many");
});
