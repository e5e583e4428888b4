/** The shop's logic, put together from its parts. */
import { type Catalogue, createCatalogue } from "../catalogue/catalogue.ts";
import { createCategories } from "../categories/categories.ts";
import { createCollections } from "../categories/collections.ts";
import { createChat } from "../chat/chat.ts";
import type { ShopDeps } from "../base/deps.ts";
import { createSiteAdmin } from "../settings/settings-admin.ts";
import { createSmtpAdmin } from "../settings/smtp-admin.ts";
import { createInvitations } from "../reviews/invitations.ts";
import { createReviews, eraseReviews, toReviewer } from "../reviews/reviews.ts";
import { createReviewsAdmin } from "../reviews/reviews-admin.ts";
import { createWishNotices } from "../wishlist/wish-notices.ts";
import { createWishlist } from "../wishlist/wishlist.ts";
import { createSales } from "../operation/sales.ts";
import { createStats } from "../operation/stats.ts";
import { createViews } from "../catalogue/page-view-counts.ts";
import { createSuggest } from "../catalogue/suggest.ts";
import { Checkout } from "../checkout/checkout.ts";
import { ShippingMethods } from "../shipping/methods-admin.ts";
import { eraseRecipient } from "../gift-cards/recipients.ts";
import { createFindBalance } from "../gift-cards/balance.ts";
import { createCardGuesses } from "../gift-cards/codes.ts";
import { GiftCardsAdmin } from "../gift-cards/gift-cards-admin.ts";
import { createGiftMails } from "../gift-cards/mails.ts";
import { createCouponsAdmin } from "../coupons/coupons-admin.ts";
import { createPaymentParts } from "../payments/services/payment-parts.ts";
import { OrderAdmin } from "../fulfilment/order-admin.ts";
import { OrderCare } from "../fulfilment/care.ts";
import { Refunds } from "../fulfilment/refunds.ts";
import { createReminders } from "../reminders/send.ts";
import { createStockNotices } from "../stock-requests/notices.ts";
import { stockRequests } from "../stock-requests/records.ts";
import { createStockRequests, listRequestsOf } from "../stock-requests/stock-requests.ts";
import { OrderJobs } from "../fulfilment/jobs.ts";
import { createDownloads } from "../downloads/downloads.ts";
import { createOrderDownloads } from "../downloads/order-downloads.ts";
import { createVersionNotices } from "../downloads/version-notices.ts";
import { createProductFiles } from "../files/product-files.ts";
import { createUploads } from "../files/uploads.ts";
import { createOrderWatch } from "../orders/watch.ts";
import { createChangeSignals } from "../nodes/change-signals.ts";
import { createOrderFinder } from "../order-finder/find-order.ts";
import { DraftOrders } from "../draft-orders/drafts.ts";
import { eraseDrafts } from "../draft-orders/erase.ts";
import { DraftPlacing } from "../draft-orders/placing.ts";
import { OrderEdits } from "../order-edits/edits.ts";
import { createRenewals } from "../renewals/renewals.ts";
import { Orders } from "../orders/orders.ts";
import { createMailEditor } from "../mail-editor/mail-editor.ts";
import { createWithdrawals } from "../withdrawals/withdrawals.ts";
import { PaymentsAdmin } from "../payments/payments-admin.ts";
import { createImageSizes } from "../images/image-sizes.ts";
import { createProductImages } from "../images/product-images.ts";
import { createImports } from "../imports/imports.ts";
import { createProductTransfer } from "../transfer/product-transfer.ts";
import { createProducts } from "../products/products.ts";
import { createHolderKeys } from "../licence-keys/holder-keys.ts";
import { Keys } from "../licence-keys/licence-keys.ts";
import { createLicenseFiles } from "../licenses/license-file.ts";
import { createOrderLicenses } from "../licenses/order-licenses.ts";
import { LicenseSigningKeys } from "../licenses/signing-keys.ts";
import { LicenseAdmin } from "../licenses/license-admin.ts";
import { LicenseApi } from "../licenses/license-api.ts";
import { SharedSecrets } from "../licence-keys/shared-secret.ts";
import { VatChecks } from "../tax/vat-checks.ts";
import { StockAdmin } from "../stock/stock-admin.ts";
import { orders } from "../orders/records.ts";
import { createCustomerBook } from "../customers/book.ts";
import type { Buyer } from "../customers/identity.ts";
import { Customers } from "../customers/customers.ts";
import { createCustomerErasure } from "../customers/erasure.ts";
import { createProfileRows } from "../customers/profile-rows.ts";
import { createProfileJoin } from "../customers/profiles.ts";
import { type OrderRows, createOrderRows } from "../order-search/rows.ts";
import { createSavedSearches } from "../order-search/saved-searches.ts";
import { createOrderSearch } from "../order-search/search.ts";
import { WebhookEndpoints } from "../webhooks-out/endpoints.ts";
import { WebhookLog } from "../webhooks-out/deliveries.ts";
import { tellChanges, toldCollections } from "../webhooks-out/record-events.ts";
import { createWebhookSender } from "../webhooks-out/sender.ts";
import { withAuditKey } from "../../records/audit-key.ts";
import { createLocalLimits } from "../../bus/shared-limit.ts";
import { toSmtpRules } from "../../kit/mail/smtp-rules.ts";
import { type RecordChange, observeStore } from "../../store/observed-store.ts";
import type { Store, Tx } from "../../store/store.ts";

