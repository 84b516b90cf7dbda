import { plain, type Targets, labelOf } from "./characters";
import {
  beginsBlock, cellsOf, columnsOf, endsFence, fenceOf, headingOf, interrupts, isBlank, isIndented, isQuote, isRule, markerOf, type Marker, withoutTabs,
} from "./lines";
import type { Branch, Element, Node } from "./tree";

/** What is found on the way and needed at the end. */
export interface Reading {
  /** Addresses by their labels. */
  targets: Targets;
  /** Words that are still to be read, and the place for what they are. */
  texts: { into: Node[]; text: string }[];
  /** Items whose paragraphs are plain lines. */
  tight: Branch[];
}

/** Blocks within blocks beyond this are shown as the text they are. */
const DEEPEST = 40;

/** The blocks that lines hold, and whether there was room between any two of them. */
export function readBlocks(given: readonly string[], reading: Reading, depth: number): { nodes: Node[]; loose: boolean } {
  return new Blocks(given.map((line) => withoutTabs(line)), reading, depth).read();
}

class Blocks {
  readonly #nodes: Node[] = [];
  #paragraph: string[] = [];
  #at = 0;
  #blank = false;
  #loose = false;

  constructor(private readonly lines: readonly string[], private readonly reading: Reading, private readonly depth: number) {}

  read(): { nodes: Node[]; loose: boolean } {
    while (this.#at < this.lines.length) this.#block(this.lines[this.#at] as string);
    this.#endParagraph();
    return { nodes: this.#nodes, loose: this.#loose };
  }

  #block(line: string): void {
    const open = this.#paragraph.length > 0;
    const deep = this.depth >= DEEPEST;
    if (isBlank(line)) {
      this.#endParagraph();
      this.#blank = true;
      this.#at++;
    } else if (isIndented(line)) {
      if (open) this.#words(line);
      else this.#indentedCode();
    } else if (open && /^ {0,3}(=+|-+) *$/.test(line)) this.#underline(line);
    else if (isRule(line)) this.#leaf("hr");
    else if (headingOf(line)) this.#heading(line);
    else if (fenceOf(line)) this.#fencedCode(line);
    else if (!deep && isQuote(line)) this.#quote();
    else if (!deep && this.#beginsList(line, open)) this.#list();
    else if (this.#beginsTable(line)) this.#table(line);
    else this.#words(line);
  }

  #add(node: Node): void {
    this.#endParagraph();
    if (this.#blank && this.#nodes.length > 0) this.#loose = true;
    this.#blank = false;
    this.#nodes.push(node);
  }

  #leaf(element: Element): void {
    this.#add({ element, children: [] });
    this.#at++;
  }

  /** An element whose words are read later. */
  #withText(element: Element, text: string): Branch {
    const branch: Branch = { element, children: [] };
    this.reading.texts.push({ into: branch.children, text });
    return branch;
  }

  #words(line: string): void {
    this.#paragraph.push(line.trimStart());
    this.#at++;
  }

  /** Ends the paragraph that is open; addresses that it begins with are kept and not shown. */
  #endParagraph(element: Element = "p"): void {
    const lines = this.#paragraph;
    this.#paragraph = [];
    const first = lines.findIndex((line) => !this.#isTarget(line));
    if (first >= 0) this.#add(this.#withText(element, lines.slice(first).join("\n").trimEnd()));
  }

  #isTarget(line: string): boolean {
    const found = /^\[((?:[^[\]\\]|\\.){1,999})\]:\s*(<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/.exec(line);
    const [, label = "", url = ""] = found ?? [];
    if (!found || isBlank(label)) return false;
    const key = labelOf(label);
    if (!this.reading.targets.has(key)) this.reading.targets.set(key, plain(url.startsWith("<") ? url.slice(1, -1) : url));
    return true;
  }

  /** The line below a paragraph that makes it a heading, unless there was nothing but addresses. */
  #underline(line: string): void {
    const before = this.#nodes.length;
    this.#endParagraph(line.includes("=") ? "h1" : "h2");
    if (this.#nodes.length > before) this.#at++;
    else if (isRule(line)) this.#leaf("hr");
    else this.#words(line);
  }

