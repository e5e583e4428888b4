/** Products of which every buyer gets the same secret. */
import type { ProductRecord } from "../products/schema.ts";

/** A product whose every buyer gets one secret cannot be handed over while it has none. */
export function lacksSecret(product: Pick<ProductRecord, "deliveryType" | "sealedSharedSecret">): boolean {
  return product.deliveryType === "shared_secret" && product.sealedSharedSecret === undefined;
}
