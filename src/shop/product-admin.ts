/** The administration of products, put together from its parts. */
import type { ShopDeps } from "./deps.ts";
import { type ProductImages, createProductImages } from "./images/product-images.ts";
import { type ProductTransfer, createProductTransfer } from "./transfer/product-transfer.ts";
import { type Products, createProducts } from "./products/products.ts";
import { type Keys, createKeys } from "./licence-keys/licence-keys.ts";
import { type SharedSecrets, createSharedSecrets } from "./licence-keys/shared-secret.ts";
import { type StockAdmin, createStockAdmin } from "./stock/stock-admin.ts";

export interface ProductAdmin {
  readonly products: Products;
  readonly stock: StockAdmin;
  readonly keys: Keys;
  readonly sharedSecrets: SharedSecrets;
  readonly images: ProductImages;
  readonly transfer: ProductTransfer;
}

/** Makes the administration of products. */
export function createProductAdmin(deps: ShopDeps): ProductAdmin {
  return {
    products: createProducts(deps),
    stock: createStockAdmin(deps),
    keys: createKeys(deps),
    sharedSecrets: createSharedSecrets(deps),
    images: createProductImages(deps),
    transfer: createProductTransfer(deps),
  };
}
