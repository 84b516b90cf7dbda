import {
  McpUiInitializedNotificationSchema, McpUiInitializeRequestSchema, McpUiMessageRequestSchema, McpUiOpenLinkRequestSchema,
  McpUiRequestDisplayModeRequestSchema, McpUiSizeChangedNotificationSchema,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import { expect, test } from "vitest";
import { CallToolRequestSchema } from "@modelcontextprotocol/core";
import { connect } from "./connect";
import type { HostContext } from "./types";

type Message = Record<string, unknown> & { id?: number; method?: string };

/** Two windows facing each other; the host's side records what it is sent and answers by hand. */
function stage() {
  const listeners = new Set<(event: unknown) => void>();
  const sent: Message[] = [];
  const parent = { postMessage: (message: Message) => void sent.push(message) };
  const page = {
    parent,
    addEventListener: (_name: string, listener: (event: unknown) => void) => listeners.add(listener),
    removeEventListener: (_name: string, listener: (event: unknown) => void) => listeners.delete(listener),
  };
  const from = (source: unknown, data: unknown) => listeners.forEach((listener) => listener({ source, data, origin: "https://host" }));
  const say = (data: object) => from(parent, { jsonrpc: "2.0", ...data });
  const answer = (method: string, result: object) => say({ id: sent.find((one) => one.method === method)?.id, result });
  const settled = async (count: number) => expect.poll(() => sent.length).toBe(count);
  return { page: page as unknown as Window & { openai?: object }, sent, from, say, answer, settled };
}

const app = { name: "work-result", version: "1.0.0" };
const initialized = {
  protocolVersion: "2026-01-26", hostInfo: { name: "Host", version: "1" },
  hostCapabilities: { serverTools: {}, openLinks: {}, message: {} },
  hostContext: { theme: "dark", locale: "zh-CN", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] },
};

test("everything that is said has the form of the official schema", async () => {
  const { page, sent, answer, settled } = stage();
  const connecting = connect(app, page);
  expect(McpUiInitializeRequestSchema.parse(sent[0])).toMatchObject({ method: "ui/initialize" });
  answer("ui/initialize", initialized);
  const host = await connecting;
  expect(McpUiInitializedNotificationSchema.safeParse(sent[1]).success).toBe(true);

  const call = host.callTool("work_result_state", { project: "~p1" });
  const link = host.openLink("https://example.org/");
  const word = host.say("hello");
  const mode = host.requestDisplayMode("fullscreen");
  host.sizeChanged(640, 200);
  await settled(7);
  const schemas = [CallToolRequestSchema, McpUiOpenLinkRequestSchema, McpUiMessageRequestSchema, McpUiRequestDisplayModeRequestSchema, McpUiSizeChangedNotificationSchema];
  schemas.forEach((schema, at) => expect(schema.safeParse(sent[at + 2]).success, JSON.stringify(sent[at + 2])).toBe(true));
  expect(sent.every((message) => message["jsonrpc"] === "2.0")).toBe(true);

  answer("tools/call", { content: [], structuredContent: { success: true, output: {} } });
  answer("ui/open-link", { isError: true });
  answer("ui/message", {});
  answer("ui/request-display-mode", { mode: "inline" });
  expect(await call).toMatchObject({ structuredContent: { success: true } });
  expect(await link, "a refusal is a refusal").toBe(false);
  expect(await word).toBe(true);
  expect(await mode, "the mode that is really in force").toBe("inline");
});

test("what is said before anybody listens is not lost, and contexts are merged", async () => {
  const { page, answer, say } = stage();
  const connecting = connect(app, page);
  answer("ui/initialize", initialized);
  const host = await connecting;
  say({ method: "ui/notifications/tool-input", params: { arguments: { project: "~p1" } } });
  const heard: unknown[] = [];
  const contexts: HostContext[] = [];
  host.listen({ input: (input) => heard.push(input), result: (result) => heard.push(result), context: (context) => contexts.push(context) });
  say({ method: "ui/notifications/tool-result", params: { content: [], structuredContent: { success: true } } });
  say({ method: "ui/notifications/host-context-changed", params: { theme: "light" } });
  expect(heard).toEqual([{ project: "~p1" }, { content: [], structuredContent: { success: true } }]);
  expect(contexts.at(-1)).toMatchObject({ theme: "light", locale: "zh-CN" });
});

test("the host is answered: teardown after the page has heard of it, unknown requests with a refusal", async () => {
  const { page, sent, answer, say, settled } = stage();
  const connecting = connect(app, page);
  answer("ui/initialize", initialized);
  const host = await connecting;
  let gone = false;
  host.listen({ teardown: () => void (gone = true) });
  say({ id: 71, method: "ui/resource-teardown", params: {} });
  say({ id: 72, method: "tools/list", params: {} });
  say({ id: 73, method: "constructor", params: {} });
  await settled(5);
  expect(gone).toBe(true);
  const answers = sent.filter((message) => "id" in message && !message.method);
  expect(Object.fromEntries(answers.map((message) => [message.id, "error" in message]))).toEqual({ 71: false, 72: true, 73: true });
});

test("nobody but the framing window is heard", async () => {
  const { page, sent, from, answer } = stage();
  const connecting = connect(app, page);
  const stranger = { postMessage: () => undefined };
  from(stranger, { jsonrpc: "2.0", id: sent[0]?.id, result: { ...initialized, hostInfo: { name: "Stranger" } } });
  from(stranger, null);
  answer("ui/initialize", initialized);
  const host = await connecting;
  expect(host.name).toBe("Host");
  const heard: unknown[] = [];
  host.listen({ result: (result) => heard.push(result) });
  from(stranger, { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [] } });
  expect(heard).toEqual([]);
});

test("where nobody answers the handshake, the globals of ChatGPT are used", async () => {
  const { page } = stage();
  const calls: unknown[] = [];
  Object.assign(page, {
    openai: {
      theme: "dark", locale: "en", displayMode: "inline", toolInput: { project: "~p1" }, toolOutput: { success: true, output: { project: "~p1" } },
      callTool: (name: string, given: object) => { calls.push([name, given]); return Promise.resolve({ result: "{\"success\":true}" }); },
      requestDisplayMode: () => Promise.resolve({ mode: "fullscreen" }),
    },
  });
  const host = await connect(app, page, 0);
  expect(host.kind).toBe("chatgpt");
  expect(host.abilities).toMatchObject({ serverTools: true, openLinks: false, message: false });
  const heard: unknown[] = [];
  host.listen({ input: (input) => heard.push(input), result: (result) => heard.push(result.structuredContent) });
  expect(heard).toEqual([{ project: "~p1" }, { success: true, output: { project: "~p1" } }]);
  expect(await host.callTool("t", { a: 1 }), "an answer that is its text alone").toEqual({ structuredContent: { success: true } });
  expect(await host.requestDisplayMode("fullscreen")).toBe("fullscreen");
  expect(await host.openLink("https://a/")).toBe(false);
});
