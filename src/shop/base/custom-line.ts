/** Lines that staff typed in place of a product: nothing of the catalogue or the stock belongs to them. */

/** In place of the IDs of the product and of its stock record. */
export const CUSTOM_ID = "custom";

export function isCustom({ productId }: { readonly productId: string }): boolean {
  return productId === CUSTOM_ID;
}
