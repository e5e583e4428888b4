/**
 * What discounts take off an order. Pure: checkout, drafts and edits use it alike. Discounts that stack are deducted one
 * after the other, each from what the ones before left, so no line and no fee becomes negative.
 */
import { allocate } from "../base/money.ts";
import type { ProductRecord } from "../products/schema.ts";
import type { CouponRecord } from "./schema.ts";

/** A product; of a part of a bundle, the bundle counts. */
export interface Scoped extends Pick<ProductRecord, "id" | "categoryId"> {
  readonly bundle?: Pick<ProductRecord, "id" | "categoryId"> | undefined;
}

/** A discount: that of a coupon, an automatic one, or one that staff gave, which has no ID. */
export interface Discount extends Pick<
  CouponRecord,
  "kind" | "value" | "cap" | "productIds" | "categoryIds"
> {
  readonly id?: string;
  readonly buyQuantity?: number | undefined;
  readonly getQuantity?: number | undefined;
  readonly getProductIds?: readonly string[] | undefined;
  readonly minimum?: number;
  readonly minimumQuantity?: number | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly stacks?: boolean | undefined;
  readonly automatic?: boolean | undefined;
  readonly code?: string;
  readonly title?: string | undefined;
}

/** A line as discounts see it. */
export interface DiscountedLine {
  readonly line: { readonly subtotal: number; readonly quantity: number; readonly deliveryType: string };
  readonly product: Scoped;
}

/** What one discount takes off. */
export interface AppliedDiscount {
  readonly discount: Discount;
  /** Off the items. */
  readonly amount: number;
  /** Off the shipping fee. */
  readonly shipping: number;
}

/** Whether a discount applies to a product. */
export function isInScope(discount: Pick<Discount, "productIds" | "categoryIds">, product: Scoped): boolean {
  const { productIds, categoryIds } = discount;
  if (productIds.length === 0 && categoryIds.length === 0) return true;
  const { id, categoryId } = product.bundle ?? product;
  return productIds.includes(id) || (categoryId !== undefined && categoryIds.includes(categoryId));
}

/** Hundredths of a percent of an amount; rounds half up. */
function toPercent(value: number, amount: number): number {
  return Number((BigInt(amount) * BigInt(value) + 5_000n) / 10_000n);
}

/** Whether a discount can reduce a product: of "buy_get", whether it is one that is given. */
export function mayReduce(discount: Discount, product: Scoped): boolean {
  const { kind, getProductIds = [] } = discount;
  if (kind !== "buy_get") return isInScope(discount, product);
  // A bundle is no unit.
  if (product.bundle !== undefined) return false;
  return getProductIds.length === 0 ? isInScope(discount, product) : getProductIds.includes(product.id);
}

/** The discount on the sum of the lines in its scope; never more than that sum. Percentages round half up. */
export function toDiscount(
  { kind, value, cap }: Pick<Discount, "kind" | "value" | "cap">,
  sum: number,
): number {
  if (kind === "shipping") return 0;
  const wanted = kind === "fixed" ? value : toPercent(value, sum);
  return Math.min(wanted, sum, kind === "percent" ? (cap ?? sum) : sum);
}

/** Lines that a discount is on. Gift cards are money, which no discount reduces. */
function isMeant(discount: Discount, { line, product }: DiscountedLine): boolean {
  return line.deliveryType !== "gift_card" && isInScope(discount, product);
}

/**
 * How many units of each line "buy_get" gives: as many as are possible, the cheapest first, so that for each
 * `getQuantity` of them, or a part of it, `buyQuantity` units are bought that are not given. `given`: units that other
 * discounts have given, which are not bought.
 */
function toGiven(
  discount: Discount,
  lines: readonly DiscountedLine[],
  given: readonly number[] = lines.map(() => 0),
): number[] {
  const { buyQuantity = 1, getQuantity = 1 } = discount;
  const all = lines.map((one, index) => {
    const units = one.line.quantity - (given[index] ?? 0);
    const isUnit = one.product.bundle === undefined && one.line.deliveryType !== "gift_card";
    return {
      index,
      price: one.line.subtotal / Math.max(1, one.line.quantity),
      bought: isUnit && isInScope(discount, one.product) ? units : 0,
      givable: isUnit && mayReduce(discount, one.product) ? units : 0,
    };
  });
  const cheapest = all.filter(({ givable }) => givable > 0).toSorted((a, b) => a.price - b.price);
  const sumOf = (list: typeof all, name: "bought" | "givable"): number =>
    list.reduce((sum, one) => sum + one[name], 0);
  const bought = sumOf(all, "bought");
  /** Units by line when so many are given, and whether enough are bought then. */
  const give = (count: number): { units: number[]; isEnough: boolean } => {
    const units = lines.map(() => 0);
    let left = count;
    let less = 0;
    for (const { index, givable, bought: own } of cheapest) {
      const taken = Math.min(left, givable);
      units[index] = taken;
      left -= taken;
      if (own > 0) less += taken;
    }
    return { units, isEnough: bought - less >= buyQuantity * Math.ceil(count / getQuantity) };
  };
  let [least, most] = [0, sumOf(cheapest, "givable")];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (give(middle).isEnough) least = middle;
    else most = middle - 1;
  }
  return give(least).units;
}

