import { FakeBridge } from "../fake";
import { type Scenario, scenarios } from "./scenarios";

declare global {
  interface Window {
    /** The fake itself, for tests and for trying things out in the console. */
    fake?: FakeBridge;
  }
}

/** Puts a fake where the page looks for its shell. `?scenario=busy&language=zh-CN&theme=dark&lively=0` steers it. */
export function installFake(query: string): FakeBridge {
  const asked = new URLSearchParams(query);
  const language = asked.get("language");
  const theme = asked.get("theme");
  const fake = new FakeBridge({
    scenario: scenarios.find((name) => name === asked.get("scenario")) ?? ("ready" satisfies Scenario),
    lively: asked.get("lively") !== "0",
    delayMs: Number(asked.get("delay") ?? 0),
    settings: {
      ...(language === "en" || language === "zh-CN" ? { language } : {}),
      ...(theme === "light" || theme === "dark" ? { theme } : {}),
    },
  });
  window.fake = fake;
  window.webcodexBridge = fake;
  return fake;
}

installFake(location.search);
