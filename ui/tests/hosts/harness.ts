import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { draw } from "../../apps/draw/draw";
import { Fragment, jsx } from "../../apps/draw/jsx-runtime";
import type { ToolResult } from "../../apps/bridge/types";
import { FakeWork, PAGE_TOOLS, type WorkName } from "../../desktop/bridge/fake/work/server";

/** How a page is to be shown; the same for either host. */
export interface Staging {
  html: string;
  work: WorkName;
  view: "card" | "panel";
  displayMode: "inline" | "fullscreen";
  theme: "light" | "dark";
  locale: string;
  width?: number;
}

/** What a host was asked beyond tools. */
export interface Asked {
  links: string[];
  messages: string[];
  modes: string[];
  sizes: number[];
  refused: string[];
}

declare global {
  interface Window {
    stage: Stage;
    /** What pages are drawn with, to be tried by itself. */
    drawing: { draw: typeof draw; jsx: typeof jsx; Fragment: typeof Fragment };
  }
}

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** One page in a frame without an origin, and one of two hosts around it. */
class Stage {
  work: FakeWork | undefined;
  readonly asked: Asked = { links: [], messages: [], modes: [], sizes: [], refused: [] };
  bridge: AppBridge | undefined;

  #put({ html, width, displayMode }: Staging, before = ""): HTMLIFrameElement {
    const frame = document.createElement("iframe");
    frame.title = "page";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.style.cssText = `border:0;display:block;width:${width ? `${width}px` : "100%"};height:${displayMode === "inline" ? "150px" : "100vh"}`;
    const meta = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    frame.srcdoc = html.replace(/^\s*<!doctype[^>]*>/i, (doctype) => doctype + meta + before);
    return frame;
  }

  #call(work: FakeWork, name: string, given: Record<string, unknown>): ToolResult {
    if (!PAGE_TOOLS.some((tool) => tool === name)) {
      this.asked.refused.push(name);
      throw new Error(`pages may not call ${name}`);
    }
    return work.call(name, given);
  }

  #sized(frame: HTMLIFrameElement, height: number): void {
    this.asked.sizes.push(height);
    if (frame.style.height !== "100vh") frame.style.height = `${height}px`;
  }

  #mode(frame: HTMLIFrameElement, mode: string): void {
    this.asked.modes.push(mode);
    if (mode === "fullscreen") frame.style.height = "100vh";
  }

  /** The official bridge of the Apps SDK, without an MCP client behind it. */
  async official(staging: Staging): Promise<void> {
    const work = new FakeWork(staging.work);
    this.work = work;
    const { theme, locale, displayMode } = staging;
    const frame = this.#put(staging);
    const bridge = new AppBridge(null, { name: "Official", version: "1" }, { serverTools: {}, openLinks: {}, message: { text: {} } }, {
      hostContext: { theme, locale, displayMode, availableDisplayModes: ["inline", "fullscreen"], platform: "web" },
    });
    this.bridge = bridge;
    bridge.oncalltool = ({ name, arguments: given }) => Promise.resolve(this.#call(work, name, given ?? {}) as never);
    bridge.onopenlink = ({ url }) => { this.asked.links.push(url); return Promise.resolve({}); };
    bridge.onmessage = ({ content }) => { this.asked.messages.push(JSON.stringify(content)); return Promise.resolve({}); };
    bridge.onrequestdisplaymode = ({ mode }) => {
      this.#mode(frame, mode);
      void bridge.sendHostContextChange({ displayMode: mode });
      return Promise.resolve({ mode });
    };
    bridge.onsizechange = ({ height }) => this.#sized(frame, height ?? 0);
    bridge.oninitialized = () => {
      void bridge.sendToolInput({ arguments: { project: work.project } });
      void bridge.sendToolResult(work.presented(staging.view) as never);
    };
    document.body.append(frame);
    if (!frame.contentWindow) throw new Error("the frame has no window");
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  }

  /** ChatGPT without the handshake: globals in the page's own window, set before its script runs. */
  chatgpt(staging: Staging): void {
    const work = new FakeWork(staging.work);
    this.work = work;
    addEventListener("message", ({ data, source }) => {
      if (source !== frame?.contentWindow || typeof data?.openai !== "string") return;
      const reply = (value: unknown, error?: string) => source?.postMessage({ id: data.id, value, error }, { targetOrigin: "*" });
      try {
        switch (data.openai) {
          case "call": return reply(this.#call(work, data.name, data.given));
          case "link": this.asked.links.push(data.href); return reply(null);
          case "message": this.asked.messages.push(JSON.stringify([{ type: "text", text: data.prompt }])); return reply(null);
          case "mode": this.#mode(frame, data.mode); return reply({ mode: data.mode });
          case "size": return this.#sized(frame, data.height);
        }
      } catch (error) {
        reply(null, String(error));
      }
    });
    const { theme, locale, displayMode, view } = staging;
    const facts = JSON.stringify({ theme, locale, displayMode, toolInput: { project: work.project }, toolOutput: work.presented(view).structuredContent });
    const frame = this.#put(staging, `<script>{
      const waiting = new Map(); let next = 0;
      const ask = (openai, more) => new Promise((resolve, reject) => { const id = ++next; waiting.set(id, { resolve, reject }); parent.postMessage({ openai, id, ...more }, "*"); });
      addEventListener("message", ({ data }) => { const one = waiting.get(data?.id); if (!one || data.jsonrpc) return; data.error ? one.reject(new Error(data.error)) : one.resolve(data.value); });
      window.openai = { ...${facts.replaceAll("<", "\\u003c")},
        callTool: (name, given) => ask("call", { name, given }), openExternal: ({ href }) => void ask("link", { href }),
        sendFollowUpMessage: ({ prompt }) => ask("message", { prompt }), notifyIntrinsicHeight: (height) => void ask("size", { height }),
        requestDisplayMode: async ({ mode }) => { const now = await ask("mode", { mode }); window.openai.displayMode = now.mode; dispatchEvent(new CustomEvent("openai:set_globals", { detail: { globals: { displayMode: now.mode } } })); return now; } };
    }</` + `script>`);
    document.body.append(frame);
  }
}

window.stage = new Stage();
window.drawing = { draw, jsx, Fragment };
