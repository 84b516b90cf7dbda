/** What a page of ours wants of whoever shows it, in the words of MCP Apps (revision 2026-01-26). */

export const PROTOCOL = "2026-01-26";

export type DisplayMode = "inline" | "fullscreen" | "pip";

/** What the host says about itself and the place it shows the page in. Partial updates are merged. */
export interface HostContext {
  theme?: "light" | "dark";
  locale?: string;
  displayMode?: DisplayMode;
  availableDisplayModes?: DisplayMode[];
  containerDimensions?: { height?: number; maxHeight?: number; width?: number; maxWidth?: number };
  [more: string]: unknown;
}

/** What the host can do for the page; nothing is asked of it that it has not offered. */
export interface HostAbilities {
  serverTools: boolean;
  openLinks: boolean;
  message: boolean;
  /** Offers beyond the shared standard, by their names. */
  experimental: Readonly<Record<string, unknown>>;
}

/** The result of a tool as a page gets it. */
export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** What a page hears from its host, in the order in which it is said. */
export interface HostListener {
  context?(context: HostContext): void;
  input?(argumentsOfCall: Record<string, unknown>): void;
  result?(result: ToolResult): void;
  cancelled?(reason: string): void;
  /** The page is about to be taken away. */
  teardown?(): void;
}

/** One host, whatever its transport. */
export interface Host {
  readonly kind: "mcp-apps" | "chatgpt";
  readonly name: string;
  readonly abilities: HostAbilities;
  context: HostContext;
  /** Starts telling; what was said before is told at once. */
  listen(listener: HostListener): void;
  callTool(name: string, argumentsOfCall: Record<string, unknown>): Promise<ToolResult>;
  /** True when the host says that it opened the address. */
  openLink(url: string): Promise<boolean>;
  /** True when the host took the words into the conversation. */
  say(text: string): Promise<boolean>;
  /** The mode that is really in force afterwards. */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>;
  sizeChanged(width: number, height: number): void;
  /** A request beyond the standard, only where `abilities.experimental` names it. */
  extra(method: string, parameters: Record<string, unknown>): Promise<unknown>;
}

/** Who we are, said in the handshake. */
export interface AppInfo {
  name: string;
  version: string;
}
