import { isTauri } from "@tauri-apps/api/core";
import type { Bridge } from "./bridge";
import { TauriBridge } from "./tauri";

/** The bridge of the program that shows this page; nothing when an ordinary browser does. */
export function openBridge(): Bridge | undefined {
  return window.webcodexBridge ?? (isTauri() ? new TauriBridge() : undefined);
}
