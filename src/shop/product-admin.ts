/** The administration of products, put together from its parts. */
import type { ShopDeps } from "./deps.ts";
import type { ProductImages } from "./product-images.ts";
import { createProductImages } from "./product-images.ts";
import type { ProductTransfer } from "./product-transfer.ts";
import { createProductTransfer } from "./product-transfer.ts";
import type { Products } from "./products.ts";
import { createProducts } from "./products.ts";
import type { Keys } from "./secrets.ts";
import { createKeys } from "./secrets.ts";
import type { SharedSecrets } from "./shared-secret.ts";
import { createSharedSecrets } from "./shared-secret.ts";
import type { StockAdmin } from "./stock-admin.ts";
import { createStockAdmin } from "./stock-admin.ts";

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
