import { expect, test } from "vitest";
import { commandApproval } from "../desktop/bridge/fake/approvals";
import { accessibility, go, logOf, useBrowser, visit } from "./window";

useBrowser();

const NOON = new Date(2026, 10, 30, 12).getTime();

test("a request comes up with its exact content, and the focus on no button", async () => {
  const page = await visit({ scenario: "approvals", at: NOON });
  const dialog = page.getByRole("dialog", { name: "ChatGPT wants to run a command in webshop" });
  await dialog.waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  const text = await dialog.textContent();
  for (const said of ["npm install stripe@17 --save-exact", "D:\\Projects\\webshop", "“The checkout needs the Stripe SDK.”", "runs as you", "1 of 2"]) {
    expect(text).toContain(said);
  }
  expect(text).toContain("38 s left");
  expect(await accessibility(page)).toEqual([]);
});

test("a click meant for the page as the request comes up decides nothing", async () => {
  const page = await visit();
  // Looked at before the page gets a chance to go on: no timer can have run.
  const asleep = await page.evaluate(async (approval) => {
    window.fake?.change({ approvals: [approval] });
    for (let turn = 0; turn < 50 && !document.querySelector("dialog"); turn += 1) await Promise.resolve();
    return document.querySelector<HTMLElement>("dialog footer")?.inert;
  }, commandApproval(Date.now()));
  expect(asleep).toBe(true);
  await page.waitForFunction(() => document.querySelector<HTMLElement>("dialog footer")?.inert === false);
});

test("allowed once, allowed for the session, denied with a word: each is told as it was said", async () => {
  const page = await visit({ scenario: "approvals" });
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("dialog", { name: "ChatGPT wants to edit 3 files in webshop" }).waitFor();
  await page.getByRole("button", { name: "Deny…" }).click();
  await page.getByLabel("Tell the model why (optional)").fill("  use the client we have ");
  await page.getByRole("button", { name: "Deny and tell the model" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await logOf(page)).toEqual(["approval a1 once", "approval a2 deny use the client we have"]);
  await go(page, "activity");
  await page.locator("[data-call=c1002]").getByText("You denied").waitFor();

  const other = await visit({ scenario: "approvals" });
  await other.getByRole("button", { name: "Allow for this session" }).click();
  await expect.poll(() => logOf(other)).toEqual(["approval a1 session"]);
});

test("an edit shows what would change, file by file", async () => {
  const page = await visit({ scenario: "approvals" });
  await page.getByRole("button", { name: "Allow once" }).click();
  const dialog = page.getByRole("dialog", { name: /edit 3 files/ });
  await dialog.getByText("return Math.max(sum - off, 0);").waitFor();
  await dialog.getByRole("button", { name: /coupon\.ts new, 3 lines added, 0 removed/ }).click();
  await dialog.getByText("What a coupon takes off").waitFor();
  await dialog.getByRole("button", { name: /coupon-background/ }).click();
  await dialog.getByText("Too large or not text").waitFor();
  expect(await accessibility(page)).toEqual([]);
});

test("put off, requests wait on their page and keep counting", async () => {
  const page = await visit({ scenario: "approvals", at: NOON });
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const link = page.getByRole("link", { name: "Approvals, 2 wait for you" });
  await link.click();
  const left = () => page.locator("[data-approval=a1] .tag").textContent();
  expect(await left()).toBe("38 s left");
  await page.clock.setFixedTime(NOON + 5000);
  await expect.poll(left).toBe("33 s left");
  expect(await accessibility(page)).toEqual([]);
  await page.locator("[data-approval=a2]").getByRole("button").click();
  await page.getByRole("dialog", { name: /edit 3 files/ }).waitFor();
});

test("without an answer it ends in a truthful refusal", async () => {
  const page = await visit({ scenario: "approvals" });
  await page.evaluate(() => window.fake?.expire(Date.now() + 120_000));
  const dialog = page.getByRole("dialog", { name: "Time is up, nothing was run" });
  expect(await dialog.textContent()).toContain("ChatGPT was told “not approved, not done”");
  expect(await dialog.getByRole("button", { name: /Allow/ }).count()).toBe(0);
  await dialog.getByRole("button", { name: "OK" }).click();
  await page.getByRole("dialog", { name: "Time is up, nothing was changed" }).getByRole("button", { name: "OK" }).click();
  await go(page, "activity");
  await page.locator("[data-call=c1003]").getByText("No answer").waitFor();
});

test("an answer that comes too late says that nothing was run", async () => {
  const page = await visit({ scenario: "approvals" });
  await page.evaluate(() => window.fake?.fail("answerApproval", { code: "approval_gone", message: "", hint: null }));
  await page.getByRole("button", { name: "Allow once" }).click();
  expect(await page.getByRole("alert").textContent()).toContain("This request does not wait any more.");
});
