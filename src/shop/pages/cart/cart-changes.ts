/** Changes of a cart: adding, changing quantities, removing. */
import { AppError } from "../../../kit/errors.ts";
import { readAmount } from "../../base/amount-text.ts";
import { formatAmount } from "../../base/money.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { findPriceFault } from "../../products/pay-what-you-want.ts";
import type { ProductRecord } from "../../products/schema.ts";
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

function refuse(code: string, field?: string, details: Record<string, string> = {}): never {
  throw new AppError("invalid", "The product cannot be added to the cart", {
    details,
    errors: [{ pointer: field === undefined ? "/cart" : `/${field}`, code, message: code }],
  });
}

/**
 * A price that a buyer typed.
 * @throws AppError `invalid` with the code `invalidPrice`, `priceTooLow` or `priceTooHigh`
 */
function readPrice(
  { payWhatYouWant, currency }: ProductRecord,
  typed: string | undefined,
  { language, field }: { readonly language: string; readonly field: string },
): number | undefined {
  if (payWhatYouWant === undefined || typed === undefined) return undefined;
  const read = readAmount(typed, currency);
  if (!("amount" in read)) return refuse("invalidPrice", field);
  const fault = findPriceFault({ payWhatYouWant }, read.amount);
  if (fault === undefined) return read.amount;
  const isLow = fault === "price_too_low";
  const bound = isLow ? payWhatYouWant.minimum : (payWhatYouWant.maximum ?? 0);
  const price = formatAmount(bound, currency, language);
  return refuse(isLow ? "priceTooLow" : "priceTooHigh", field, { price });
}

/** An addition to the cart. */
export interface Wanted {
  /** As it was typed; absent where the shop sets the price. */
  readonly price?: string | undefined;
  readonly variantId: string | undefined;
  readonly quantity: string | undefined;
}

/**
 * The cart with more of something, and whether it is all that was wanted: no more than may be ordered at once.
 * @throws AppError `invalid` with the code `cannotAdd`, `chooseFirst`, `invalidQuantity` or `full`
 */
export function addToCart(
  lines: readonly CartLine[],
  {
    item,
    variantId,
    quantity: typed,
    price,
    language,
  }: Wanted & { readonly item: CatalogueItem | undefined; readonly language: string },
): { readonly lines: readonly CartLine[]; readonly isAll: boolean } {
  if (item === undefined) return refuse("cannotAdd");
  const { id: productId, variants, minQuantity, maxQuantity } = item.product;
  const variant = variants.length === 1 ? variants[0] : variants.find(({ id }) => id === variantId);
  if (variants.length > 0 && variant === undefined) return refuse("chooseFirst");
  const quantity = parseQuantity(typed ?? String(minQuantity));
  if (quantity === undefined || quantity === 0) return refuse("invalidQuantity", "quantity");
  const unitPrice = readPrice(item.product, price, { language, field: "price" });
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
  // What was chosen last is paid for all units.
  const added = { ...line, quantity: taken, unitPrice: unitPrice ?? before?.unitPrice };
  const changed =
    before === undefined ? [...lines, added] : lines.map((each) => (each === before ? added : each));
  return { lines: changed, isAll: taken === wanted };
}

/**
 * The cart with the quantities and the chosen prices of a form, by line; 0 takes out.
 * @throws AppError `invalid` for what is no number or no price
 */
export function changeCart(
  lines: readonly CartLine[],
  values: Readonly<Record<string, string>>,
  { catalogue, language }: { readonly catalogue: Pick<Catalogue, "find">; readonly language: string },
): readonly CartLine[] {
  return lines.flatMap((line) => {
    const key = toLineKey(line);
    if (values["remove"] === key) return [];
    const name = `q-${key}`;
    const typed = values[name];
    if (typed === undefined) return [line];
    const quantity = parseQuantity(typed);
    if (quantity === undefined || quantity > 10_000) return refuse("invalidQuantity", name);
    if (quantity === 0) return [];
    const product = catalogue.find(line.productId)?.product;
    const price = values[`p-${key}`];
    const chosen = product && readPrice(product, price, { language, field: `p-${key}` });
    return [{ ...line, quantity, unitPrice: chosen ?? line.unitPrice }];
  });
}
