import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { icons, toneOf } from "./icons";
import { visibleRange } from "./range";
import { stepTo } from "./roving";

test("arrow keys go round, other keys go nowhere", () => {
  expect(stepTo("ArrowDown", 2, 3)).toBe(0);
  expect(stepTo("ArrowLeft", 0, 3)).toBe(2);
  expect(stepTo("Home", 2, 3)).toBe(0);
  expect(stepTo("End", 0, 3)).toBe(2);
  expect(stepTo("a", 0, 3)).toBeUndefined();
  expect(stepTo("ArrowDown", 0, 0)).toBeUndefined();
});

test("a long list draws what is in sight and little more", () => {
  const list = { count: 5000, rowHeight: 40, height: 400, openAt: -1, openHeight: 0 };
  expect(visibleRange({ ...list, scrollTop: 0 })).toEqual({ start: 0, end: 19, top: 0 });
  expect(visibleRange({ ...list, scrollTop: 100_000 })).toEqual({ start: 2492, end: 2519, top: 99_680 });
  expect(visibleRange({ ...list, scrollTop: 5000 * 40 - 400 }).end).toBe(5000);
  expect(visibleRange({ ...list, count: 0, scrollTop: 0 })).toEqual({ start: 0, end: 0, top: 0 });
});

test("an open row pushes down what follows it, and nothing else", () => {
  const open = { count: 100, rowHeight: 40, height: 400, openAt: 5, openHeight: 260 };
  expect(visibleRange({ ...open, scrollTop: 0 }).top).toBe(0);
  const below = visibleRange({ ...open, scrollTop: 2000 });
  expect(below.top).toBe(below.start * 40 + 260);
  for (let scrollTop = 0; scrollTop < 3000; scrollTop += 7) {
    const { start, end, top } = visibleRange({ ...open, scrollTop });
    const bottom = end * 40 + (end > 5 ? 260 : 0);
    expect(top, `drawn from above the top edge at ${scrollTop}`).toBeLessThanOrEqual(scrollTop);
    expect(bottom, `drawn to below the bottom edge at ${scrollTop}`).toBeGreaterThanOrEqual(scrollTop + 400);
    expect(start).toBeLessThan(end);
  }
});

test("each state has a shape of its own", () => {
  const shapes = Object.keys(toneOf).map((name) => JSON.stringify(icons[name as keyof typeof toneOf]));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("the two dark blocks of the tokens are equal", () => {
  const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
  const values = (from: string) => {
    const start = css.indexOf("{", css.indexOf(from));
    return css.slice(start + 1, css.indexOf("}", start)).split("\n").map((line) => line.trim()).filter((line) => line.startsWith("--"));
  };
  const bySystem = values(':root:not([data-theme="light"])');
  expect(bySystem.length).toBeGreaterThan(40);
  expect(values(':root[data-theme="dark"] {\n  --bg')).toEqual(bySystem);
});
