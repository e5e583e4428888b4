/** The shop's logic, put together from its parts. */
import type { Catalogue } from "./catalogue/catalogue.ts";
import { createCatalogue } from "./catalogue/catalogue.ts";
import type { Chat } from "./chat.ts";
import { createChat } from "./chat.ts";
import type { ShopDeps } from "./deps.ts";
import type { SiteAdmin } from "./site-admin.ts";
import { createSiteAdmin } from "./site-admin.ts";
import type { ShopStats } from "./stats.ts";
import { createStats } from "./stats.ts";
import type { Views } from "./views.ts";
import { createViews } from "./views.ts";

export interface Shop {
  readonly store: ShopDeps["store"];
  readonly deps: ShopDeps;
  readonly siteAdmin: SiteAdmin;
  /** What the public sees; `load` it before the first request. */
  readonly catalogue: Catalogue;
  readonly views: Views;
  readonly stats: () => Promise<ShopStats>;
  readonly chat: Chat;
}

/** Makes the shop's logic. */
export function createShop(given: ShopDeps): Shop {
  const { clock, log, isShared = false } = given;
  const catalogue = createCatalogue({ store: given.store, clock, log, isShared });
  // All parts commit through this store, so that the catalogue follows without being told.
  const { store } = catalogue;
  const deps: ShopDeps = { ...given, store };
  return {
    store,
    deps,
    siteAdmin: createSiteAdmin(deps),
    catalogue,
    views: createViews(deps),
    stats: createStats({ store, clock, catalogue }),
    chat: createChat(deps),
  };
}
