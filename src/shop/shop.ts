/** The shop's logic, put together from its parts. */
import { type Catalogue, createCatalogue } from "./catalogue/catalogue.ts";
import { type Chat, createChat } from "./chat/chat.ts";
import type { ShopDeps } from "./deps.ts";
import { type SiteAdmin, createSiteAdmin } from "./settings/settings-admin.ts";
import { type SmtpAdmin, createSmtpAdmin } from "./settings/smtp-admin.ts";
import { type WishNotices, createWishNotices } from "./wishlist/wish-notices.ts";
import { type Wishlist, createWishlist } from "./wishlist/wishlist.ts";
import { type ShopStats, createStats } from "./operation/stats.ts";
import { type Views, createViews } from "./catalogue/page-view-counts.ts";
import { type Checkout, createCheckout } from "./checkout/checkout.ts";
import { type CouponsAdmin, createCouponsAdmin } from "./coupons/coupons-admin.ts";
import { type DemoPayments, createDemoPayments } from "./payments/demo-payment.ts";
import { type Notices, createNotices } from "./payments/notices.ts";
import { type OrderAdmin, createOrderAdmin } from "./fulfilment/order-admin.ts";
import { type OrderJobs, createOrderJobs } from "./fulfilment/jobs.ts";
import { type OrderWatch, createOrderWatch } from "./orders/watch.ts";
import { type ChangeSignals, createChangeSignals } from "./nodes/change-signals.ts";
import { type Orders, createOrders } from "./orders/orders.ts";
import { type PaymentsAdmin, createPaymentsAdmin } from "./payments/payments-admin.ts";
import { type ProductAdmin, createProductAdmin } from "./product-admin.ts";
import { orders } from "./records.ts";
import { withAuditKey } from "../records/audit-key.ts";
import { createLocalLimits } from "../bus/shared-limit.ts";
import { toSmtpRules } from "../kit/mail/smtp-rules.ts";
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
  readonly signals: ChangeSignals;
}

/** Those who wait for orders, told of commits of this process and of others. */
function watchOrders(
  { store, clock, log }: ShopDeps,
  signals: ChangeSignals,
): { watch: OrderWatch; watched: ShopDeps["store"] } {
  const watch = createOrderWatch({ monotonic: () => clock.monotonic(), lookMs: () => signals.lookMs() });
  signals.listen("orders", (ids) => watch.touch(ids));
  const watched = observeStore(store, {
    collections: [orders],
    onCommit: (changes) => {
      const ids = changes.map(({ id }) => id);
      watch.touch(ids);
      signals.send("orders", ids);
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
  const signals = createChangeSignals(given.bus);
  const { watch, watched } = watchOrders(given, signals);
  const catalogue = createCatalogue({ store: watched, clock, log, isShared, signals });
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
    chat: createChat(deps, signals),
    signals,
  };
}
