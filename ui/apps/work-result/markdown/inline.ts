import { characterOf, isSafe, labelOf, REFERENCE, type Targets } from "./characters";
import { depthOf, nodesOf, paired, type Part } from "./emphasis";
import { targetAt } from "./target";
import type { Branch, Node } from "./tree";

/** What an image says of itself at most. */
const LONGEST_ABOUT = 1000;
const LONGEST_LABEL = 999;

const PLAIN = /[^\\`*_~[\]!<&\n]+/y;
const TICKS = /`+/y;
const SIGNS = /\*+|_+|~+/y;
const ADDRESS = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)>/iy;
const MAIL = /<([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,9})>/iy;
const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/sy;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** The words of a paragraph, a heading or a cell. */
export function readInline(text: string, targets: Targets): Node[] {
  return new Inline(text, targets).read();
}

/** A bracket that may begin a link or an image. */
interface Bracket {
  /** Its place among the parts. */
  part: number;
  /** Where its words begin. */
  from: number;
  image: boolean;
  /** Other brackets stand within it, so that its words are no label. */
  nested: boolean;
}

class Inline {
  readonly #parts: Part[] = [];
  readonly #brackets: Bracket[] = [];
  /** Brackets before this one are within no link any more, since links don't hold links. */
  #inactive = 0;
  #at = 0;
  /** Where runs of backticks of a length stand, and how many of them lie behind. */
  #ticks: Map<number, { places: number[]; next: number }> | undefined;

  constructor(private readonly text: string, private readonly targets: Targets) {}

