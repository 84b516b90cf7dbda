import { type DiffLine, type Pair, pairsOf } from "../diff/lines";
import { colour, languageOf, type Token } from "../diff/syntax";
import { marksIn, type Span } from "../diff/words";
import { view } from "../view";
import { codeOf } from "./Code";

/** Lines of a diff, unified or side by side. */
export function diffLines(lines: readonly DiffLine[], path: string, split: boolean) {
  const drawing = drawingOf(lines, path);
  return split ? pairsOf(lines).map((pair) => sidesOf(pair, drawing)) : lines.map((line) => lineOf(line, drawing));
}

/** What the drawing of one line needs to know. */
interface Drawing {
  marks: ReadonlyMap<DiffLine, readonly Span[]>;
  tokens: ReadonlyMap<DiffLine, readonly Token[]>;
}

function drawingOf(lines: readonly DiffLine[], path: string): Drawing {
  const language = languageOf(path);
  const found = language ? colour(lines.map((line) => line.text), language) : [];
  return { marks: marksIn(lines), tokens: new Map(lines.map((line, at) => [line, found[at] ?? []])) };
}

const kindOf = ({ sign }: DiffLine) => (sign === "+" ? "add" : sign === "-" ? "del" : "");

const number = (value: number | null | undefined, kind: string) => <span class={`n ${kind}`} aria-hidden="true">{value}</span>;
const sign = (line: DiffLine) => <span class={`s ${kindOf(line)}`} aria-hidden="true">{line.sign === "-" ? "−" : line.sign.trim()}</span>;
const code = (line: DiffLine, { marks, tokens }: Drawing) => (
  <span class={`c ${kindOf(line)}`}>
    {line.sign !== " " && <span class="vh">{line.sign === "+" ? view.t.added : view.t.removed} </span>}
    {codeOf(line.text, tokens.get(line), marks.get(line))}
    {line.noEnd && <span class="hid" title={view.t.noEnd}>⊘</span>}
  </span>
);

const lineOf = (line: DiffLine, drawing: Drawing) => (
  <div class="dl">{number(line.old, kindOf(line))}{number(line.new, kindOf(line))}{sign(line)}{code(line, drawing)}</div>
);

const sideOf = (line: DiffLine | null, which: "old" | "new", drawing: Drawing) =>
  line ? [number(line[which], kindOf(line)), sign(line), code(line, drawing)] : [<span class="void" />, <span class="void" />, <span class="void" />];

const sidesOf = ({ left, right }: Pair, drawing: Drawing) => <div class="sd">{sideOf(left, "old", drawing)}{sideOf(right, "new", drawing)}</div>;
