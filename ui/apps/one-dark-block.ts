import type { Plugin } from "vite";

/** The block of the tokens for a window that follows the system by itself; a page always states its appearance. */
const BY_SYSTEM = /@media \(prefers-color-scheme: dark\) \{\s*:root:not\(\[data-theme="light"\]\) \{[^}]*\}\s*\}/;

/** Pages carry the dark colours once. */
export function oneDarkBlock(): Plugin {
  return {
    name: "one-dark-block",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("/kit/tokens.css") ? code.replace(BY_SYSTEM, "") : undefined),
  };
}
