import type { Call, CallDetail, OutputMessage } from "../types";
import { GAP } from "../types";

/** Details that fit the call. */
export function detailOf(call: Call): CallDetail {
  const took = call.tookMs ?? 0;
  const person = call.outcome.kind === "denied";
  const worked = Math.max(1, took - 4);
  return {
    id: call.id,
    session: call.projectName === "webshop" ? "Coupons in the cart" : null,
    door: call.client === "ChatGPT" ? "public" : "local",
    allowedBy: person ? null : { kind: "permission", permission: "edit_run" },
    steps: [
      { kind: "arrived", startMs: 0, lengthMs: 0 },
      person
        ? { kind: "waited_person", startMs: 0, lengthMs: worked }
        : { kind: "waited_runner", startMs: 0, lengthMs: Math.min(3, took) },
      ...(person ? [] : [{ kind: "worked", startMs: 3, lengthMs: worked } as const]),
      { kind: "answered", startMs: Math.max(0, took - 1), lengthMs: 1 },
    ],
    totalMs: took,
    answer: { bytes: 18_000, cut: false, handedOverAt: call.at + took },
    failure: failureOf(call),
    word: person ? "keep dist, it is served live" : null,
  };
}

function failureOf(call: Call): CallDetail["failure"] {
  if (call.outcome.kind !== "refused") return null;
  return {
    code: "stale_revision",
    message: "`src/cart/cart.ts` changed since it was read. Nothing was changed.",
    hint: "Read it again and resend the edit with the new revision.",
  };
}

export const firstOutput: OutputMessage = {
  startsOver: true,
  text: [
    "> webshop@4.2.0 test", "> vitest --run", "",
    " ✓ tests/menu/open.test.ts (14 tests) 812 ms", GAP,
    " ✓ tests/menu/keyboard.test.ts (9 tests) 604 ms",
    " ✗ tests/menu/触摸.test.ts (6 tests | 1 failed) 1.9 s",
    "   → expected \"closed\", received \"open\"",
    " … tests/pages/home.test.ts", "",
  ].join("\n"),
  leftOutBytes: 1_100_000,
  totalBytes: 1_200_000,
};

/** The next line of a command that goes on. */
export function nextOutput(line: number): OutputMessage {
  const text = ` ✓ tests/pages/page-${line}.test.ts (${3 + (line % 9)} tests) ${200 + ((line * 37) % 700)} ms\n`;
  return { startsOver: false, text, leftOutBytes: 1_100_000, totalBytes: 1_200_000 + line * text.length };
}
