import type { Bridge } from "./bridge";

/** The bridge of the program that shows this page; nothing when an ordinary browser does. */
export function openBridge(): Bridge | undefined {
  return window.webcodexBridge;
}
