import { expect, test } from "vitest";
import { isSafe } from "./characters";
import { isMarkdown, type Node, treeOf } from "./tree";

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

test("headings have signs in front or a line below, and their closing signs are no words", () => {
  expect(md("# a\n## b ##\n### c # d\n####### e\n#f")).toBe("<h1>a</h1><h2>b</h2><h3>c # d</h3><p>####### e\n#f</p>");
  expect(md("a\n===\nb\n---\n\n===")).toBe("<h1>a</h1><h2>b</h2><p>===</p>");
  expect(md("two\nlines\n---")).toBe("<h2>two\nlines</h2>");
});

test("lists nest, begin where they say, and are loose only where there is room between", () => {
  expect(md("- a\n  - b\n    1. c\n- d")).toBe("<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>");
  expect(md("- a\n\n- b")).toBe("<ul><li><p>a</p></li><li><p>b</p></li></ul>");
  expect(md("- a\n  - b\n\n  - c\n- d")).toBe("<ul><li>a<ul><li><p>b</p></li><li><p>c</p></li></ul></li><li>d</li></ul>");
  expect(treeOf("7) a\n8) b")).toMatchObject([{ element: "ol", start: 7 }]);
  expect(md("- a\n+ b\n\n1. c\n1) d")).toBe("<ul><li>a</li></ul><ul><li>b</li></ul><ol><li>c</li></ol><ol><li>d</li></ol>");
  expect(md("- a\n\n      code\n\n  b")).toBe("<ul><li><p>a</p><pre>  code</pre><p>b</p></li></ul>".replace("  code", "code"));
  expect(md("-\ta\n\n\tb\n-\n- c")).toBe("<ul><li><p>a</p><p>b</p></li><li></li><li><p>c</p></li></ul>");
  expect(md("In\n1987. was a year\n- but this is a list")).toBe("<p>In\n1987. was a year</p><ul><li>but this is a list</li></ul>");
  expect(md("- a\nb\n\nc")).toBe("<ul><li>a\nb</li></ul><p>c</p>");
  expect(md("1. a\n2. b\n   c")).toBe("<ol><li>a</li><li>b\nc</li></ol>");
});

test("items of a list of tasks say whether they are done", () => {
  expect(md("- [ ] a\n- [x] **b**\n- [y] c")).toBe("<ul><li>☐ a</li><li>☑ <strong>b</strong></li><li>[y] c</li></ul>");
  expect(treeOf("- [X] a")).toMatchObject([{ children: [{ element: "li", task: true }] }]);
});

