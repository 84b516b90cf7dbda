/** What a virtual list has to know to draw the rows in sight and no others. Heights in CSS pixels. */
export interface Geometry {
  count: number;
  rowHeight: number;
  scrollTop: number;
  height: number;
  /** The place of the open row, or -1. */
  openAt: number;
  openHeight: number;
}

/** Rows drawn above and below the ones in sight, so that scrolling shows no gap. */
const MARGIN = 8;

/** The rows to draw (`start` to before `end`) and how far from the top the first of them stands. */
export function visibleRange({ count, rowHeight, scrollTop, height, openAt, openHeight }: Geometry): {
  start: number;
  end: number;
  top: number;
} {
  const at = (offset: number): number => {
    const openTop = (openAt + 1) * rowHeight;
    if (openAt < 0 || offset < openTop) return Math.floor(offset / rowHeight);
    return Math.max(openAt, Math.floor((offset - openHeight) / rowHeight));
  };
  const start = Math.max(0, Math.min(at(scrollTop), count) - MARGIN);
  const end = Math.min(count, at(scrollTop + height) + 1 + MARGIN);
  const top = start * rowHeight + (openAt >= 0 && openAt < start ? openHeight : 0);
  return { start, end, top };
}
