import { type Reading, readBlocks } from "./blocks";
import { readInline } from "./inline";

/** The elements that a document may become. There are no others, whatever it says. */
export type Element =
  | "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "li" | "blockquote" | "pre" | "code" | "em" | "strong" | "s" | "hr" | "br"
  | "table" | "thead" | "tbody" | "tr" | "th" | "td";

/** An element with what is in it. */
export interface Branch {
  element: Element;
  children: Node[];
  /** The first number of an ordered list that does not begin with one. */
  start?: number;
  align?: "left" | "center" | "right";
  /** An item of a list that says whether it is done. */
  task?: true;
}

/** A piece of a document: text, an element of the list, or the place of a link or an image. */
export type Node = string | Branch | { link: string; children: Node[] } | { image: string; about: string };

/**
 * What a Markdown document says, as a tree that holds nothing but elements of the list and text.
 *
 * Read are headings of both kinds, paragraphs, block quotes, lists of both kinds and of tasks, tables, fenced and indented
 * code, rules, emphasis, strikethrough, code, links and images of all kinds, addresses in angle brackets, line breaks,
 * escapes and references to characters. HTML is text, and so is whatever else there is. The time it takes grows with the
 * length of the document and no faster, whatever is in it.
 */
export function treeOf(text: string): Node[] {
  const reading: Reading = { targets: new Map(), texts: [], tight: [] };
  const { nodes } = readBlocks(text.split(/\r\n?|\n/), reading, 0);
  // A link may name an address that is given further down, so lines are read when all blocks are known.
  for (const { into, text: words } of reading.texts) for (const node of readInline(words, reading.targets)) into.push(node);
  for (const item of reading.tight) item.children = item.children.flatMap((node) => (typeof node === "object" && "element" in node && node.element === "p" ? node.children : [node]));
  return nodes;
}

/** Whether a file is shown as a document, by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}
