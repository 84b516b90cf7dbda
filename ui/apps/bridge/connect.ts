import { ChatGptHost } from "./chatgpt";
import { McpAppsHost } from "./mcp-apps";
import type { AppInfo, Host } from "./types";

/** How long ChatGPT's globals wait for the standard handshake, which is preferred where both exist. */
const PATIENCE_MS = 1500;

/**
 * Finds the host: by the handshake of MCP Apps, or by the globals of ChatGPT where nobody answers that. Without either
 * the promise stays open, as a page without a host has nothing to say.
 */
export function connect(app: AppInfo, here: Window = window, patienceMs = PATIENCE_MS): Promise<Host> {
  const standard = new McpAppsHost(here);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      if (!here.openai) return;
      standard.close();
      resolve(new ChatGptHost(here, here.openai));
    }, patienceMs);
    const settle = (host: Host) => {
      clearTimeout(timer);
      resolve(host);
    };
    // A refusal of the handshake is an answer of a host that does not know it; the globals then decide.
    standard.initialize(app).then(settle, () => here.openai && settle(new ChatGptHost(here, here.openai)));
  });
}

/** Tells the host the height of the page whenever it changes. */
export function followSize(host: Host, element: HTMLElement): () => void {
  let told = "";
  const observer = new ResizeObserver(() => {
    const { width, height } = element.getBoundingClientRect();
    const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
    if (size === told) return;
    told = size;
    host.sizeChanged(Math.ceil(width), Math.ceil(height));
  });
  observer.observe(element);
  return () => observer.disconnect();
}
