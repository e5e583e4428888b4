/** Changes of a cart: adding, changing quantities, removing. */
import { AppError } from "../../../kit/errors.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { type CartLine, MAX_CART_LINES } from "../cart-cookie.ts";

/** The key of a line in forms. */
export function toLineKey({ productId, variantId = "" }: Pick<CartLine, "productId" | "variantId">): string {
  return `${productId}.${variantId}`;
}

/** The number that was typed; undefined for what is none. */
export function parseQuantity(typed: string | undefined): number | undefined {
  const text = (typed ?? "").trim();
  return /^\d{1,6}$/u.test(text) ? Number(text) : undefined;
}

function refuse(code: string, field?: string): never {
  throw new AppError("invalid", "The product cannot be added to the cart", {
    errors: [{ pointer: field === undefined ? "/cart" : `/${field}`, code, message: code }],
  });
}

/** An addition to the cart. */
export interface Wanted {
  readonly variantId: string | undefined;
  readonly quantity: string | undefined;
}

/**
 * The cart with more of something, and whether it is all that was wanted: no more than may be ordered at once.
 * @throws AppError `invalid` with the code `cannotAdd`, `chooseFirst`, `invalidQuantity` or `full`
 */
export function addToCart(
  lines: readonly CartLine[],
  { item, variantId, quantity: typed }: Wanted & { readonly item: CatalogueItem | undefined },
): { readonly lines: readonly CartLine[]; readonly isAll: boolean } {
  if (item === undefined) return refuse("cannotAdd");
  const { id: productId, variants, minQuantity, maxQuantity } = item.product;
  const variant = variants.length === 1 ? variants[0] : variants.find(({ id }) => id === variantId);
  if (variants.length > 0 && variant === undefined) return refuse("chooseFirst");
  const quantity = parseQuantity(typed ?? String(minQuantity));
  if (quantity === undefined || quantity === 0) return refuse("invalidQuantity", "cart");
  const line = { productId, variantId: variant?.id };
  const key = toLineKey(line);
  const before = lines.find((each) => toLineKey(each) === key);
  if (before === undefined && lines.length >= MAX_CART_LINES) return refuse("full");
  const others = lines.filter((each) => each.productId === productId && each !== before);
  // The bounds are those of all variants together.
  const room = maxQuantity - others.reduce((sum, each) => sum + each.quantity, 0);
  const wanted = (before?.quantity ?? 0) + quantity;
  const taken = Math.min(wanted, room);
  if (taken <= 0) return { lines, isAll: false };
  const added = { ...line, quantity: taken };
  const changed =
    before === undefined ? [...lines, added] : lines.map((each) => (each === before ? added : each));
  return { lines: changed, isAll: taken === wanted };
}

/** The cart with the quantities of a form, by line; 0 takes out. @throws AppError `invalid` for what is no number */
export function changeQuantities(
  lines: readonly CartLine[],
  values: Readonly<Record<string, string>>,
): readonly CartLine[] {
  return lines.flatMap((line) => {
    const key = toLineKey(line);
    if (values["remove"] === key) return [];
    const name = `q-${key}`;
    const typed = values[name];
    if (typed === undefined) return [line];
    const quantity = parseQuantity(typed);
    if (quantity === undefined || quantity > 10_000) return refuse("invalidQuantity", name);
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });
}
