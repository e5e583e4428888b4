/** A browser's cart: IDs and quantities. Prices are the shop's, unless buyers choose them. */
import type { Context } from "hono";
import { type HostCookie, createHostCookie } from "../../kit/http/cookies.ts";
import { MAX_QUANTITY } from "../products/schema.ts";

export interface CartLine {
  readonly productId: string;
  readonly variantId?: string | undefined;
  readonly quantity: number;
  /** Chosen by the buyer, for a product that has no fixed price. */
  readonly unitPrice?: number | undefined;
}

/** Things in a cart at most; a cookie holds no more. */
export const MAX_CART_LINES = 40;
const CART_SECONDS = 60 * 86_400;
const ID = /^[a-z]{1,8}_[0-9a-z]{1,40}$/u;

function parseLine(text: string): CartLine | undefined {
  const [productId = "", variantId = "", count = "", price] = text.split(".");
  const unitPrice = price !== undefined && /^\d{1,12}$/u.test(price) ? Number(price) : undefined;
  const quantity = Number(count);
  const isRight =
    ID.test(productId) &&
    (variantId === "" || ID.test(variantId)) &&
    Number.isInteger(quantity) &&
    quantity >= 1 &&
    quantity <= MAX_QUANTITY;
  return isRight ? { productId, variantId: variantId || undefined, quantity, unitPrice } : undefined;
}

/** The lines of a cookie's text; what cannot be read is left out. */
export function parseCart(text: string | undefined): readonly CartLine[] {
  return (text ?? "")
    .split("~")
    .slice(0, MAX_CART_LINES)
    .flatMap((part) => parseLine(part) ?? []);
}

export function toCartText(lines: readonly CartLine[]): string {
  return lines
    .map(({ productId, variantId = "", quantity, unitPrice }) =>
      [productId, variantId, quantity, ...(unitPrice === undefined ? [] : [unitPrice])].join("."),
    )
    .join("~");
}

export function countUnits(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export interface CartCookie {
  read(c: Context): readonly CartLine[];
  /** Keeps the lines, or forgets the cart when there are none. */
  write(c: Context, lines: readonly CartLine[]): void;
}

/** Creates what reads and writes it; `publicUrl` as for {@link createHostCookie}. */
export function createCartCookie(publicUrl: string | undefined): CartCookie {
  const cookie: HostCookie = createHostCookie("trivet_cart", publicUrl);
  return {
    read: (c) => parseCart(cookie.read(c)),
    write: (c, lines) => {
      if (lines.length === 0) cookie.clear(c);
      else cookie.write(c, toCartText(lines), CART_SECONDS);
    },
  };
}
