import { describe, expect, test } from "vitest";
import { type HostName, show, type Shown } from "./hosts/hosts";
import { useBrowser } from "./window";

useBrowser();
const hosts: HostName[] = ["window", "official", "chatgpt"];

/** One walk through the work, the same in every host; what was seen and what reached the tools on the way. */
async function walk({ view, calls, links, agree }: Shown) {
  const seen: string[] = [];
  const row = (path: string) => view.locator(`[data-row="${path}"]`);
  const open = (path: string) => row(path).locator("[data-file]").click();
  await view.waitForSelector("[data-row='src/cart/cart.ts']");
  seen.push(`title ${await view.textContent("h1")}`);
  seen.push(`tabs ${(await view.locator("[role=tab]").allTextContents()).map((words) => words.replace(/\s+/g, " ").trim()).join("|")}`);
  seen.push(`rows ${(await view.locator("[data-row]").evaluateAll((all) => all.map((one) => one.getAttribute("data-row")))).join("|")}`);

  await open("src/cart/cart.ts");
  await row("src/cart/cart.ts").locator(".dl").first().waitFor();
  seen.push(`hunks ${await row("src/cart/cart.ts").locator("[data-hunk]").count()}`);
  seen.push(`marks ${(await row("src/cart/cart.ts").locator("mark").allTextContents()).join("|")}`);
  await row("src/cart/cart.ts").locator("[data-hunk]").first().getByRole("button", { name: /^Accept lines/ }).click();
  await row("src/cart/cart.ts").locator("[data-hunk]").first().getByText("Accepted").waitFor();

  await row("src/cart/cart.ts").locator("[data-hunk]").last().getByRole("button", { name: /^Reject line/ }).click();
  await view.getByLabel("Tell the model why (optional)").fill("keep the old words");
  await view.getByRole("button", { name: "Reject and undo" }).click();
  await view.locator("[data-rejection]").waitFor();
  seen.push(`rejected ${(await view.textContent("[data-rejection]"))?.includes("“keep the old words”")}`);
  await view.locator("[data-rejection]").getByRole("button", { name: /^Take back/ }).click();
  await view.locator("[data-rejection]").waitFor({ state: "detached" });

  await open("docs/导出说明.md");
  await row("docs/导出说明.md").getByRole("radio", { name: "Document" }).click();
  await row("docs/导出说明.md").locator("table").waitFor();
  seen.push(`document ${(await row("docs/导出说明.md").locator(".document").innerText()).replace(/\s+/g, " ")}`);
  await row("docs/导出说明.md").getByRole("button", { name: "format" }).click();
  await row("docs/导出说明.md").getByRole("button", { name: "Open…" }).click();
  await agree();
  await expect.poll(links).toEqual(["https://example.org/format"]);

  await view.getByRole("tab", { name: /Activity/ }).click();
  seen.push(`activity ${await view.locator("[role=tabpanel] ol > li").count()}`);
  await view.getByRole("tab", { name: /Collaboration/ }).click();
  seen.push(`others ${await view.locator("[role=tabpanel] ul > li").count()}`);
  const made = (await calls()).filter((call) => call.tool !== "work_result_state")
    .map(({ tool, arguments: { project: _project, ...given } }) => `${tool} ${JSON.stringify(given)}`);
  return { seen, made };
}

describe("one page, three hosts", () => {
  const results: Record<string, unknown> = {};
  test.each(hosts)("the whole walk in %s", async (host) => {
    results[host] = await walk(await show(host, { work: "open" }));
  });

  test("the same was seen and asked in all of them", () => {
    expect(Object.keys(results)).toHaveLength(hosts.length);
    expect(results["official"]).toEqual(results["window"]);
    expect(results["chatgpt"]).toEqual(results["window"]);
  });
});
