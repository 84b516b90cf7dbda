import { expect, test } from "vitest";
import type { ReviewHunk } from "../data/types";
import { gapBefore, linesOf, pairsOf, rangeOf } from "./lines";
import { segmentsOf } from "./segments";
import { colour, languageOf } from "./syntax";
import { visible } from "$kit/visible";
import { marksIn, marksOf } from "./words";

const hunk = (text: string, at: Partial<ReviewHunk> = {}): ReviewHunk => ({
  hunk_id: "h", old_start: 1, old_lines: 0, new_start: 1, new_lines: 0, text, ...at,
});

test("lines have the numbers of both sides, and the missing end of a file is no line", () => {
  const lines = linesOf(hunk(" a\n-b\n+c\n+d\n\\ No newline at end of file\n", { old_start: 41, new_start: 40 }));
  expect(lines.map((line) => [line.sign, line.old, line.new, line.text])).toEqual([
    [" ", 41, 40, "a"], ["-", 42, null, "b"], ["+", null, 41, "c"], ["+", null, 42, "d"],
  ]);
  expect(lines.at(-1)?.noEnd).toBe(true);
  expect(rangeOf(lines)).toEqual({ first: 41, last: 42 });
});

test("an empty line, a lone carriage return and a line of signs stay what they are", () => {
  expect(linesOf(hunk("+\n+\r\n+++ not a head\n--- nor this")).map((line) => line.text)).toEqual(["", "\r", "++ not a head", "-- nor this"]);
});

test("side by side, removed lines face the added ones", () => {
  const pairs = pairsOf(linesOf(hunk(" a\n-b\n-c\n+d\n e\n+f\n")));
  expect(pairs.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([["a", "a"], ["b", "d"], ["c", null], ["e", "e"], [null, "f"]]);
});

test("the lines left out before a hunk are counted, also where a side is empty", () => {
  const first = hunk("", { new_start: 5, new_lines: 3 });
  expect(gapBefore(first, undefined)).toEqual({ first: 1, count: 4 });
  expect(gapBefore(hunk("", { new_start: 20, new_lines: 1 }), first)).toEqual({ first: 8, count: 12 });
  expect(gapBefore(hunk("", { new_start: 0, new_lines: 0 }), undefined).count).toBe(0);
});

const cut = (text: string, spans: { start: number; end: number }[]) => spans.map(({ start, end }) => text.slice(start, end));

test("word marks show what differs, and nothing where lines are hardly alike", () => {
  const [before, after] = ["  return n + i.price;", "  return n + i.price * i.quantity;"];
  expect(cut(after, marksOf(before, after).after).join("").replaceAll(" ", "")).toBe("*i.quantity");
  expect(marksOf(before, after).before).toEqual([]);
  expect(marksOf("alpha beta", "gamma delta").after).toEqual([]);
  expect(cut("购物车合计", marksOf("购物车总额", "购物车合计").after)).toEqual(["合计"]);
  expect(marksOf("x".repeat(5000), "y".repeat(5000))).toEqual({ before: [], after: [] });
});

test("every changed line is compared with its counterpart only", () => {
  const lines = linesOf(hunk("-a = 1\n-b = 2\n+a = 9\n c\n"));
  const marks = marksIn(lines);
  expect(lines.map((line) => cut(line.text, marks.get(line) ?? []))).toEqual([["1"], [], ["9"], []]);
});

test("colours know words, strings, numbers and comments over several lines", () => {
  const language = languageOf("src/cart.ts");
  if (!language) throw new Error("TypeScript has no colours");
  const source = ["const a = f('x', 12); // c", "/* one", "two */ return 1", "it's = `a"];
  const found = colour(source, language).map((tokens, at) => tokens.map(({ start, end, kind }) => `${kind}:${source[at]?.slice(start, end)}`));
  expect(found[0]).toEqual(["key:const", "fn:f", "str:'x'", "num:12", "com:// c"]);
  expect(found[1]).toEqual(["com:/* one"]);
  expect(found[2]).toEqual(["com:two */", "key:return", "num:1"]);
  expect(languageOf("LICENSE")).toBeUndefined();
  expect(languageOf("a/Dockerfile")).toBeDefined();
});

test("colours and marks cut a line without losing or adding anything", () => {
  const text = "let total = 0; // 合计";
  const language = languageOf("a.js");
  const [tokens] = colour([text], language as NonNullable<typeof language>);
  const segments = segmentsOf(text, tokens ?? [], [{ start: 2, end: 9 }]);
  expect(segments.map((segment) => segment.text).join("")).toBe(text);
  expect(segments.filter((segment) => segment.marked).map((segment) => segment.text).join("")).toBe("t total".slice(0, 7));
});

test("what would be invisible or turn text around is written out", () => {
  expect(visible("a\u202eb\nc")).toBe("a⟨U+202E⟩b⟨U+000A⟩c");
  expect(visible("购物车 café 👍🏽")).toBe("购物车 café 👍🏽");
  const segments = segmentsOf("if (x\u2066) {", [], []);
  expect(segments.find((segment) => segment.hidden)?.text).toBe("⟨U+2066⟩");
});
