import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { accessibility, go, sidewaysOf, unreadableOf, useBrowser, visit } from "./window";

useBrowser();

const pages = ["home", "projects", "activity", "connections", "settings"] as const;
const looks = [
  { language: "en", theme: "light", width: 1100 },
  { language: "en", theme: "dark", width: 720 },
  { language: "zh-CN", theme: "light", width: 720 },
  { language: "zh-CN", theme: "dark", width: 1100 },
] as const;

async function expectGood(page: Page, where: string) {
  expect(await accessibility(page), `accessibility of ${where}`).toEqual([]);
  expect(await sidewaysOf(page), `overflow of ${where}`).toEqual([]);
  expect(await unreadableOf(page), `cut off without a title in ${where}`).toEqual([]);
}

describe.each(looks)("in $language, $theme, $width px", (look) => {
  test.each(["busy", "empty", "names"])("every page is sound when %s", async (scenario) => {
    const page = await visit({ ...look, height: 520, scenario });
    expect(await page.getAttribute("html", "lang")).toBe(look.language);
    for (const name of pages) {
      await go(page, name);
      await page.waitForSelector("main h1");
      await expectGood(page, name);
    }
  });

  test("what opens over or within a page is sound", async () => {
    const page = await visit({ ...look, height: 620, scenario: "busy" });
    await go(page, "activity");
    await page.click("[data-index='1']");
    await page.waitForSelector(".steps");
    await expectGood(page, "a call's details");
    await page.click("#activity-view-jobs");
    await page.click("[data-job=j1] button");
    await page.waitForSelector("[role=log]");
    await expectGood(page, "live output");
    await page.click("#activity-view-sessions");
    await expectGood(page, "sessions");
    await go(page, "projects");
    await page.click("[data-project=webshop] [aria-haspopup=menu]");
    await expectGood(page, "a project's menu");
    await page.locator("[role=menuitem]").last().click();
    await page.waitForSelector("dialog[open]");
    await expectGood(page, "the question before removing");
  });
});

test.each(["paused", "starting", "restarting", "problem", "broken", "remarks", "no-client"])("Home tells the truth when %s", async (scenario) => {
  const page = await visit({ scenario });
  expect((await page.textContent("main h1"))?.length).toBeGreaterThan(5);
  await expectGood(page, scenario);
});

test("before the first word of the shell nothing is claimed", async () => {
  const page = await visit({ scenario: "silent" });
  await page.waitForSelector("[aria-busy=true] .skeleton");
  expect(await page.textContent("h1")).toBe("Starting.");
  expect(await accessibility(page)).toEqual([]);
});

test("when the stream breaks off the page says how old it is, and recovers", async () => {
  const page = await visit();
  await page.evaluate(() => window.fake?.lose());
  await page.waitForSelector("text=As of");
  expect(await page.textContent("main h1"), "no claim about now").toBe("What is going on is not known at the moment.");
  expect(await page.textContent("nav .foot")).toContain("Not known");
  await expectGood(page, "a lost stream");
  await page.evaluate(() => window.fake?.recover());
  await page.waitForSelector("text=As of", { state: "detached" });
});

test("a command that fails says what happened and what to do, in the person's language, and can be closed", async () => {
  const page = await visit({ scenario: "failing", language: "zh-CN" });
  await go(page, "projects");
  await page.locator("[role=switch]").first().click();
  const alert = page.getByRole("alert");
  expect(await alert.textContent()).toContain("Server 没有应答。 正在重新启动它");
  await expectGood(page, "a failed command");
  await alert.getByRole("button").click();
  await alert.waitFor({ state: "detached" });
});

test("the system's language and appearance are followed until the person chooses", async () => {
  const page = await visit({ language: "zh-CN" });
  await page.evaluate(() => window.fake?.changeSettings({ language: "system", theme: "system" }));
  expect(await page.textContent("main h1")).toContain("就绪");
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(dark);
  await go(page, "settings");
  await page.click("text=深色");
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(dark);
  await page.getByRole("radio", { name: "English" }).click();
  expect(await page.textContent("main h1")).toBe("Settings");
  expect(await page.getAttribute("html", "lang")).toBe("en");
});

test("opened in a browser without the app it says so", async () => {
  const page = await visit();
  const { origin } = new URL(page.url());
  const bare = await page.context().browser()?.newPage();
  await bare?.goto(origin);
  expect(await bare?.textContent("h2")).toBe("This page belongs to the WebCodex window");
  await bare?.close();
});
