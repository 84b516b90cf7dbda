import { expect, test } from "vitest";
import { accessibility, drop, sidewaysOf, useBrowser, visit } from "./window";

useBrowser();

test("three steps lead from nothing to a project with its permission and a client to set up", async () => {
  const page = await visit({ scenario: "first-run", width: 720, height: 620 });
  await page.getByText("Step 1 of 3").waitFor();
  expect(await accessibility(page)).toEqual([]);
  await drop(page, ["C:\\Users\\Lin", "D:\\Projects\\one", "D:\\Projects\\two"]);
  await page.getByRole("heading", { name: "2 of 3 folders added" }).waitFor();
  expect(await sidewaysOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("What may models do in these 2 projects?").waitFor();
  expect(await accessibility(page)).toEqual([]);
  await page.getByRole("radio", { name: /Edit and run/ }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Step 3 of 3").waitFor();
  expect(await accessibility(page)).toEqual([]);
  await page.getByRole("radio", { name: /Claude Desktop/ }).click();
  await page.getByRole("button", { name: "Connect Claude Desktop" }).click();
  await page.waitForSelector("[data-client=claude_desktop][aria-current]");
  const state = await page.evaluate(() => window.fake?.status.projects.map(({ permission, askFirst }) => [permission, askFirst]));
  expect(state).toEqual([["edit_run", true], ["edit_run", true]]);
});

test("it can be skipped, gone back in, and spoken in the other language", async () => {
  const page = await visit({ scenario: "first-run" });
  await page.getByRole("radio", { name: "中文" }).click();
  expect(await page.textContent("h1")).toBe("选择模型可以进入的文件夹");
  await page.getByRole("button", { name: "跳过" }).click();
  await page.getByRole("button", { name: "返回" }).click();
  await page.getByText("第 1 步，共 3 步").waitFor();
  await page.getByRole("button", { name: "跳过" }).click();
  await page.getByRole("button", { name: "稍后" }).click();
  await expect.poll(() => page.textContent("main h1")).toBe("添加一个文件夹，模型就能在其中工作。");
});

test("ChatGPT leads to its tunnel", async () => {
  const page = await visit({ scenario: "first-run" });
  await page.getByRole("button", { name: "Skip" }).click();
  await page.getByRole("button", { name: "Connect ChatGPT" }).click();
  await page.waitForSelector("[data-new-tunnel]");
  expect(await accessibility(page)).toEqual([]);
});
