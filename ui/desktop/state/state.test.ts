import { describe, expect, test, vi } from "vitest";
import { FakeBridge } from "$bridge/fake";
import { scenarios, statusOf } from "$bridge/fake/scenarios";
import { manyCalls } from "$bridge/fake/calls";
import { commandApproval } from "$bridge/fake/approvals";
import type { Call, Status } from "$bridge/types";
import { formatFor, texts } from "$text";
import { outcomeIcon, whatOf } from "./call-words";
import { isSpoken, secondsLeft } from "./asking.svelte";
import { Folders, folderName, parentOf } from "./folders.svelte";
import { Live, withCalls } from "./live.svelte";
import { seenLately, stateIcon, truthOf } from "./truth";
import type { App } from "./app.svelte";

const now = new Date(2026, 10, 30, 14, 4, 38).getTime();
const t = texts.en;
const f = formatFor("en");

describe("the stream", () => {
  test("is believed from the first full state on, and its age is known when it breaks off", () => {
    const live = new Live();
    live.take({ kind: "changed", changed: { callsToday: 7 } }, 1);
    expect(live.status, "a change without a whole says nothing").toBeNull();
    live.take({ kind: "status", status: statusOf("ready", now) }, 2);
    live.take({ kind: "changed", changed: { callsToday: 313 } }, 3);
    expect(live.status?.callsToday).toBe(313);
    live.take({ kind: "lost" }, 9);
    expect([live.link, live.heardAt]).toEqual(["lost", 3]);
    expect(live.shown?.clients.map((client) => client.state), "who is connected is not known").toEqual(["unknown", "unknown", "unknown", "unknown"]);
    expect(live.shown?.callsToday, "what happened stays true").toBe(313);
    live.take({ kind: "status", status: statusOf("ready", now) }, 10);
    expect(live.link).toBe("live");
  });

  test("puts new calls on top and changes known ones where they are", () => {
    const calls = manyCalls(now, 3);
    const changed: Call = { ...(calls[1] as Call), outcome: { kind: "failed" } };
    const fresh: Call = { ...(calls[0] as Call), id: "new" };
    const merged = withCalls(calls, [fresh, changed]);
    expect(merged.map((call) => call.id)).toEqual(["new", "c3", "c2", "c1"]);
    expect(merged[2]?.outcome).toEqual({ kind: "failed" });
  });

  test("holds no more calls than it should, but keeps those that were asked for", () => {
    const live = new Live();
    live.take({ kind: "status", status: { ...statusOf("ready", now), calls: manyCalls(now, 5000, 9000) } }, 1);
    live.take({ kind: "calls", calls: [{ ...(manyCalls(now, 1)[0] as Call), id: "new" }] }, 2);
    expect(live.status?.calls.length).toBe(5000);
    live.append(manyCalls(now, 500, 800), false);
    expect(live.status?.calls.length).toBe(5500);
    live.append(manyCalls(now, 500, 800), false);
    expect(live.status?.calls.length, "what is known is not added twice").toBe(5500);
  });
});

