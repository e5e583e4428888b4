/** The price of an order: lines at the shop's own prices, a coupon's discount spread over them, shipping, tax. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import { ShopError } from "../base/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx } from "../../store/store.ts";
import { toDecimal } from "../base/money.ts";
import {
  type AppliedDiscount,
  type Discount,
  type Scoped,
  chooseDiscounts,
  deductFee,
  sumOff,
} from "../coupons/discounts.ts";
import type { OrderLine } from "../orders/schema.ts";
import { toBundleLines } from "./bundle-lines.ts";
import { checkGift, readGiftAmount } from "./gift-inputs.ts";
import { readInputs } from "./order-inputs.ts";
import type { OrderItem } from "./schema.ts";
import { listInputs } from "../products/gift-inputs.ts";
import { toLicenseTerms } from "../products/license-schema.ts";
import type { ProductRecord, Variant } from "../products/schema.ts";
import { type FoundPart, readParts } from "../products/bundle.ts";
import { findPriceFault } from "../products/pay-what-you-want.ts";
import { priceAt, toPriceSteps } from "../products/tier-prices.ts";
import { products } from "../products/records.ts";
import type { TaxSettings } from "../site/selling-schema.ts";
import { type SaleTax, type TaxPlace, STANDARD, toSaleTax } from "../tax/rates.ts";
import type { OrderTax } from "../tax/schema.ts";
import { type TaxedLine, shareShipping, sumTax, toUntaxed } from "../tax/tax.ts";

/** What prices, taxes and rights of a line depend on beside the line. */
export type PricedProduct = Pick<
  ProductRecord,
  | ("id" | "categoryId" | "taxClass" | "excludedFromWithdrawal" | "maxPerCustomer")
  | ("deliveryType" | "sealedSharedSecret" | "fileCount")
> &
  Pick<Scoped, "bundle">;

/** A line with the product that it is of. */
export interface PricedLine {
  readonly line: OrderLine;
  readonly product: PricedProduct;
  /** The place of its item in the request; absent for lines that no product is behind. */
  readonly item?: number;
}

/** Sums beyond this could lose units of money. */
const MAX_TOTAL = Number.MAX_SAFE_INTEGER;

function problem(index: number, member: string, message: string, code = "invalid"): FieldError {
  return { pointer: `/items/${index}/${member}`, code, message };
}

/** The variant that is meant; of one that is the only one nothing need be said. */
function findVariant(product: ProductRecord, variantId: string | undefined): Variant | undefined | "wrong" {
  if (variantId === undefined && product.variants.length === 1) return product.variants[0];
  if (product.variants.length === 0) return variantId === undefined ? undefined : "wrong";
  return product.variants.find(({ id }) => id === variantId) ?? "wrong";
}

interface FoundLine extends PricedLine {
  readonly product: ProductRecord;
}

function checkQuantities(lines: readonly FoundLine[], errors: FieldError[]): void {
  const counts = new Map<string, number>();
  for (const { line } of lines) counts.set(line.productId, (counts.get(line.productId) ?? 0) + line.quantity);
  lines.forEach(({ line, product }, index) => {
    const count = counts.get(line.productId) ?? 0;
    const { minQuantity, maxQuantity } = product;
    if (count >= minQuantity && count <= maxQuantity) return;
    errors.push(
      problem(
        index,
        "quantity",
        `you can order ${minQuantity}–${maxQuantity} of this product`,
        "quantity_limit",
      ),
    );
  });
}

