import { defineConfig, mergeConfig } from "vitest/config";
import window from "./vite.config";

/** `unit`: words and state, without a browser. `browser`: every page of the built window in Chromium. */
export default mergeConfig(
  window,
  defineConfig({
    root: import.meta.dirname,
    resolve: { conditions: ["browser"] },
    test: {
      projects: [
        { extends: true, test: { name: "unit", include: ["{apps,desktop,host,kit,text}/**/*.test.ts"], environment: "node" } },
        {
          extends: true,
          test: {
            name: "browser",
            include: ["tests/**/*.test.ts"],
            environment: "node",
            testTimeout: 180_000,
            hookTimeout: 120_000,
            fileParallelism: false,
            expect: { poll: { timeout: 60_000 } },
          },
        },
      ],
    },
  }),
);
