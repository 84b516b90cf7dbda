import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { go, logOf, useBrowser, visit } from "./window";

useBrowser();

const settings = (page: Page) => page.evaluate(() => window.fake?.status.settings);

test("every choice takes effect at once", async () => {
  const page = await visit();
  await go(page, "settings");
  await page.getByRole("switch", { name: "Start at login" }).click();
  await page.getByRole("switch", { name: "Connection lost" }).click();
  await page.getByRole("switch", { name: "Ask first in new projects" }).click();
  await page.getByRole("radiogroup", { name: "New projects start with" }).getByRole("radio", { name: "Read only" }).click();
  await page.getByRole("radio", { name: "Code mode" }).click();
  await page.getByRole("radiogroup", { name: "Record calls" }).getByRole("radio", { name: "Times" }).click();
  await page.getByRole("radio", { name: "When idle" }).click();
  expect(await settings(page)).toMatchObject({
    startAtLogin: false, notify: { connectionLost: true }, newProjects: { permission: "read", askFirst: false },
    waitProfile: "code_mode", record: "times", updates: "idle",
  });
});

test("places, proxy and the longest wait are checked before they are saved", async () => {
  const page = await visit();
  await go(page, "settings");
  await page.getByRole("button", { name: "Remove D:\\项目" }).click();
  await page.getByRole("button", { name: "Add place…" }).click();
  await page.getByText("D:\\Projects\\webshop-api").waitFor();
  await page.getByRole("radio", { name: "Custom" }).click();
  expect((await settings(page))?.proxy.mode, "an empty proxy is not used").toBe("automatic");
  const proxy = page.getByRole("textbox", { name: "Proxy address" });
  await proxy.fill("nonsense");
  await proxy.press("Enter");
  await page.getByText("Not an address of a proxy").waitFor();
  await proxy.fill("http://127.0.0.1:7890");
  await proxy.press("Enter");
  const wait = page.getByRole("textbox", { name: "Longest wait of one call" });
  await wait.fill("60");
  await wait.press("Enter");
  await page.getByText("A whole number of seconds from 5 to 55.").waitFor();
  await wait.fill("30");
  await wait.press("Enter");
  await expect.poll(() => settings(page)).toMatchObject({
    allowedRoots: ["D:\\Projects", "D:\\Projects\\webshop-api"], proxy: { mode: "custom", url: "http://127.0.0.1:7890" }, waitSeconds: 30,
  });
});

test("pausing and resuming are one switch, and Home says it", async () => {
  const page = await visit();
  await go(page, "settings");
  await page.getByRole("switch", { name: "Serving clients" }).click();
  await go(page, "home");
  expect(await page.textContent("main h1")).toBe("Paused. No client can reach your projects.");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => page.textContent("main h1")).toContain("Ready.");
});

test("the report is shown before it is copied; logs open; a restart asks", async () => {
  const page = await visit();
  await go(page, "settings");
  await page.click("text=Look at it…");
  const dialog = page.getByRole("dialog", { name: "What the report contains" });
  await dialog.getByText("names left out").waitFor();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.click("text=Show in folder");
  await expect.poll(() => logOf(page)).toEqual(["copy report", "logs"]);
  await page.click("text=Restart…");
  await page.getByRole("dialog").getByRole("button", { name: "Restart", exact: true }).click();
  await go(page, "home");
  expect(await page.textContent("main h1")).toBe("Starting.");
});

test("an update is offered, and does not install while work runs", async () => {
  const page = await visit({ scenario: "remarks" });
  await go(page, "settings");
  const install = page.getByRole("button", { name: "Install" });
  await page.evaluate(() => window.fake?.change({ state: "working" }));
  await expect.poll(() => install.getAttribute("title")).toBe("Waits until running work is done");
  await page.evaluate(() => window.fake?.change({ state: "ready" }));
  await install.click();
  await page.getByText("Installing version 1.5.0…").waitFor();
});

test("the list of sections follows where the person is", async () => {
  const page = await visit({ height: 560 });
  await go(page, "settings");
  await page.getByRole("link", { name: "Network" }).click();
  await expect.poll(() => page.locator(".toc [aria-current]").textContent()).toBe("Network");
  await page.locator(".page").evaluate((node) => node.scrollTo({ top: 0 }));
  await expect.poll(() => page.locator(".toc [aria-current]").textContent()).toBe("General");
});
