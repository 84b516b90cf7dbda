import type { FileText } from "../data/types";
import { inChunks } from "../diff/lines";
import { kept } from "../kept";
import { treeOf } from "../markdown/tree";
import { view } from "../view";
import { documentNodes } from "./DocumentNodes";
import { blockOf, LazyBlock } from "./LazyBlock";

/** Blocks that are drawn together. */
const CHUNK = 20;
const BLOCK_HEIGHT = 60;

const chunksOf = kept((text: FileText) => inChunks(treeOf(text.text), CHUNK));

/** A Markdown document. */
export const Document = ({ text }: { text: FileText }) => (
  <div class="document selectable">
    {chunksOf(text).map((chunk, part) => <LazyBlock block={blockOf(chunksOf(text), part)} estimate={chunk.length * BLOCK_HEIGHT} draw={() => documentNodes(chunk, view.t)} />)}
  </div>
);
