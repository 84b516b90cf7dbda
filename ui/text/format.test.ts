import { expect, test } from "vitest";
import { formatFor } from "./format";

const en = formatFor("en");
const zh = formatFor("zh-CN");
const now = new Date(2026, 10, 30, 14, 4, 38).getTime();
const MINUTE = 60_000;

test("lengths carry a unit that fits them", () => {
  expect([0, 44, 999, 1000, 1900, 21_400, 60_000, 72_000, 3_600_000, 3_723_000].map(en.length)).toEqual([
    "0 ms", "44 ms", "999 ms", "1 s", "1.9 s", "21 s", "1 min", "1 min 12 s", "1 h", "1 h 2 min",
  ]);
  expect(en.length(59_700)).toBe("60 s");
  expect([44, 72_000, 600_000, 7_200_000].map(zh.lengthInWords)).toEqual(["44 毫秒", "1 分 12 秒", "10 分钟", "2 小时"]);
  expect(zh.length(44)).toBe("44 ms");
});

test("sizes step by thousands", () => {
  expect([0, 999, 1000, 18_000, 4_100_000, 212_000_000, 1_300_000_000, 86e12].map(en.bytes)).toEqual([
    "0 B", "999 B", "1 KB", "18 KB", "4.1 MB", "212 MB", "1.3 GB", "86 TB",
  ]);
});

test("numbers are grouped, and shortened only where room is short", () => {
  expect(en.count(1_204_551)).toBe("1,204,551");
  expect([9_999, 10_000, 104_233].map(en.compact)).toEqual(["9,999", "10k", "104k"]);
});

test("ages become dates after today", () => {
  expect([500, 2000, 59_000, 2 * MINUTE, 163 * MINUTE].map((age) => en.ago(now - age, now))).toEqual([
    "just now", "2 s ago", "59 s ago", "2 min ago", "2 h ago",
  ]);
  expect(en.ago(now - 15 * 60 * MINUTE, now), "yesterday evening").toBe("29 Nov");
  expect(zh.ago(now - 2 * MINUTE, now)).toBe("2 分钟前");
  expect(zh.ago(now - 4 * 24 * 60 * MINUTE, now)).toBe("11月26日");
  expect(en.moment(now, now)).toBe("14:04");
  expect(en.exactClock(now)).toBe("14:04:38");
  expect(en.finestClock(now + 482)).toBe("14:04:38.482");
  expect(en.moment(new Date(2025, 0, 3).getTime(), now)).toBe("3 Jan 2025");
});

test("lists read as the language does", () => {
  expect(en.list([])).toBe("");
  expect(en.list(["a"])).toBe("a");
  expect(en.list(["a", "b", "c"])).toBe("a, b and c");
  expect(zh.list(["ChatGPT", "Claude"])).toBe("ChatGPT 和 Claude");
});
