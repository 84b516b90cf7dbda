import type { Child } from "../../draw/types";
import { visible } from "$kit/visible";
import type { WorkResultText } from "$text/apps";
import type { Node } from "../markdown/tree";
import { DocumentLink } from "./DocumentLink";

/** Pieces of a document as elements. What they may become is decided by the tree; here is no other way in. */
export const documentNodes = (nodes: readonly Node[], t: WorkResultText): Child => nodes.map((node) => drawn(node, t));

function drawn(node: Node, t: WorkResultText): Child {
  if (typeof node === "string") return node;
  if ("image" in node) return <span class="tag">{t.image(visible(node.about), visible(node.image))}</span>;
  const inner = documentNodes(node.children, t);
  if ("link" in node) return <DocumentLink link={node}>{inner}</DocumentLink>;
  const { element: Element, start, align, task } = node;
  const level = /^h(\d)$/.exec(Element)?.[1];
  // Below the headings of the page itself, whatever the document counts from.
  if (level) return <div class="head" role="heading" aria-level={Math.min(6, Number(level) + 2)}>{inner}</div>;
  if (Element === "hr" || Element === "br") return <Element />;
  return <Element start={start} class={task ? "task" : undefined} style={align && { "text-align": align }}>{inner}</Element>;
}
