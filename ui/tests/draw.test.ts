import { expect, test } from "vitest";
import { stage, useBrowser } from "./window";

useBrowser();

test("what is drawn is what is described, and the nodes that stay are the same ones", async () => {
  const page = await stage({});
  const shown = await page.evaluate(() => {
    const { draw, jsx } = window.drawing;
    const target = document.body.appendChild(document.createElement("main"));
    const row = (key: string) => jsx("li", { children: [key, jsx("input", {})] }, key);
    const list = (keys: string[], more: unknown = null) => draw(jsx("ul", { class: "rows", children: [more as string, keys.map(row), false, "end"] }), target);
    const says = () => target.innerHTML.replaceAll("<input>", "");
    const seen: unknown[] = [];
    list(["a", "b", "c"]);
    seen.push(says());
    const b = target.querySelectorAll("li")[1];
    const input = b?.querySelector("input");
    if (input) input.value = "typed";
    input?.focus();
    list(["b", "d", "c"], "first");
    seen.push(says(), target.querySelectorAll("li")[0] === b, document.activeElement === input, input?.value);
    list([]);
    seen.push(says());
    draw(null, target);
    seen.push(says());
    return seen;
  });
  expect(shown).toEqual([
    '<ul class="rows"><li>a</li><li>b</li><li>c</li>end</ul>', '<ul class="rows">first<li>b</li><li>d</li><li>c</li>end</ul>', true, true, "typed",
    '<ul class="rows">end</ul>', "",
  ]);
});

test("attributes, styles and handlers follow the description and go with it", async () => {
  const page = await stage({});
  const shown = await page.evaluate(() => {
    const { draw, jsx } = window.drawing;
    const target = document.body.appendChild(document.createElement("main"));
    const clicks: string[] = [];
    const button = (props: object) => { draw(jsx("button", { ...props, children: "x" }), target); return target.innerHTML; };
    const press = () => target.querySelector("button")?.click();
    const seen = [
      button({ class: "a", "aria-expanded": false, hidden: true, disabled: false, title: undefined, style: { "--gutter": "4ch", "min-height": "2px" }, onClick: () => clicks.push("one") }),
    ];
    press();
    seen.push(button({ "aria-expanded": true, style: { "min-height": "3px" }, onClick: () => clicks.push("two") }));
    press();
    seen.push(button({}));
    press();
    draw(jsx("svg", { viewBox: "0 0 1 1", children: jsx("path", { d: "M0 0", "stroke-width": 2 }) }), target);
    return [...seen, target.querySelector("path") instanceof SVGPathElement, clicks];
  });
  expect(shown).toEqual([
    '<button class="a" aria-expanded="false" hidden="" style="--gutter: 4ch; min-height: 2px;">x</button>',
    '<button aria-expanded="true" style="min-height: 3px;">x</button>', '<button style="">x</button>', true, ["one", "two"],
  ]);
});

test("components and pieces without an element leave their neighbours alone; a key makes something else of them", async () => {
  const page = await stage({});
  const shown = await page.evaluate(() => {
    const { draw, jsx, Fragment } = window.drawing;
    const target = document.body.appendChild(document.createElement("main"));
    const Two = ({ more }: { more: boolean }) => jsx(Fragment, { children: [more && jsx("i", {}), jsx("b", {})] });
    const page = (more: boolean, key: string) => draw([jsx(Two as never, { more }), jsx("details", {}), jsx("div", { children: jsx("p", {}, key) })], target);
    page(false, "1");
    const [details, b, p] = ["details", "b", "p"].map((name) => target.querySelector(name));
    page(true, "1");
    const kept = ["details", "b", "p"].map((name) => target.querySelector(name));
    page(true, "2");
    return [target.innerHTML, kept[0] === details, kept[1] === b, kept[2] === p, target.querySelector("p") === p];
  });
  expect(shown).toEqual(["<i></i><b></b><details></details><div><p></p></div>", true, true, true, false]);
});

test("a node is handed over when it has its place, and let go before it leaves, from the inside out", async () => {
  const page = await stage({});
  const told = await page.evaluate(() => {
    const { draw, jsx } = window.drawing;
    const target = document.body.appendChild(document.createElement("main"));
    const told: string[] = [];
    const follow = (name: string) => (node: Element) => {
      told.push(`${name} in ${node.closest("main") === target}`);
      return () => told.push(`${name} ends ${node.isConnected}`);
    };
    const [outer, inner, other] = ["outer", "inner", "other"].map(follow);
    const page = (ref: unknown) => draw(jsx("div", { ref: outer, children: jsx("p", { ref }) }), target);
    page(inner);
    page(inner);
    page(other);
    page(undefined);
    page(inner);
    draw(null, target);
    return told;
  });
  expect(told).toEqual([
    "outer in true", "inner in true", "inner ends true", "other in true", "other ends true", "inner in true", "inner ends true", "outer ends true",
  ]);
});

test("text is text, whatever is in it, and the very same description is not looked at again", async () => {
  const page = await stage({});
  const shown = await page.evaluate(() => {
    const { draw, jsx } = window.drawing;
    const target = document.body.appendChild(document.createElement("main"));
    draw(jsx("p", { title: "\"><script>", children: ["<img src=x onerror=alert(1)>", 7, true, null] }), target);
    const text = [target.querySelector("img"), target.textContent];
    let drawn = 0;
    const Counted = () => { drawn++; return "c"; };
    const same = [jsx(Counted as never, {})];
    for (let times = 0; times < 3; times++) draw(jsx("p", { children: same }), target);
    return [...text, drawn];
  });
  expect(shown).toEqual([null, "<img src=x onerror=alert(1)>7", 1]);
});
