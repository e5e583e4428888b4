/** A bundle in an order: a line for each of its parts, which share its price in proportion to their own prices. */
import { newId } from "../../kit/secrets/id.ts";
import { allocate } from "../base/money.ts";
import type { OrderLine } from "../orders/schema.ts";
import { type FoundPart, stockIdOfPart } from "../products/bundle.ts";
import { toLicenseTerms } from "../products/license-schema.ts";
import { type ProductRecord, MAX_QUANTITY } from "../products/schema.ts";

/** Prices of the units of a part, and how many units have each. */
interface Share {
  readonly found: FoundPart;
  readonly unitPrice: number;
  readonly units: number;
}

/** Shares the price of one bundle; a part whose share cannot be divided by its units has two prices. */
export function shareBundle(unitPrice: number, parts: readonly FoundPart[]): Share[] {
  const weights = parts.map(({ part, product, variant }) => (variant ?? product).price * part.quantity);
  const isFree = weights.every((weight) => weight === 0);
  const shares = allocate(unitPrice, isFree ? parts.map(({ part }) => part.quantity) : weights);
  return parts.flatMap((found, index): Share[] => {
    const share = shares[index] ?? 0;
    const { quantity } = found.part;
    const more = share % quantity;
    const less = (share - more) / quantity;
    const all = [
      { found, unitPrice: less + 1, units: more },
      { found, unitPrice: less, units: quantity - more },
    ];
    return all.filter(({ units }) => units > 0);
  });
}

interface Bundle {
  /** The line as it would be of a product that is no bundle. */
  readonly line: OrderLine;
  readonly product: ProductRecord;
  readonly parts: readonly FoundPart[];
  readonly language: string;
}

/** The lines of a bundle; undefined if an order cannot have as many units of a part. */
export function toBundleLines({ line, product: bundle, parts, language }: Bundle): OrderLine[] | undefined {
  const id = newId("bdl");
  const { quantity } = line;
  const lines = shareBundle(line.unitPrice, parts).map(({ found, unitPrice, units }, index): OrderLine => {
    const { part, product, variant } = found;
    const subtotal = unitPrice * units * quantity;
    return {
      id: index === 0 ? line.id : newId("lin"),
      productId: product.id,
      variantId: variant?.id,
      stockId: stockIdOfPart(part),
      stockMode: product.stockMode,
      title: `${line.title}: ${product.translations[language]?.title ?? product.title}`.slice(0, 400),
      sku: variant?.sku ?? product.sku,
      options: { ...variant?.options },
      quantity: units * quantity,
      unitPrice,
      priceSteps: undefined,
      subtotal,
      discount: 0,
      total: subtotal,
      deliveryType: product.deliveryType,
      weightGrams: variant?.weightGrams ?? product.weightGrams,
      inputs: index === 0 ? line.inputs : {},
      instructions: product.instructions,
      license: toLicenseTerms(product, variant),
      secretIds: [],
      bundle: {
        id,
        productId: bundle.id,
        categoryId: bundle.categoryId,
        title: line.title,
        quantity,
        each: part.quantity,
      },
    };
  });
  return lines.some((one) => one.quantity > MAX_QUANTITY) ? undefined : lines;
}
