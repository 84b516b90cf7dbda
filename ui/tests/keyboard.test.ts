import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { go, useBrowser, visit } from "./window";

useBrowser();

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const read = element?.cloneNode(true) as HTMLElement | undefined;
    read?.querySelectorAll("[aria-hidden]").forEach((hidden) => hidden.remove());
    return element?.getAttribute("aria-label") ?? read?.textContent?.trim().replace(/\s+/g, " ") ?? "";
  });

test("Ctrl 1 to 6 lead to the pages and put the focus on the title", async () => {
  const page = await visit();
  for (const [key, title] of [["2", "Projects"], ["3", "Work"], ["4", "Activity"], ["5", "Connections"], ["6", "Settings"]] as const) {
    await page.keyboard.press(`Control+${key}`);
    await expect.poll(() => focused(page)).toBe(title);
  }
});

test("a page that the tray asks for shows itself and takes the focus", async () => {
  const page = await visit();
  await page.evaluate(() => window.fake?.place("connections"));
  await expect.poll(() => focused(page)).toBe("Connections");
});

test("Tab goes through the window in the order it is read, and every stop is seen", async () => {
  const page = await visit({ scenario: "busy" });
  const stops: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
    const ring = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement ?? document.body);
      return style.boxShadow !== "none" || style.outlineStyle !== "none";
    });
    expect(ring, `focus on ${stops.at(-1)} can be seen`).toBe(true);
  }
  expect(stops).toEqual([
    "Skip to the page", "Home", "Projects", "Work, 1 waits for you", "Activity", "Connections", "Settings", "Show activity", "Show output",
    "Stop npm test -- --run", "All activity", "All connections",
  ]);
});

test("a project is added, changed and removed without a pointer", async () => {
  const page = await visit();
  await page.keyboard.press("Control+2");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("D:\\Projects\\by-hand");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-project=by-hand]");

  const may = page.getByRole("radiogroup", { name: "What models may do in by-hand" });
  await may.getByRole("radio", { name: "Edit", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => may.getByRole("radio", { name: "Edit and run" }).getAttribute("aria-checked")).toBe("true");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect(await page.getByRole("switch", { name: "Ask first in by-hand" }).getAttribute("aria-checked")).toBe("false");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await focused(page)).toBe("Show in file manager");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Remove by-hand from this list?" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-project=by-hand]", { state: "detached" });
});

test("a menu closes with Escape and gives the focus back", async () => {
  const page = await visit();
  await go(page, "projects");
  const button = page.getByRole("button", { name: "More for webshop" });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  expect(await focused(page)).toBe("More for webshop");
});

test("arrows go through the calls, Enter opens one, Escape closes it, End is the last of 5 000", async () => {
  const page = await visit({ scenario: "long" });
  await page.keyboard.press("Control+4");
  await page.locator("[data-index='0']").focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset["index"] === "1");
  await page.keyboard.press("Enter");
  await page.getByText("Timeline").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Timeline").waitFor({ state: "detached" });
  await page.keyboard.press("End");
  await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset["index"] === "4999");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset["index"] === "0");
});

test("tabs and the pages of the navigation move with arrows", async () => {
  const page = await visit();
  await page.getByRole("tab", { name: "ChatGPT" }).focus();
  await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("tab", { name: "Claude Desktop" }).getAttribute("aria-selected")).toBe("true");
  await page.getByRole("link", { name: "Home" }).focus();
  await page.keyboard.press("ArrowDown");
  expect(await focused(page)).toBe("Projects");
});

test("a request is answered without a pointer, and no single key allows anything", async () => {
  const page = await visit({ scenario: "approvals" });
  await page.waitForFunction(() => document.querySelector<HTMLElement>("dialog footer")?.inert === false);
  for (const key of ["Enter", "Space", "a", "y"]) await page.keyboard.press(key);
  expect(await page.evaluate(() => window.fake?.log)).toEqual([]);
  const deny = page.getByRole("button", { name: "Deny…" });
  for (let n = 0; n < 8 && !(await deny.evaluate((node) => node === document.activeElement)); n += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("not now");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => window.fake?.log)).toEqual(["approval a1 deny not now"]);
});