/** Options of the shop; without `limits`, counts are per process, and mail servers must be public. */
export type ShopOptions = Omit<ShopDeps, OptionalDep> & Partial<Pick<ShopDeps, OptionalDep>>;
type OptionalDep = "limits" | "smtpRules" | "paymentOutbound" | "pictureOutbound" | "fileBlobs";

/** The result of {@link createShop}; only the composition and tests know the whole. */
export type Shop = ReturnType<typeof createShop>;

/** Where nothing is to leave. */
const noOutbound: ShopDeps["paymentOutbound"] = {
  send: () => Promise.resolve({ kind: "refused", reason: "This shop sends no requests" }),
};

/** Licenses: for programs, for buyers and for administrators. */
function createLicenses(deps: ShopDeps) {
  const licenseSigningKeys = new LicenseSigningKeys(deps);
  const licenseFiles = createLicenseFiles(deps, licenseSigningKeys);
  const licenseApi = new LicenseApi({ ...deps, licenseFiles });
  return {
    licenseSigningKeys,
    licenseFiles,
    licenseApi,
    licenseAdmin: new LicenseAdmin(deps),
    orderLicenses: createOrderLicenses({ ...deps, licenseFiles }),
  };
}

/** Products for administrators: with secrets, pictures and files, import and export, coupons. */
function createGoods(deps: ShopDeps, catalogue: Catalogue) {
  return {
    products: createProducts(deps, catalogue),
    categories: createCategories(deps),
    collections: createCollections(deps, catalogue.listPicked),
    stock: new StockAdmin(deps, catalogue),
    keys: new Keys(deps),
    ...createLicenses(deps),
    listHolderKeys: createHolderKeys(deps),
    sharedSecrets: new SharedSecrets(deps),
    images: createProductImages(deps),
    imageSizes: createImageSizes(deps),
    transfer: createProductTransfer(deps),
    imports: createImports(deps),
    couponsAdmin: createCouponsAdmin(deps),
    uploads: createUploads(deps),
    productFiles: createProductFiles(deps),
    downloads: createDownloads(deps),
    orderDownloads: createOrderDownloads(deps),
    versionNotices: createVersionNotices(deps),
  };
}

/** A store that tells of its commits: who waits for an order, who looks for one, and webhooks of others. */
function watchOrders(
  { store, clock, log }: ShopDeps,
  listeners: {
    readonly onOrders: (ids: readonly string[]) => void;
    readonly onCommit: (changes: readonly RecordChange[]) => void;
    readonly onTold: (endpointIds: readonly string[]) => void;
  },
): Store {
  /** Endpoints that a transaction wrote events for. */
  const told = new Set<string>();
  return observeStore(store, {
    collections: toldCollections,
    remembers: true,
    beforeCommit: async (tx, changes) => {
      for (const id of await tellChanges(tx, { clock }, changes)) told.add(id);
    },
    onCommit: (changes) => {
      const ids = changes.filter(({ collection }) => collection === orders.name).map(({ id }) => id);
      if (ids.length > 0) listeners.onOrders(ids);
      listeners.onCommit(changes);
      listeners.onTold([...told]);
      told.clear();
    },
    onError: (error) => log.warn("Requests that wait for an order could not be notified", { error }),
  });
}

/** What nouns beside orders know of a buyer. */
async function eraseOthers(tx: Tx, buyer: Buyer): Promise<void> {
  await eraseDrafts(tx, buyer);
  await eraseRecipient(tx, buyer.emailLower);
  for (const { id } of await listRequestsOf(tx, buyer.emailLower)) await tx.remove(stockRequests, id);
}

