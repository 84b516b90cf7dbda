import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve, serveHarness } from "./serve.mjs";

const FAKE = fileURLToPath(new URL("../.cache/fake/fake.js", import.meta.url));
const PAGE = fileURLToPath(new URL("../dist/apps/work-result.html", import.meta.url));
/** Where Chromium is; the Debian package puts it there, elsewhere the variable says it. */
const EXECUTABLE = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--font-render-hinting=none",
];

/**
 * @typedef {object} Visit
 * @property {string} [scenario]
 * @property {"en" | "zh-CN"} [language]
 * @property {"light" | "dark"} [theme]
 * @property {number} [width]
 * @property {number} [height]
 * @property {boolean} [lively]
 * @property {number} [delay] ms every command takes
 * @property {number} [at] the fixed time, ms since 1970; real time without it
 * @property {string} [html] the page of the work, where another than the built one is shown
 */

/** A browser with the built window in it, one fresh page for each visit. */
export async function openBrowser() {
  const [server, harness, html, browser] = await Promise.all([
    serve(),
    serveHarness(),
    readFile(PAGE, "utf8"),
    chromium.launch({ executablePath: EXECUTABLE, args: FLAGS }),
  ]);
  /** @type {string[]} */
  const complaints = [];
  return {
    /** What pages complained of since it was last asked: exceptions, errors, breaches of the content policy. */
    complaints: () => complaints.splice(0),
    /** @param {Visit} visit */
    async visit({ scenario = "ready", language = "en", theme = "light", width = 1100, height = 760, lively = false, delay = 0, at, html: other }) {
      const context = await browser.newContext({
        viewport: { width, height }, locale: language, timezoneId: "Asia/Shanghai", reducedMotion: "reduce",
      });
      // An upper bound for a machine that is busy with other builds; nothing waits this long otherwise.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      if (at !== undefined) await page.clock.setFixedTime(at);
      await page.addInitScript((given) => { window.fakePage = given; }, { html: other ?? html, sandbox: server.sandbox });
      await page.addInitScript({ path: FAKE });
      const query = new URLSearchParams({ scenario, language, theme, lively: lively ? "1" : "0", delay: String(delay) });
      await page.goto(`${server.origin}/?${query}`);
      if (scenario !== "silent") await page.waitForSelector("main h1");
      return page;
    },
    /** The bytes of the page of the work. */
    html,
    /**
     * An empty page in which other hosts can be put up.
     * @param {{ width?: number, height?: number, theme?: "light" | "dark", at?: number }} look
     */
    async stage({ width = 700, height = 760, theme = "light", at }) {
      const context = await browser.newContext({ viewport: { width, height }, timezoneId: "Asia/Shanghai", reducedMotion: "reduce", colorScheme: theme });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      if (at !== undefined) await page.clock.setFixedTime(at);
      await page.goto(harness.origin);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
      harness.close();
    },
  };
}