/** Why these lines cannot have a discount; undefined if they can. Minimums are of the prices before all discounts. */
export function findUnmet(
  discount: Discount,
  lines: readonly DiscountedLine[],
  country: string | undefined,
): "scope" | "minimum" | "quantity" | "country" | undefined {
  const { minimum = 0, minimumQuantity = 0, countries = [] } = discount;
  const isShipping = discount.kind === "shipping";
  const meant = lines.filter(
    (one) => isMeant(discount, one) && (!isShipping || one.line.deliveryType === "shipping"),
  );
  if (meant.length === 0) return "scope";
  if (meant.reduce((sum, { line }) => sum + line.subtotal, 0) < minimum) return "minimum";
  if (meant.reduce((sum, { line }) => sum + line.quantity, 0) < minimumQuantity) return "quantity";
  if (discount.kind === "buy_get" && toGiven(discount, lines).every((units) => units === 0))
    return "quantity";
  const isElsewhere = countries.length > 0 && (country === undefined || !countries.includes(country));
  return isElsewhere ? "country" : undefined;
}

const kindOrder = { buy_get: 0, percent: 1, fixed: 2, shipping: 3 } as const;

/** Units that are given first; then percentages, the largest one first; then amounts, the same. */
function inOrder(discounts: readonly Discount[]): Discount[] {
  return discounts.toSorted(
    (a, b) =>
      kindOrder[a.kind] - kindOrder[b.kind] || b.value - a.value || ((a.id ?? "") < (b.id ?? "") ? -1 : 1),
  );
}

export interface Deducted {
  readonly applied: readonly AppliedDiscount[];
  /** Off each line. */
  readonly parts: readonly number[];
}

/** Deducts discounts from lines, in their fixed order. */
function deduct(discounts: readonly Discount[], lines: readonly DiscountedLine[]): Deducted {
  const left = lines.map(({ line }) => line.subtotal);
  const given = lines.map(() => 0);
  const applied = inOrder(discounts).map((discount): AppliedDiscount => {
    if (discount.kind === "buy_get") {
      const parts = toGiven(discount, lines, given).map((units, index) => {
        given[index] = (given[index] ?? 0) + units;
        const { subtotal = 0, quantity = 1 } = lines[index]?.line ?? {};
        const price = Math.floor(subtotal / Math.max(1, quantity));
        return Math.min(left[index] ?? 0, toPercent(discount.value, price * units));
      });
      parts.forEach((part, index) => {
        left[index] = (left[index] ?? 0) - part;
      });
      return { discount, amount: parts.reduce((sum, part) => sum + part, 0), shipping: 0 };
    }
    const weights = lines.map((one, index) => (isMeant(discount, one) ? (left[index] ?? 0) : 0));
    const amount = toDiscount(
      discount,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
    allocate(amount, weights).forEach((part, index) => {
      left[index] = (left[index] ?? 0) - part;
    });
    return { discount, amount, shipping: 0 };
  });
  return { applied, parts: lines.map(({ line }, index) => line.subtotal - (left[index] ?? 0)) };
}

/** What discounts take off a shipping fee, one after the other. */
export function deductFee(applied: readonly AppliedDiscount[], fee: number): AppliedDiscount[] {
  let left = fee;
  return applied.map((one) => {
    const { kind, cap = left } = one.discount;
    const shipping = kind === "shipping" ? Math.min(cap, left) : 0;
    left -= shipping;
    return { ...one, shipping };
  });
}

/** All that discounts take off a fee. */
export function sumOff(applied: readonly AppliedDiscount[]): number {
  return applied.reduce((sum, { shipping }) => sum + shipping, 0);
}

/**
 * The discounts that give the buyer most: one alone, or all that stack together. Among equals a code comes before
 * automatic discounts, and an older one before a newer one.
 */
export function chooseDiscounts(
  discounts: readonly Discount[],
  lines: readonly DiscountedLine[],
  toFee: (parts: readonly number[]) => number,
): Deducted {
  const stacking = discounts.filter(({ stacks }) => stacks === true);
  const alone = discounts.filter(({ stacks }) => stacks !== true);
  const sets = [...(stacking.length === 0 ? [] : [stacking]), ...alone.map((one) => [one])];
  const isEasy = sets.length < 2;
  const ranked = sets
    .toSorted((a, b) => rank(a) - rank(b) || (idOf(a) < idOf(b) ? -1 : 1))
    .map((set) => {
      const deducted = deduct(set, lines);
      const goods = deducted.parts.reduce((sum, part) => sum + part, 0);
      const isShipped = !isEasy && set.some(({ kind }) => kind === "shipping");
      const shipping = isShipped ? sumOff(deductFee(deducted.applied, toFee(deducted.parts))) : 0;
      return { deducted, saved: goods + shipping };
    });
  const most = Math.max(...ranked.map(({ saved }) => saved));
  return ranked.find(({ saved }) => saved === most)?.deducted ?? { applied: [], parts: lines.map(() => 0) };
}

function rank(set: readonly Discount[]): number {
  return set.some(({ automatic }) => automatic !== true) ? 0 : 1;
}

function idOf(set: readonly Discount[]): string {
  return set.map(({ id = "" }) => id).toSorted()[0] ?? "";
}
