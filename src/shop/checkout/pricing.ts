/** What an order costs: lines at the shop's own prices, a coupon's discount shared out over them, shipping. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx } from "../../store/store.ts";
import { allocate } from "../money.ts";
import { isInScope, toDiscount } from "../coupons/coupons.ts";
import type { CouponRecord } from "../coupons/schema.ts";
import type { OrderLine } from "../orders/schema.ts";
import { readInputs } from "./order-inputs.ts";
import type { OrderItem } from "./schema.ts";
import type { ProductRecord, Variant } from "../products/schema.ts";
import { products } from "../records.ts";

/** A line with the product that it is of. */
export interface PricedLine {
  readonly line: OrderLine;
  readonly product: ProductRecord;
}

/** Sums beyond this could lose units of money. */
const MAX_TOTAL = Number.MAX_SAFE_INTEGER;

function problem(index: number, member: string, message: string, code = "invalid"): FieldError {
  return { pointer: `/items/${index}/${member}`, code, message };
}

function findVariant(product: ProductRecord, variantId: string | undefined): Variant | undefined | "wrong" {
  if (product.variants.length === 0) return variantId === undefined ? undefined : "wrong";
  return product.variants.find(({ id }) => id === variantId) ?? "wrong";
}

function checkQuantities(lines: readonly PricedLine[], errors: FieldError[]): void {
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
        `of this product, ${minQuantity} to ${maxQuantity} can be ordered at once`,
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
  },
): OrderLine {
  const { product, variant, inputs, language } = found;
  const unitPrice = variant?.price ?? product.price;
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
    subtotal,
    discount: 0,
    total: subtotal,
    deliveryType: product.deliveryType,
    inputs,
    instructions: product.instructions,
    secretIds: [],
  };
}

/**
 * Looks up and prices what is wanted, without any discount.
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
    /** What products ask for need not be answered yet. */
    readonly isPreview?: boolean;
  },
): Promise<PricedLine[]> {
  const errors: FieldError[] = [];
  const lines: PricedLine[] = [];
  for (const [index, item] of wanted.items.entries()) {
    const product = await tx.get(products, item.productId);
    if (product?.status !== "published" || product.currency !== wanted.currency) {
      errors.push(problem(index, "productId", "there is no such product to order"));
      continue;
    }
    const variant = findVariant(product, item.variantId);
    if (variant === "wrong") {
      const message =
        product.variants.length === 0
          ? "this product has no variants"
          : "choose one of the product's variants";
      errors.push(problem(index, "variantId", message));
      continue;
    }
    const answers = { ...wanted.inputs, ...item.inputs };
    const { inputs, problems } = readInputs(wanted.isPreview === true ? [] : product.inputs, answers);
    errors.push(...problems.map(({ key, message }) => problem(index, `inputs/${key}`, message)));
    lines.push({ line: toLine(item, { product, variant, inputs, language: wanted.language }), product });
  }
  if (errors.length > 0)
    throw new AppError("invalid", "Some of what was ordered cannot be ordered so", { errors });
  checkQuantities(lines, errors);
  if (errors.length > 0) throw new ShopError("quantity_limit", "Order another quantity", { errors });
  return lines;
}

/** What the lines and their discounts add up to. */
export interface Totals {
  readonly lines: OrderLine[];
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly total: number;
}

/** Adds up lines, with the discount of a coupon if there is one. Throws `invalid` when the sum is too large to be paid. */
export function toTotals(
  priced: readonly PricedLine[],
  options: { readonly coupon?: CouponRecord | undefined; readonly shippingFee: number },
): Totals {
  const { coupon, shippingFee } = options;
  const subtotal = priced.reduce((sum, { line }) => sum + line.subtotal, 0);
  if (subtotal + shippingFee > MAX_TOTAL)
    throw new AppError("invalid", "The order is too large; order less at once");
  const weights = priced.map(({ line, product }) =>
    coupon !== undefined && isInScope(coupon, product) ? line.subtotal : 0,
  );
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const discount = coupon === undefined ? 0 : toDiscount(coupon, sum);
  const parts = allocate(discount, weights);
  const lines = priced.map(({ line }, index) => {
    const part = parts[index] ?? 0;
    return { ...line, discount: part, total: line.subtotal - part };
  });
  const isSent = priced.some(({ line }) => line.deliveryType === "shipping");
  const shipping = isSent ? shippingFee : 0;
  return { lines, subtotal, discount, shipping, total: subtotal - discount + shipping };
}
