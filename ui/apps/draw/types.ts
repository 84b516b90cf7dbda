/** What a page is described with. */
export type Child = VNode | string | number | boolean | null | undefined | readonly Child[];

/** An element, or a component with what it is given. */
export interface VNode {
  readonly type: string | Component;
  readonly props: Props;
  /** Stands for its place, where it may move among others. */
  readonly key: string | number | undefined;
}

export type Props = Readonly<Record<string, unknown>> & { readonly children?: Child };
/** Says itself what it takes; here it is only called with what was written. */
export type Component = { of(props: Props): Child }["of"];

/** Is given a node that has its place; what it returns is done before the node goes, or when the function is another one. */
export type Ref<E extends Element = HTMLElement> = { of(node: E): (() => void) | undefined | void }["of"];

type Heard<K, E> = { of(event: K & { readonly currentTarget: E }): void }["of"];
type Attribute = string | number | boolean | undefined;

/** What can be written at an element. */
interface Attributes<E extends Element> {
  key?: string | number;
  ref?: Ref<E> | undefined;
  children?: Child;
  class?: string | undefined;
  /** By the names of CSS. */
  style?: Readonly<Record<string, string>> | undefined;
  id?: string;
  role?: string;
  title?: string | undefined;
  type?: "button" | "search";
  tabIndex?: number;
  dir?: "ltr";
  value?: string;
  placeholder?: string;
  maxLength?: number;
  start?: number | undefined;
  viewBox?: string;
  width?: number;
  height?: number;
  focusable?: "false";
  d?: string;
  fill?: string;
  stroke?: string | undefined;
  onClick?: Heard<MouseEvent, E>;
  onInput?: Heard<InputEvent, E>;
  onKeyDown?: Heard<KeyboardEvent, E>;
  [more: `${"aria" | "data" | "stroke"}-${string}`]: Attribute;
}

/** What the compiler checks descriptions against. */
export declare namespace JSX {
  type Element = VNode;
  // Whatever its properties are: they are checked where it is written.
  type ElementType = keyof IntrinsicElements | ((props: any) => Child);
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string | number;
  }
  type IntrinsicElements = { [Name in keyof HTMLElementTagNameMap]: Attributes<HTMLElementTagNameMap[Name]> } & Record<"svg" | "path", Attributes<SVGElement>>;
}
