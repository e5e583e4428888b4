/** The shop's logic, put together from its parts. */
import type { Catalogue } from "./catalogue/catalogue.ts";
import { createCatalogue } from "./catalogue/catalogue.ts";
import type { Chat } from "./chat.ts";
import { createChat } from "./chat.ts";
import type { ShopDeps } from "./deps.ts";
import type { SiteAdmin } from "./site-admin.ts";
import { createSiteAdmin } from "./site-admin.ts";
import type { SmtpAdmin } from "./smtp-admin.ts";
import { createSmtpAdmin } from "./smtp-admin.ts";
import type { WishNotices } from "./wish-notices.ts";
import { createWishNotices } from "./wish-notices.ts";
import type { Wishlist } from "./wishlist.ts";
import { createWishlist } from "./wishlist.ts";
import type { ShopStats } from "./stats.ts";
import { createStats } from "./stats.ts";
import type { Views } from "./views.ts";
import { createViews } from "./views.ts";
import type { Checkout } from "./checkout.ts";
import { createCheckout } from "./checkout.ts";
import type { CouponsAdmin } from "./coupons-admin.ts";
import { createCouponsAdmin } from "./coupons-admin.ts";
import type { DemoPayments } from "./demo-payment.ts";
import { createDemoPayments } from "./demo-payment.ts";
import type { Notices } from "./notices.ts";
import { createNotices } from "./notices.ts";
import type { OrderAdmin } from "./order-admin.ts";
import { createOrderAdmin } from "./order-admin.ts";
import type { OrderJobs } from "./order-jobs.ts";
import { createOrderJobs } from "./order-jobs.ts";
import type { OrderWatch } from "./order-watch.ts";
import { createOrderWatch } from "./order-watch.ts";
import type { Pokes } from "./nodes/pokes.ts";
import { createPokes } from "./nodes/pokes.ts";
import type { Orders } from "./orders.ts";
import { createOrders } from "./orders.ts";
import type { PaymentsAdmin } from "./payments-admin.ts";
import { createPaymentsAdmin } from "./payments-admin.ts";
import type { ProductAdmin } from "./product-admin.ts";
import { createProductAdmin } from "./product-admin.ts";
import { orders } from "./records.ts";
import { withAuditKey } from "../kit/audit-key.ts";
import { createLocalLimits } from "../kit/shared-limit.ts";
import { toSmtpRules } from "../kit/smtp-rules.ts";
import { observeStore } from "../store/observed-store.ts";

export interface Shop {
  readonly store: ShopDeps["store"];
  readonly deps: ShopDeps;
  readonly checkout: Checkout;
  readonly orders: Orders;
  readonly orderAdmin: OrderAdmin;
  readonly orderJobs: OrderJobs;
  readonly notices: Notices;
  readonly payments: PaymentsAdmin;
  readonly demo: DemoPayments;
  readonly watch: OrderWatch;
  readonly siteAdmin: SiteAdmin;
  readonly productAdmin: ProductAdmin;
  readonly couponsAdmin: CouponsAdmin;
  readonly smtpAdmin: SmtpAdmin;
  readonly wishlist: Wishlist;
  readonly wishNotices: WishNotices;
  /** What the public sees; `load` it before the first request. */
  readonly catalogue: Catalogue;
  readonly views: Views;
  readonly stats: () => Promise<ShopStats>;
  readonly chat: Chat;
  /** Word between processes; `close` it when nothing is served any more. */
  readonly pokes: Pokes;
}

/** Those who wait for orders, told of commits of this process and of others. */
function watchOrders(
  { store, clock, log }: ShopDeps,
  pokes: Pokes,
): { watch: OrderWatch; watched: ShopDeps["store"] } {
  const watch = createOrderWatch({ monotonic: () => clock.monotonic(), lookMs: () => pokes.lookMs() });
  pokes.hear("orders", (ids) => watch.touch(ids));
  const watched = observeStore(store, {
    collections: [orders],
    onCommit: (changes) => {
      const ids = changes.map(({ id }) => id);
      watch.touch(ids);
      pokes.tell("orders", ids);
    },
    onError: (error) => log.warn("Those who wait for an order could not be told", { error }),
  });
  return { watch, watched };
}

/** What the shop is made from; without `limits` they count in this process alone, and mail servers are public ones. */
export type ShopOptions = Omit<ShopDeps, "limits" | "smtpRules"> &
  Partial<Pick<ShopDeps, "limits" | "smtpRules">>;

/** Makes the shop's logic. */
export function createShop(options: ShopOptions): Shop {
  const given: ShopDeps = {
    limits: createLocalLimits(options.clock),
    smtpRules: toSmtpRules(false),
    ...options,
  };
  const { clock, log, isShared = false } = given;
  const pokes = createPokes(given.bus);
  const { watch, watched } = watchOrders(given, pokes);
  const catalogue = createCatalogue({ store: watched, clock, log, isShared, pokes });
  // All parts commit through this store, so that the catalogue follows without being told.
  const store = withAuditKey(catalogue.store, given.box);
  const deps: ShopDeps = { ...given, store };
  const notices = createNotices(deps);
  return {
    store,
    deps,
    checkout: createCheckout(deps),
    orders: createOrders(deps),
    orderAdmin: createOrderAdmin(deps),
    orderJobs: createOrderJobs(deps),
    notices,
    payments: createPaymentsAdmin(deps),
    demo: createDemoPayments(deps, notices),
    watch,
    siteAdmin: createSiteAdmin(deps),
    productAdmin: createProductAdmin(deps),
    couponsAdmin: createCouponsAdmin(deps),
    smtpAdmin: createSmtpAdmin(deps),
    wishlist: createWishlist(deps),
    wishNotices: createWishNotices(deps),
    catalogue,
    views: createViews(deps),
    stats: createStats({ store, clock, catalogue }),
    chat: createChat(deps, pokes),
    pokes,
  };
}
