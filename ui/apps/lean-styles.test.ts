import { expect, test } from "vitest";
import { leanOf } from "./lean-styles";

const SCRIPT = 'h(`div`,{class:`card ${open?`wide`:``}`});h(`p`,{class:`y-${kind}`});h(`em`,{class:"t2"});say("Not the words of a sentence")';

test("rules stay whose classes and elements the page draws, whole or begun", () => {
  const css = ".card{a:1}.wide .t2{b:2}.y-key{c:3}p>em{d:4}.gone{e:5}.card .gone{f:6}table{g:7}.words{h:8}";
  expect(leanOf(css, SCRIPT)).toBe(".card{a:1}.wide .t2{b:2}.y-key{c:3}p>em{d:4}");
});

test("of several selectors those stay that fit, and conditions without rules go", () => {
  expect(leanOf("div,.gone,.card:is(p,ul){a:1}@media (max-width:9px){.gone{b:2}.card{c:3}}@media print{.gone{d:4}}", SCRIPT))
    .toBe("div,.card:is(p,ul){a:1}@media (max-width:9px){.card{c:3}}");
});

test("states, attributes and what stands for the whole page are no reason to go", () => {
  const css = ":root:lang(zh){a:1}html,body{b:2}*,:before{c:3}.card[aria-busy=true]:not(:hover)>p:first-child{d:4}@keyframes turn{to{e:5}}";
  expect(leanOf(css, SCRIPT)).toBe(css);
});

test("variables stay that something reads, also through another variable or from the script", () => {
  const css = ":root{--a:1px;--b:var(--a);--c:2px;--d:3px;--e:var(--f);--f:4px}.card{margin:var(--b)}";
  expect(leanOf(css, `${SCRIPT};style={width:"var(--d)"}`)).toBe(":root{--a:1px;--b:var(--a);--d:3px}.card{margin:var(--b)}");
});
