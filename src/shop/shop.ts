/** The shop's logic, put together from its parts. */
import type { ShopDeps } from "./deps.ts";

export interface Shop {
  readonly store: ShopDeps["store"];
  readonly deps: ShopDeps;
}

/** Makes the shop's logic. */
export function createShop(deps: ShopDeps): Shop {
  return { store: deps.store, deps };
}
