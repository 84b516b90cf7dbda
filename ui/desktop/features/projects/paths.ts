/** The paths in a pasted text: one per line, without the quotes and the `file://` that file managers add. */
export function pathsIn(text: string): string[] {
  return text.split(/\r?\n/).map(cleaned).filter((path) => path !== "");
}

function cleaned(line: string): string {
  const path = line.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (!path.startsWith("file://")) return path;
  try {
    const local = decodeURIComponent(path.slice("file://".length));
    return /^\/[A-Za-z]:/.test(local) ? local.slice(1).replaceAll("/", "\\") : local;
  } catch {
    return path;
  }
}