function toLine(
  item: OrderItem,
  found: {
    product: ProductRecord;
    variant: Variant | undefined;
    inputs: Record<string, string>;
    language: string;
    /** The amount of a gift card that the buyer chose. */
    price: number | undefined;
  },
): OrderLine {
  const { product, variant, inputs, language } = found;
  const unitPrice = found.price ?? item.unitPrice ?? variant?.price ?? product.price;
  const subtotal = unitPrice * item.quantity;
  return {
    id: newId("lin"),
    productId: product.id,
    variantId: variant?.id,
    stockId: variant?.id ?? product.id,
    stockMode: product.stockMode,
    title: product.translations[language]?.title ?? product.title,
    sku: variant?.sku ?? product.sku,
    options: { ...variant?.options },
    quantity: item.quantity,
    unitPrice,
    priceSteps: toPriceSteps(variant ?? product),
    subtotal,
    discount: 0,
    total: subtotal,
    deliveryType: product.deliveryType,
    weightGrams: variant?.weightGrams ?? product.weightGrams,
    inputs,
    instructions: product.instructions,
    license: toLicenseTerms(product, variant),
    giftCard: product.deliveryType === "gift_card" ? { days: product.giftCard?.days } : undefined,
    secretIds: [],
  };
}

/**
 * Lines at the prices of their quantities. Units of a variant count together, in whichever lines they are; lines that
 * are fixed keep their price.
 */
export function atQuantities<T extends { readonly line: OrderLine }>(
  lines: readonly T[],
  isFixed: (one: T) => boolean = () => false,
): T[] {
  if (lines.every(({ line }) => line.priceSteps === undefined)) return [...lines];
  const counts = new Map<string, number>();
  for (const { line } of lines) counts.set(line.stockId, (counts.get(line.stockId) ?? 0) + line.quantity);
  return lines.map((one) => {
    const { priceSteps = [], stockId, quantity } = one.line;
    const unitPrice = priceAt(priceSteps, counts.get(stockId) ?? 0);
    if (unitPrice === undefined || isFixed(one)) return one;
    const subtotal = unitPrice * quantity;
    return { ...one, line: { ...one.line, unitPrice, subtotal, total: subtotal } };
  });
}

/** Bundles become lines of their parts. @throws AppError `quantity_limit` */
function expandBundles(
  lines: readonly FoundLine[],
  { parts, language }: { readonly parts: ReadonlyMap<ProductRecord, FoundPart[]>; readonly language: string },
): PricedLine[] {
  return lines.flatMap((one): PricedLine[] => {
    const found = parts.get(one.product);
    if (found === undefined) return [one];
    const { id, categoryId, excludedFromWithdrawal } = one.product;
    const all = toBundleLines({ line: one.line, product: one.product, parts: found, language });
    if (all === undefined) {
      const errors = [problem(one.item ?? 0, "quantity", "has too many units of a part", "quantity_limit")];
      throw new ShopError(
        "quantity_limit",
        "The quantity of some items is not allowed. Change the quantity",
        {
          errors,
        },
      );
    }
    return all.map((line): PricedLine => {
      const product = found.find((part) => part.product.id === line.productId)?.product ?? one.product;
      const isExcluded = excludedFromWithdrawal ?? product.excludedFromWithdrawal;
      const sold = { ...product, bundle: { id, categoryId }, excludedFromWithdrawal: isExcluded };
      return { line, product: sold, item: one.item ?? 0 };
    });
  });
}

/** What is wrong with a price that the buyer chose. */
function checkPrice(product: ProductRecord, unitPrice: number | undefined) {
  const code = unitPrice === undefined ? undefined : findPriceFault(product, unitPrice);
  if (code === undefined) return undefined;
  if (code === "fixed_price") return { code, message: "is not allowed: the price of this product is fixed" };
  const { currency, payWhatYouWant: { minimum, maximum = minimum } = { minimum: 0 } } = product;
  const isLow = code === "price_too_low";
  const bound = `${toDecimal(isLow ? minimum : maximum, currency)} ${currency}`;
  return { code, message: `must be ${isLow ? "at least" : "at most"} ${bound}` };
}

/**
 * Looks up and prices items, without any discount.
 * @throws AppError `invalid` for products that cannot be ordered, a missing variant or answer;
 *   `quantity_limit` when only numbers are out of bounds
 */
