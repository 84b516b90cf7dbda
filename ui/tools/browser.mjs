import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const FAKE = fileURLToPath(new URL("../.cache/fake/fake.js", import.meta.url));
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
 */

/** A browser with the built window in it, one fresh page for each visit. */
export async function openBrowser() {
  const [server, browser] = await Promise.all([
    serve(),
    chromium.launch({ executablePath: EXECUTABLE, args: FLAGS }),
  ]);
  /** @type {string[]} */
  const complaints = [];
  return {
    /** What pages complained of since it was last asked: exceptions, errors, breaches of the content policy. */
    complaints: () => complaints.splice(0),
    /** @param {Visit} visit */
    async visit({ scenario = "ready", language = "en", theme = "light", width = 1100, height = 760, lively = false, delay = 0, at }) {
      const context = await browser.newContext({
        viewport: { width, height }, locale: language, timezoneId: "Asia/Shanghai", reducedMotion: "reduce",
      });
      // An upper bound for a machine that is busy with other builds; nothing waits this long otherwise.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      if (at !== undefined) await page.clock.setFixedTime(at);
      await page.addInitScript({ path: FAKE });
      const query = new URLSearchParams({ scenario, language, theme, lively: lively ? "1" : "0", delay: String(delay) });
      await page.goto(`${server.origin}/?${query}`);
      if (scenario !== "silent") await page.waitForSelector("main h1");
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
