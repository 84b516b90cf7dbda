import { Button } from "../../controls/Button";
import type { FileList } from "../data/list";
import type { Work } from "../data/work";
import { inChunks } from "../diff/lines";
import { kept } from "../kept";
import { view } from "../view";
import { FileRow } from "./FileRow";
import { blockOf, LazyBlock } from "./LazyBlock";
import { Trouble } from "./Trouble";

/** Rows that are drawn together. */
const CHUNK = 20;
const ROW_HEIGHT = 41;
const PAGE = 500;
interface Props {
  list: FileList;
  work: Work;
  label: string;
  decides: boolean;
  split: boolean;
}

/** The files that fit what is looked for; of a long list only those near what is in sight are drawn. */
export function FileRows({ list, work, label, decides, split }: Props) {
  const { t, f } = view;
  const { files, total, nextOffset } = list;
  const chunks = inChunks(list.shown, CHUNK);
  const [loaded, all] = [f.count(files.length), f.count(total)];
  return (
    <>
      <div role="list" aria-label={label}>
        {chunks.map((chunk, part) => (
          <LazyBlock block={blockOf(list, part, part === 0)} estimate={chunk.length * ROW_HEIGHT} draw={() => chunk.map((file, index) => (
            <FileRow key={file.path} file={file} list={list} work={work} place={part * CHUNK + index} decides={decides} split={split} />
          ))} />
        ))}
      </div>
      {chunks.length === 0 && files.length > 0 && <p class="none small t2" role="status">{nextOffset === undefined ? t.noMatch : t.noMatchPartial(loaded, all)}</p>}
      {list.trouble && <div class="none"><Trouble trouble={list.trouble} retry={() => void list.more()} /></div>}
      {nextOffset !== undefined && (
        <div key={nextOffset} class="strip" ref={list.trouble ? undefined : endingOf(list)}>
          <span class="grow">{t.shownOf(loaded, all)}</span>
          <Button dense busy={list.busy} onClick={() => void list.more()}>{t.loadMore(f.count(Math.min(PAGE, total - files.length)))}</Button>
        </div>
      )}
    </>
  );
}

/** The end of what is listed comes near: the next files are asked for, as a person who scrolls expects. */
const endingOf = kept((list: FileList) => (node: HTMLElement) => {
  const options = { root: node.closest("[data-scroller]"), rootMargin: "400px 0px" };
  const observer = new IntersectionObserver((entries) => { if (entries.at(-1)?.isIntersecting) void list.more(); }, options);
  observer.observe(node);
  return () => observer.disconnect();
});
