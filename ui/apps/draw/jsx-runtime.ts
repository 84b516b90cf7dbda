/* What the compiler writes calls of for a description of a page. */
import type { Child, Component, Props, VNode } from "./types";

export type { JSX } from "./types";

export function jsx(type: string | Component, props: Props, key?: string | number): VNode {
  return { type, props, key };
}
export { jsx as jsxs };

/** Several pieces without an element around them. */
export const Fragment = ({ children }: { children?: Child }): Child => children;
