import type { Child, Props, Ref, VNode } from "./types";

/**
 * Draws a page from a description of it, and changes what is there into what the next description says. Components
 * are functions of what they are given: whatever lasts is held by objects of the page, and a node that has to be
 * followed is handed to a `ref`. Only elements and text can come of it; there is no way in for markup.
 */

const SVG = "http://www.w3.org/2000/svg";
const TEXT = "";

/** A node that is there, with what it was made from. */
interface Drawn {
  type: string;
  node: Element | Text;
  props: Props;
  given: Child;
  inner: Map<string, Drawn>;
  /** Ends what the `ref` began. */
  end?: (() => void) | undefined;
}

const drawn = new WeakMap<Element, Drawn>();
/** What is to be told when everything has its place. */
let arrivals: (() => void)[] = [];

export function draw(what: Child, target: Element): void {
  const root = drawn.get(target) ?? { type: "", node: target, props: {}, given: null, inner: new Map() };
  drawn.set(target, root);
  fill(root, what);
  for (const arrive of arrivals.splice(0)) arrive();
}

/** Elements and texts by their places: a key stands for a place that moves. */
function collect(child: Child, place: string, into: Map<string, VNode | string>): void {
  if (Array.isArray(child)) {
    child.forEach((one: Child, at) => collect(one, (one as VNode | null)?.key === undefined ? `${place}.${at}` : place, into));
  } else if (typeof child === "string" || typeof child === "number") into.set(place, String(child));
  else if (typeof child === "object" && child !== null) {
    const { type, props, key } = child as VNode;
    const own = key === undefined ? place : `${place}#${key}`;
    if (typeof type === "string") into.set(own, child as VNode);
    else collect(type(props), own, into);
  }
}

const typeOf = (what: VNode | string): string => (typeof what === "string" ? TEXT : (what.type as string));

/** Gives a node the children that are described. */
function fill(parent: Drawn, given: Child): void {
  // The very same description again: nothing can be different.
  if (given === parent.given) return;
  parent.given = given;
  const wanted = new Map<string, VNode | string>();
  collect(given, "", wanted);
  for (const [place, one] of parent.inner) {
    const what = wanted.get(place);
    if (what === undefined || typeOf(what) !== one.type) {
      parent.inner.delete(place);
      leave(one);
      one.node.remove();
    }
  }
  let next = parent.node.firstChild;
  const inner = new Map<string, Drawn>();
  for (const [place, what] of wanted) {
    const one = parent.inner.get(place) ?? make(typeOf(what), parent.node as Element);
    inner.set(place, one);
    change(one, what);
    if (one.node === next) next = next.nextSibling;
    else parent.node.insertBefore(one.node, next);
  }
  parent.inner = inner;
}

function make(type: string, parent: Element): Drawn {
  const isDrawing = type === "svg" || parent.namespaceURI === SVG;
  const node = type === TEXT ? document.createTextNode("") : isDrawing ? document.createElementNS(SVG, type) : document.createElement(type);
  return { type, node, props: {}, given: null, inner: new Map() };
}

function change(one: Drawn, what: VNode | string): void {
  if (typeof what === "string") {
    if (one.node.nodeValue !== what) one.node.nodeValue = what;
    return;
  }
  const before = one.props;
  one.props = what.props;
  for (const name of Object.keys({ ...before, ...what.props })) {
    const [from, to] = [before[name], what.props[name]];
    if (name === "ref") {
      if (from !== to) arrivals.push(() => follow(one, to as Ref | undefined));
    } else if (name !== "children" && from !== to) set(one.node as HTMLElement, name, from, to);
  }
  fill(one, what.props.children);
}

function set(node: HTMLElement, name: string, from: unknown, to: unknown): void {
  if (name === "style") {
    for (const [key, value] of Object.entries({ ...(from as object), ...(to as object) })) {
      node.style.setProperty(key, to && Object.hasOwn(to, key) ? String(value) : "");
    }
  } else if (name.startsWith("on")) Object.assign(node, { [name.toLowerCase()]: to ?? null });
  else if (name === "value") (node as HTMLInputElement).value = String(to ?? "");
  else if (to === undefined || to === null || (to === false && !name.startsWith("aria-"))) node.removeAttribute(name);
  else node.setAttribute(name, to === true && !name.startsWith("aria-") ? "" : String(to));
}

function follow(one: Drawn, ref: Ref | undefined): void {
  one.end?.();
  one.end = (one.node.isConnected && ref?.(one.node as HTMLElement)) || undefined;
}

/** What was followed is let go, from the inside out. */
function leave(one: Drawn): void {
  for (const inner of one.inner.values()) leave(inner);
  one.end?.();
}
