import type { DisplayMode, Host, HostAbilities, HostContext, HostListener, ToolResult } from "./types";

/** The globals ChatGPT puts into a page, as far as we read them. Each may be missing. */
export interface OpenAiGlobals {
  theme?: "light" | "dark";
  locale?: string;
  displayMode?: DisplayMode;
  maxHeight?: number;
  toolInput?: Record<string, unknown> | null;
  /** The `structuredContent` of the result. */
  toolOutput?: unknown;
  toolResponseMetadata?: Record<string, unknown> | null;
  callTool?(name: string, argumentsOfCall: Record<string, unknown>): Promise<unknown>;
  openExternal?(link: { href: string }): unknown;
  sendFollowUpMessage?(message: { prompt: string }): Promise<unknown>;
  requestDisplayMode?(wish: { mode: DisplayMode }): Promise<{ mode: DisplayMode }>;
  notifyIntrinsicHeight?(height: number): void;
}

declare global {
  interface Window {
    openai?: OpenAiGlobals;
  }
}

const CHANGED = "openai:set_globals";

/** ChatGPT without the MCP Apps handshake: the same host, told through globals and one event. */
export class ChatGptHost implements Host {
  readonly kind = "chatgpt";
  readonly name = "ChatGPT";
  readonly abilities: HostAbilities;
  context: HostContext;
  #listener: HostListener | undefined;
  #told: { input?: unknown; output?: unknown } = {};

  constructor(here: Window, private readonly globals: OpenAiGlobals) {
    this.abilities = {
      serverTools: !!globals.callTool, openLinks: !!globals.openExternal, message: !!globals.sendFollowUpMessage,
      experimental: {},
    };
    this.context = this.#contextNow();
    here.addEventListener(CHANGED, () => this.#changed());
  }

  listen(listener: HostListener): void {
    this.#listener = listener;
    this.#changed();
  }

  async callTool(name: string, argumentsOfCall: Record<string, unknown>): Promise<ToolResult> {
    const answer = await this.globals.callTool?.(name, argumentsOfCall);
    return resultOf(answer);
  }

  openLink(url: string): Promise<boolean> {
    if (!this.globals.openExternal) return Promise.resolve(false);
    this.globals.openExternal({ href: url });
    return Promise.resolve(true);
  }

  async say(text: string): Promise<boolean> {
    if (!this.globals.sendFollowUpMessage) return false;
    await this.globals.sendFollowUpMessage({ prompt: text });
    return true;
  }

  async requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    const now = (await this.globals.requestDisplayMode?.({ mode }))?.mode ?? this.context.displayMode ?? "inline";
    this.context = { ...this.context, displayMode: now };
    this.#listener?.context?.(this.context);
    return now;
  }

  sizeChanged(_width: number, height: number): void {
    this.globals.notifyIntrinsicHeight?.(height);
  }

  extra(method: string): Promise<unknown> {
    return Promise.reject(new Error(`ChatGPT does not know ${method}`));
  }

  #contextNow(): HostContext {
    const { theme, locale, displayMode, maxHeight, requestDisplayMode } = this.globals;
    return {
      ...(theme ? { theme } : {}), ...(locale ? { locale } : {}), displayMode: displayMode ?? "inline",
      availableDisplayModes: requestDisplayMode ? ["inline", "fullscreen"] : ["inline"],
      ...(maxHeight ? { containerDimensions: { maxHeight } } : {}),
    };
  }

  #changed(): void {
    this.context = this.#contextNow();
    this.#listener?.context?.(this.context);
    const { toolInput, toolOutput, toolResponseMetadata } = this.globals;
    if (toolInput && toolInput !== this.#told.input) {
      this.#told.input = toolInput;
      this.#listener?.input?.(toolInput);
    }
    if (toolOutput !== null && toolOutput !== undefined && toolOutput !== this.#told.output) {
      this.#told.output = toolOutput;
      this.#listener?.result?.({ structuredContent: toolOutput, _meta: toolResponseMetadata ?? {} });
    }
  }
}

/** `callTool` answers with a whole result, or with its text alone. */
function resultOf(answer: unknown): ToolResult {
  const text = typeof answer === "string" ? answer : (answer as { result?: unknown } | undefined)?.result;
  if (typeof text !== "string") return (answer ?? { isError: true }) as ToolResult;
  try {
    return { structuredContent: JSON.parse(text) as unknown };
  } catch {
    return { content: [{ type: "text", text }] };
  }
}
