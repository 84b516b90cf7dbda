import type { Element, Node } from "./tree";

/** A run of signs that may begin or end emphasis. */
export interface Mark {
  sign: string;
  /** How many of them are not used yet, and how many there were. */
  count: number;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

/** A piece of a line: a node, which is so many elements deep, or signs that are not decided yet. */
export type Part = { node: Node; depth: number } | Mark;

/** Emphasis within emphasis beyond this stays as it is written. */
const DEEPEST = 20;

const isMark = (part: Part): part is Mark => "sign" in part;

/** The nodes that parts are, once signs without a partner have become text. Neighbouring text is one. */
export function nodesOf(parts: readonly Part[]): Node[] {
  const nodes: Node[] = [];
  let text = "";
  for (const part of parts) {
    const node = isMark(part) ? part.sign.repeat(part.count) : part.node;
    if (typeof node === "string") text += node;
    else {
      if (text) nodes.push(text);
      text = "";
      nodes.push(node);
    }
  }
  if (text) nodes.push(text);
  return nodes;
}

/** How deep the deepest of them is. */
export const depthOf = (parts: readonly Part[]): number => parts.reduce((most, part) => (isMark(part) ? most : Math.max(most, part.depth)), 0);

/** Signs that begin and signs that end find each other; what is between them becomes emphasis. */
export function paired(parts: readonly Part[]): Part[] {
  const pairing = new Pairing();
  for (const part of parts) {
    if (isMark(part)) pairing.mark(part);
    else pairing.out.push(part);
  }
  return pairing.out;
}

class Pairing {
  readonly out: Part[] = [];
  /** Where in `out` signs stand that may still begin something. */
  #openers: number[] = [];
  /** For each kind of end, below which opener none fits; so nothing is looked at twice. */
  readonly #floors = new Map<string, number>();

  mark(mark: Mark): void {
    while (mark.closes && mark.count > 0) {
      const opener = this.#openerFor(mark);
      if (opener < 0 || !this.#join(opener, mark)) break;
    }
    if (mark.count === 0) return;
    if (mark.opens) this.#openers.push(this.out.length);
    this.out.push(mark);
  }

  #openerFor(mark: Mark): number {
    const kind = `${mark.sign}${mark.opens}${mark.length % 3}`;
    for (let at = this.#openers.length - 1; at >= (this.#floors.get(kind) ?? 0); at--) {
      if (fit(this.out[this.#openers[at] as number] as Mark, mark)) return at;
    }
    this.#floors.set(kind, this.#openers.length);
    return -1;
  }

  /** Makes an element of what is between the opener and the mark, unless it would be too deep. */
  #join(at: number, mark: Mark): boolean {
    const place = this.#openers[at] as number;
    const opener = this.out[place] as Mark;
    const used = opener.count >= 2 && mark.count >= 2 ? 2 : 1;
    const inner = this.out.splice(place + 1);
    const depth = depthOf(inner) + 1;
    if (depth > DEEPEST) {
      for (const part of inner) this.out.push(part);
      // Whatever encloses this would be deeper still.
      this.#forget(0);
      return false;
    }
    const element: Element = mark.sign === "~" ? "s" : used === 2 ? "strong" : "em";
    opener.count -= used;
    mark.count -= used;
    if (opener.count === 0) this.out.pop();
    this.#forget(opener.count === 0 ? at : at + 1);
    this.out.push({ node: { element, children: nodesOf(inner) }, depth });
    return true;
  }

  #forget(from: number): void {
    this.#openers.length = from;
    for (const [kind, floor] of this.#floors) this.#floors.set(kind, Math.min(floor, from));
  }
}

/** Whether two runs are partners; runs that could be both must not add up to a multiple of three. */
function fit(opener: Mark, closer: Mark): boolean {
  if (opener.sign !== closer.sign) return false;
  const either = opener.closes || closer.opens;
  return closer.sign === "~" || !either || (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0);
}