describe("the sentence of Home", () => {
  const of = (status: Status) => truthOf(status, t, f, now);

  test.each(scenarios)("is said in both languages for %s", (scenario) => {
    for (const text of Object.values(texts)) {
      const truth = truthOf(statusOf(scenario, now), text, f, now);
      expect(truth.sentence).not.toMatch(/undefined|\[object|^$/);
      expect(truth.more ?? "").not.toMatch(/undefined|\[object/);
    }
  });

  test("names who can work and how many projects there are", () => {
    expect(of(statusOf("ready", now)).sentence).toBe("Ready. ChatGPT and Claude can work in 4 projects.");
    expect(of(statusOf("ready", now)).more).toBe("Last call 2 min ago: ChatGPT read 3 files in webshop, finished in 44 ms.");
  });

  test("claims no client where none has called", () => {
    expect(of({ ...statusOf("ready", now), clients: [] }).sentence).toBe("Ready for a client to work in 4 projects.");
  });

  test("counts down to the next try and then says that it is being tried", () => {
    const status = statusOf("restarting", now);
    expect(of(status).more).toMatch(/^Next try in 4 s\./);
    expect(truthOf(status, t, f, now + 9000).more).toMatch(/^Trying now\./);
  });

  test("has a shape for each state", () => {
    const shape = (scenario: (typeof scenarios)[number]) => stateIcon(statusOf(scenario, now));
    expect(["ready", "busy", "paused", "starting", "problem", "approvals"].map((name) => shape(name as "ready"))).toEqual([
      "ready", "working", "off", "checking", "problem", "notice",
    ]);
  });

  test("says connected only of a client that called lately", () => {
    const [chatgpt, claude] = statusOf("ready", now).clients;
    expect(chatgpt && seenLately(chatgpt, now)).toBe(true);
    expect(claude && seenLately(claude, now)).toBe(false);
  });
});

describe("a call in words", () => {
  const call = (different: Partial<Call>): Call => ({ ...(manyCalls(now, 1)[0] as Call), ...different });
  const edit = { kind: "edit", files: ["src/a.ts", "src/b.ts", "src/c.ts"] } as const;

  test("never claims what did not come about", () => {
    const subject = { ...edit, files: [...edit.files] };
    expect(whatOf(call({ subject, outcome: { kind: "finished" } }), t, f)).toBe("Edited a.ts and 2 more");
    expect(whatOf(call({ subject, outcome: { kind: "refused" } }), t, f)).toBe("Edit of a.ts and 2 more");
    const command = { kind: "command", command: "rm -r dist" } as const;
    expect(whatOf(call({ subject: command, outcome: { kind: "denied" } }), t, f)).toBe("Command: rm -r dist");
    expect(whatOf(call({ subject: command, outcome: { kind: "running" } }), t, f)).toBe("Running rm -r dist");
    expect(whatOf(call({ subject: command, outcome: { kind: "exit", code: 1 } }), t, f)).toBe("Ran rm -r dist");
  });

  test("is fine with exit code 0 and a problem with any other", () => {
    expect(outcomeIcon({ kind: "exit", code: 0 })).toBe("ready");
    expect(outcomeIcon({ kind: "exit", code: 2 })).toBe("problem");
  });
});

describe("folders", () => {
  const folders = (bridge: FakeBridge) =>
    new Folders({ bridge, run: async (answer: ReturnType<FakeBridge["pickFolders"]>) => { const got = await answer; return got.ok ? got.value : undefined; } } as unknown as App);

  test("each get a result of their own, refused ones first", async () => {
    const list = folders(new FakeBridge({ scenario: "ready" }));
    const adding = list.add(["D:\\Projects\\new", " C:\\Users\\Lin ", "D:\\Projects\\webshop", "", "D:\\Projects\\new"]);
    expect(list.checking).toBe(true);
    await adding;
    expect(list.entries.length, "blank and repeated ones count once").toBe(3);
    expect(list.added).toBe(1);
    expect(list.sorted.map((entry) => entry.result?.kind)).toEqual(["refused", "refused", "added"]);
  });

  test("that fail for another reason can be tried again", async () => {
    const bridge = new FakeBridge({ scenario: "ready" });
    const list = folders(bridge);
    bridge.fail("addFolder", { code: "disk_full", message: "full", hint: null });
    await list.add(["/home/lin/new"]);
    expect(list.entries[0]?.result).toMatchObject({ kind: "refused", why: { code: "failed", error: { code: "disk_full" } } });
    bridge.fail("addFolder");
    const [entry] = list.entries;
    if (entry) await list.retry(entry);
    expect(list.added).toBe(1);
  });

  test("have a name and a parent on either kind of system", () => {
    expect(folderName("D:\\Projects\\webshop\\")).toBe("webshop");
    expect(folderName("/home/lin/项目")).toBe("项目");
    expect(folderName("/")).toBe("/");
    expect(parentOf("/home/lin/notes.txt")).toBe("/home/lin");
    expect(parentOf("D:\\a\\b.txt")).toBe("D:\\a");
  });
});

test("the time left to answer is whole seconds, never below zero, and spoken sparsely", () => {
  const approval = commandApproval(now);
  expect(secondsLeft(approval, now)).toBe(38);
  expect(secondsLeft(approval, now + 37_100)).toBe(1);
  expect(secondsLeft(approval, now + 99_000)).toBe(0);
  expect(Array.from({ length: 60 }, (_, seconds) => seconds).filter(isSpoken)).toEqual([5, 20]);
});

describe("the fake shell", () => {
  test("says its whole state first", async () => {
    const heard = vi.fn();
    const bridge = new FakeBridge({ scenario: "busy" });
    bridge.subscribe(heard);
    await Promise.resolve();
    bridge.call();
    expect(heard.mock.calls.map(([message]) => message.kind)).toEqual(["status", "calls", "changed"]);
  });

  test("ends a request in a refusal when its time is up, and refuses to answer for it later", () => {
    const bridge = new FakeBridge({ scenario: "approvals" });
    bridge.expire(Date.now() + 120_000);
    expect(bridge.status.approvals.map((approval) => approval.state)).toEqual(["expired", "expired"]);
  });

  test("answers with typed failures, never with exceptions", async () => {
    const bridge = new FakeBridge({ scenario: "failing" });
    expect(await bridge.revealCredential()).toEqual({
      ok: false, error: { code: "server_unreachable", message: "the Server does not answer", hint: "try again" },
    });
  });
});
