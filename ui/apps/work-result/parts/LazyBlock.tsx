import type { Child } from "../../draw/types";
import { kept } from "../kept";
import { view } from "../view";

/** Drawn this far beyond the edges, so that scrolling shows no gap. */
const MARGIN = "800px 0px";

/** A part of something long. */
class Block {
  /** Near enough to what is in sight to be drawn. */
  near: boolean;
  /** How high it was when it was drawn last. */
  height = 0;
  #drawn: { as: string; what: Child } | undefined;

  /** The `first` of what is seen is drawn at once, without waiting to be found near. */
  constructor(private readonly first: boolean) {
    this.near = first;
  }

  /** What it shows; drawn again only where `as` says that it would be something else. */
  show(draw: () => Child, as: string | undefined): Child {
    if (as === undefined) return draw();
    if (this.#drawn?.as !== as) this.#drawn = { as, what: draw() };
    return this.#drawn.what;
  }

  /** Follows whether it is near, as long as it is there. */
  readonly watch = (node: HTMLElement) => {
    const observer = new IntersectionObserver((entries) => {
      const now = entries.at(-1)?.isIntersecting ?? false;
      // What somebody works in is kept.
      if (now === this.near || (this.near && node.contains(document.activeElement))) return;
      if (this.near) this.height = node.offsetHeight;
      this.#leave(now);
      view.tell();
    }, { root: node.closest("[data-scroller]"), rootMargin: MARGIN });
    observer.observe(node);
    return () => {
      observer.disconnect();
      this.#leave(this.first);
    };
  };

  #leave(near: boolean): void {
    this.near = near;
    this.#drawn = undefined;
  }
}

const blocksOf = kept((_of: object): Block[] => []);

/** The block of a number of something, the same one as long as that is there. */
export const blockOf = (of: object, part: number, first = false): Block => (blocksOf(of)[part] ??= new Block(first));

interface Props {
  block: Block;
  /** How high it will be, in pixels, until it has been measured. */
  estimate: number;
  draw: () => Child;
  /** Where what is drawn depends on little, that. */
  same?: string;
}

/** Draws the block only while it is near what is in sight; its height stays, so nothing else moves. */
export const LazyBlock = ({ block, estimate, draw, same }: Props) => (
  <div ref={block.watch} style={{ "min-height": block.near ? "" : `${block.height || estimate}px` }}>{block.near && block.show(draw, same)}</div>
);