  read(): Node[] {
    while (this.#at < this.text.length) this.#step();
    return nodesOf(paired(this.#parts));
  }

  #match(what: RegExp, at = this.#at): RegExpExecArray | null {
    what.lastIndex = at;
    return what.exec(this.text);
  }

  #add(node: Node, length: number, depth = typeof node === "string" ? 0 : 1): void {
    this.#parts.push({ node, depth });
    this.#at += length;
  }

  #step(): void {
    const words = this.#match(PLAIN)?.[0];
    if (words) return this.#add(words, words.length);
    const sign = this.text[this.#at] as string;
    switch (sign) {
      case "\\": return this.#escape();
      case "`": return this.#code();
      case "*": case "_": case "~": return this.#mark();
      case "[": return this.#open(false);
      case "]": return this.#close();
      case "!": return this.text[this.#at + 1] === "[" ? this.#open(true) : this.#add(sign, 1);
      case "<": return this.#address();
      case "&": return this.#reference();
      default: return this.#lineEnd();
    }
  }

  #escape(): void {
    const next = this.text[this.#at + 1] ?? "";
    if (next === "\n") this.#lineEnd(1);
    else if (/[!-/:-@[-`{-~]/.test(next)) this.#add(next, 2);
    else this.#add("\\", 1);
  }

  #lineEnd(hard = 0): void {
    const last = this.#parts.at(-1);
    let spaces = 0;
    if (last && "node" in last && typeof last.node === "string") {
      const words = last.node.replace(/ +$/, "");
      spaces = last.node.length - words.length;
      last.node = words;
    }
    this.#add(hard || spaces >= 2 ? { element: "br", children: [] } : "\n", 1 + hard);
    while (this.text[this.#at] === " ") this.#at++;
  }

  #code(): void {
    const run = this.#match(TICKS)?.[0] ?? "`";
    const end = this.#tickAfter(this.#at, run.length);
    if (end === undefined) return this.#add(run, run.length);
    const inner = this.text.slice(this.#at + run.length, end).replaceAll("\n", " ");
    const padded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
    this.#add({ element: "code", children: [padded ? inner.slice(1, -1) : inner] }, end + run.length - this.#at);
  }

  /** The next run of exactly so many backticks. */
  #tickAfter(at: number, length: number): number | undefined {
    this.#ticks ??= new Map();
    if (this.#ticks.size === 0) {
      for (const { index, 0: run } of this.text.matchAll(/`+/g)) {
        const known = this.#ticks.get(run.length);
        if (known) known.places.push(index);
        else this.#ticks.set(run.length, { places: [index], next: 0 });
      }
    }
    const runs = this.#ticks.get(length);
    if (!runs) return undefined;
    while ((runs.places[runs.next] ?? Infinity) <= at) runs.next++;
    return runs.places[runs.next];
  }

  #mark(): void {
    const run = this.#match(SIGNS)?.[0] ?? "*";
    const sign = run[0] as string;
    if (sign === "~" && run.length !== 2) return this.#add(run, run.length);
    const before = kindOf([...this.text.slice(Math.max(0, this.#at - 2), this.#at)].at(-1));
    const after = kindOf([...this.text.slice(this.#at + run.length, this.#at + run.length + 2)][0]);
    const left = after !== "space" && (after === "word" || before !== "word");
    const right = before !== "space" && (before === "word" || after !== "word");
    const inWords = sign === "_";
    this.#parts.push({
      sign, count: run.length, length: run.length,
      opens: left && (!inWords || !right || before === "sign"), closes: right && (!inWords || !left || after === "sign"),
    });
    this.#at += run.length;
  }

  #address(): void {
    const [written, url = ""] = this.#match(ADDRESS) ?? [];
    const mail = written ? undefined : this.#match(MAIL);
    if (mail) return this.#add({ link: `mailto:${mail[1]}`, children: [mail[1] as string] }, mail[0].length);
    if (written && isSafe(url)) this.#add({ link: url, children: [url] }, written.length);
    else this.#add("<", 1);
  }

  #reference(): void {
    const found = this.#match(REFERENCE);
    if (found) this.#add(characterOf(found), found[0].length);
    else this.#add("&", 1);
  }

  #open(image: boolean): void {
    const sign = image ? "![" : "[";
    const outer = this.#brackets.at(-1);
    if (outer) outer.nested = true;
    this.#brackets.push({ part: this.#parts.length, from: this.#at + sign.length, image, nested: false });
    this.#add(sign, sign.length);
  }

  #close(): void {
    const bracket = this.#brackets.pop();
    const active = bracket && (bracket.image || this.#brackets.length >= this.#inactive);
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    const target = active ? this.#targetOf(bracket) : null;
    if (!bracket || !target) return this.#add("]", 1);
    const inner = paired(this.#parts.splice(bracket.part + 1));
    this.#parts.pop();
    const children = nodesOf(inner);
    const node: Node = bracket.image ? { image: target.url, about: aboutOf(children) } : { link: target.url, children };
    if (!bracket.image) this.#inactive = this.#brackets.length;
    this.#at = target.end;
    this.#add(node, 0, bracket.image ? 1 : depthOf(inner) + 1);
  }

  /** Where a link leads whose words end here: the address behind it, or the one that its label stands for. */
  #targetOf({ from, nested }: Bracket): { url: string; end: number } | null {
    const after = this.#at + 1;
    const behind = this.text[after] === "(" ? targetAt(this.text, after + 1) : null;
    if (behind) return isSafe(behind.url) ? behind : null;
    if (this.targets.size === 0) return null;
    const label = this.#match(LABEL, after);
    const own = nested || this.#at - from > LONGEST_LABEL ? "" : this.text.slice(from, this.#at);
    const url = this.targets.get(labelOf(label?.[1] || own));
    return url !== undefined && isSafe(url) ? { url, end: after + (label?.[0].length ?? 0) } : null;
  }
}

function kindOf(character: string | undefined): "space" | "sign" | "word" {
  if (character === undefined || /\s/.test(character)) return "space";
  return PUNCTUATION.test(character) ? "sign" : "word";
}

/** The words of an image, which is not loaded. */
function aboutOf(nodes: readonly Node[]): string {
  const words = (node: Node): string => {
    if (typeof node === "string") return node.replaceAll("\n", " ");
    return "image" in node ? node.about : (node as Branch).children.map(words).join("");
  };
  return nodes.map(words).join("").slice(0, LONGEST_ABOUT);
}
