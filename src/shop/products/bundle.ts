/** Bundles: products that are made of other products or their variants, at a price of their own. */
import type { FieldError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { products } from "./records.ts";
import type { BundlePart, ProductRecord, Variant } from "./schema.ts";

/** A product that is sold as part of a bundle. */
export interface FoundPart {
  readonly part: BundlePart;
  readonly product: ProductRecord;
  readonly variant: Variant | undefined;
}

/** The ID of the stock record that units of a part come from. */
export function stockIdOfPart({ productId, variantId }: BundlePart): string {
  return variantId ?? productId;
}

/** The product and the variant of a part, or why it cannot be one. */
export function resolvePart(
  part: BundlePart,
  product: ProductRecord | undefined,
  currency: string,
): FoundPart | string {
  if (product === undefined || product.status === "archived" || product.currency !== currency)
    return "is not a product of the shop";
  if (product.parts !== undefined) return "is a bundle: name its parts";
  if (product.payWhatYouWant !== undefined) return "has a price that buyers choose";
  if (product.deliveryType === "gift_card") return "is a gift card, which has no price to share";
  const variant = product.variants.find(({ id }) => id === part.variantId);
  if (product.variants.length > 0 && variant === undefined) return "has variants: name one as variantId";
  if (product.variants.length === 0 && part.variantId !== undefined) return "has no such variant";
  return { part, product, variant };
}

/** The parts of a bundle; undefined where one of them is no longer there. */
export async function readParts(
  tx: ReadTx,
  { parts = [], currency }: Pick<ProductRecord, "parts" | "currency">,
): Promise<FoundPart[] | undefined> {
  const all: FoundPart[] = [];
  for (const part of parts) {
    const found = resolvePart(part, await tx.get(products, part.productId), currency);
    if (typeof found === "string") return undefined;
    all.push(found);
  }
  return all;
}

/** What is wrong with a bundle by itself. */
export function checkBundle({ id, parts, variants, license, maxPerCustomer }: ProductRecord): FieldError[] {
  if (parts === undefined) return [];
  const errors: FieldError[] = [];
  const refuse = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "invalid", message });
  };
  if (variants.length > 0) refuse("/variants", "is not possible for a bundle");
  if (license !== undefined) refuse("/license", "is set for the parts of a bundle");
  if (maxPerCustomer !== undefined) refuse("/maxPerCustomer", "is set for the parts of a bundle");
  parts.forEach((part, index) => {
    const twin = parts.findIndex((one) => stockIdOfPart(one) === stockIdOfPart(part));
    if (twin < index) refuse(`/parts/${index}/productId`, "must not be repeated: raise the quantity");
    if (part.productId === id) refuse(`/parts/${index}/productId`, "must be another product");
  });
  return errors;
}

/** What is wrong with the products that a bundle names. */
export async function checkParts(
  tx: ReadTx,
  { id, parts = [], currency }: ProductRecord,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, part] of parts.entries()) {
    // Said by checkBundle.
    if (part.productId === id) continue;
    const found = resolvePart(part, await tx.get(products, part.productId), currency);
    if (typeof found !== "string") continue;
    errors.push({ pointer: `/parts/${index}/productId`, code: "invalid", message: found });
  }
  return errors;
}

/** How often a bundle can be sold: as often as the part of which there is least. */
export function countBundles(
  parts: readonly BundlePart[],
  availableOf: (part: BundlePart) => number,
): number {
  return Math.max(0, Math.min(...parts.map((part) => Math.floor(availableOf(part) / part.quantity))));
}
