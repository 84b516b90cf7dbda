// Pictures of every page and state, in both languages and appearances, into shots/ (which git ignores).
// `npm run shots` makes all of them, `npm run shots -- "activity.*zh-CN"` those whose file name fits the pattern.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./browser.mjs";

const OUT = fileURLToPath(new URL("../shots", import.meta.url));
const NOON = Date.parse("2026-11-30T14:04:38+08:00");

const TUNNEL = "tunnel_b7f2k0d9s8a7q6w5e4r3t2y1u0i990ac";

/** @typedef {import("playwright-core").Page} Page */
/** @param {string} page */
const at = (page) => (/** @type {Page} */ view) => view.click(`nav [data-page=${page}]`);
/** @param {Page} view @param {string} tab */
const tab = async (view, tab) => {
  await at("activity")(view);
  await view.click(`#activity-view-${tab}`);
};
const dropped = ["C:\\Users\\Lin", "\\\\nas-home\\archive", "D:\\Projects\\webshop-api", "D:\\文档\\课程讲义", "C:\\Users\\Lin\\OneDrive\\thesis\\chapters", "D:\\Projects\\webshop"];
/** @param {Page} view @param {string[]} paths */
const drop = (view, paths) => view.evaluate((all) => window.fake?.drag({ kind: "dropped", paths: all }), paths);

