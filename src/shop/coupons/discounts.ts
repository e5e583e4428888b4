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

/** The discount on the sum of the lines in its scope; never more than that sum. Percentages round half up. */
export function toDiscount(
  { kind, value, cap }: Pick<Discount, "kind" | "value" | "cap">,
  sum: number,
): number {
  if (kind === "shipping") return 0;
  const wanted = kind === "fixed" ? value : Number((BigInt(sum) * BigInt(value) + 5_000n) / 10_000n);
  return Math.min(wanted, sum, kind === "percent" ? (cap ?? sum) : sum);
}

/** Lines that a discount is on. Gift cards are money, which no discount reduces. */
function isMeant(discount: Discount, { line, product }: DiscountedLine): boolean {
  return line.deliveryType !== "gift_card" && isInScope(discount, product);
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
  const isElsewhere = countries.length > 0 && (country === undefined || !countries.includes(country));
  return isElsewhere ? "country" : undefined;
}

const kindOrder = { percent: 0, fixed: 1, shipping: 2 } as const;

/** Percentages first, the largest one first; then amounts, the same. */
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
  const applied = inOrder(discounts).map((discount): AppliedDiscount => {
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
