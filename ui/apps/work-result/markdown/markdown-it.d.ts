/* The parts of markdown-it that the page is built from; its full type declarations describe the whole. */
declare module "markdown-it/lib/token.mjs" {
  export default class Token {
    type: string;
    tag: string;
    nesting: -1 | 0 | 1;
    content: string;
    info: string;
    hidden: boolean;
    children: Token[] | null;
    attrGet(name: string): string | null;
  }
}
declare module "markdown-it/lib/parser_block.mjs" {
  import type Token from "markdown-it/lib/token.mjs";
  export default class ParserBlock {
    parse(text: string, md: unknown, env: object, tokens: Token[]): void;
  }
}
declare module "markdown-it/lib/parser_inline.mjs" {
  import type Token from "markdown-it/lib/token.mjs";
  export default class ParserInline {
    parse(text: string, md: unknown, env: object, tokens: Token[]): void;
  }
}
declare module "markdown-it/lib/rules_core/state_core.mjs" {
  import type Token from "markdown-it/lib/token.mjs";
  export default class StateCore {
    constructor(text: string, md: unknown, env: object);
    src: string;
    env: object;
    tokens: Token[];
  }
}
declare module "markdown-it/lib/rules_core/normalize.mjs" {
  import type StateCore from "markdown-it/lib/rules_core/state_core.mjs";
  export default function normalize(state: StateCore): void;
}
declare module "markdown-it/lib/rules_core/text_join.mjs" {
  import type StateCore from "markdown-it/lib/rules_core/state_core.mjs";
  export default function textJoin(state: StateCore): void;
}
declare module "markdown-it/lib/helpers/index.mjs" {
  const helpers: Record<string, unknown>;
  export = helpers;
}
