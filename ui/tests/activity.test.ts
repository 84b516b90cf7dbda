import { expect, test } from "vitest";
import { go, logOf, useBrowser, visit } from "./window";

useBrowser();

test("calls appear as they happen, at once while the list is at its top", async () => {
  const page = await visit({ scenario: "empty" });
  await go(page, "activity");
  await page.waitForSelector("text=No call yet");
  await page.evaluate(() => window.fake?.call({ id: "fresh", subject: { kind: "edit", files: ["src/a.ts"] }, lines: { added: 3, removed: 1 } }));
  const row = page.locator("[data-call=fresh]");
  expect(await row.textContent()).toMatch(/Edited a\.ts.*webshop.*ChatGPT.*Finished.*\+3 −1/s);
});

test("5 000 calls scroll, drawn a screen at a time", async () => {
  const page = await visit({ scenario: "long" });
  await go(page, "activity");
  const table = page.getByRole("treegrid");
  expect(await table.getAttribute("aria-rowcount")).toBe("5001");
  const drawn = () => page.locator("[data-call]").count();
  expect(await drawn()).toBeLessThan(40);
  const viewport = page.locator(".viewport");
  await viewport.evaluate((node) => node.scrollTo({ top: node.scrollHeight }));
  await page.waitForSelector("[data-index='4999']");
  expect(await drawn()).toBeLessThan(40);
  await page.click("text=Earlier calls");
  await page.waitForSelector("text=That is the first call on record.");
  expect(await table.getAttribute("aria-rowcount")).toBe("5501");
});

test("away from the top nothing moves: news wait behind a button", async () => {
  const page = await visit({ scenario: "long" });
  await go(page, "activity");
  await page.locator(".viewport").evaluate((node) => node.scrollTo({ top: 20_000 }));
  await page.waitForSelector("[data-index='490']");
  const place = () => page.locator("[data-call='c11510']").boundingBox();
  const before = await place();
  await page.evaluate(() => { for (let n = 0; n < 3; n += 1) window.fake?.call(); });
  await page.waitForSelector("text=3 new calls");
  expect(await place()).toEqual(before);
  await page.click("text=3 new calls");
  await page.waitForSelector("[data-index='0'][data-call='c20002']");
});

test("a call opens to its details, which claim no more than is known and hold no secret", async () => {
  const page = await visit({ scenario: "busy" });
  await go(page, "activity");
  await page.click("[data-index='1']");
  const detail = page.locator(".detail").last();
  await detail.getByText("Timeline, 44 ms in all").waitFor();
  const text = await detail.textContent();
  expect(text).toContain("Whether ChatGPT received it is not known.");
  expect(text).toContain("src/cart/coupon.ts");
  expect(text).toMatch(/Secrets\s*never recorded/);
  await detail.getByRole("button", { name: "Copy details" }).click();
  await detail.getByRole("button", { name: "Copied" }).waitFor();
  const [copied] = await logOf(page);
  expect(copied).toContain("read_files · webshop · ChatGPT · Finished");
});

test("details that cannot be had say so and can be asked for again", async () => {
  const page = await visit();
  await go(page, "activity");
  await page.evaluate(() => window.fake?.fail("callDetail", { code: "no_answer", message: "", hint: null }));
  await page.click("[data-index='0']");
  await page.waitForSelector("text=There was no answer in time.");
  await page.evaluate(() => window.fake?.fail("callDetail"));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForSelector("text=Timeline");
});

test("search and filters narrow the list and say so", async () => {
  const page = await visit();
  await go(page, "activity");
  await page.fill("[type=search]", "coupon");
  await page.selectOption("[aria-label=Outcome]", "done");
  await page.waitForSelector("text=of 11 calls");
  const rows = await page.locator("[data-call]").allTextContents();
  expect(rows.length).toBe(3);
  await page.fill("[type=search]", "nothing like this");
  await page.waitForSelector("text=No call fits");
  await page.getByRole("group", { name: "Calls" }).getByText("Clear filters").click();
  expect(await page.locator("[data-call]").count()).toBe(11);
});

test("a running command shows its output as it comes and is stopped from here", async () => {
  const page = await visit({ scenario: "busy", lively: true });
  await page.click("text=Show output");
  const log = page.getByRole("log", { name: "Live output" });
  await log.getByText("page-1.test.ts").waitFor();
  expect(await log.textContent()).toContain("1.1 MB of 1.2 MB left out here; start and end are kept");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator("[data-job=j1]").getByText("Stopped by you").waitFor();
  await go(page, "home");
  expect(await page.textContent("main h1")).toContain("Ready.");
});

test("output is followed until somebody scrolls up", async () => {
  const page = await visit({ scenario: "busy", lively: true });
  await page.click("text=Show output");
  const log = page.getByRole("log");
  const follow = page.getByRole("switch", { name: "Follow output" });
  const atEnd = () => log.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight < 4);
  await log.getByText("page-9.test.ts").waitFor();
  expect(await atEnd()).toBe(true);
  await log.evaluate((node) => node.scrollTo({ top: 0 }));
  await page.waitForFunction(() => document.querySelector("[role=switch]")?.getAttribute("aria-checked") === "false");
  await follow.click();
  await expect.poll(atEnd).toBe(true);
});

test("numbers of lines stay in their column, however many", async () => {
  const page = await visit({ scenario: "names", width: 720, height: 520 });
  await go(page, "activity");
  const many = page.locator("[role=gridcell]", { hasText: "+104k" });
  expect(await many.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
});

test("sessions lead to their calls", async () => {
  const page = await visit();
  await go(page, "activity");
  await page.click("#activity-view-sessions");
  await page.locator("[data-session=wcs_empty]").getByRole("button").click();
  expect(await page.inputValue("[aria-label=Project]")).toBe("家庭账本");
  expect(await page.locator("[data-call]").count()).toBe(2);
});