export async function priceLines(
  tx: ReadTx,
  wanted: {
    readonly items: readonly OrderItem[];
    readonly inputs?: Readonly<Record<string, string>> | undefined;
    readonly currency: string;
    readonly language: string;
    /** Fields of products may be unanswered. */
    readonly isPreview?: boolean;
  },
): Promise<PricedLine[]> {
  const errors: FieldError[] = [];
  const lines: FoundLine[] = [];
  const parts = new Map<ProductRecord, FoundPart[]>();
  for (const [index, item] of wanted.items.entries()) {
    const product = await tx.get(products, item.productId);
    if (product?.status !== "published" || product.currency !== wanted.currency) {
      errors.push(problem(index, "productId", "this product does not exist or is not for sale"));
      continue;
    }
    const found = product.parts === undefined ? undefined : await readParts(tx, product);
    if (product.parts !== undefined && found === undefined) {
      errors.push(problem(index, "productId", "a part of this bundle is not for sale"));
      continue;
    }
    if (found !== undefined) parts.set(product, found);
    const variant = findVariant(product, item.variantId);
    if (variant === "wrong") {
      const message =
        product.variants.length === 0
          ? "this product has no variants"
          : "choose one of the product's variants";
      errors.push(problem(index, "variantId", message));
      continue;
    }
    const fault = checkPrice(product, item.unitPrice);
    if (fault !== undefined) errors.push(problem(index, "unitPrice", fault.message, fault.code));
    const answers = { ...wanted.inputs, ...item.inputs };
    const fields = wanted.isPreview === true ? [] : listInputs(product);
    const { inputs, problems } = readInputs(fields, answers);
    const chosen = readGiftAmount(product, answers, wanted.isPreview === true);
    problems.push(...checkGift(product, inputs, chosen));
    errors.push(...problems.map(({ key, message }) => problem(index, `inputs/${key}`, message)));
    const made = { product, variant, inputs, language: wanted.language, price: chosen.amount };
    lines.push({ line: toLine(item, made), product, item: index });
  }
  if (errors.length > 0) throw new AppError("invalid", "Some items in the cart are invalid", { errors });
  checkQuantities(lines, errors);
  if (errors.length > 0)
    throw new ShopError("quantity_limit", "The quantity of some items is not allowed. Change the quantity", {
      errors,
    });
  return parts.size === 0
    ? atQuantities(lines)
    : expandBundles(atQuantities(lines), { parts, language: wanted.language });
}

/** For tax: the rules that apply, the buyer and the country. */
export interface TaxTerms {
  readonly settings: TaxSettings;
  readonly place: TaxPlace;
}

function isSent({ deliveryType }: OrderLine): boolean {
  return deliveryType === "shipping";
}

/** A gift card is sold for its amount: without tax, and without discounts. */
function isGiftCard({ deliveryType }: OrderLine): boolean {
  return deliveryType === "gift_card";
}

function toSale({ settings, place }: TaxTerms, { line, product }: PricedLine): SaleTax {
  const isVoucher = isGiftCard(line);
  return toSaleTax(settings, place, { taxClass: product.taxClass, isSent: isSent(line), isVoucher });
}

/** Lines at the prices that this buyer pays: without the seller's tax where that is in the price and not due. */
export function toBuyersPrices(priced: readonly PricedLine[], tax: TaxTerms | undefined): PricedLine[] {
  if (tax === undefined || !tax.settings.pricesIncludeTax || !tax.settings.netWhereUntaxed)
    return [...priced];
  return priced.map((one) => {
    const sale = toSale(tax, one);
    const unitPrice = toUntaxed(one.line.unitPrice, sale);
    const subtotal = unitPrice * one.line.quantity;
    const priceSteps = one.line.priceSteps?.map(({ from, price }) => ({
      from,
      price: toUntaxed(price, sale),
    }));
    return { ...one, line: { ...one.line, unitPrice, priceSteps, subtotal, total: subtotal } };
  });
}

/** Lines with their discounts, before shipping and tax. */
export interface Goods {
  readonly lines: OrderLine[];
  readonly subtotal: number;
  readonly discount: number;
}

/** The totals of lines with their discounts. */
export interface Totals extends Goods {
  /** What is charged for it: discounts on it are deducted. */
  readonly shipping: number;
  readonly total: number;
  /** What each discount took off. */
  readonly applied: readonly AppliedDiscount[];
  /** Absent while the shop says nothing about tax. */
  readonly tax?: OrderTax;
  readonly pricesIncludeTax?: boolean;
}

