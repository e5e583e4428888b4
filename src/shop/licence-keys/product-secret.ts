/** Products of which every buyer gets the same secret, and what sealed goods open for. */
import type { ProductRecord } from "../products/schema.ts";

/** Sealed keys open for this purpose only. */
export const SECRET_PURPOSE = "secret";
/** Sealed shared secrets and contents that an administrator wrote. */
export const CONTENT_PURPOSE = "delivery";

/** A product whose buyers get one secret, or files, cannot be handed over while it has none. */
export function lacksSecret(
  product: Pick<ProductRecord, "deliveryType" | "sealedSharedSecret" | "fileCount">,
): boolean {
  if (product.deliveryType === "files") return (product.fileCount ?? 0) === 0;
  return product.deliveryType === "shared_secret" && product.sealedSharedSecret === undefined;
}
