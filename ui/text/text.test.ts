import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AST, parse } from "svelte/compiler";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { languageFor, texts } from ".";
import { workResultTexts } from "./apps";

type Leaf = string | ((...values: never[]) => string);

/** Every word of a language by its place, as `home.stop`. */
function leaves(value: unknown, place = ""): [string, Leaf][] {
  if (typeof value === "string" || typeof value === "function") return [[place, value as Leaf]];
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, place ? `${place}.${key}` : key));
}
const english = new Map(leaves({ ...texts.en, workResult: workResultTexts.en }));
const chinese = new Map(leaves({ ...texts["zh-CN"], workResult: workResultTexts["zh-CN"] }));
/** The sentence with sample values in its places. */
const said = (leaf: Leaf, value: unknown = "3"): string =>
  typeof leaf === "string" ? leaf : String((leaf as (...values: unknown[]) => unknown)(value, value, value, value));

describe("the two languages", () => {
  test("have the same keys", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("say something everywhere, and take no more than they are given", () => {
    for (const [place, leaf] of [...english, ...chinese]) expect(said(leaf).trim(), place).not.toBe("");
    for (const [place, leaf] of chinese) {
      const other = english.get(place);
      expect(typeof leaf, place).toBe(typeof other);
      if (typeof leaf === "function") expect(leaf.length, place).toBeLessThanOrEqual((other as () => string).length);
    }
  });

  test("keep the tone of the house", () => {
    for (const [place, leaf] of english) expect(said(leaf), place).not.toMatch(/!|\b(please|oops|sorry|successfully|click here)\b|'/i);
    for (const [place, leaf] of chinese) expect(said(leaf), place).not.toMatch(/[！您]|[\u4e00-\u9fff][,;?]|"/);
  });

  test("leave a space between Chinese and Latin letters or figures", () => {
    for (const [place, leaf] of chinese) expect(said(leaf, "〇"), place).not.toMatch(/[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/);
  });
});

test("the language follows the system's preferences, English where none is known", () => {
  expect(languageFor(["fr-FR", "zh-TW", "en"])).toBe("zh-CN");
  expect(languageFor(["en-GB", "zh"])).toBe("en");
  expect(languageFor(["fr"])).toBe("en");
  expect(languageFor([])).toBe("en");
});

describe("components", () => {
  const root = join(import.meta.dirname, "..");
  const all = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /^(apps|desktop|host|kit)[\\/]/.test(file));
  const files = all.filter((file) => file.endsWith(".svelte"));
  const drawn = all.filter((file) => file.endsWith(".tsx"));
  const READ_ALOUD = ["aria-label", "title", "placeholder", "alt", "label", "words", "about", "what", "next", "more", "name"];
  const LETTERS = /\p{L}{2,}/u;

  test("were found", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(drawn.length).toBeGreaterThan(20);
  });

  test.each(drawn)("%s holds no words of its own", (file) => {
    const found: string[] = [];
    const read = (text: string) => LETTERS.test(text) && found.push(text);
    const walk = (node: ts.Node): void => {
      if (ts.isJsxText(node)) read(node.text);
      if (ts.isJsxExpression(node) && node.expression && ts.isStringLiteral(node.expression) && !ts.isJsxAttribute(node.parent)) read(node.expression.text);
      if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) {
        const name = node.name.getText();
        // A component's `name` is that of an icon.
        if (READ_ALOUD.includes(name) && name !== "name") read(node.initializer.text);
      }
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
    expect(found).toEqual([]);
  });

  test.each(files)("%s holds no words of its own", (file) => {
    const found: string[] = [];
    const ast = parse(readFileSync(join(root, file), "utf8"), { modern: true });
    const walk = (node: unknown, parent?: AST.BaseNode): void => {
      if (Array.isArray(node)) return node.forEach((inner) => walk(inner, parent));
      if (node === null || typeof node !== "object") return;
      const one = node as AST.BaseNode & { data?: string; name?: string; value?: unknown };
      if (one.type === "Text" && !["Attribute", "StyleDirective"].includes(parent?.type ?? "") && LETTERS.test(one.data ?? "")) found.push(one.data ?? "");
      if (one.type === "Attribute" && READ_ALOUD.includes(one.name ?? "") && Array.isArray(one.value)) {
        const isIcon = one.name === "name";
        for (const part of one.value as AST.Text[]) if (part.type === "Text" && !isIcon && LETTERS.test(part.data)) found.push(part.data);
      }
      for (const [key, inner] of Object.entries(one)) if (key !== "parent") walk(inner, one);
    };
    walk(ast.fragment);
    expect(found).toEqual([]);
  });

  test.each(files)("%s has no inline style, which the content policy would drop", (file) => {
    expect(readFileSync(join(root, file), "utf8")).not.toMatch(/\sstyle="|\{@html/);
  });
});
