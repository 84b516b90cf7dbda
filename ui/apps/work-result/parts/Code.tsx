import { type Segment, segmentsOf } from "../diff/segments";
import type { Token } from "../diff/syntax";
import type { Span } from "../diff/words";

const classOf = ({ kind, hidden }: Segment) => (kind ? `y-${kind}` : hidden ? "hid" : undefined);

/** One line of code in its colours, with its marks, as text. */
export const codeOf = (text: string, tokens: readonly Token[] = [], marks: readonly Span[] = []) =>
  segmentsOf(text, tokens, marks).map((part) => {
    const look = classOf(part);
    if (part.marked) return <mark class={look}>{part.text}</mark>;
    return look ? <span class={look}>{part.text}</span> : part.text;
  });
