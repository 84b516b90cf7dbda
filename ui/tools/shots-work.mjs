// Pictures of the Work Result, as a card, beside a conversation and in the window, into shots/ (which git ignores).
// `npm run shots:work` makes all of them, `npm run shots:work -- "sealed.*dark"` those whose file name fits the pattern.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./browser.mjs";

const OUT = fileURLToPath(new URL("../shots", import.meta.url));
const NOON = Date.parse("2026-11-30T14:04:38+08:00");

/** @typedef {import("playwright-core").Frame} Frame */
/** @typedef {import("playwright-core").Page} Page */
/** @param {string} path */
const opened = (path) => async (/** @type {Frame} */ view) => {
  await view.locator(`[data-row="${path}"] [data-file]`).click();
  await view.locator(`[data-row="${path}"] .dl, [data-row="${path}"] .sd, [data-row="${path}"] .document, [data-row="${path}"] [role=alert]`).first().waitFor();
};
const nothing = () => undefined;
/** @type {[name: string, work: string, steps: (view: Frame) => unknown][]} */
const works = [
  ["open", "open", opened("src/cart/cart.ts")],
  ["running", "running", nothing],
  ["empty", "empty", nothing],
  ["sealed", "sealed", nothing],
  ["partial", "partial", opened("data/prices-2026.csv")],
  ["conflict", "conflict", nothing],
  ["expired", "expired", async (view) => { await view.locator("[data-file]").first().click(); await view.locator("[role=alert]").waitFor(); }],
  ["hostile", "hostile", nothing],
  ["offline", "offline", nothing],
  ["document", "open", async (view) => { await opened("docs/导出说明.md")(view); await view.locator("[role=radio]").last().click(); await view.waitForSelector(".document table"); }],
  ["reject", "open", async (view) => { await opened("src/cart/cart.ts")(view); await view.locator("[data-hunk] [data-act=accept]").last().click(); await view.waitForSelector("[data-hunk] [data-act=take-back]"); await view.locator("[data-hunk] [data-act=reject]").first().click(); }],
  ["activity", "open", (view) => view.locator("[role=tab]").nth(1).click()],
  ["end", "open", (view) => view.locator("details.section").last().evaluate((one) => { /** @type {HTMLDetailsElement} */ (one).open = true; one.scrollIntoView(); })],
];

/** @param {Page} page */
async function inner(page) {
  for (let tries = 0; tries < 200; tries++) {
    const view = page.frames().find((frame) => frame.url() === "about:srcdoc");
    if (view) return view;
    await page.waitForTimeout(50);
  }
  throw new Error("the page was not shown");
}
/** @param {Frame} view */
const ready = (view) => view.waitForSelector("h1, h2");

const browser = await openBrowser();
/** @type {{ file: string, take: () => Promise<{ page: Page, steps: () => Promise<unknown> }> }[]} */
const shots = [];
const looks = /** @type {const} */ ([["en", "light"], ["en", "dark"], ["zh-CN", "light"], ["zh-CN", "dark"]]);
for (const [language, theme] of looks) {
  for (const [name, work, steps] of works) {
    const end = `${name}-${language}-${theme}.png`;
    shots.push({
      file: `work-panel-${end}`,
      async take() {
        const page = await browser.stage({ width: 680, height: 760, theme, at: NOON });
        await page.evaluate((given) => window.stage.official(given), /** @type {any} */ ({ html: browser.html, work, view: "panel", displayMode: "fullscreen", theme, locale: language }));
        const view = await inner(page);
        await ready(view);
        return { page, steps: async () => steps(view) };
      },
    });
    shots.push({
      file: `work-window-${end}`,
      async take() {
        const page = await browser.visit({ scenario: "work", language, theme, width: 1100, height: 760, at: NOON });
        await page.click("nav [data-page=work]");
        await page.click(`[data-session=wcs_${work}]`);
        if (work !== "offline") await page.waitForFunction((id) => (window.fake?.works.known(id)?.calls.length ?? 0) > 0, `wcs_${work}`);
        return { page, steps: async () => { if (work === "offline") return; const view = await inner(page); await ready(view); await steps(view); } };
      },
    });
  }
  for (const width of [640, 360]) {
    shots.push({
      file: `work-cards-${width}-${language}-${theme}.png`,
      async take() {
        const page = await browser.stage({ width, height: 900, theme, at: NOON });
        for (const work of ["open", "running", "sealed", "lost", "empty", "conflict", "offline"]) {
          await page.evaluate((given) => window.stage.official(given), /** @type {any} */ ({ html: browser.html, work, view: "card", displayMode: "inline", theme, locale: language }));
          await page.waitForTimeout(300);
        }
        return { page, steps: async () => undefined };
      },
    });
  }
  shots.push({
    file: `work-split-${language}-${theme}.png`,
    async take() {
      const page = await browser.stage({ width: 1000, height: 640, theme, at: NOON });
      await page.evaluate((given) => window.stage.official(given), /** @type {any} */ ({ html: browser.html, work: "open", view: "panel", displayMode: "fullscreen", theme, locale: language }));
      const view = await inner(page);
      await ready(view);
      return { page, steps: async () => { await view.locator(".tools [role=radio]").last().click(); await opened("src/cart/cart.ts")(view); } };
    },
  });
}

const wanted = new RegExp(process.argv[2] ?? "");
const asked = shots.filter(({ file }) => wanted.test(file));
await mkdir(OUT, { recursive: true });
for (const { file, take } of asked) {
  const { page, steps } = await take();
  await steps();
  await page.waitForTimeout(150);
  await page.screenshot({ path: `${OUT}/${file}` });
  await page.context().close();
}
await browser.close();
console.log(`${asked.length} pictures: ${OUT}`);
