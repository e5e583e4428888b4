/** A cart as its page shows it: each line with what is wrong with it, and the sums as the checkout would work them out. */
import type { AppError } from "../../../kit/errors.ts";
import { toAppError } from "../../../kit/http/problem.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import type { Preview } from "../../checkout/preview.ts";
import { toChosenPrice } from "../../products/pay-what-you-want.ts";
import { priceAt } from "../../products/tier-prices.ts";
import { type Offer, findOffer } from "../pieces/offer.tsx";
import type { Visit } from "../visit.tsx";
import type { CartLine } from "../cart-cookie.ts";

/** A thing of the cart that is sold. */
export interface KnownLine extends CartLine {
  readonly item: CatalogueItem;
  readonly offer: Offer;
  readonly title: string;
  /** Such as "L, red". */
  readonly options: string;
  readonly unitPrice: number;
  /** Why it cannot be ordered, in the buyer's language. */
  readonly fault: string | undefined;
}

export interface CartView {
  /** In the order of the cart. */
  readonly lines: readonly (KnownLine | CartLine)[];
  /** Of what is sold, by the prices of the catalogue. */
  readonly subtotal: number;
  /** Undefined where they cannot be worked out. */
  readonly sums: Preview | undefined;
  /** Why not, in the buyer's words. */
  readonly note: string | undefined;
  readonly canOrder: boolean;
}

/** Whether a line is of something that is sold. */
export function isKnown(line: KnownLine | CartLine): line is KnownLine {
  return "item" in line;
}

type Sold = Omit<KnownLine, "fault">;

function findSold(line: CartLine, catalogue: Pick<Catalogue, "find">, language: string): Sold | undefined {
  const item = catalogue.find(line.productId);
  if (item === undefined) return undefined;
  const { variants } = item.product;
  const index = variants.length === 0 ? 0 : variants.findIndex(({ id }) => id === line.variantId);
  if (index === -1 || (variants.length === 0 && line.variantId !== undefined)) return undefined;
  const offer = findOffer(item, index);
  const options = Object.values(offer.variant?.options ?? {}).join(", ");
  const { title } = wordsIn(item.product, language);
  const chosen = toChosenPrice(item.product, line.unitPrice);
  const unitPrice = chosen ?? priceAt(offer.steps ?? [], line.quantity) ?? offer.price;
  return { ...line, item, offer, title, options, unitPrice };
}

/** The error of a line according to memory: the stock may be lower by the time of the order. */
function findFault({ item, offer, quantity }: Sold, all: readonly Sold[], { t }: Visit): string | undefined {
  const { id, minQuantity: min, maxQuantity: max } = item.product;
  if (offer.available < 1) return t("cart.soldOut");
  if (offer.available < quantity) return t("cart.fewer", { count: offer.available });
  const count = all.reduce((sum, each) => (each.item.product.id === id ? sum + each.quantity : sum), 0);
  if (count < min) return t("cart.tooFew", { min });
  return count > max ? t("cart.tooMany", { max }) : undefined;
}

/** Why there are no sums. */
function toNote(error: AppError, { t }: Visit): string | undefined {
  if (error.code === "checkout_closed") return t("cart.closed");
  if (error.code === "unauthenticated") return t("cart.signIn");
  return error.code === "quantity_limit" ? undefined : t("cart.noTotal");
}

/** The lines that the checkout refuses, by their place. */
function readRefused(error: AppError): Set<number> {
  return new Set(error.errors.map(({ pointer }) => Number(pointer.split("/")[2])).filter(Number.isInteger));
}

async function preview(
  checkout: Pick<Checkout, "preview">,
  { lines, visit }: { readonly lines: readonly Sold[]; readonly visit: Visit },
): Promise<Preview | AppError> {
  const items = lines.map(({ productId, variantId, quantity, unitPrice, item }) => ({
    productId,
    variantId,
    quantity,
    unitPrice: toChosenPrice(item.product, unitPrice),
  }));
  try {
    return await checkout.preview({ items, language: visit.sellersLanguage }, visit.caller);
  } catch (error) {
    const known = toAppError(error);
    if (known.code === "internal") throw error;
    return known;
  }
}

export async function viewCart(
  visit: Visit,
  {
    catalogue,
    checkout,
  }: { readonly catalogue: Pick<Catalogue, "find">; readonly checkout: Pick<Checkout, "preview"> },
): Promise<CartView> {
  const { t, sellersLanguage } = visit;
  const found: (Sold | CartLine)[] = visit.cart.map(
    (line) => findSold(line, catalogue, sellersLanguage) ?? line,
  );
  const sold = found.filter((line): line is Sold => "item" in line);
  const subtotal = sold.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  const answer = sold.length === 0 ? undefined : await preview(checkout, { lines: sold, visit });
  const isRefused = answer !== undefined && !("lines" in answer);
  const refused = isRefused ? readRefused(answer) : new Set<number>();
  const sums = answer !== undefined && "lines" in answer ? answer : undefined;
  const toFault = (line: Sold): string | undefined => {
    const at = sold.indexOf(line);
    const seen = sums?.lines[at];
    if (seen?.isAvailable === false)
      return seen.left === undefined || seen.left === 0
        ? t("cart.soldOut")
        : t("cart.fewer", { count: seen.left });
    return findFault(line, sold, visit) ?? (refused.has(at) ? t("cart.customerLimit") : undefined);
  };
  const lines = found.map((line) => ("item" in line ? { ...line, fault: toFault(line) } : line));
  const note = isRefused ? toNote(answer, visit) : undefined;
  const isSound = lines.every((line) => isKnown(line) && line.fault === undefined);
  const mayGoOn = !isRefused || answer.code === "unauthenticated";
  return { lines, subtotal, sums, note, canOrder: sold.length > 0 && isSound && mayGoOn };
}
