/** The items of an order as an edit changes them: kept lines at their own prices, new ones at those of today. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import {
  type PricedLine,
  type TaxTerms,
  atQuantities,
  priceLines,
  toBuyersPrices,
} from "../checkout/pricing.ts";
import { refuseBundlePrice } from "../checkout/quote.ts";
import type { Scoped } from "../coupons/discounts.ts";
import { isEuOn } from "../eu/schema.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { products } from "../products/records.ts";
import type { SiteSettings } from "../site/schema.ts";
import { type SaleTax, STANDARD, findRate, toSaleTax } from "../tax/rates.ts";
import { isFrozen } from "./rules.ts";
import { type Retaxed, toRetaxedLine } from "./retax.ts";
import type { WantedEdit } from "./schema.ts";

/** A line of the edited order. */
export interface EditedLine {
  readonly line: OrderLine;
  /** What a coupon looks at; of a product that is gone, its ID alone. */
  readonly product: Scoped;
  /** Absent for an order without tax. */
  readonly sale: SaleTax | undefined;
  /** Delivered, or restocked: the edit leaves it as it is. */
  readonly isFrozen: boolean;
}

/** The tax that a line was sold with. */
function toOwnSale(line: OrderLine, { settings, place }: TaxTerms): SaleTax | undefined {
  const { taxKind: kind, taxCountry: country, taxRate: rate, taxClass = STANDARD } = line;
  if (kind === undefined || country === undefined || rate === undefined) return undefined;
  return { kind, country, rate, homeRate: findRate(settings, place.seller, taxClass) ?? 0 };
}

/** Throws `invalid` with the pointers of lines that cannot be edited. */
function assertLines({ lines }: OrderRecord, wanted: NonNullable<WantedEdit["lines"]>): void {
  const errors = wanted.flatMap(({ lineId }, index): FieldError[] => {
    const line = lines.find(({ id }) => id === lineId);
    const isTwice = wanted.findIndex((one) => one.lineId === lineId) < index;
    if (line !== undefined && !isFrozen(line) && !isTwice) return [];
    const known =
      line === undefined ? "is not a line of this order" : "was delivered or restocked, and stays as it is";
    const message = isTwice ? "must not be repeated" : known;
    return [{ pointer: `/lines/${index}/lineId`, code: "invalid", message }];
  });
  if (errors.length > 0) throw new AppError("invalid", "Some lines cannot be edited", { errors });
}

function priced(
  line: OrderLine,
  {
    quantity = line.quantity,
    unitPrice: own,
  }: { quantity?: number | undefined; unitPrice?: number | undefined },
): OrderLine {
  const unitPrice = own ?? line.unitPrice;
  const subtotal = unitPrice * quantity;
  if (!Number.isSafeInteger(subtotal))
    throw new AppError("invalid", "The order total is too high. Reduce the quantities");
  // A price that staff set holds for each quantity.
  const priceSteps = own === undefined ? line.priceSteps : undefined;
  return { ...line, quantity, unitPrice, priceSteps, subtotal, discount: 0, total: subtotal };
}

interface Options {
  readonly site: SiteSettings;
  readonly wanted: WantedEdit;
  /** Absent for an order without tax. */
  readonly terms: TaxTerms | undefined;
  readonly isPreview: boolean;
  /** Set where the tax of all lines changes. */
  readonly retaxed?: Retaxed | undefined;
}

function toBundleScope({ productId: id, categoryId }: NonNullable<OrderLine["bundle"]>): Scoped {
  return { id, categoryId };
}

async function keepLines(
  tx: ReadTx,
  order: OrderRecord,
  { wanted, terms, retaxed }: Options,
): Promise<EditedLine[]> {
  const { lines: changes = [] } = wanted;
  assertLines(order, changes);
  const kept: EditedLine[] = [];
  for (const line of order.lines) {
    const change = changes.find(({ lineId }) => lineId === line.id);
    if (change?.quantity === 0) continue;
    const { bundle } = line;
    const found = (await tx.get(products, line.productId)) ?? { id: line.productId };
    const product = bundle === undefined ? found : { ...found, bundle: toBundleScope(bundle) };
    const own = retaxed === undefined ? undefined : toRetaxedLine(line, retaxed);
    const sold = own?.line ?? line;
    kept.push({
      product,
      sale: own?.sale ?? (terms && toOwnSale(line, terms)),
      isFrozen: isFrozen(line),
      line: isFrozen(line) ? line : priced(sold, change ?? {}),
    });
  }
  return kept;
}

function toNew(
  { line, product }: PricedLine,
  {
    item,
    order,
    site,
    terms,
  }: Pick<Options, "site" | "terms"> & {
    order: OrderRecord;
    item: NonNullable<WantedEdit["items"]>[number] | undefined;
  },
): EditedLine {
  const { taxClass = STANDARD } = product;
  const isSent = line.deliveryType === "shipping";
  const isVoucher = line.deliveryType === "gift_card";
  const sale = terms && toSaleTax(terms.settings, terms.place, { taxClass, isSent, isVoucher });
  const taxed = sale && { taxClass, taxKind: sale.kind, taxCountry: sale.country, taxRate: sale.rate };
  const right = product.excludedFromWithdrawal === true ? "excluded" : "open";
  const hasRights = isEuOn(site) && order.lines.some(({ withdrawal }) => withdrawal !== undefined);
  const whole = { ...line, ...taxed, ...(hasRights && ({ withdrawal: right } as const)) };
  return { product, sale, isFrozen: false, line: priced(whole, { unitPrice: item?.unitPrice }) };
}

function refuseTax(): never {
  throw new AppError(
    "conflict",
    "The tax settings changed since this order was placed, so no products can be added. Place a new order for them",
  );
}

/**
 * The lines of an edited order, without discounts.
 * @throws AppError `invalid`, `quantity_limit`, `conflict` (nothing is left, or another kind of tax)
 */
export async function editLines(tx: ReadTx, order: OrderRecord, options: Options): Promise<EditedLine[]> {
  const { site, wanted, terms, isPreview } = options;
  const kept = await keepLines(tx, order, options);
  const { items = [] } = wanted;
  if (kept.length + items.length === 0)
    throw new AppError("conflict", "An order needs at least one item. Cancel the order instead");
  const isFixed = ({ isFrozen: isOld }: EditedLine): boolean => isOld;
  if (items.length === 0) return atQuantities(kept, isFixed);
  const hasTax = site.tax.enabled && site.seller.country !== "";
  const isSame = hasTax && site.tax.pricesIncludeTax === order.pricesIncludeTax;
  if (terms === undefined ? hasTax : !isSame) refuseTax();
  const { currency, language } = order;
  const plain = items.map(({ productId, variantId, quantity, inputs }) => ({
    productId,
    variantId,
    quantity,
    inputs,
  }));
  const found = await priceLines(tx, { items: plain, currency, language, isPreview });
  const added = toBuyersPrices(found, terms).map((one) => {
    const item = items[one.item ?? 0];
    if (one.line.bundle !== undefined && item?.unitPrice !== undefined) refuseBundlePrice(one.item ?? 0);
    return toNew(one, { item, order, site, terms });
  });
  return atQuantities([...kept, ...added], isFixed);
}
