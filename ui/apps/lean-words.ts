import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst, type Plugin, transformWithOxc } from "vite";

const NAMED = fileURLToPath(new URL("./named.ts", import.meta.url));
/** The languages whose words take their names from the English ones. */
const OTHER = /\/text\/(?!en\/)[\w-]+\/work-result\.ts$/;

/** Every language has the same names for its words; a page carries the names once. */
export function leanWords(): Plugin {
  return {
    name: "lean-words",
    async transform(code, id) {
      if (!OTHER.test(id)) return undefined;
      const english = id.replace(/[\w-]+(?=\/work-result\.ts$)/, "en");
      const plain = await transformWithOxc(readFileSync(english, "utf8"), english);
      return { code: wordsOf(code, plain.code, english), map: null };
    },
  };
}

interface Spot {
  type: string;
  start: number;
  end: number;
}
type Words = Spot & { properties: (Spot & { key: { name: string }; value: Spot })[] };

/** The module of a language with its words as a list, in the order of the English names. */
export function wordsOf(code: string, english: string, from: string): string {
  const [words, shape] = [objectIn(code), objectIn(english)];
  if (namesOf(words) !== namesOf(shape)) throw new Error(`the words are not those of ${from}, in its order`);
  const listed = code.slice(0, words.start) + `named(english, ${listOf(words, code)})` + code.slice(words.end);
  return `import { workResult as english } from ${JSON.stringify(from)};\nimport { named } from ${JSON.stringify(NAMED)};\n${listed}`;
}

/** The object that a module exports. */
function objectIn(code: string): Words {
  for (const one of parseAst(code).body) {
    if (one.type !== "ExportNamedDeclaration" || one.declaration?.type !== "VariableDeclaration") continue;
    const value = one.declaration.declarations[0]?.init;
    if (value?.type === "ObjectExpression") return value as unknown as Words;
  }
  throw new Error("there are no words");
}

const isWords = (value: Spot): value is Words => value.type === "ObjectExpression";

function namesOf({ properties }: Words): string {
  return properties.map(({ key, value }) => `${key.name}${isWords(value) ? `(${namesOf(value)})` : ""}`).join();
}

function listOf({ properties }: Words, code: string): string {
  return `[${properties.map(({ value }) => (isWords(value) ? listOf(value, code) : code.slice(value.start, value.end))).join()}]`;
}