/** Parts for the owner of a shop other than orders and products. */
function createOwnerParts(deps: ShopDeps, orderRows: OrderRows) {
  const book = createCustomerBook(deps.box, orderRows, createProfileRows(deps));
  return {
    orderSearch: createOrderSearch(deps, orderRows),
    customers: new Customers(deps, book),
    customerErasure: createCustomerErasure(deps, {
      book,
      eraseMore: async (tx, buyer) => {
        await eraseOthers(tx, buyer);
        await eraseReviews(tx, toReviewer(deps.box, buyer), deps.clock.now());
      },
    }),
    joinProfile: createProfileJoin(deps),
    savedSearches: createSavedSearches(deps),
    webhookEndpoints: new WebhookEndpoints(deps),
    webhookLog: new WebhookLog({ ...deps, outbound: deps.webhookOutbound }),
  };
}

/** Creates the shop's logic. Its catalogue is loaded before the first request, its signals are closed after the last. */
export function createShop(options: ShopOptions) {
  const base: ShopDeps = {
    limits: createLocalLimits(options.clock),
    smtpRules: toSmtpRules(false),
    paymentOutbound: noOutbound,
    pictureOutbound: noOutbound,
    fileBlobs: options.blobs,
    ...options,
  };
  const { clock, log, isShared = false } = base;
  const signals = createChangeSignals(base.bus);
  const watch = createOrderWatch({ monotonic: () => clock.monotonic(), pollMs: () => signals.pollMs() });
  signals.listen("orders", (ids) => watch.touch(ids));
  const orderRows = createOrderRows({ store: base.store, clock, isShared });
  const watched = watchOrders(base, {
    onOrders: (ids) => {
      watch.touch(ids);
      signals.send("orders", ids);
    },
    onCommit: orderRows.onCommit,
    onTold: (endpointIds) => webhookSender.wake(endpointIds),
  });
  const catalogue = createCatalogue({ store: watched, clock, log, isShared, signals });
  // All parts commit through this store, so that the catalogue follows by itself.
  const store = withAuditKey(catalogue.store, base.box);
  const deps: ShopDeps = { ...base, store };
  const webhookSender = createWebhookSender({ ...deps, outbound: base.webhookOutbound });
  const services = createPaymentParts(deps);
  const orderAdmin = new OrderAdmin(deps);
  const vatChecks = new VatChecks(deps);
  const cardGuesses = createCardGuesses(deps);
  const orderReads = new Orders(deps);
  const draftOrders = new DraftOrders(deps, { vatChecks });
  return {
    store,
    deps,
    ...services,
    checkout: new Checkout(deps, { starts: services.starts, vatChecks, cardGuesses }),
    findBalance: createFindBalance(deps, cardGuesses),
    giftMails: createGiftMails(deps),
    reminders: createReminders(deps),
    invitations: createInvitations(deps),
    stockRequests: createStockRequests(deps),
    stockNotices: createStockNotices(deps),
    giftCardsAdmin: new GiftCardsAdmin(deps),
    orders: orderReads,
    orderEdits: new OrderEdits(deps, { orders: orderReads, starts: services.starts, vatChecks }),
    draftOrders,
    draftPlacing: new DraftPlacing(deps, { drafts: draftOrders, starts: services.starts }),
    ...createRenewals(deps, { starts: services.starts, vatChecks }),
    orderAdmin,
    vatChecks,
    orderCare: new OrderCare(deps),
    refunds: new Refunds(deps, orderAdmin),
    orderFinder: createOrderFinder(deps),
    ...createWithdrawals(deps),
    mailEditor: createMailEditor(deps),
    orderJobs: new OrderJobs(deps),
    payments: new PaymentsAdmin(deps),
    watch,
    siteAdmin: createSiteAdmin(deps),
    ...createGoods(deps, catalogue),
    shippingMethods: new ShippingMethods(deps),
    smtpAdmin: createSmtpAdmin(deps),
    wishlist: createWishlist(deps),
    reviews: createReviews(deps),
    reviewsAdmin: createReviewsAdmin(deps),
    wishNotices: createWishNotices(deps),
    catalogue,
    views: createViews(deps),
    suggest: createSuggest({ catalogue, clock: deps.clock }),
    stats: createStats({ store, clock, catalogue }),
    sales: createSales({ store, clock, orderRows }),
    chat: createChat(deps, signals),
    ...createOwnerParts(deps, orderRows),
    webhookSender,
    signals,
  };
}