test("tables have the columns of their head, and bars in them can be written", () => {
  expect(md("a | b\n:-- | --:\n1 | 2 | 3\n4\n\nend")).toBe(
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr><tr><td>4</td></tr></tbody></table><p>end</p>");
  expect(treeOf("|a|\n|:-:|")).toMatchObject([{ children: [{ children: [{ children: [{ element: "th", align: "center" }] }] }] }]);
  expect(md("| a |\n| --- |\n| x \\| `y` |\n> q")).toBe("<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>x | <code>y</code></td></tr></tbody></table><blockquote><p>q</p></blockquote>");
  expect(md("a | b\n--- | --- | ---")).toBe("<p>a | b\n--- | --- | ---</p>");
  expect(md("words\n| a |\n| - |")).toBe("<p>words</p><table><thead><tr><th>a</th></tr></thead></table>");
});

test("code between fences or standing in is shown as it is", () => {
  expect(md("~~~ info\n*a*\n\n<b>\n~~~~\nc")).toBe("<pre>*a*\n\n<b></pre><p>c</p>");
  expect(md("```\nno end\n\n# still")).toBe("<pre>no end\n\n# still</pre>");
  expect(md("  ```\n   a\n  ```\n\n    b\n\n      c\n\nd")).toBe("<pre> a</pre><pre>b\n\n  c</pre><p>d</p>");
  expect(md("a\n    b\n``` x `y`\n")).toBe("<p>a\nb\n<code> x </code>y`</p>".replace("<code> x </code>y`", "``` x <code>y</code>"));
});

test("quotes hold other blocks, and a line without a sign goes on where words do", () => {
  expect(md("> a\nb\n> > c\nd\n\ne")).toBe("<blockquote><p>a\nb</p><blockquote><p>c\nd</p></blockquote></blockquote><p>e</p>");
  expect(md("> # a\nb")).toBe("<blockquote><h1>a</h1></blockquote><p>b</p>");
  expect(md("> a\n===\n> - b\nc\n> ```\nd")).toBe("<blockquote><p>a\n===</p><ul><li>b\nc</li></ul><pre></pre></blockquote><p>d</p>");
  expect(md("> a\n- b\n> c\n---")).toBe("<blockquote><p>a</p></blockquote><ul><li>b</li></ul><blockquote><p>c</p></blockquote><hr></hr>");
});

test("emphasis finds its partners as Standard Markdown has it", () => {
  const samples: [string, string][] = [
    ["**a*", "*<em>a</em>"], ["***a***", "<em><strong>a</strong></em>"], ["*a **b** c*", "<em>a <strong>b</strong> c</em>"],
    ["**a *b***", "<strong>a <em>b</em></strong>"], ["a * b *", "a * b *"], ["snake_case_name _a_", "snake_case_name <em>a</em>"],
    ["*a_b*_", "<em>a_b</em>_"], ["\\*a\\*", "*a*"], ["*a\nb*", "<em>a\nb</em>"], ["~~a~~ ~b~ ~~~c~~~", "<s>a</s> ~b~ ~~~c~~~"],
    ["**“中文”**。", "<strong>“中文”</strong>。"], ["*foo**bar**baz*", "<em>foo<strong>bar</strong>baz</em>"], ["*foo**bar*", "<em>foo**bar</em>"],
    ["`*a*` *`b*`", "<code>*a*</code> *<code>b*</code>"], ["__init__.py", "<strong>init</strong>.py"], ["a__b__c", "a__b__c"],
  ];
  for (const [written, read] of samples) expect(md(written), written).toBe(`<p>${read}</p>`);
});

test("code within lines, line breaks, escapes and references to characters", () => {
  expect(md("`` a`b `` ` c")).toBe("<p><code>a`b</code> ` c</p>");
  expect(md("a  \nb\\\nc\nd")).toBe("<p>a<br></br>b<br></br>c\nd</p>");
  expect(md("\\<b> &lt;i&gt; &#60; &#x110000; &#0; &; \\a")).toBe("<p><b> <i> < \ufffd \ufffd &; \\a</p>");
});

test("links lead where they say or where their label is given, wherever that is", () => {
  expect(md("[a][B c] [b  C] [b c][] ![i][b c] [no][x] [d]\n\n[b C]: <https://e.org/a b> \"t\"\n[d]: /x\n[d]: /second")).toBe(
    "<p>[link https://e.org/a b: a] [link https://e.org/a b: b  C] [link https://e.org/a b: b c] [image https://e.org/a b i] [no][x] [link /x: d]</p>");
  expect(md("[a](/u(v)w \"t\") [b](<x y>) [c]( /z ) [d](a b)")).toBe("<p>[link /u(v)w: a] [link x y: b] [link /z: c] [d](a b)</p>");
  expect(md("[a [b](c) d](e)")).toBe("<p>[a [link c: b] d](e)</p>");
  expect(md("[![i](p.png) *t*](u)")).toBe("<p>[link u: [image p.png i] <em>t</em>]</p>");
  expect(md("*[a*](b) [`](`)")).toBe("<p>*[link b: a*] [<code>](</code>)</p>");
  expect(md("<https://e.org/?a=b&c> <me@e.org> <javascript:x> <b> https://e.org")).toBe(
    "<p>[link https://e.org/?a=b&c: https://e.org/?a=b&c] [link mailto:me@e.org: me@e.org] <javascript:x> <b> https://e.org</p>");
  expect(md("[x]: javascript:alert(1)\n\n[x] [y](&#106;avascript:alert(1))")).toBe("<p>[x] [y](javascript:alert(1))</p>");
});

test("no document is too deep or too long to be read", () => {
  const depth = (nodes: readonly Node[]): number =>
    Math.max(0, ...nodes.map((node) => (typeof node === "object" && "children" in node ? 1 + depth(node.children) : 0)));
  const deep = [">".repeat(5000), "> ".repeat(500), "- ".repeat(3000), "1. ".repeat(3000), "*a ".repeat(3000) + " a*".repeat(3000), "**_".repeat(3000) + "a" + "_**".repeat(3000), "[a](b".repeat(3000), "![".repeat(3000) + "](a)".repeat(3000)];
  for (const text of deep) expect(depth(treeOf(`${text} deep`)), text.slice(0, 10)).toBeLessThan(100);
});

/** The most of a document that a page is given. */
const MOST = 256 * 1024;
const HOSTILE = [
  "[", "]", "![", "[]", "[](", "[a](", "[a](b", "[a](<b", "[a](b \"", "[[a]", "[a][", "<", "<a:", "<a@", "&", "&a", "`", "``", "`a``", "~~", "*", "_", "*a ", "*a* ", "**a _b ",
  "a*", "a_", "*a_ ", "\\", "|", "|-", "a|b\n-|-\n", "> ", ">", "> a\n", "- ", "- a\n", "- a\n  ", "1. a\n", "\t", " ", "\n", " \n", "# ", "#", "a\n#", "```\n", "~~~\n", "=\n", "-\n",
  "[a]: b\n", "[a]: ", "[a", "[a]\n\n[a]: b\n\n", "*a **b ", "***", "*_", "\u0000", "\ud800", "  \n", "a  \n",
];

test("the longest document of nothing but signs takes as long as its length asks for", () => {
  // What grows with the square of the length would take minutes; so much is the patience of the runner.
  for (const signs of HOSTILE) {
    const text = signs.repeat(Math.ceil(MOST / signs.length));
    expect(() => treeOf(text), JSON.stringify(signs)).not.toThrow();
    expect(() => treeOf(`${text}\n\n[a]: b`), JSON.stringify(signs)).not.toThrow();
  }
}, 120_000);

test("Markdown is known by its name", () => {
  expect(["README.md", "a/b.Markdown"].every(isMarkdown)).toBe(true);
  expect(["a.mdx", "md", "x.md.txt"].some(isMarkdown)).toBe(false);
});