/** @type {[name: string, scenario: string, steps: (view: Page) => unknown][]} */
const pictures = [
  ["home-ready", "ready", () => undefined],
  ["home-working", "busy", () => undefined],
  ["home-empty", "empty", () => undefined],
  ["home-no-client", "no-client", () => undefined],
  ["home-paused", "paused", () => undefined],
  ["home-problem", "problem", () => undefined],
  ["home-broken", "broken", () => undefined],
  ["home-remarks", "remarks", () => undefined],
  ["home-restarting", "restarting", () => undefined],
  ["home-names", "names", () => undefined],
  ["home-credential", "ready", async (view) => { await view.click("#connect-panel-other"); await view.click("#connect-panel button:has-text('Show'), #connect-panel button:has-text('显示')"); }],
  ["home-lost", "ready", (view) => view.evaluate(() => window.fake?.lose())],
  ["home-failing", "failing", async (view) => { await at("projects")(view); await view.locator("[role=switch]").first().click(); }],
  ["starting", "silent", (view) => view.waitForTimeout(400)],
  ["projects-list", "ready", at("projects")],
  ["projects-empty", "empty", at("projects")],
  ["projects-names", "names", at("projects")],
  ["projects-drag", "ready", async (view) => { await at("projects")(view); await view.evaluate(() => window.fake?.drag({ kind: "over", items: 5 })); }],
  ["projects-result", "ready", async (view) => { await drop(view, dropped); await view.waitForSelector("[data-result=added]"); }],
  ["projects-remove", "busy", async (view) => { await at("projects")(view); await view.locator("[data-project='官网改版-2026'] [aria-haspopup=menu]").click(); await view.locator("[role=menuitem]").last().click(); }],
  ["projects-menu", "ready", async (view) => { await at("projects")(view); await view.locator("[data-project=webshop] [aria-haspopup=menu]").click(); }],
  ["projects-paste", "ready", async (view) => { await at("projects")(view); await view.locator(".page-head button").first().click(); }],
  ["activity-calls", "busy", at("activity")],
  ["activity-open", "busy", async (view) => { await at("activity")(view); await view.locator("[data-index='1']").click(); await view.waitForSelector(".steps"); }],
  ["activity-refused", "busy", async (view) => { await at("activity")(view); await view.locator("[data-index='4']").click(); await view.waitForSelector(".steps"); }],
  ["activity-no-match", "busy", async (view) => { await at("activity")(view); await view.fill("[type=search]", "zzz"); }],
  ["activity-long", "long", at("activity")],
  ["activity-names", "names", at("activity")],
  ["activity-empty", "empty", at("activity")],
  ["activity-jobs", "busy", async (view) => { await tab(view, "jobs"); await view.locator("[data-job=j1] button").click(); }],
  ["activity-sessions", "ready", (view) => tab(view, "sessions")],
  ["approvals-command", "approvals", (view) => view.waitForTimeout(700)],
  ["approvals-edit", "approvals", async (view) => { await view.waitForTimeout(700); await view.click("dialog button >> nth=0"); await at("approvals")(view); await view.locator("[data-approval=a2] button").click(); await view.waitForTimeout(700); }],
  ["approvals-deny", "approvals", async (view) => { await view.waitForTimeout(700); await view.locator("dialog footer button").last().click(); }],
  ["approvals-page", "approvals", async (view) => { await view.waitForTimeout(700); await view.click("dialog button >> nth=0"); await at("approvals")(view); }],
  ["approvals-expired", "expired", (view) => view.waitForTimeout(700)],
  ["home-tunnel", "tunnel", () => undefined],
  ["home-tunnels", "tunnels", () => undefined],
  ["connections-public", "ready", at("connections")],
  ["connections-broken", "broken", at("connections")],
  ["connections-new", "no-client", at("connections")],
  ["connections-new-filled", "no-client", async (view) => {
    await at("connections")(view);
    await view.fill("[data-field=tunnel] input", TUNNEL);
    await view.fill("[data-field=key] input", "sk-proj_not_a_key_0000");
    await view.click("details summary");
    await view.locator("form [role=radio]").last().click();
    await view.locator("[data-new-tunnel] [type=submit]").scrollIntoViewIfNeeded();
  }],
  ["connections-new-wrong", "tunnels", async (view) => {
    await at("connections")(view);
    await view.click("nav.list .head button");
    await view.fill("[data-field=tunnel] input", "tunnel_b7f2");
    await view.fill("[data-field=key] input", "sk with blanks");
    await view.click("[data-new-tunnel] [type=submit]");
  }],
  ["connections-online", "tunnel", at("connections")],
  ["connections-silent", "tunnel-silent", at("connections")],
  ["connections-called", "tunnel-silent", async (view) => { await at("connections")(view); await view.evaluate(() => window.fake?.tunnels.call("t1")); }],
  ["connections-key", "tunnel-broken", at("connections")],
  ["connections-proxy", "tunnels", async (view) => { await at("connections")(view); await view.click("[data-tunnel=t3]"); }],
  ["connections-server", "tunnels", async (view) => { await at("connections")(view); await view.click("[data-tunnel=t4]"); }],
  ["connections-off", "tunnels", async (view) => { await at("connections")(view); await view.click("[data-tunnel=t5]"); }],
  ["connections-notices", "tunnels", async (view) => { await at("connections")(view); await view.click("[data-tunnel=t1]"); }],
  ["connections-facts", "tunnels", async (view) => { await at("connections")(view); await view.click("[data-tunnel=t6]"); await view.locator(".detail dl").scrollIntoViewIfNeeded(); }],
  ["connections-edit", "tunnels", async (view) => { await at("connections")(view); await view.click("[data-tunnel=t3]"); await view.click(".title [aria-haspopup=menu]"); await view.locator("[role=menuitem]").first().click(); }],
  ["connections-delete", "tunnel", async (view) => { await at("connections")(view); await view.click(".title [aria-haspopup=menu]"); await view.locator("[role=menuitem]").last().click(); }],
  ["connections-import", "importable", at("connections")],
  ["connections-claude", "ready", async (view) => { await at("connections")(view); await view.click("[data-client=claude_desktop]"); }],
  ["connections-other", "ready", async (view) => { await at("connections")(view); await view.click("[data-client=other]"); }],
  ["settings", "ready", at("settings")],
  ["settings-end", "remarks", async (view) => { await at("settings")(view); await view.locator(".toc a").last().click(); }],
  ["first-1", "first-run", () => undefined],
  ["first-1-result", "first-run", async (view) => { await drop(view, dropped.slice(0, 3)); await view.waitForSelector("[data-result=added]"); }],
  ["first-2", "first-run", async (view) => { await drop(view, dropped.slice(2, 3)); await view.waitForSelector("[data-result=added]"); await view.locator("section button").last().click(); }],
  ["first-3", "first-run", async (view) => { await view.locator("section button").last().click(); }],
];

const wanted = new RegExp(process.argv[2] ?? "");
const looks = /** @type {const} */ ([["en", "light"], ["en", "dark"], ["zh-CN", "light"], ["zh-CN", "dark"]]);
const sizes = [{ width: 1100, height: 760, mark: "" }, { width: 720, height: 620, mark: "-720" }];
const shots = pictures.flatMap(([name, scenario, steps]) =>
  looks.flatMap(([language, theme]) =>
    sizes
      // The narrow window is the same in either appearance: one of each language is enough to look at.
      .filter(({ mark }) => mark === "" || (theme === "light") === (language === "en"))
      .map(({ width, height, mark }) => ({ file: `${name}-${language}-${theme}${mark}.png`, scenario, steps, language, theme, width, height })),
  ),
);
const asked = shots.filter(({ file }) => wanted.test(file));
await mkdir(OUT, { recursive: true });
const browser = await openBrowser();
for (const { file, steps, ...visit } of asked) {
  const view = await browser.visit({ ...visit, at: NOON });
  await steps(view);
  await view.screenshot({ path: `${OUT}/${file}` });
  await view.context().close();
}
await browser.close();
console.log(`${asked.length} pictures: ${OUT}`);
