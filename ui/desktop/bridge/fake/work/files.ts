import type { ReviewFile } from "../../../../apps/work-result/data/types";

/** A changed file with what the fake Runner holds of it. */
export interface FakeFile extends ReviewFile {
  /** The whole diff, hunk by hunk, each as its lines. */
  hunks?: { old_start: number; new_start: number; text: string }[];
  /** The whole text as the snapshot holds it. */
  text?: string;
}

const cart = `import { discount, type Coupon } from "./coupon";
import type { Item, Money } from "../types";

export interface Cart {
  items: Item[];
  coupon?: Coupon;
}
${Array.from({ length: 32 }, (_, n) => `// ${n + 8}`).join("\n")}

export function total(cart: Cart): Money {
  const sum = cart.items.reduce((n, i) => n + i.price * i.quantity, 0);
  const off = cart.coupon ? discount(sum, cart.coupon) : 0;
  return Math.max(sum - off, 0);
}
${Array.from({ length: 17 }, (_, n) => `// ${n + 46}`).join("\n")}
export function label(cart: Cart): string {
  return cart.coupon ? 'Total with coupon' : 'Total';
}
`;

const GUIDE = `# 导出说明 / Price list

The export writes **one page a group**. See the [format](https://example.org/format) and ~~the old tool~~.

| Column | Meaning | Width |
| --- | --- | ---: |
| sku | number of the article | 10 |
| name | 名称 | 40 |

1. Choose the groups.
2. Press *Export*.

> Prices are those of today.

\`\`\`ts
await exportPrices({ currency: "CNY" });
\`\`\`

![logo](https://example.org/logo.png)
`;

/** The usual work: fourteen files of every ordinary kind. */
export function shopFiles(): FakeFile[] {
  const more = ["address", "checkout", "gift", "money", "shipping", "stock", "vat"];
  const files: FakeFile[] = [
    { path: "docs/导出说明.md", status: "modified", added_lines: 15, removed_lines: 2, text: GUIDE, hunks: [{ old_start: 1, new_start: 1, text: "-# Export\n+# 导出说明 / Price list\n \n-The export writes a page.\n+The export writes **one page a group**. See the [format](https://example.org/format) and ~~the old tool~~.\n" }] },
    { path: "locales/zh-CN.json", status: "modified", added_lines: 14, removed_lines: 2, text: "{\n  \"cart.total\": \"合计\",\n  \"cart.coupon\": \"优惠券\"\n}\n", hunks: [{ old_start: 2, new_start: 2, text: "-  \"cart.total\": \"总额\"\n+  \"cart.total\": \"合计\",\n+  \"cart.coupon\": \"优惠券\"\n }\n" }] },
    { path: "public/coupon-badge.png", status: "added", size_bytes: 18_204, no_diff: "binary", no_text: "binary" },
    {
      path: "src/cart/cart.ts", status: "modified", added_lines: 4, removed_lines: 3, text: cart,
      hunks: [
        { old_start: 41, new_start: 41, text: " export function total(cart: Cart): Money {\n-  const sum = cart.items.reduce((n, i) => n + i.price, 0);\n-  return sum;\n+  const sum = cart.items.reduce((n, i) => n + i.price * i.quantity, 0);\n+  const off = cart.coupon ? discount(sum, cart.coupon) : 0;\n+  return Math.max(sum - off, 0);\n }\n" },
        { old_start: 62, new_start: 63, text: " export function label(cart: Cart): string {\n-  return 'Total';\n+  return cart.coupon ? 'Total with coupon' : 'Total';\n }\n" },
      ],
    },
    { path: "src/cart/coupon.ts", status: "modified", added_lines: 64, removed_lines: 3, by: "mixed", text: "export interface Coupon { percent: number }\n", hunks: [{ old_start: 1, new_start: 1, text: "-export type Coupon = string;\n+/** A reduction in per cent. */\n+export interface Coupon { percent: number }\n" }] },
    { path: "src/legacy/voucher.js", status: "deleted", removed_lines: 61, no_text: "deleted", hunks: [{ old_start: 1, new_start: 0, text: Array.from({ length: 61 }, (_, n) => `-var voucher${n} = ${n};\n`).join("") }] },
    { path: "src/pages/checkout/Summary.tsx", old_path: "src/pages/Totals.tsx", status: "renamed", added_lines: 12, removed_lines: 9, text: "export const Summary = () => null;\n", hunks: [{ old_start: 1, new_start: 1, text: "-export const Totals = () => null;\n+export const Summary = () => null;\n" }] },
    { path: "tests/购物车优惠券.test.ts", status: "added", added_lines: 88, decision: "accept", text: "test('优惠券', () => {});\n", hunks: [{ old_start: 0, new_start: 1, text: "+test('优惠券', () => {});\n" }] },
    ...more.map((name, at): FakeFile => ({ path: `src/${name}.ts`, status: "modified", added_lines: 6 + at, removed_lines: at, note: at === 3 ? "line ends only" : undefined, text: `export const ${name} = ${at};\n`, hunks: [{ old_start: 1, new_start: 1, text: `-export const ${name} = 0;\n+export const ${name} = ${at};\n` }] }) as FakeFile),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What is large, foreign or unfinished. */
export function awkwardFiles(): FakeFile[] {
  const row = (n: number, price: string) => `10-${String(n).padStart(5, "0")},台灯 ${n},${price},CNY\n`;
  const huge = Array.from({ length: 25_000 }, (_, n) => `-${row(n, "129.00")}`).join("") + Array.from({ length: 25_000 }, (_, n) => `+${row(n, "119.00")}`).join("");
  return [
    { path: "README.md", status: "modified", note: "line ends only", text: GUIDE, hunks: [] },
    { path: "assets/hero.psd", status: "modified", size_bytes: 84_000_000, no_diff: "too_large", no_text: "too_large" },
    { path: "data/prices-2026.csv", status: "modified", added_lines: 25_000, removed_lines: 25_000, text: Array.from({ length: 25_000 }, (_, n) => row(n, "119.00")).join(""), hunks: [{ old_start: 2, new_start: 2, text: huge }] },
    { path: "dist/app.min.js", status: "modified", added_lines: 1, removed_lines: 1, text: `var a=${"1+".repeat(10_000)}0;\n`, hunks: [{ old_start: 1, new_start: 1, text: `-var a=0;\n+var a=${"1+".repeat(10_000)}0;\n` }] },
    { path: "latest", status: "type_changed", no_diff: "symlink", no_text: "symlink" },
    { path: "notes/latin1.txt", status: "modified", size_bytes: 4_100, no_diff: "not_utf8", no_text: "not_utf8" },
    { path: "src/checkout/tax.ts", status: "conflicted", added_lines: 14, removed_lines: 2, note: "2 conflicts", text: "<<<<<<< ours\n1\n=======\n2\n>>>>>>> theirs\n", hunks: [{ old_start: 18, new_start: 18, text: " a\n+<<<<<<< ours\n 1\n+=======\n+2\n+>>>>>>> theirs\n" }] },
    { path: "src/checkout/totals.ts", status: "modified", added_lines: 5, removed_lines: 0, text: "x\n", hunks: [{ old_start: 44, new_start: 44, text: "+<<<<<<< HEAD\n" }] },
    { path: "vendor/payments", status: "modified", note: "91ac0d2 → c3f80e1", no_diff: "submodule", no_text: "submodule" },
  ];
}

/** Names and contents that try to be more than text. */
export function hostileFiles(): FakeFile[] {
  const markdown = `# Hello <script>top.pwned = 1</script>

<img src=x onerror="top.pwned = 1"> <iframe src="https://evil.example/"></iframe>

[click](javascript:top.pwned=1) [data](data:text/html,<script>top.pwned=1</script>) [good](https://evil.example/leak) ![x](https://evil.example/pixel.png) ![y](data:image/svg+xml,<svg onload=top.pwned=1>)

<style>* { background: url(https://evil.example/css) }</style>

| a | b |
| --- | --- |
| <b onclick="top.pwned=1">x</b> | \`<script>\` |
`;
  const code = "+<script>top.pwned = 1</script>\n+const a = \"\u202e} ;)nimda(fi\u2066\";\n+</span><img src=x onerror=top.pwned=1>\n+\u0000\u001b[31m red\n+${'`'}{{constructor.constructor('top.pwned=1')()}}\n";
  const names = [
    "<img src=x onerror=top.pwned=1>.ts", "a\"b'c`d.ts", "line\nbreak\ttab.ts", "\u202egpj.exe", "__proto__", "constructor", "../../etc/passwd",
    "{{7*7}}.ts", "very/" + "long/".repeat(60) + "name.ts", "عربي/ملف.ts", "👩‍👩‍👧/emoji.ts",
  ];
  return [
    { path: "EVIL.md", status: "added", added_lines: 14, text: markdown, hunks: [{ old_start: 0, new_start: 1, text: markdown.replace(/^/gm, "+") }] },
    ...names.map((path): FakeFile => ({ path, status: "modified", added_lines: 5, removed_lines: 0, note: "<b>bold</b>", text: code.replace(/^\+/gm, ""), hunks: [{ old_start: 1, new_start: 1, text: code }] })),
  ];
}

/** A long list. */
export function manyFiles(count: number): FakeFile[] {
  return Array.from({ length: count }, (_, n): FakeFile => ({
    path: `src/part-${String(Math.floor(n / 50)).padStart(3, "0")}/file-${String(n).padStart(5, "0")}.ts`,
    status: n % 9 === 0 ? "added" : n % 13 === 0 ? "deleted" : "modified", added_lines: (n % 40) + 1, removed_lines: n % 17,
    text: `export const n = ${n};\n`, hunks: [{ old_start: 1, new_start: 1, text: `-export const n = 0;\n+export const n = ${n};\n` }],
  }));
}
