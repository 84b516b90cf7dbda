import type { Token, Kind } from "./syntax";
import type { Span } from "./words";
import { isHidden, nameOfHidden } from "$kit/visible";

/** A piece of a line that looks the same throughout. */
export interface Segment {
  text: string;
  kind: Kind | null;
  marked: boolean;
  /** A character that would be invisible or turn the line around, written out. */
  hidden?: true;
}

/** A line cut where its colour or its mark changes, with hidden characters made visible. */
export function segmentsOf(text: string, tokens: readonly Token[], marks: readonly Span[]): Segment[] {
  const edges = new Set([0, text.length]);
  for (const span of [...tokens, ...marks]) edges.add(span.start).add(span.end);
  const sorted = [...edges].sort((a, b) => a - b);
  const segments: Segment[] = [];
  let token = 0;
  let mark = 0;
  sorted.slice(0, -1).forEach((start, index) => {
    const end = sorted[index + 1] as number;
    while (token < tokens.length && (tokens[token] as Token).end <= start) token++;
    while (mark < marks.length && (marks[mark] as Span).end <= start) mark++;
    const kind = tokens[token] && (tokens[token] as Token).start <= start ? (tokens[token] as Token).kind : null;
    const marked = !!marks[mark] && (marks[mark] as Span).start <= start;
    pushVisible(segments, text.slice(start, end), kind, marked);
  });
  return segments;
}

function pushVisible(segments: Segment[], text: string, kind: Kind | null, marked: boolean): void {
  if (!isHidden(text)) {
    segments.push({ text, kind, marked });
    return;
  }
  let plain = "";
  const flush = () => {
    if (plain) segments.push({ text: plain, kind, marked });
    plain = "";
  };
  for (const character of text) {
    if (!isHidden(character)) {
      plain += character;
      continue;
    }
    flush();
    segments.push({ text: nameOfHidden(character), kind: null, marked, hidden: true });
  }
  flush();
}
