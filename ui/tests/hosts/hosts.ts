import type { Frame, Page } from "playwright-core";
import type { WorkName } from "../../desktop/bridge/fake/work/server";
import { go, stage, visit } from "../window";

/** How a page is wanted, in whichever host. */
export interface Wanted {
  work: WorkName;
  view?: "card" | "panel";
  displayMode?: "inline" | "fullscreen";
  theme?: "light" | "dark";
  language?: "en" | "zh-CN";
  width?: number;
  height?: number;
  at?: number;
  /** Done with the empty page before a host is put up there. */
  before?: (page: Page) => Promise<void>;
}

/** The page within its host, and what the host knows of it. */
export interface Shown {
  page: Page;
  view: Frame;
  /** The calls that reached the tools. */
  calls(): Promise<{ tool: string; arguments: Record<string, unknown> }[]>;
  /** Addresses that were opened after the host was asked. */
  links(): Promise<string[]>;
  /** Lets the host ask the person, and the person agree, where it does that. */
  agree(): Promise<void>;
}

export type HostName = "window" | "official" | "chatgpt";

/** The frame of the page itself; it is the innermost one. */
async function innermost(page: Page): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url() === "about:srcdoc");
  for (let tries = 0; tries < 300 && !find(); tries++) await page.waitForTimeout(50);
  const view = find();
  if (!view) throw new Error("the page was not shown");
  return view;
}

export async function show(host: HostName, wanted: Wanted): Promise<Shown> {
  const { work, view = "panel", displayMode = "fullscreen", theme = "light", language = "en", width = 900, height = 760, at } = wanted;
  if (host === "window") {
    const page = await visit({ scenario: "work", theme, language, width: width + 188 + 232, height, ...(at === undefined ? {} : { at }) });
    await go(page, "work");
    const session = `wcs_${work}`;
    await page.click(`[data-session=${session}]`);
    await page.waitForSelector(`[data-session=${session}][aria-current=true]`);
    await page.waitForFunction((id) => (window.fake?.works.known(id)?.calls.length ?? 0) > 0, session);
    return {
      page, view: await innermost(page),
      calls: () => page.evaluate((id) => window.fake?.works.known(id)?.calls ?? [], session),
      links: () => page.evaluate(() => (window.fake?.log ?? []).filter((line) => line.startsWith("address ")).map((line) => line.slice(8))),
      async agree() {
        await page.waitForSelector("dialog[open] footer:not([inert])");
        await page.locator("dialog footer button").last().click();
        await page.waitForSelector("dialog", { state: "detached" });
      },
    };
  }
  const page = await stage({ width, height, theme, ...(at === undefined ? {} : { at }) });
  await wanted.before?.(page);
  const html = await builtPage();
  const staging = { html, work, view, displayMode, theme, locale: language };
  await page.evaluate(([name, given]) => (name === "official" ? window.stage.official(given) : window.stage.chatgpt(given)), [host, staging] as const);
  return {
    page, view: await innermost(page),
    calls: () => page.evaluate(() => window.stage.work?.calls ?? []),
    links: () => page.evaluate(() => window.stage.asked.links),
    agree: () => Promise.resolve(),
  };
}

async function builtPage(): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return readFile(new URL("../../dist/apps/work-result.html", import.meta.url), "utf8");
}
