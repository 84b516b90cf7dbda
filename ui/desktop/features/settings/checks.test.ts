import { expect, test } from "vitest";
import { isProxy, isPublicAddress, waitSecondsIn } from "./checks";

test("an address of a proxy has one of three forms", () => {
  expect(["http://127.0.0.1:7890", "https://proxy.example", "socks5://10.0.0.1:1080"].every(isProxy)).toBe(true);
  expect(["", "127.0.0.1:7890", "ftp://proxy", "http://me:hush@proxy:1", "http://me@proxy:1", "javascript:alert(1)"].some(isProxy)).toBe(false);
});

test("a public address is https and a host alone", () => {
  expect(["https://code.example.org", "https://code.example.org:8443/"].every(isPublicAddress)).toBe(true);
  expect(["http://code.example.org", "https://code.example.org/mcp", "https://a:b@code.example.org", "code"].some(isPublicAddress)).toBe(false);
});

test("the wait is a whole number of seconds within its limits", () => {
  expect(["5", " 55 "].map(waitSecondsIn)).toEqual([5, 55]);
  expect(["4", "56", "10.5", "-7", "ten", ""].map(waitSecondsIn)).toEqual([null, null, null, null, null, null]);
});
