import type { Plugin } from "vite";

/** The block of the tokens for a window that follows the system by itself; a page always states its appearance. */
const BY_SYSTEM = /@media \(prefers-color-scheme: dark\) \{\s*:root:not\(\[data-theme="light"\]\) \{[^}]*\}\s*\}/;

/** Pages carry the styles that they use, out of those that they share with the window. */
export function leanStyles(): Plugin {
  return {
    name: "lean-styles",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("/kit/tokens.css") ? code.replace(BY_SYSTEM, "") : undefined),
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const script = files.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
        for (const file of files) if (file.type === "asset" && file.fileName.endsWith(".css")) file.source = leanOf(String(file.source), script);
      },
    },
  };
}

/**
 * A minified style sheet without rules for classes and elements that the script never names in a string, and without
 * variables that nothing reads.
 */
export function leanOf(css: string, script: string): string {
  // Whole strings of small letters and such pieces of templates; of a class that is put together the first half.
  const named = new Set([...script.matchAll(/["'`}]([a-z\d_ -]+)(?=["'`$])/g)].flatMap(([, words]) => (words as string).split(" ")));
  const prefixes = [...script.matchAll(/["'` ]([\w-]+-)\$\{/g)].map(([, prefix]) => prefix as string);
  const known = (name: string) => named.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const used = (selector: string) => {
    const bare = selector.replace(/\[[^\]]*\]/g, "").replace(/:(?:lang|not|is)\([^)]*\)|::?[\w-]+/g, " ");
    const classes = [...bare.matchAll(/\.([\w-]+)/g)].map(([, name]) => name as string);
    const elements = bare.match(/(?<![\w.-])[a-z][a-z\d]*(?![\w-])/g) ?? [];
    return classes.every(known) && elements.every((name) => named.has(name) || ["html", "body"].includes(name));
  };
  let lean = keptOf(css, used);
  for (let before = ""; before !== lean; ) {
    before = lean;
    const read = new Set([...`${lean} ${script}`.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
    lean = lean.replace(/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (rule, name: string) => (read.has(name) ? rule : ""));
  }
  return keptOf(lean, () => true);
}

/** The rules of which a selector is wanted, without empty ones. */
function keptOf(css: string, wanted: (selector: string) => boolean): string {
  let kept = "";
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf("{", at);
    if (open < 0) break;
    const close = endOf(css, open);
    const [head, body] = [css.slice(at, open), css.slice(open + 1, close)];
    at = close + 1;
    if (head.startsWith("@")) {
      const inner = /^@(media|supports)/.test(head) ? keptOf(body, wanted) : body;
      if (inner) kept += `${head}{${inner}}`;
      continue;
    }
    const selectors = partsOf(head).filter(wanted);
    if (selectors.length > 0 && body) kept += `${selectors.join(",")}{${body.replace(/;$/, "")}}`;
  }
  return kept;
}

/** Where the block that opens here is closed. */
function endOf(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    if (css[at] === "{") depth++;
    else if (css[at] === "}" && --depth === 0) return at;
  }
  return css.length;
}

/** Selectors that stand beside each other; commas within parentheses and brackets part nothing. */
function partsOf(head: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of head) {
    if ("([".includes(sign)) depth++;
    else if (")]".includes(sign)) depth--;
    if (sign === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts;
}
