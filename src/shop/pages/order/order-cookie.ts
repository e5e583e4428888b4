/** The orders and conversations that a browser may open without a sign-in: their tokens, which so never appear in URLs. */
import type { Context } from "hono";
import { createHostCookie } from "../../../kit/http/cookies.ts";

/** Orders at most; the oldest ones go first. */
const MAX_ORDERS = 8;
const KEPT_SECONDS = 30 * 86_400;
const ENTRY = /^([\w-]{1,60}):((?:ot|ord|pt|qt|dt)_[\w-]{1,100})$/u;
const PAY = "pt_";

type Entry = readonly [number: string, token: string];

function parse(text: string | undefined): Entry[] {
  return (text ?? "").split(".").flatMap((part): Entry[] => {
    const [, number, token] = ENTRY.exec(part) ?? [];
    return number === undefined || token === undefined ? [] : [[number, token]];
  });
}

export type OrderCookie = ReturnType<typeof createOrderCookie>;

/** Creates what reads and writes it; `publicUrl` as for {@link createHostCookie}. */
export function createOrderCookie(publicUrl: string | undefined) {
  const cookie = createHostCookie("trivet_orders", publicUrl);
  return {
    /** The token of an order. */
    find: (c: Context, number: string): string | undefined =>
      parse(cookie.read(c)).find(([each]) => each === number)?.[1],
    /** Keeps a token. One that only shows the payment does not take the place of the order's own. */
    keep: (c: Context, number: string, token: string): void => {
      const before = parse(cookie.read(c));
      const known = before.find(([each]) => each === number)?.[1];
      if (known !== undefined && !known.startsWith(PAY) && token.startsWith(PAY)) return;
      const others = before.filter(([each]) => each !== number);
      const kept: Entry[] = [[number, token], ...others.slice(0, MAX_ORDERS - 1)];
      cookie.write(c, kept.map((entry) => entry.join(":")).join("."), KEPT_SECONDS);
    },
    /** Forgets all of them on sign-out. */
    clear: (c: Context): void => cookie.clear(c),
  };
}
