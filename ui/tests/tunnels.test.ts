import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { tunnelIn, TUNNEL_ID, tunnelWith } from "../desktop/bridge/fake/tunnels";
import type { TunnelConnection } from "../desktop/bridge/types";
import { accessibility, go, logOf, sidewaysOf, useBrowser, visit } from "./window";

useBrowser();

const KEY = "sk-proj_0nly-in-this-test_4f2a";
const NOON = new Date(2026, 10, 30, 12).getTime();
const field = (page: Page, name: string) => page.locator(`[data-field=${name}] input`);
const inPage = (page: Page) => page.evaluate(() => document.documentElement.outerHTML);
const setTo = (page: Page, connections: TunnelConnection[]) => page.evaluate((all) => window.fake?.change({ connections: all }), connections);
const fails = (page: Page, command: string, code: string) =>
  page.evaluate(([name, failure]) => window.fake?.fail(name ?? "", { code: failure ?? "", message: "as the Server says it", hint: null }), [command, code]);
async function menu(page: Page, item: string) {
  await page.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("from Home to ChatGPT: paste, connect, online, and the first call turns it green by itself", async () => {
  const page = await visit({ scenario: "no-client" });
  await page.getByRole("button", { name: "Connect ChatGPT" }).click();
  const connect = page.getByRole("button", { name: "Connect", exact: true });
  await field(page, "tunnel").fill(`  ${TUNNEL_ID} `);
  await page.waitForSelector("[data-step='1'][data-state=done]");
  await field(page, "key").fill(KEY);
  await page.waitForSelector("[data-step='2'][data-state=done]");
  expect(await field(page, "key").getAttribute("type")).toBe("password");
  await connect.click();
  await page.getByText("OpenAI knows the tunnel as home-pc").waitFor();
  await page.getByText("OpenAI accepted the key").waitFor();
  expect(await page.textContent("[data-view]")).toMatch(/ChatGPT is online.*Online: OpenAI answered (just now|\d+ s ago)/s);
  await page.locator("[data-step='4']").getByText("Waiting for ChatGPT’s first call").waitFor();
  expect(await inPage(page), "the key has left the page").not.toContain(KEY);
  await page.locator("[data-guide]").getByRole("button", { name: "Copy Tunnel ID" }).click();
  await page.getByRole("button", { name: "Open ChatGPT’s connectors" }).click();
  await expect.poll(() => logOf(page)).toEqual(["copy tunnel_id", "link chatgpt_connectors"]);

  await page.evaluate(() => window.fake?.tunnels.call("new1", "tools/list"));
  await page.waitForSelector("[data-step='4'][data-state=done]");
  expect(await page.textContent("[data-step='4']")).toMatch(/Done:.*ChatGPT called .*It can work in your projects/s);
  expect(await page.locator("[aria-live=polite]").allTextContents()).toContainEqual(expect.stringContaining("ChatGPT has called through ChatGPT."));
  await page.locator("[data-guide]").getByRole("button", { name: "Done" }).click();
  await page.locator("[data-guide]").waitFor({ state: "detached" });
  expect(await page.textContent("[data-hop=last_call]")).toContain("tools/list");
});

test("each step of the set-up first opens OpenAI's page, then takes what was made there", async () => {
  const page = await visit({ scenario: "no-client" });
  await go(page, "connections");
  for (const [step, open, name, words] of [
    ["1", "Open Tunnels", "tunnel", /Choose your ChatGPT workspace.*Tunnels: Manage.*30 min/s],
    ["2", "Open API keys", "key", /Restricted.*Tunnels: Read and Use.*30 min/s],
  ] as const) {
    const at = page.locator(`[data-step='${step}']`);
    expect(await at.textContent()).toMatch(words);
    await at.getByRole("button", { name: open }).focus();
    await page.keyboard.press("Tab");
    expect(await field(page, name).evaluate((input) => input === document.activeElement), `${name} follows ${open}`).toBe(true);
  }
});

test("the age of OpenAI's answer lives, and without a recent one nothing is claimed", async () => {
  const page = await visit({ scenario: "tunnel", at: NOON });
  await go(page, "connections");
  const title = page.locator("[data-view]");
  expect(await title.textContent()).toContain("Online: OpenAI answered 2 s ago.");
  await page.clock.setFixedTime(NOON + 9000);
  await expect.poll(() => title.textContent()).toContain("Online: OpenAI answered 11 s ago.");
  await page.clock.setFixedTime(NOON + 180_000);
  await expect.poll(() => title.textContent()).toContain("Whether ChatGPT Personal is online is not known");
  expect(await title.textContent()).not.toContain("Online");
  await page.evaluate(() => window.fake?.lose());
  await page.waitForSelector("[data-view=unknown]");
});

describe("what may not be saved is said at its field", () => {
  test.each([
    ["tunnel_in_use", "tunnel", "Another connection uses this tunnel already."],
    ["tunnel_invalid", "tunnel", "The Tunnel ID does not look right."],
    ["key_invalid", "key", "The API key is missing or has characters that no key has."],
    ["name_invalid", "name", "This name can’t be used."],
    ["organization_invalid", "organization", "The organization ID does not look right."],
  ])("%s", async (code, name, words) => {
    const page = await visit({ scenario: "no-client" });
    await go(page, "connections");
    await field(page, "tunnel").fill(TUNNEL_ID);
    await field(page, "key").fill(KEY);
    await fails(page, "addConnection", code);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.locator(`[data-field=${name}] [role=alert]`).getByText(words).waitFor();
    await expect.poll(() => field(page, name).evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await field(page, "key").inputValue(), "what was typed stays").toBe(KEY);
    expect(await accessibility(page)).toEqual([]);
    await field(page, name).pressSequentially("x");
    await page.locator(`[data-field=${name}] [role=alert]`).getByText(words).waitFor({ state: "detached" });
  });

  test.each([["too_many", "There are as many connections as can be."], ["secrets_unavailable", "This computer offers no safe place for the key."]])("%s", async (code, words) => {
    const page = await visit({ scenario: "no-client" });
    await go(page, "connections");
    await field(page, "tunnel").fill(TUNNEL_ID);
    await field(page, "key").fill(KEY);
    await fails(page, "addConnection", code);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("alert").getByText(words).waitFor();
  });

  test("proxy_invalid and ca_file_invalid", async () => {
    const page = await visit({ scenario: "tunnel" });
    await go(page, "connections");
    await menu(page, "Edit…");
    await page.getByRole("radio", { name: "Custom" }).click();
    await field(page, "proxy").fill("http://proxy.example:8080");
    await fails(page, "editConnection", "proxy_invalid");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("[data-field=proxy] [role=alert]").getByText("The address of the proxy can’t be used.").waitFor();
    await fails(page, "editConnection", "ca_file_invalid");
    await page.getByRole("button", { name: "Choose file…" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("[data-field=caFile] [role=alert]").getByText("holds no certificate").waitFor();
  });

  test("before the Server is asked: shape, and a tunnel that is in use here", async () => {
    const page = await visit({ scenario: "tunnel" });
    await go(page, "connections");
    await page.getByRole("button", { name: "New connection" }).first().click();
    await field(page, "tunnel").fill("tunnel_b7f2");
    await field(page, "key").fill("sk with blanks");
    await page.getByText("A Tunnel ID is tunnel_ and 32 small letters or figures.").waitFor();
    await field(page, "tunnel").fill(TUNNEL_ID);
    await field(page, "key").press("Enter");
    await page.getByText("ChatGPT Personal uses this tunnel already.").waitFor();
    await page.getByText("A key has letters, figures, _ and - only.").waitFor();
    expect(await page.evaluate(() => window.fake?.status.connections.length)).toBe(1);
  });
});

test("an edit with a blank key keeps the saved one, and the saved one is never in the page", async () => {
  const page = await visit({ scenario: "tunnel" });
  await go(page, "connections");
  await menu(page, "Edit…");
  const sheet = page.getByRole("dialog", { name: "Edit ChatGPT Personal" });
  expect(await field(page, "key").inputValue()).toBe("");
  expect(await field(page, "key").getAttribute("placeholder")).toBe("Kept: ends with 90ac");
  await field(page, "name").fill("ChatGPT Zuhause");
  await field(page, "name").press("Enter");
  await sheet.waitFor({ state: "detached" });
  await page.locator("[data-tunnel=t1]").getByText("ChatGPT Zuhause").waitFor();
  const saved = () => page.evaluate(() => window.fake?.status.connections.map(({ name, keyEndsWith, revision }) => [name, keyEndsWith, revision]));
  expect(await saved()).toEqual([["ChatGPT Zuhause", "90ac", 4]]);
  await menu(page, "Edit…");
  await field(page, "key").fill(KEY);
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(saved).toEqual([["ChatGPT Zuhause", "4f2a", 5]]);
  expect(await inPage(page)).not.toContain(KEY);
});

test("an editor that is out of date is told so, and looks again", async () => {
  const page = await visit({ scenario: "tunnel" });
  await go(page, "connections");
  await menu(page, "Edit…");
  await field(page, "name").fill("Mine");
  await page.evaluate(() => window.fake?.change({ connections: window.fake.status.connections.map((one) => ({ ...one, name: "Theirs", revision: 9 })) }));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("It was changed elsewhere in the meantime.").waitFor();
  await page.getByRole("button", { name: "Look again" }).click();
  expect(await field(page, "name").inputValue()).toBe("Theirs");
  await field(page, "name").fill("Ours");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("[data-tunnel=t1]").getByText("Ours").waitFor();
});

test("deleting asks, says what stays, and refuses what was changed meanwhile", async () => {
  const page = await visit({ scenario: "tunnels" });
  await go(page, "connections");
  await page.click("[data-tunnel=t1]");
  await menu(page, "Delete…");
  const sheet = page.getByRole("dialog", { name: "Delete ChatGPT Personal?" });
  expect(await sheet.textContent()).toContain("The tunnel at OpenAI and the connector in ChatGPT stay");
  await sheet.getByRole("button", { name: "Keep" }).click();
  await sheet.waitFor({ state: "detached" });
  await menu(page, "Delete…");
  await page.evaluate(() => window.fake?.change({ connections: window.fake.status.connections.map((one) => ({ ...one, revision: one.revision + 1 })) }));
  await sheet.getByRole("button", { name: "Delete" }).click();
  await sheet.getByRole("button", { name: "Look again" }).click();
  await sheet.getByRole("button", { name: "Delete" }).click();
  await page.locator("[data-tunnel=t1]").waitFor({ state: "detached" });
  expect(await page.evaluate(() => window.fake?.status.connections.map((one) => one.id)), "no other is touched").toEqual(["t2", "t3", "t4", "t5", "t6"]);
});

test("a tunnel named in the environment is offered once and taken over or declined", async () => {
  const page = await visit({ scenario: "importable" });
  await go(page, "connections");
  const offer = page.locator("[data-import]");
  expect(await offer.textContent()).toContain(`CONTROL_PLANE_TUNNEL_ID names ${TUNNEL_ID}.`);
  await offer.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("heading", { name: "ChatGPT is online" }).waitFor();
  await offer.waitFor({ state: "detached" });
  const other = await visit({ scenario: "importable" });
  await go(other, "connections");
  await other.getByRole("button", { name: "Not now" }).click();
  await other.locator("[data-import]").waitFor({ state: "detached" });
});

test("a refused key is replaced where the broken hop is shown", async () => {
  const page = await visit({ scenario: "tunnel-broken" });
  await page.getByRole("button", { name: "See what is broken" }).click();
  expect(await page.textContent("[data-hop=key].broken")).toContain("OpenAI did not accept the key: it is wrong, deleted or expired. Make a new key");
  expect(await page.textContent("[data-hop=tunnel]")).toContain("not checked");
  expect(await page.getByRole("link", { name: "Connections, 1 needs you" }).count()).toBe(1);
  await page.getByLabel("New API key").last().fill(KEY);
  await page.getByRole("button", { name: "Replace and connect" }).click();
  await page.getByRole("heading", { name: "ChatGPT Work is online" }).waitFor();
  expect(await inPage(page)).not.toContain(KEY);
});

test("each reason has its one action, which does it", async () => {
  const page = await visit({ scenario: "tunnel" });
  await go(page, "connections");
  const show = async (connection: TunnelConnection) => {
    await setTo(page, [connection]);
    await page.waitForSelector("[data-tunnel=t1]");
  };
  await show(tunnelWith("proxy_auth_needed", Date.now(), { route: { mode: "custom", proxy: "http://lin@proxy:8080" } }));
  await page.getByRole("button", { name: "Change route…" }).click();
  await expect.poll(() => field(page, "proxy").evaluate((node) => node === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: "Cancel" }).click();
  await show(tunnelWith("organization_needed", Date.now()));
  await page.getByRole("button", { name: "Enter organization…" }).click();
  await expect.poll(() => field(page, "organization").evaluate((node) => node === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: "Cancel" }).click();
  await show(tunnelWith("key_cannot_use_tunnel", Date.now()));
  await page.locator("[data-hop=tunnel]").getByRole("button", { name: "Open API keys" }).click();
  await show(tunnelWith("connector_sends_credentials", Date.now()));
  await page.locator("[data-hop=last_call]").getByRole("button", { name: "Open ChatGPT’s connectors" }).click();
  await expect.poll(() => logOf(page)).toEqual(["link openai_keys", "link chatgpt_connectors"]);
  await show(tunnelWith("service_trouble", Date.now()));
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByRole("heading", { name: "ChatGPT Personal is online" }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("heading", { name: "ChatGPT Personal is off" }).waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("heading", { name: "ChatGPT Personal is online" }).waitFor();
  await show(tunnelIn("stopping", Date.now()));
  await page.getByRole("heading", { name: "ChatGPT Personal is finishing its calls" }).waitFor();
  expect(await page.getByRole("button", { name: "Stop", exact: true }).count(), "it stops already").toBe(0);
});

test("old tools show how they are renewed", async () => {
  const page = await visit({ scenario: "tunnels" });
  await go(page, "connections");
  await page.click("[data-tunnel=t1]");
  await page.locator("[data-hop=tools]").getByRole("button", { name: "Show how" }).click();
  await page.getByText("ChatGPT keeps a copy of the list until then.").waitFor();
  await page.getByText("The clock of this computer is 7 min ahead of OpenAI’s.").waitFor();
});

test("without a pointer: made, and chosen among six", async () => {
  const page = await visit({ scenario: "no-client" });
  await page.keyboard.press("Control+5");
  await page.waitForSelector("[data-new-tunnel]");
  for (let n = 0; n < 20 && !(await field(page, "tunnel").evaluate((node) => node === document.activeElement)); n += 1) await page.keyboard.press("Tab");
  await page.keyboard.insertText(TUNNEL_ID);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.insertText(KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "ChatGPT is online" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H2");

  const six = await visit({ scenario: "tunnels" });
  await go(six, "connections");
  await six.locator("[data-tunnel=t1]").focus();
  await six.keyboard.press("ArrowDown");
  await six.keyboard.press("ArrowDown");
  await six.keyboard.press("Enter");
  await six.getByRole("heading", { name: /^工作用的 ChatGPT.* is not online/ }).waitFor();
});

const looks = [
  { language: "en", theme: "light", width: 1100 },
  { language: "en", theme: "dark", width: 720 },
  { language: "zh-CN", theme: "light", width: 720 },
  { language: "zh-CN", theme: "dark", width: 1100 },
] as const;

test.each(looks)("six connections of every kind are sound in $language, $theme, $width px", async (look) => {
  const page = await visit({ ...look, height: 620, scenario: "tunnels" });
  const expectGood = async (where: string) => {
    expect(await accessibility(page), `accessibility of ${where}`).toEqual([]);
    expect(await sidewaysOf(page), `overflow of ${where}`).toEqual([]);
  };
  await expectGood("Home");
  await go(page, "connections");
  for (const id of ["t1", "t2", "t3", "t4", "t5", "t6"]) {
    await page.click(`[data-tunnel=${id}]`);
    await page.waitForSelector("[data-view]");
    await expectGood(id);
  }
  await page.click(".title [aria-haspopup=menu]");
  await page.getByRole("menuitem").first().click();
  await page.waitForSelector("dialog[open]");
  await expectGood("the editor");
  await page.keyboard.press("Escape");
  await page.click("nav.list .head button");
  await page.waitForSelector("[data-new-tunnel]");
  await page.locator("[data-new-tunnel] details summary").click();
  await expectGood("a new one");
});