  #heading(line: string): void {
    const { level, text } = headingOf(line) ?? { level: 1, text: "" };
    this.#add(this.#withText(`h${level}` as Element, text));
    this.#at++;
  }

  #code(lines: readonly string[]): void {
    this.#add({ element: "pre", children: [lines.join("\n")] });
  }

  #indentedCode(): void {
    const from = this.#at;
    let end = from;
    for (; this.#at < this.lines.length; this.#at++) {
      const line = this.lines[this.#at] as string;
      if (isIndented(line)) end = this.#at + 1;
      else if (!isBlank(line)) break;
    }
    this.#at = end;
    this.#code(this.lines.slice(from, end).map((line) => line.slice(4)));
  }

  #fencedCode(line: string): void {
    const { signs, indent } = fenceOf(line) ?? { signs: "", indent: 0 };
    const from = ++this.#at;
    while (this.#at < this.lines.length && !endsFence(this.lines[this.#at] as string, signs)) this.#at++;
    const inset = new RegExp(`^ {0,${indent}}`);
    this.#code(this.lines.slice(from, this.#at).map((one) => one.replace(inset, "")));
    this.#at++;
  }

  #quote(): void {
    const inner = new Inner();
    for (; this.#at < this.lines.length; this.#at++) {
      const line = this.lines[this.#at] as string;
      const sign = /^ {0,3}> ?/.exec(line)?.[0];
      if (sign !== undefined) inner.add(line.slice(sign.length));
      else if (inner.goesOnWith(line)) inner.addLazily(line);
      else break;
    }
    this.#add({ element: "blockquote", children: readBlocks(inner.lines, this.reading, this.depth + 1).nodes });
  }

  #beginsList(line: string, open: boolean): boolean {
    const marker = markerOf(line);
    return marker !== null && (!open || interrupts(marker));
  }

  #list(): void {
    const first = markerOf(this.lines[this.#at] as string) as Marker;
    const items: Branch[] = [];
    let [loose, blanks] = [false, 0];
    for (;;) {
      const marker = this.#at < this.lines.length ? markerOf(this.lines[this.#at] as string) : null;
      if (marker?.kind !== first.kind) break;
      const item = this.#item(marker);
      loose ||= item.loose || (items.length > 0 && blanks > 0);
      items.push(item.branch);
      blanks = 0;
      while (this.#at < this.lines.length && isBlank(this.lines[this.#at])) [this.#at, blanks] = [this.#at + 1, blanks + 1];
    }
    // Room after the last item is not part of the list.
    this.#at -= blanks;
    if (!loose) for (const item of items) this.reading.tight.push(item);
    const { start } = first;
    this.#add({ element: start === null ? "ul" : "ol", children: items, ...(start === null || start === 1 ? {} : { start }) });
  }

  #item({ width, rest }: Marker): { branch: Branch; loose: boolean } {
    const inner = new Inner();
    const task = /^\[([ xX])\] (?=.)/.exec(rest);
    inner.add(task ? `${task[1] === " " ? "☐" : "☑"} ${rest.slice(4)}` : rest);
    for (this.#at++; this.#at < this.lines.length; this.#at++) {
      const line = this.lines[this.#at] as string;
      const inset = /[^ ]/.exec(line)?.index ?? Infinity;
      if (isBlank(line)) {
        // An item that begins with nothing ends with the next nothing.
        if (inner.lines.every(isBlank)) break;
        inner.add("");
      } else if (inset >= width) inner.add(line.slice(width));
      else if (inner.goesOnWith(line)) inner.addLazily(line);
      else break;
    }
    this.#at -= inner.dropBlankEnd();
    const { nodes, loose } = readBlocks(inner.lines, this.reading, this.depth + 1);
    return { branch: { element: "li", children: nodes, ...(task ? { task: true } : {}) }, loose };
  }

  #beginsTable(line: string): boolean {
    const columns = columnsOf(this.lines[this.#at + 1]);
    return columns !== null && cellsOf(line)?.length === columns.length;
  }

  #table(head: string): void {
    const columns = columnsOf(this.lines[this.#at + 1]) ?? [];
    const row = (line: string, element: "th" | "td"): Branch => {
      // What has no column is left out, and what has no cell is not made up.
      const cells = (cellsOf(line) ?? [line.trim()]).slice(0, columns.length);
      return { element: "tr", children: cells.map((cell, at): Node => Object.assign(this.#withText(element, cell), columns[at] ? { align: columns[at] } : {})) };
    };
    const table: Branch = { element: "table", children: [{ element: "thead", children: [row(head, "th")] }] };
    const rows: Branch[] = [];
    for (this.#at += 2; this.#at < this.lines.length; this.#at++) {
      const line = this.lines[this.#at] as string;
      if (isBlank(line) || isIndented(line) || beginsBlock(line)) break;
      rows.push(row(line, "td"));
    }
    if (rows.length > 0) table.children.push({ element: "tbody", children: rows });
    this.#add(table);
  }
}

/** The lines within a quote or an item, as they are found. */
class Inner {
  readonly lines: string[] = [];
  #fence: string | null = null;

  add(line: string): void {
    this.lines.push(line);
    if (this.#fence === null) this.#fence = fenceOf(withoutMarks(line))?.signs ?? null;
    else if (endsFence(line, this.#fence)) this.#fence = null;
  }

  /** Whether a line without its mark still belongs to the paragraph that the last line is part of. */
  goesOnWith(line: string): boolean {
    const last = withoutMarks(this.lines.at(-1) ?? "");
    const inParagraph = this.#fence === null && !isBlank(last) && !isIndented(last) && !isRule(last) && !headingOf(last) && !fenceOf(last);
    return inParagraph && !isBlank(line) && markerOf(line) === null && !beginsBlock(line);
  }

  /** Such a line is words, also where it would underline a heading if it had its mark. */
  addLazily(line: string): void {
    this.lines.push(/^ {0,3}=+ *$/.test(line) ? `\\${line.trim()}` : line);
  }

  /** Takes blank lines away from the end and says how many they were. */
  dropBlankEnd(): number {
    const before = this.lines.length;
    while (this.lines.length > 1 && isBlank(this.lines.at(-1))) this.lines.pop();
    return before - this.lines.length;
  }
}

/** A line without the marks of the quotes and items that it begins. */
function withoutMarks(line: string): string {
  let rest = line;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const inner = isQuote(rest) ? rest.replace(/^ {0,3}> ?/, "") : markerOf(rest)?.rest;
    if (inner === undefined) break;
    rest = inner;
  }
  return rest;
}
