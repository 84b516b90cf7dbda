import ParserBlock from "markdown-it/lib/parser_block.mjs";
import ParserInline from "markdown-it/lib/parser_inline.mjs";
import StateCore from "markdown-it/lib/rules_core/state_core.mjs";
import normalize from "markdown-it/lib/rules_core/normalize.mjs";
import textJoin from "markdown-it/lib/rules_core/text_join.mjs";
import type Token from "markdown-it/lib/token.mjs";
import * as helpers from "markdown-it/lib/helpers/index.mjs";

/** The elements that a document may become. There are no others, whatever it says. */
const ELEMENTS = [
  "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "hr", "br",
  "table", "thead", "tbody", "tr", "th", "td",
] as const;
export type Element = (typeof ELEMENTS)[number];

/** A piece of a document: text, an element of the list, or the place of a link or an image. */
export type Node =
  | string
  | { element: Element; children: Node[]; start?: number; align?: "left" | "center" | "right" }
  | { link: string; children: Node[] }
  | { image: string; about: string };
type Branch = Extract<Node, { children: Node[] }>;

/** Deeper nesting is shown as the text it is. */
const DEEPEST = 40;

/** An address that is only shown may be relative; one with a scheme is of the web or of mail. */
export function isSafe(url: string): boolean {
  const scheme = /^[\s\u0000-\u001f]*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto"].includes(scheme);
}

/** markdown-it with Standard Markdown, tables and strikethrough; HTML is text, addresses are checked and left as written. */
const md = {
  block: new ParserBlock(), inline: new ParserInline(), helpers,
  options: { html: false, linkify: false, breaks: false, maxNesting: DEEPEST },
  validateLink: isSafe,
  normalizeLink: (url: string) => url,
  normalizeLinkText: (text: string) => text,
};

/** What a Markdown document says, as a tree that holds nothing but elements of the list and text. */
export function treeOf(text: string): Node[] {
  const state = new StateCore(text, md, {});
  normalize(state);
  md.block.parse(state.src, md, state.env, state.tokens);
  for (const token of state.tokens) {
    if (token.type === "inline" && token.children) md.inline.parse(token.content, md, state.env, token.children);
  }
  textJoin(state);
  const root: Branch = { element: "p", children: [] };
  build(state.tokens, root);
  return root.children;
}

function build(tokens: readonly Token[], root: Branch): void {
  const stack: Branch[] = [root];
  const here = () => (stack.at(-1) ?? root).children;
  for (const token of tokens) {
    if (token.type === "inline") build(token.children ?? [], stack.at(-1) ?? root);
    else if (token.hidden) continue;
    else if (token.nesting === 1) {
      const branch = branchOf(token);
      here().push(branch);
      stack.push(branch);
    } else if (token.nesting === -1) {
      if (stack.length > 1) stack.pop();
    } else here().push(leafOf(token));
  }
}

function branchOf(token: Token): Branch {
  if (token.type === "link_open") return { link: token.attrGet("href") ?? "", children: [] };
  const element = ELEMENTS.find((name) => name === token.tag) ?? "p";
  const start = Number(token.attrGet("start") ?? 1);
  const align = /left|center|right/.exec(token.attrGet("style") ?? "")?.[0] as "left" | undefined;
  return { element, children: [], ...(start === 1 ? {} : { start }), ...(align ? { align } : {}) };
}

function leafOf(token: Token): Node {
  switch (token.type) {
    case "code_inline": return { element: "code", children: [token.content] };
    case "fence": case "code_block": return { element: "pre", children: [token.content.replace(/\n$/, "")] };
    case "hr": return { element: "hr", children: [] };
    case "hardbreak": return { element: "br", children: [] };
    case "softbreak": return "\n";
    case "image": return { image: token.attrGet("src") ?? "", about: textOf(token.children ?? []) };
    default: return token.content;
  }
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.type === "softbreak" ? " " : token.children ? textOf(token.children) : token.content)).join("");
}

/** Whether a file is shown as a document, by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}