function tooLarge(): AppError {
  return new AppError("invalid", "The order total is too high. Reduce the quantities");
}

/** Lines with what discounts take off each. */
function toGoods(priced: readonly PricedLine[], parts: readonly number[]): Goods {
  const lines = priced.map(({ line }, index) => {
    const part = parts[index] ?? 0;
    return { ...line, discount: part, total: line.subtotal - part };
  });
  const subtotal = priced.reduce((all, { line }) => all + line.subtotal, 0);
  return { lines, subtotal, discount: parts.reduce((sum, part) => sum + part, 0) };
}

function withTax(
  priced: readonly PricedLine[],
  { lines, subtotal, discount }: Goods,
  { terms, fee, isFinal }: { readonly terms: TaxTerms; readonly fee: number; readonly isFinal: boolean },
): Omit<Totals, "applied"> {
  const { pricesIncludeTax, netWhereUntaxed, rounding } = terms.settings;
  const sales = priced.map((one) => toSale(terms, one));
  const taxed = lines.flatMap((line, index): TaxedLine[] => {
    const sale = sales[index];
    return sale === undefined ? [] : [{ total: line.total, isSent: isSent(line), sale }];
  });
  const isNet = !isFinal && pricesIncludeTax && netWhereUntaxed;
  const shares = shareShipping(fee, taxed).map((share, index) => {
    const sale = taxed[index]?.sale;
    return isNet && sale !== undefined ? toUntaxed(share, sale) : share;
  });
  const shipping = shares.reduce((sum, share) => sum + share, 0);
  const { lines: lineTaxes, ...tax } = sumTax(taxed, { shares, pricesIncludeTax, rounding });
  return {
    lines: lines.map((line, index) => {
      const { kind, country, rate } = taxed[index]?.sale ?? {};
      const taxClass = priced[index]?.product.taxClass ?? STANDARD;
      return { taxClass, taxKind: kind, taxCountry: country, taxRate: rate, tax: lineTaxes[index], ...line };
    }),
    subtotal,
    discount,
    shipping,
    total: subtotal - discount + shipping + (pricesIncludeTax ? 0 : tax.amount),
    tax,
    pricesIncludeTax,
  };
}

/**
 * Adds up lines, with the discounts that give the buyer most, shipping where something is sent, and tax where the shop
 * tells of it. Throws `invalid` when the sum is too large to be paid.
 */
export function toTotals(
  priced: readonly PricedLine[],
  options: {
    readonly discounts?: readonly Discount[] | undefined;
    /** The shipping fee. */
    readonly shippingFee: number | ((goods: Goods) => number);
    /** The fee is what the buyer pays, also where the seller's own tax is not due. */
    readonly isFeeFinal?: boolean;
    readonly tax?: TaxTerms | undefined;
  },
): Totals {
  const { discounts = [], shippingFee, tax, isFeeFinal: isFinal = false } = options;
  if (priced.reduce((all, { line }) => all + line.subtotal, 0) > MAX_TOTAL) throw tooLarge();
  const toFee = (goods: Goods): number => {
    if (!goods.lines.some(isSent)) return 0;
    return typeof shippingFee === "number" ? shippingFee : shippingFee(goods);
  };
  const chosen = chooseDiscounts(discounts, priced, (parts) => toFee(toGoods(priced, parts)));
  const goods = toGoods(priced, chosen.parts);
  const { lines, subtotal, discount } = goods;
  const full = toFee(goods);
  const applied = deductFee(chosen.applied, full);
  const fee = full - sumOff(applied);
  const totals =
    tax === undefined
      ? { lines, subtotal, discount, shipping: fee, total: subtotal - discount + fee }
      : withTax(priced, goods, { terms: tax, fee, isFinal });
  if (totals.total > MAX_TOTAL || subtotal + fee > MAX_TOTAL) throw tooLarge();
  // An automatic discount that takes nothing off is not one.
  const kept = applied.filter((one) => one.discount.automatic !== true || one.amount + one.shipping > 0);
  return { ...totals, applied: kept };
}
