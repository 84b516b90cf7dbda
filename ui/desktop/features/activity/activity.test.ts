import { describe, expect, test } from "vitest";
import { GAP, type Call } from "$bridge/types";
import { manyCalls } from "$bridge/fake/calls";
import { statusOf } from "$bridge/fake/scenarios";
import { Live } from "$state/live.svelte";
import { formatFor, texts } from "$text";
import { CallList, groupOf } from "./activity.svelte";
import { Output } from "./output.svelte";

const now = new Date(2026, 10, 30, 14).getTime();
const words = () => ({ t: texts.en, f: formatFor("en") });
function listOf(calls: Call[]) {
  const live = new Live();
  live.take({ kind: "status", status: { ...statusOf("ready", now), calls } }, now);
  const news = (...fresh: Call[]) => live.take({ kind: "calls", calls: fresh }, now);
  return { news, list: new CallList(() => live.status?.calls ?? [], words) };
}
const fresh = (id: string): Call => ({ ...(manyCalls(now, 1)[0] as Call), id });

describe("the list of calls", () => {
  test("is searched by what a person sees, files and tool included", () => {
    const { list } = listOf(manyCalls(now, 11));
    list.search = "COUPON.ts";
    expect(list.shown.length).toBe(2);
    list.search = "search_project";
    expect(list.shown.length).toBe(2);
    list.search = "you denied";
    expect(list.shown.map((call) => call.outcome.kind)).toEqual(["denied"]);
  });

  test("is filtered by project, client and outcome together", () => {
    const { list } = listOf(manyCalls(now, 11));
    expect(list.projects).toEqual(["webshop", "家庭账本"]);
    list.project = "webshop";
    list.outcome = "stopped";
    expect(list.shown.map((call) => call.outcome.kind)).toEqual(["refused", "denied"]);
    list.client = "Claude";
    expect(list.shown).toEqual([]);
    list.clear();
    expect([list.shown.length, list.filtered]).toEqual([11, false]);
  });

  test("takes news in at once at its top", () => {
    const { list } = listOf([fresh("new"), ...manyCalls(now, 3)]);
    expect([list.shown[0]?.id, list.waiting]).toEqual(["new", 0]);
  });

  test.each(["scrolled away", "reading details"])("holds news back while somebody is %s", (how) => {
    const { news, list } = listOf(manyCalls(now, 20));
    if (how === "scrolled away") list.scrolled(false);
    else list.toggle("c18");
    const before = list.shown.map((call) => call.id);
    news(fresh("new-2"), fresh("new-1"));
    expect([list.waiting, list.shown.map((call) => call.id)]).toEqual([2, before]);
    list.showNew();
    expect([list.waiting, list.shown[0]?.id]).toEqual([0, "new-2"]);
  });

  test("sorts every outcome into a group", () => {
    expect(groupOf({ kind: "exit", code: 0 })).toBe("done");
    expect(groupOf({ kind: "exit", code: 1 })).toBe("bad");
    expect(groupOf({ kind: "no_answer" })).toBe("stopped");
    expect(groupOf({ kind: "waiting" })).toBe("open");
  });
});

test("output goes on, starts over when told to, and stays bounded", () => {
  const output = new Output();
  const message = { leftOutBytes: 0, totalBytes: 3 };
  output.take({ ...message, startsOver: true, text: `a${GAP}` });
  output.take({ ...message, startsOver: false, text: "b" });
  expect(output.text).toBe(`a${GAP}b`);
  output.take({ ...message, startsOver: true, text: "c" });
  expect(output.text).toBe("c");
  output.take({ ...message, startsOver: false, text: "x".repeat(500_000) });
  expect(output.text.length).toBe(200_000);
});
