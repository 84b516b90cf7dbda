import { plain } from "./characters";

/** Longer addresses are text; nobody could read where they lead. */
const LONGEST = 1000;
const MOST_PARENTHESES = 32;
const BRACKETED = /<((?:[^<>\n\\]|\\.){0,1000})>/y;
const END = /(?:\s+(?:"(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\)))?\s*\)/sy;

/** The address, and perhaps its title, between parentheses of which the first is behind us; and where they end. */
export function targetAt(text: string, from: number): { url: string; end: number } | null {
  let at = skipSpace(text, from);
  BRACKETED.lastIndex = at;
  const bracketed = BRACKETED.exec(text);
  const url = bracketed ? (bracketed[1] as string) : bareAt(text, at);
  at += bracketed ? bracketed[0].length : url.length;
  END.lastIndex = at;
  const end = END.exec(text);
  return end ? { url: plain(url), end: at + end[0].length } : null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from < LONGEST && /\s/.test(text[at] ?? "")) at++;
  return at;
}

/** An address without signs around it: it ends with a space or with the parenthesis that began outside of it. */
function bareAt(text: string, from: number): string {
  let open = 0;
  let at = from;
  for (; at < text.length && at - from < LONGEST; at++) {
    const sign = text[at] as string;
    if (sign === "\\") at++;
    else if (sign <= " ") break;
    else if (sign === "(" && ++open > MOST_PARENTHESES) break;
    else if (sign === ")" && open-- === 0) break;
  }
  return text.slice(from, at);
}
