import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOP_OF } from "$bridge/fake/tunnels";
import { TUNNEL_HOPS, TUNNEL_REASONS } from "$bridge/types";
import { texts } from ".";

const STATUS = join(import.meta.dirname, "../../crates/tunnel/src/status");
const rust = (file: string) => readFileSync(join(STATUS, file), "utf8");
/** As serde writes a variant. */
const snake = (name: string) => name.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase();
const reasons = [...rust("reason.rs").matchAll(/^ {4}(\w+) => (\w+),$/gm)].map(([, name, hop]) => [snake(name ?? ""), snake(hop ?? "")] as const);

/** English and Chinese sentence and action of each reason, as the tunnel client has them. */
const words = new Map(
  [...rust("texts.rs").matchAll(/Self::(\w+) => \[\s*((?:"(?:[^"\\]|\\.)*",?\s*){4})\]/g)].map(([, name, four]) => [
    snake(name ?? ""),
    [...(four ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, said]) => (said ?? "").replaceAll('\\"', '"')),
  ]),
);
/** The same sentence with plain marks: the window sets them as each language does. */
const plain = (said: string) =>
  said.replace(/[“”]/g, '"').replace(/’/g, "'").replace(/，/g, ",").replace(/：/g, ":").replace(/；/g, ";").replace(/（/g, "(").replace(/）/g, ")");

describe("the reasons of the tunnel client", () => {
  test("were found", () => expect(reasons.length).toBeGreaterThan(20));

  test("are the reasons of the window, in the same order", () => {
    expect([...TUNNEL_REASONS]).toEqual(reasons.map(([reason]) => reason));
  });

  test("belong to the hops that the window draws", () => {
    expect(HOP_OF).toEqual(Object.fromEntries(reasons));
    for (const [, hop] of reasons) expect(TUNNEL_HOPS).toContain(hop);
  });

  test("have the same words in the window, in both languages", () => {
    const said = (language: "en" | "zh-CN") => texts[language].tunnelReasons;
    expect(Object.keys(said("en"))).toEqual(reasons.map(([reason]) => reason));
    for (const reason of TUNNEL_REASONS) {
      const inWindow = [said("en")[reason].sentence, said("en")[reason].action, said("zh-CN")[reason].sentence, said("zh-CN")[reason].action];
      expect(inWindow.map(plain), reason).toEqual(words.get(reason)?.map(plain));
    }
  });
});
