import { expect, test } from "vitest";
import { isMarkdown, isSafe, type Node, treeOf } from "./tree";

/** The tree in one line, elements as `<name …>`. */
function shown(nodes: readonly Node[]): string {
  return nodes.map((node) => {
    if (typeof node === "string") return node;
    if ("image" in node) return `[image ${node.image} ${node.about}]`;
    if ("link" in node) return `[link ${node.link}: ${shown(node.children)}]`;
    return `<${node.element}>${shown(node.children)}</${node.element}>`;
  }).join("");
}
const md = (text: string) => shown(treeOf(text));

test("standard Markdown, tables and strikethrough become elements", () => {
  expect(md("# A *b* `c`\n\n1. x\n2. ~~y~~")).toBe("<h1>A <em>b</em> <code>c</code></h1><ol><li>x</li><li><s>y</s></li></ol>");
  expect(md("| a | b |\n| --- | :-: |\n| 1 | 2 |")).toBe("<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>");
  expect(md("> q\n\n```js\nlet a\n```\n\n---")).toBe("<blockquote><p>q</p></blockquote><pre>let a</pre><hr></hr>");
  expect(md("a &amp; b &copy; &#x4e2d; &nosuch;")).toBe("<p>a & b © 中 &nosuch;</p>");
});

test("HTML is text, in blocks and in lines", () => {
  expect(md("<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b")).toBe("<p><script>alert(1)</script></p><p>a <img src=x onerror=alert(1)> b</p>");
});

test("addresses that could do something stay text; others are kept as written and only shown", () => {
  expect(md("[x](javascript:alert(1))")).toBe("<p>[x](javascript:alert(1))</p>");
  expect(md("[x](JaVaScript&colon;alert(1))"), "an entity does not smuggle a scheme in").not.toContain("[link javascript");
  expect(md("![x](data:image/svg+xml,<svg/onload=alert(1)>)")).not.toContain("[image");
  expect(md("![logo](https://example.org/a.png) [b](../c.md)")).toBe("<p>[image https://example.org/a.png logo] [link ../c.md: b]</p>");
  for (const url of ["vbscript:x", " \tjavascript:x", "file:///etc/passwd", "blob:x", "data:text/html,x"]) expect(isSafe(url), url).toBe(false);
  for (const url of ["https://a", "MAILTO:a@b", "#part", "a/b:c", "//host/x"]) expect(isSafe(url), url).toBe(true);
});

test("no document is too deep or too long to be read", () => {
  expect(() => treeOf(`${">".repeat(5000)} deep`)).not.toThrow();
  expect(() => treeOf("[".repeat(20_000))).not.toThrow();
  expect(() => treeOf("*a ".repeat(30_000))).not.toThrow();
  const depth = (nodes: readonly Node[]): number =>
    Math.max(0, ...nodes.map((node) => (typeof node === "object" && "children" in node ? 1 + depth(node.children) : 0)));
  expect(depth(treeOf(`${"> ".repeat(500)} deep`))).toBeLessThan(100);
});

test("Markdown is known by its name", () => {
  expect(["README.md", "a/b.Markdown"].every(isMarkdown)).toBe(true);
  expect(["a.mdx", "md", "x.md.txt"].some(isMarkdown)).toBe(false);
});
