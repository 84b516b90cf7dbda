import { expect, test } from "vitest";
import { drop, go, logOf, useBrowser, visit } from "./window";

useBrowser();

test("folders dropped on any page each get a visible result", async () => {
  const page = await visit();
  await page.evaluate(() => window.fake?.drag({ kind: "over", items: 7 }));
  await page.waitForSelector("text=Drop to add 7 folders");
  await drop(page, [
    "C:\\Users\\Lin", "\\\\nas-home\\archive", "D:\\Projects\\webshop-api", "D:\\Projects\\WEBSHOP",
    "C:\\Users\\Lin\\OneDrive\\thesis\\chapters", "D:\\Projects\\locked", "D:\\Projects\\notes.txt",
  ]);
  const results = page.locator("[data-results]");
  await results.getByRole("heading", { name: "2 of 7 folders added" }).waitFor();
  expect(await page.textContent("main h1"), "the page that shows them").toBe("Projects");
  const text = (await results.textContent()) ?? "";
  for (const said of ["this is your home folder", "did not answer within 5 s", "Already here as webshop", "lies inside thesis", "may not read this folder", "this is a file"]) {
    expect(text).toContain(said);
  }
  expect(await page.locator("[data-project=webshop-api]").count()).toBe(1);
  expect(await page.locator("[aria-live=polite]").allTextContents()).toContainEqual(expect.stringContaining("2 of 7 folders added"));
  await results.getByRole("button", { name: "Close this result" }).click();
  await results.waitFor({ state: "detached" });
});

test("a refused folder has a remedy that works", async () => {
  const page = await visit();
  await drop(page, ["C:\\Users\\Lin", "D:\\Projects\\notes.txt"]);
  await page.click("text=Choose inside…");
  await page.waitForSelector("[data-result=added] >> text=webshop-api");
  await page.click("text=Add its folder");
  await page.waitForSelector("text=2 of 2 folders added");
});

test("a drag that leaves or is given up shows nothing", async () => {
  const page = await visit();
  await page.evaluate(() => window.fake?.drag({ kind: "over", items: null }));
  await page.waitForSelector("text=Drop to add folders");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".veil", { state: "detached" });
  await page.evaluate(() => window.fake?.drag({ kind: "over", items: 1 }));
  await page.evaluate(() => window.fake?.drag({ kind: "left" }));
  await page.waitForSelector(".veil", { state: "detached" });
});

test("a path can be pasted, a folder picked, each adds a project", async () => {
  const page = await visit({ scenario: "empty" });
  await go(page, "projects");
  await page.click("text=Paste a path…");
  await page.keyboard.insertText('"D:\\Projects\\one"\nD:\\Projects\\two');
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=2 of 2 folders added");
  await page.click("text=Add folder…");
  await page.waitForSelector("[data-project=webshop-api]");
  expect(await page.locator("[data-project]").count()).toBe(3);
});

test("permissions and ask-first are the project's own; read only needs no asking", async () => {
  const page = await visit();
  await go(page, "projects");
  const may = page.getByRole("radiogroup", { name: "What models may do in webshop" });
  const asks = page.getByRole("switch", { name: "Ask first in webshop" });
  await asks.click();
  expect(await asks.getAttribute("aria-checked")).toBe("false");
  await may.getByRole("radio", { name: "Read only" }).click();
  expect(await may.getByRole("radio", { name: "Read only" }).getAttribute("aria-checked")).toBe("true");
  expect(await asks.getAttribute("aria-disabled")).toBe("true");
  const permissions = await page.evaluate(() => window.fake?.status.projects.map((project) => project.permission));
  expect(permissions).toEqual(["read", "edit", "edit_run", "read"]);
});

test("removing asks first, says that files stay, and can be left alone", async () => {
  const page = await visit({ scenario: "busy" });
  await go(page, "projects");
  const open = async () => {
    await page.click("[data-project='官网改版-2026'] [aria-haspopup=menu]");
    await page.getByRole("menuitem", { name: "Remove from this list…" }).click();
  };
  await open();
  const dialog = page.getByRole("dialog");
  expect(await dialog.textContent()).toContain("Its files, its git history and everything in the folder stay as they are.");
  expect(await dialog.textContent()).toContain("ChatGPT is working in it right now.");
  await page.keyboard.press("Escape");
  expect(await page.locator("[data-project]").count()).toBe(4);
  await open();
  await dialog.getByRole("button", { name: "Remove from list" }).click();
  await page.waitForSelector("[data-project='官网改版-2026']", { state: "detached" });
});

test("a project opens in the file manager and the editor, and its path can be copied", async () => {
  const page = await visit();
  await go(page, "projects");
  for (const name of ["Show in file manager", "Open in editor", "Copy path"]) {
    await page.click("[data-project=webshop] [aria-haspopup=menu]");
    await page.getByRole("menuitem", { name }).click();
  }
  expect(await logOf(page)).toEqual(["open p1 files", "open p1 editor", "copy D:\\Projects\\webshop"]);
});

test("hundreds of projects stay usable", async () => {
  const page = await visit({ scenario: "long" });
  await go(page, "projects");
  await page.locator("[data-project=thesis-59]").scrollIntoViewIfNeeded();
  await page.getByRole("switch", { name: "Ask first in webshop-59" }).click();
});
