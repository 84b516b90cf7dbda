/**
 * The headers `sandbox.html` is served with. They are the most that any page may do, whatever it declares: its own
 * script and style, pictures within itself, no network at all, and no way to leave its frame.
 * @param {readonly string[]} hosts the origins that may frame it
 * @returns {Record<string, string>}
 */
export function sandboxHeaders(hosts) {
  const policy = [
    "default-src 'none'", "script-src 'unsafe-inline'", "style-src 'unsafe-inline'", "img-src data:", "font-src data:",
    "media-src data:", "connect-src 'none'", "frame-src 'none'", "base-uri 'none'", "form-action 'none'",
    `frame-ancestors ${hosts.join(" ")}`,
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "origin-agent-cluster": "?1",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
  };
}
