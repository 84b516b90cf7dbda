function parsed(value: string): URL | null {
  try {
    return new URL(value);
  } catch {
    return null;
  }
}

/** Whether it can be the address of a proxy. It is kept and shown in the clear, so it holds no login. */
export function isProxy(value: string): boolean {
  const url = parsed(value.trim());
  return url !== null && ["http:", "https:", "socks5:"].includes(url.protocol) && url.host !== "" && url.username === "" && url.password === "";
}

/** Whether it can be the public address of this Server: https, a host, nothing behind it. */
export function isPublicAddress(value: string): boolean {
  const url = parsed(value.trim());
  return url !== null && url.protocol === "https:" && url.pathname === "/" && url.search === "" && url.username === "";
}

/** The seconds a person typed, or nothing where they are not a whole number from 5 to 55. */
export function waitSecondsIn(value: string): number | null {
  const seconds = /^\d{1,3}$/.test(value.trim()) ? Number(value.trim()) : NaN;
  return seconds >= 5 && seconds <= 55 ? seconds : null;
}
