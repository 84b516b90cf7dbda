import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Frame, Page } from "playwright-core";
import { openBrowser } from "../tools/browser.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
type Browser = Awaited<ReturnType<typeof openBrowser>>;
export type Visit = Parameters<Browser["visit"]>[0];

let browser: Browser;
const open: Page[] = [];

/** One browser for the file, and after each test: no page complained of anything. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.context().close()));
    expect(browser.complaints(), "exceptions, errors and breaches of the content policy").toEqual([]);
  });
  afterAll(() => browser.close());
}

export async function visit(wanted: Visit = {}): Promise<Page> {
  const page = await browser.visit(wanted);
  open.push(page);
  return page;
}

/** An empty page for other hosts of pages. */
export async function stage(look: Parameters<Browser["stage"]>[0]): Promise<Page> {
  const page = await browser.stage(look);
  open.push(page);
  return page;
}

export const go = (page: Page, name: string) => page.click(`nav [data-page=${name}]`);

/** What the fake shell was asked to do: copies, links, answers. */
export const logOf = (page: Page) => page.evaluate(() => [...(window.fake?.log ?? [])]);

/** Folders let go over the window. */
export const drop = (page: Page, paths: string[]) =>
  page.evaluate((all) => window.fake?.drag({ kind: "dropped", paths: all }), paths);

/** Findings of WCAG 2.2 A and AA, as short lines. */
export async function accessibility(page: Page | Frame): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) {
    const { readFile } = await import("node:fs/promises");
    await page.evaluate(await readFile(AXE, "utf8"));
  }
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await axe.run(document, { runOnly: tags });
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} (${node.failureSummary?.split("\n")[1]?.trim()})`));
  });
}

/** Text that is cut off and cannot be read anywhere: neither it nor what it stands in has a title. */
export function unreadableOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main *, dialog *")]
      .filter((one) => getComputedStyle(one).textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth + 1)
      .filter((one) => !one.closest("[title]") && !one.querySelector("[title]"))
      .map((one) => `${one.className} ${one.textContent?.trim().slice(0, 40)}`));
}

/** Elements that reach out of the window sideways, and whether the page itself scrolls sideways. */
export function sidewaysOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
    for (const element of document.querySelectorAll<HTMLElement>("button, a, input, textarea, select, h1, h2, p, pre, [role=row]")) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 1 && (right > innerWidth + 1 || left < -1)) found.push(`${element.tagName} ${element.textContent?.slice(0, 40)}`);
    }
    for (const scroller of document.querySelectorAll<HTMLElement>(".page, .viewport, .detail, dialog .body")) {
      if (scroller.scrollWidth > scroller.clientWidth + 1) found.push(`${scroller.className} scrolls sideways`);
    }
    return found;
  });
}
