import { expect, test } from "vitest";
import { wordsOf } from "./lean-words";
import { named } from "./named";

const ENGLISH = "const files = (n) => n;\nexport const workResult = { a: 'A', files, of: { b: 'B', c: (x) => x } };";

test("words become a list in the order of the names, and words by names again", () => {
  const code = wordsOf("export const workResult = { a: '甲', files: (n) => `${n} 个`, of: { b: '乙', c: (x) => `${x}, ${x}` } };", ENGLISH, "/en.ts");
  expect(code).toContain("named(english, ['甲',(n) => `${n} 个`,['乙',(x) => `${x}, ${x}`]])");
  const [, list = ""] = /named\(english, (.*)\)/.exec(code) ?? [];
  const words = named({ a: "A", files: 1, of: { b: "B", c: 2 } }, new Function(`return ${list}`)() as unknown[]) as { a: string; files: (n: number) => string; of: { c: (x: string) => string } };
  expect([words.a, words.files(3), words.of.c("丙")]).toEqual(["甲", "3 个", "丙, 丙"]);
});

test("words in another order, or others, are refused", () => {
  expect(() => wordsOf("export const workResult = { files: '', a: '', of: { b: '', c: '' } };", ENGLISH, "/en.ts")).toThrow("/en.ts");
  expect(() => wordsOf("export const workResult = { a: '', files: '', of: { b: '' } };", ENGLISH, "/en.ts")).toThrow("/en.ts");
});
