import { changeAt, type DiffLine } from "./lines";

/** A part of a line, from before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Longer lines are shown without marks: nobody could follow them, and comparing them would take long. */
const LONGEST = 600;
const MOST_WORDS = 160;
/** Two lines that share less than this say more as a whole than in pieces. */
const LEAST_COMMON = 0.3;

/** The words of a line that its counterpart does not have; nothing where the two are hardly alike. */
export function marksOf(before: string, after: string): { before: Span[]; after: Span[] } {
  const none = { before: [], after: [] };
  if (before.length > LONGEST || after.length > LONGEST) return none;
  const [a, b] = [wordsOf(before), wordsOf(after)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return none;
  const [keptA, keptB] = common(a, b);
  const shared = a.reduce((sum, word, at) => sum + (keptA[at] && word.trim() ? word.length : 0), 0);
  const longest = Math.max(before.replace(/\s/g, "").length, after.replace(/\s/g, "").length, 1);
  if (shared / longest < LEAST_COMMON) return none;
  return { before: spansOf(a, keptA), after: spansOf(b, keptB) };
}

const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
const HAN = /\p{Script=Han}/u;

/** Words, spaces and single signs; Chinese character by character, as it has no spaces. */
function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap((word) => (HAN.test(word) ? [...word] : [word]));
}

/** Which words of either line belong to a longest common sequence. */
function common(a: readonly string[], b: readonly string[]): [boolean[], boolean[]] {
  const wide = b.length + 1;
  const length = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * wide + j] = a[i] === b[j]
        ? (length[(i + 1) * wide + j + 1] as number) + 1
        : Math.max(length[(i + 1) * wide + j] as number, length[i * wide + j + 1] as number);
    }
  }
  const [inA, inB] = [a.map(() => false), b.map(() => false)];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) [inA[i++], inB[j++]] = [true, true];
    else if ((length[(i + 1) * wide + j] as number) >= (length[i * wide + j + 1] as number)) i++;
    else j++;
  }
  return [inA, inB];
}

/** What was not kept, as spans; a lone space between two of them belongs to both. */
function spansOf(words: readonly string[], kept: readonly boolean[]): Span[] {
  const spans: Span[] = [];
  let at = 0;
  words.forEach((word, index) => {
    const end = at + word.length;
    const last = spans.at(-1);
    if (!kept[index]) {
      const bridged = last && (last.end === at || (last.end === at - (words[index - 1]?.length ?? 0) && !words[index - 1]?.trim()));
      if (bridged) last.end = end;
      else spans.push({ start: at, end });
    }
    at = end;
  });
  return spans;
}

/** The marks of every changed line that has a counterpart: the first removed with the first added line, and so on. */
export function marksIn(lines: readonly DiffLine[]): Map<DiffLine, Span[]> {
  const marks = new Map<DiffLine, Span[]>();
  for (let at = 0; at < lines.length; ) {
    const { removed, added, end } = changeAt(lines, at);
    removed.forEach((line, index) => {
      const other = added[index];
      if (!other) return;
      const found = marksOf(line.text, other.text);
      marks.set(line, found.before);
      marks.set(other, found.after);
    });
    at = Math.max(end, at + 1);
  }
  return marks;
}
