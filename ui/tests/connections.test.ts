import { expect, test } from "vitest";
import { CREDENTIAL } from "../desktop/bridge/fake/clients";
import { go, logOf, useBrowser, visit } from "./window";

useBrowser();

test("the credential is nowhere in the page until asked for, and hides again by itself", async () => {
  const noon = new Date(2026, 10, 30, 12).getTime();
  const page = await visit({ at: noon });
  await go(page, "connections");
  await page.click("[data-client=other]");
  const inPage = () => page.evaluate(() => document.documentElement.outerHTML);
  expect(await inPage()).not.toContain(CREDENTIAL);
  await page.getByRole("button", { name: "Copy credential" }).click();
  await page.getByRole("button", { name: "Copy configuration" }).click();
  await expect.poll(() => logOf(page)).toEqual(["copy credential", "copy setup"]);
  expect(await inPage(), "copying goes through the shell").not.toContain(CREDENTIAL);

  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForSelector(`text=${CREDENTIAL}`);
  await page.clock.setFixedTime(noon + 31_000);
  await page.waitForSelector(`text=${CREDENTIAL}`, { state: "detached" });
  expect(await inPage()).not.toContain(CREDENTIAL);
});

test("a credential that is shown is shown whole, and the button that shows it stays in place", async () => {
  const page = await visit();
  await page.click("#connect-panel-other");
  const button = page.locator("#connect-panel").getByRole("button", { name: /Show|Hide/ });
  const before = await button.boundingBox();
  await button.click();
  const value = page.getByRole("group", { name: "Credential" });
  await value.getByText(CREDENTIAL).waitFor();
  expect(await value.evaluate((field) => [field, ...field.querySelectorAll("*")].some((one) => getComputedStyle(one).overflowX === "hidden" || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline"))).toBe(false);
  expect((await button.boundingBox())?.y).toBe(before?.y);
});

test("the address and each ready-made configuration can be copied", async () => {
  const page = await visit();
  await go(page, "connections");
  await page.click("[data-client=other]");
  await page.getByRole("button", { name: "Copy address" }).click();
  await page.click("[data-client=claude_code]");
  await page.getByText("claude mcp add webcodex").waitFor();
  await page.getByRole("button", { name: "Copy configuration" }).click();
  await expect.poll(() => logOf(page)).toEqual(["copy http://127.0.0.1:8765/mcp", "copy setup"]);
});

test("Claude's settings are written after asking", async () => {
  const page = await visit();
  await go(page, "connections");
  await page.click("[data-client=claude_desktop]");
  await page.click("text=Write it for me…");
  const dialog = page.getByRole("dialog", { name: "Add WebCodex to the settings of Claude?" });
  expect(await dialog.textContent()).toContain("a copy of the present file is kept beside it");
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await page.getByText("Restart Claude to use it.").first().waitFor();
});

test("the broken hop is named with what to do, those after it are not guessed", async () => {
  const page = await visit({ scenario: "broken" });
  await page.getByRole("button", { name: "See what is broken" }).click();
  await page.waitForSelector("[data-hop=proxy].broken");
  expect(await page.textContent("[data-hop=proxy]")).toContain("502 Bad Gateway. Check the proxy or port forwarding");
  expect(await page.textContent("[data-hop=credential]")).toContain("not checked");
  expect(await page.getByRole("link", { name: "Connections, 1 needs you" }).count()).toBe(1);
});

test("ChatGPT without a tunnel or a public address leads to where one is set", async () => {
  const page = await visit({ scenario: "no-client" });
  await page.getByRole("button", { name: "Connect a client" }).click();
  await page.click("[data-client=chatgpt]");
  await page.getByRole("button", { name: "Set public address" }).click();
  const field = page.getByRole("textbox", { name: "Public address" });
  await field.fill("http://code.example.org");
  await page.getByText("Not a public address").waitFor();
  await field.fill("https://code.example.org");
  await field.press("Enter");
  await expect.poll(() => page.evaluate(() => window.fake?.status.address.public)).toBe("https://code.example.org/mcp");
});

test("replacing the credential asks and says what follows", async () => {
  const page = await visit();
  await go(page, "connections");
  await page.click("text=Replace credential…");
  const dialog = page.getByRole("dialog", { name: "Replace the credential?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await logOf(page)).toEqual([]);
  await page.click("text=Replace credential…");
  await dialog.getByRole("button", { name: "Replace", exact: true }).click();
  await expect.poll(() => logOf(page)).toEqual(["credential replaced"]);
});
