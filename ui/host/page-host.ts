import { Refused, Rpc } from "../apps/bridge/rpc";
import { type DisplayMode, type HostContext, PROTOCOL, type ToolResult } from "../apps/bridge/types";

/** A page with everything a host has to know to show it. */
export interface HostedPage {
  /** The whole document. */
  html: string;
  /** What the resource declares that it may load; passed on as it is, and never widened. */
  csp: Readonly<Record<string, readonly string[]>>;
  /** The tools it may call; every other one is out of its reach. */
  tools: readonly string[];
}

/** What the host does on behalf of a page. Whatever leaves the window is asked of the person there. */
export interface PageServices {
  callTool(name: string, argumentsOfCall: Record<string, unknown>): Promise<ToolResult>;
  /** True when the person agreed and the address was opened. */
  openLink(url: string): Promise<boolean>;
  /** True when the person took the words on. */
  message(text: string): Promise<boolean>;
  openFile(path: string, where: "editor" | "files"): Promise<boolean>;
  /** The mode that is in force afterwards. */
  displayMode(mode: DisplayMode): DisplayMode;
  sizeChanged(height: number): void;
  /** The page asks to be taken away. */
  close(): void;
}

/** What the page begins with: the call that opened it, and its result. */
export interface Opening {
  input: Record<string, unknown>;
  result: ToolResult;
}

const NOT_ALLOWED = -32602;
/** How long a page may take to say goodbye. */
const GOODBYE_MS = 500;

/** One page in its two frames, seen from the window: what it is told, what it may ask, and nothing else. */
export class PageHost {
  readonly #rpc: Rpc;
  #context: HostContext;
  #initialized = false;
  #shown = false;

  constructor(
    frame: Window,
    sandbox: string,
    private readonly page: HostedPage,
    private readonly opening: Opening,
    context: HostContext,
    private readonly services: PageServices,
    private readonly version: string,
  ) {
    this.#context = context;
    this.#rpc = new Rpc(window, frame, { request: this.#requests(), notification: (method, given) => this.#take(method, given) }, new URL(sandbox).origin);
  }

  /** Theme, language, mode and place have changed; only what is different is told. */
  update(context: HostContext): void {
    const changed = Object.fromEntries(
      Object.entries(context).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(this.#context[key])),
    );
    this.#context = context;
    if (this.#initialized && Object.keys(changed).length > 0) this.#rpc.notify("ui/notifications/host-context-changed", changed);
  }

  /** Lets the page end what it does; comes back when it has, or when it takes too long. */
  async close(): Promise<void> {
    if (this.#initialized) {
      const goodbye = this.#rpc.request("ui/resource-teardown", {}).catch(() => undefined);
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS))]);
    }
    this.#rpc.close();
  }

  #take(method: string, given: Record<string, unknown>): void {
    switch (method) {
      case "ui/notifications/sandbox-proxy-ready":
        // Once only: whatever the page does to its frame, it does not get another document.
        if (this.#shown) return;
        this.#shown = true;
        return this.#rpc.notify("ui/notifications/sandbox-resource-ready", { html: this.page.html, csp: { ...this.page.csp } });
      case "ui/notifications/initialized":
        if (this.#initialized) return;
        this.#initialized = true;
        this.#rpc.notify("ui/notifications/tool-input", { arguments: this.opening.input });
        return this.#rpc.notify("ui/notifications/tool-result", { ...this.opening.result });
      case "ui/notifications/size-changed":
        if (typeof given["height"] === "number" && Number.isFinite(given["height"])) this.services.sizeChanged(given["height"]);
        return;
      case "ui/notifications/request-teardown":
        return this.services.close();
    }
  }

  #requests(): Readonly<Record<string, (given: Record<string, unknown>) => unknown>> {
    const { services } = this;
    return {
      "ui/initialize": () => ({
        protocolVersion: PROTOCOL,
        hostInfo: { name: "WebCodex", version: this.version },
        hostCapabilities: {
          serverTools: {}, openLinks: {}, message: { text: {} }, experimental: { "webcodex/open-file": {} },
          sandbox: { csp: this.page.csp },
        },
        hostContext: this.#context,
      }),
      ping: () => ({}),
      "tools/call": (given) => {
        const name = String(given["name"]);
        if (!this.page.tools.includes(name)) throw new Refused(NOT_ALLOWED, `pages may not call ${name}`);
        return services.callTool(name, object(given["arguments"]));
      },
      "ui/open-link": async (given) => answer(isWeb(String(given["url"])) && (await services.openLink(String(given["url"])))),
      "ui/message": async (given) => answer(await services.message(textOf(given["content"]))),
      "ui/request-display-mode": (given) => {
        const modes = this.#context.availableDisplayModes ?? [];
        const wanted = modes.find((mode) => mode === given["mode"]);
        return { mode: wanted ? services.displayMode(wanted) : (this.#context.displayMode ?? "inline") };
      },
      "webcodex/open-file": async (given) => {
        const where = given["where"] === "files" ? "files" : "editor";
        if (!(await services.openFile(String(given["path"]), where))) throw new Refused(NOT_ALLOWED, "the file was not opened");
        return {};
      },
    };
  }
}

const answer = (done: boolean): object => (done ? {} : { isError: true });

function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Only addresses of the web are handed to the system; anything else could start a program. */
function isWeb(url: string): boolean {
  return URL.canParse(url) && ["https:", "http:"].includes(new URL(url).protocol);
}

/** The words of a message; a person can agree only to what they can read. */
function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : [];
  return blocks.filter((block) => block.type === "text").map((block) => String(block.text)).join("\n").slice(0, 4000);
}
