import { Rpc } from "./rpc";
import {
  type AppInfo, type DisplayMode, type Host, type HostAbilities, type HostContext, type HostListener, PROTOCOL,
  type ToolResult,
} from "./types";

interface Initialized {
  hostInfo?: { name?: string };
  hostCapabilities?: Partial<Record<"serverTools" | "openLinks" | "message" | "experimental", object>>;
  hostContext?: HostContext;
}

/** A host that speaks MCP Apps: every message goes to the window that frames us, and only that one is heard. */
export class McpAppsHost implements Host {
  readonly kind = "mcp-apps";
  name = "";
  abilities: HostAbilities = { serverTools: false, openLinks: false, message: false, experimental: {} };
  context: HostContext = {};
  #listener: HostListener | undefined;
  /** Said before anybody listened. */
  #early: ((listener: HostListener) => void)[] = [];
  readonly #rpc: Rpc;

  constructor(here: Window) {
    this.#rpc = new Rpc(here, here.parent, {
      request: {
        "ui/resource-teardown": () => this.#listener?.teardown?.(),
        ping: () => ({}),
      },
      notification: (method, parameters) => this.#take(method, parameters),
    });
  }

  /** The handshake; comes back when the host has answered it, which a page in another kind of host never sees. */
  async initialize(appInfo: AppInfo): Promise<this> {
    const answer = (await this.#rpc.request("ui/initialize", {
      appInfo: { ...appInfo },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: PROTOCOL,
    })) as Initialized;
    const can = answer.hostCapabilities ?? {};
    this.name = answer.hostInfo?.name ?? "";
    this.abilities = {
      serverTools: "serverTools" in can, openLinks: "openLinks" in can, message: "message" in can,
      experimental: (can.experimental ?? {}) as Record<string, unknown>,
    };
    this.context = { ...answer.hostContext, ...this.context };
    this.#rpc.notify("ui/notifications/initialized", {});
    return this;
  }

  close(): void {
    this.#rpc.close();
  }

  listen(listener: HostListener): void {
    this.#listener = listener;
    listener.context?.(this.context);
    this.#early.splice(0).forEach((tell) => tell(listener));
  }

  async callTool(name: string, argumentsOfCall: Record<string, unknown>): Promise<ToolResult> {
    return (await this.#rpc.request("tools/call", { name, arguments: argumentsOfCall })) as ToolResult;
  }

  async openLink(url: string): Promise<boolean> {
    return this.#accepted("ui/open-link", { url });
  }

  async say(text: string): Promise<boolean> {
    return this.#accepted("ui/message", { role: "user", content: [{ type: "text", text }] });
  }

  async requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    const { mode: now } = (await this.#rpc.request("ui/request-display-mode", { mode })) as { mode: DisplayMode };
    this.#changeContext({ displayMode: now });
    return now;
  }

  sizeChanged(width: number, height: number): void {
    this.#rpc.notify("ui/notifications/size-changed", { width, height });
  }

  extra(method: string, parameters: Record<string, unknown>): Promise<unknown> {
    return this.#rpc.request(method, parameters);
  }

  async #accepted(method: string, parameters: Record<string, unknown>): Promise<boolean> {
    const answer = (await this.#rpc.request(method, parameters)) as { isError?: boolean };
    return answer.isError !== true;
  }

  #changeContext(change: HostContext): void {
    this.context = { ...this.context, ...change };
    this.#listener?.context?.(this.context);
  }

  #tell(tell: (listener: HostListener) => void): void {
    if (this.#listener) tell(this.#listener);
    else this.#early.push(tell);
  }

  #take(method: string, parameters: Record<string, unknown>): void {
    switch (method) {
      case "ui/notifications/host-context-changed":
        return this.#changeContext(parameters);
      case "ui/notifications/tool-input":
        return this.#tell((listener) => listener.input?.((parameters["arguments"] ?? {}) as Record<string, unknown>));
      case "ui/notifications/tool-result":
        return this.#tell((listener) => listener.result?.(parameters));
      case "ui/notifications/tool-cancelled":
        return this.#tell((listener) => listener.cancelled?.(String(parameters["reason"] ?? "")));
    }
  }
}
