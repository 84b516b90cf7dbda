import type { Approval } from "../types";

export function commandApproval(now: number): Approval {
  return {
    id: "a1", call: "c1003", askedAt: now - 12_000, expiresAt: now + 38_000, client: "ChatGPT", project: "webshop",
    folder: "D:\\Projects\\webshop", because: "The checkout needs the Stripe SDK.", forSession: true, state: "waiting",
    asks: { kind: "command", command: "npm install stripe@17 --save-exact" },
  };
}

export function editApproval(now: number): Approval {
  return {
    id: "a2", call: "c1002", askedAt: now - 4000, expiresAt: now + 46_000, client: "ChatGPT", project: "webshop",
    folder: "D:\\Projects\\webshop", because: null, forSession: true, state: "waiting",
    asks: {
      kind: "edit",
      files: [
        {
          path: "src/cart/cart.ts", change: "modified", added: 2, removed: 1,
          lines: [
            { sign: " ", old: 41, new: 41, text: "  const sum = total(cart.items);" },
            { sign: "-", old: 42, new: null, text: "  return sum;" },
            { sign: "+", old: null, new: 42, text: "  const off = discount(sum, cart.coupon);" },
            { sign: "+", old: null, new: 43, text: "  return Math.max(sum - off, 0);" },
            { sign: " ", old: 43, new: 44, text: "}" },
          ],
        },
        {
          path: "src/cart/coupon.ts", change: "added", added: 3, removed: 0,
          lines: [
            { sign: "+", old: null, new: 1, text: "/** What a coupon takes off. */" },
            { sign: "+", old: null, new: 2, text: "export const discount = (sum: number, coupon?: Coupon) =>" },
            { sign: "+", old: null, new: 3, text: "  coupon ? Math.round(sum * coupon.share) : 0;" },
          ],
        },
        { path: "assets/模板/coupon-background.png", change: "added", added: 0, removed: 0, lines: null },
      ],
    },
  };
}
