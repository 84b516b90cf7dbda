import type { FileView } from "../data/file";
import type { FileText } from "../data/types";
import { inChunks } from "../diff/lines";
import { colour, languageOf } from "../diff/syntax";
import { kept } from "../kept";
import { view } from "../view";
import { codeOf } from "./Code";
import { blockOf, LazyBlock } from "./LazyBlock";
import { PartialStrip } from "./PartialStrip";

const CHUNK = 100;
const LINE_HEIGHT = 20;

const chunksOf = kept((text: FileText) => {
  const lines = text.text.split("\n");
  // The end of the last line begins no further one.
  if (lines.at(-1) === "") lines.pop();
  return inChunks(lines, CHUNK);
});

/** The whole text of a file, as far as it is loaded. */
export function TextView({ file }: { file: FileView }) {
  const { text, file: { path } } = file;
  if (!text) return null;
  const chunks = chunksOf(text);
  return (
    <>
      {chunks.length === 0 && <p class="none small t2">{view.t.emptyText}</p>}
      <div class="code-lines" style={{ "--gutter": `${String(chunks.length * CHUNK).length + 2}ch` }}>
        {chunks.map((chunk, part) => (
          <LazyBlock block={blockOf(file, part)} estimate={chunk.length * LINE_HEIGHT} same={String(chunk.length)} draw={() => textLines(chunk, part * CHUNK + 1, path)} />
        ))}
      </div>
      <PartialStrip loaded={text} file={file} />
    </>
  );
}

function textLines(lines: readonly string[], from: number, path: string) {
  const language = languageOf(path);
  const tokens = language ? colour(lines, language) : [];
  return lines.map((line, at) => <div class="tl"><span class="n" aria-hidden="true">{from + at}</span><span class="c">{codeOf(line, tokens[at])}</span></div>);
}
