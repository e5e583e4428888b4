/** The shop's HTTP application: every route in one place, its descriptor and its OpenAPI document. */
import { z } from "@hono/zod-openapi";
import { type CommonAppOptions, type ServiceApp, createServiceApp } from "../../kit/http/app.ts";
import { addDescriptorRoutes } from "../../kit/http/descriptor-routes.ts";
import { addDocs, listRoutes } from "../../kit/http/docs.ts";
import type { HealthReport } from "../../kit/observe/health.ts";
import { addDoctorRoute } from "../../kit/doctor/doctor-route.ts";
import { addHealthRoute, healthSchema } from "../../kit/http/health-route.ts";
import { addMetricsRoute } from "../../kit/http/metrics-route.ts";
import { type ConsoleAssets, type PageAssets, addAssets } from "../../kit/http/web-assets.ts";
import { wantsPage } from "../../kit/http/routing.ts";
import { UPLOAD_MAX_BYTES } from "../base/picture-schema.ts";
import type { Shop } from "./shop.ts";
import type { StatusFacts } from "../operation/system-status.ts";
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import { createBuyerSessions } from "../users/buyer-sessions.ts";
import type { UserCheck } from "../users/user-check.ts";
import { addConsolePage } from "../../html/console-page.ts";
import { addSentPageScript } from "../../html/sent-page.ts";
import type { ConsolePlace } from "../../kit/outbound/consoles.ts";
import { addConsoleRoutes } from "../console/routes.ts";
import { shopCollections } from "./records.ts";
import { addOperationRoutes } from "../operation/routes.ts";
import { addMarkdownPreviewRoute } from "../legal/preview-routes.ts";
import { addAdminSiteRoutes } from "../settings/routes.ts";
import { addAdminSmtpRoutes } from "../settings/smtp-routes.ts";
import { addBrandRoutes, createBrandReader } from "../site/brand-routes.ts";
import { addSiteRoutes } from "../site/routes.ts";
import { DEMO_SLUG } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { describeEndpoints } from "../edge/descriptor.ts";
import { addUnsubscribePage } from "../pages/unsubscribe/unsubscribe.tsx";
import { addAdminReviewRoutes } from "../reviews/admin-routes.ts";
import { addReviewRoutes } from "../reviews/routes.ts";
import { addWishlistRoutes } from "../wishlist/routes.ts";
import { problemResponses } from "../edge/create-route.ts";
import {
  type AdminGuard,
  type AdminGuardDeps,
  adminErrors,
  adminSchemes,
  adminSecurity,
  createAdminGuard,
  createAdminParts,
} from "../edge/admin-guard.ts";
import { addAdminChatRoutes } from "../chat/admin-routes.ts";
import { addAdminCouponRoutes } from "../coupons/routes.ts";
import { addAdminGiftCardRoutes } from "../gift-cards/admin-routes.ts";
import { addGiftCardRoutes } from "../gift-cards/routes.ts";
import { addAdminImageRoutes } from "../images/admin-routes.ts";
import { addAdminLicenseRoutes } from "../licenses/admin-routes.ts";
import { addAdminSubscriptionRoutes } from "../renewals/routes.ts";
import { addLicenseRoutes, licensePaths } from "../licenses/routes.ts";
import { addAdminKeyRoutes } from "../licence-keys/routes.ts";
import { addAdminImportRoutes } from "../imports/routes.ts";
import { addAdminProductTransferRoutes } from "../transfer/routes.ts";
import { products } from "../products/records.ts";
import { toProductPath } from "../products/slug.ts";
import { findRedirect, toFormerPaths } from "../redirects/redirects.ts";
import { addAdminPriceRoutes } from "../products/price-routes.ts";
import { addProductBulkRoutes } from "../products/bulk-routes.ts";
import { addAdminProductRoutes } from "../products/routes.ts";
import { addAdminStockRoutes } from "../stock/routes.ts";
import { addAdminVerifyRoutes } from "../payments/verify-routes.ts";
import { addChatRoutes } from "../chat/routes.ts";
import { addQuestionRoutes } from "../chat/question-routes.ts";
import { addChatStreamRoutes } from "../chat/stream-routes.ts";
import { addBuyerRoutes } from "../edge/buyer-routes.ts";
import { shopDailyWork, shopGroups, shopNouns } from "../edge/groups.ts";
import { addApiKeyRoutes } from "../../records/rights/key-routes.ts";
import { createDailyWork, createFreshProofCheck } from "../../records/rights/fresh-proof.ts";
import { type RouteScopes, createRouteScopes } from "../../records/rights/route-scopes.ts";
import { addAdminCategoryRoutes } from "../categories/category-routes.ts";
import { addAdminCollectionRoutes } from "../categories/collection-routes.ts";
import { addAdminDownloadRoutes } from "../downloads/admin-routes.ts";
import { addDownloadRoutes } from "../downloads/routes.ts";
import { addAdminFileRoutes } from "../files/routes.ts";
import { addUploadRoutes } from "../files/upload-routes.ts";
import { addImageRoutes } from "../images/routes.ts";
import { addProductRoutes } from "../catalogue/routes.ts";
import { mailKeyNews } from "../operation/key-mail.ts";
import { addStatsRoutes } from "../operation/stats-routes.ts";
import { addPackingSlipRoute } from "../fulfilment/packing-slip-routes.ts";
import { addAdminPageRoutes } from "../settings/draft-routes.ts";
import { addShippingRoutes } from "../shipping/routes.ts";
import { addAdminTaxRoutes } from "../tax/routes.ts";
import { addAdminOrderRoutes } from "../fulfilment/routes.ts";
import { addAdminPaymentRoutes } from "../payments/routes.ts";
import { addCheckoutRoutes } from "../checkout/routes.ts";
import { addDemoPayPage } from "../pages/demo-payment/demo-payment.tsx";
import { addDocumentRoutes } from "../orders/document-routes.ts";
import { addAdminInvoiceRoutes } from "../invoices/routes.ts";
import { addFindOrderRoute } from "../order-finder/routes.ts";
import { addAdminMailRoutes } from "../mail-editor/routes.ts";
import { addAdminWithdrawalRoutes } from "../withdrawals/admin-routes.ts";
import { addWithdrawalRoutes } from "../withdrawals/routes.ts";
import { addAdminDraftRoutes } from "../draft-orders/admin-routes.ts";
import { addDraftRoutes } from "../draft-orders/routes.ts";
import { addOrderEditRoutes } from "../order-edits/routes.ts";
import { addOrderRoutes, orderTokenScheme } from "../orders/routes.ts";
import { addPaymentRoutes } from "../payments/services/begin-routes.ts";
import { addWebhookRoutes, webhookScheme, webhookPath } from "../payments/services/webhook-routes.ts";
import { listOnPages } from "../payments/services/offered.ts";
import { addAdminCustomerRoutes } from "../customers/routes.ts";
import { addBulkOrderRoutes } from "../fulfilment/bulk-routes.ts";
import { addOrderSearchRoutes } from "../order-search/routes.ts";
import { addAdminWebhookRoutes } from "../webhooks-out/routes.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { addStorefront, createStorefront } from "./storefront.ts";
import { bearerScheme, createGuestGuard, createUserGuard } from "../edge/user-guard.ts";

const TITLE = "Trivet shop";
const DESCRIPTION =
  "Online shop: catalog, checkout, orders, payment notifications, wishlist, support chat and administration.";

/** Bodies of the shop are small; pictures, imports and payment notifications have separate limits. */
const BODY_BYTES = 262_144;
const IMPORT_BYTES = 16_777_216;
const IMAGE_BYTES = 5_242_880;
/** One part of a file; it is never held in memory, and a file that is larger comes in several. */
const UPLOAD_BYTES = 2_147_483_648;
/** The site's settings hold whole pages. */
const SITE_BYTES = 1_048_576;
/** A webhook's body. */
const NOTICE_BYTES = 65_536;

export interface ShopAppOptions extends CommonAppOptions {
  /** "<number>-<suffix>". */
  readonly version: string;
  /** SHA-256 of the administrator tokens that count, hex. */
  readonly tokenHashes: readonly string[];
  /** Called when a right token came for the first time since the start. */
  readonly onTokenUse?: (() => void) | undefined;
  readonly userCheck: UserCheck;
  /** Where people sign in to the shop itself; without it they bring access tokens alone. */
  readonly center?: AccountCenter | undefined;
  /** For pages for people. */
  readonly assets: PageAssets;
  readonly consoleAssets: ConsoleAssets;
  /** Consoles of this install, for the switch between them. */
  readonly consoles: readonly ConsolePlace[];
  /** Where people reach the auth center; not shown without it. */
  readonly authPublicUrl?: string | undefined;
  /** Facts for the status page from outside the store. */
  readonly facts?: StatusFacts;
}

const descriptorSchema = z.object({
  message: z.string(),
  version: z.string(),
  timestamp: isoTimeSchema,
  description: z.string(),
  endpoints: z.object({
    admin: z.string(),
    auth: z.string(),
    chat_admin: z.string(),
    chat_user: z.string(),
    health: z.string(),
    orders: z.string(),
    public: z.string(),
    webhooks: z.string(),
    wishlist: z.string(),
  }),
});

/** The service descriptor. */
function describe(app: ServiceApp, options: ShopAppOptions): z.infer<typeof descriptorSchema> {
  return {
    message: "The shop is open",
    version: options.version,
    timestamp: toIsoTime(options.clock.now()),
    description: DESCRIPTION,
    endpoints: describeEndpoints(listRoutes(app), options.authPublicUrl),
  };
}

const shopHealthSchema = healthSchema.extend({ timestamp: isoTimeSchema }).openapi("ShopHealth");

/** The report with the shop's version and form of times. */
async function readHealth({ health, version, clock }: ShopAppOptions): Promise<HealthReport> {
  return { ...(await health()), version, timestamp: toIsoTime(clock.now()) };
}

const BODY_LIMITS = {
  "/api/webhooks": NOTICE_BYTES,
  "POST /api/admin/products/*/images": UPLOAD_MAX_BYTES,
  "/api/admin/products": IMPORT_BYTES,
  "/api/admin/uploads": UPLOAD_BYTES,
  "POST /api/admin/site/pictures": UPLOAD_MAX_BYTES,
  "/api/admin/site": SITE_BYTES,
  "PUT /api/admin/categories/*/image": UPLOAD_MAX_BYTES,
  "PUT /api/admin/collections/*/image": UPLOAD_MAX_BYTES,
  "/api/chat/attachments": IMAGE_BYTES,
  "/api/admin/chat/attachments": IMAGE_BYTES,
  // With the message beside the picture.
  "/chat": IMAGE_BYTES + BODY_BYTES,
};

const SECURITY_SCHEMES = { ...bearerScheme, ...adminSchemes, ...orderTokenScheme, ...webhookScheme };

/** The shop's name, also while the store is unavailable. */
async function readName({ store }: Shop): Promise<string> {
  const read = store.read(async (tx) => (await readSite(tx)).name);
  return read.catch(() => TITLE);
}

/** The site for the public and for its owner, its brand, and how its emails are sent. */
function addOwnerRoutes(app: ServiceApp, parts: Shop & Shop["deps"] & { readonly admin: AdminGuard }): void {
  addSiteRoutes(app, { ...parts, listOnPages });
  addBrandRoutes(app, parts);
  addAdminSiteRoutes(app, parts);
  addAdminSmtpRoutes(app, parts);
  addAdminPageRoutes(app, parts);
  addAdminTaxRoutes(app, parts);
}

/** Products for administrators; import and export before the routes of {id}. */
function addAdminGoodsRoutes(app: ServiceApp, parts: Shop & { readonly admin: AdminGuard }): void {
  addAdminProductTransferRoutes(app, parts);
  addAdminImportRoutes(app, parts);
  addProductBulkRoutes(app, parts);
  addMarkdownPreviewRoute(app, parts);
  addAdminProductRoutes(app, parts);
  addAdminCategoryRoutes(app, parts);
  addAdminCollectionRoutes(app, parts);
  addAdminStockRoutes(app, parts);
  addAdminPriceRoutes(app, { ...parts.deps, ...parts });
  addAdminKeyRoutes(app, parts);
  addAdminImageRoutes(app, parts);
  addAdminCouponRoutes(app, parts);
  addAdminReviewRoutes(app, parts);
}

/** Shipping methods, invoices and packing slips. */
function addSellingRoutes(
  app: ServiceApp,
  parts: Shop & Parameters<typeof addDocumentRoutes>[1] & { readonly admin: AdminGuard },
): void {
  addShippingRoutes(app, parts);
  addDocumentRoutes(app, parts);
  addAdminInvoiceRoutes(app, parts);
  addPackingSlipRoute(app, parts);
}

/** Files as goods: in, on sale, and out. */
function addFileRoutes(app: ServiceApp, parts: Shop & { readonly admin: AdminGuard }): void {
  addUploadRoutes(app, parts);
  addAdminFileRoutes(app, parts);
  addDownloadRoutes(app, parts);
  addLicenseRoutes(app, parts);
  addAdminDownloadRoutes(app, parts);
}

/** Routes about contracts: finding an order again, withdrawing from it, and email templates. */
function addContractRoutes(
  app: ServiceApp,
  parts: Shop & Shop["deps"] & { readonly admin: AdminGuard },
): void {
  addFindOrderRoute(app, parts);
  addWithdrawalRoutes(app, parts);
  addAdminWithdrawalRoutes(app, parts);
  addAdminMailRoutes(app, parts);
}

/** The console of administrators: its page, who is at it, and the files of all pages. */
function addConsole(
  app: ServiceApp,
  shop: Shop,
  options: ShopAppOptions & { readonly guarding: AdminGuardDeps },
): void {
  const { assets, consoleAssets, consoles, center, guarding } = options;
  const readBrand = createBrandReader(shop.store);
  addSentPageScript(app);
  addAssets(app, "/assets/:file", (name) => assets.find(name) ?? consoleAssets.find(name));
  addConsolePage(app, {
    readLook: async () => ({
      title: await readName(shop),
      brand: await readBrand().catch(() => undefined),
    }),
    assets: consoleAssets,
  });
  const isDemoOn = (): boolean =>
    shop.catalogue.site().paymentProviders.some(({ word, enabled }) => word === DEMO_SLUG && enabled);
  addConsoleRoutes(app, { ...guarding, center, consoles, isDemoOn });
}

/** Common parts of all routes: each group picks what it needs. */
function toParts(shop: Shop, guarding: AdminGuardDeps) {
  const { checkToken, userCheck } = guarding;
  const guards = { user: createUserGuard(userCheck), guest: createGuestGuard(userCheck) };
  return { ...shop.deps, ...shop, admin: createAdminGuard(guarding), checkToken, userCheck, ...guards };
}

/** Sales for administrators: figures, payments, orders and customers. */
function addAdminSalesRoutes(app: ServiceApp, parts: ReturnType<typeof toParts>): void {
  addAdminPaymentRoutes(app, parts);
  addOrderSearchRoutes(app, parts);
  addBulkOrderRoutes(app, parts);
  addAdminCustomerRoutes(app, parts);
  addAdminOrderRoutes(app, parts);
  addAdminLicenseRoutes(app, parts);
  addAdminSubscriptionRoutes(app, parts);
  addAdminGiftCardRoutes(app, parts);
  addOrderEditRoutes(app, parts);
  addAdminDraftRoutes(app, parts);
  addAdminWebhookRoutes(app, parts);
}

/** Orders, reviews and draft orders for those who buy. */
function addBuyersRoutes(app: ServiceApp, parts: ReturnType<typeof toParts>): void {
  addOrderRoutes(app, parts);
  addReviewRoutes(app, parts);
  addDraftRoutes(app, parts);
}

function addAllChatRoutes(app: ServiceApp, parts: ReturnType<typeof toParts>): void {
  addChatStreamRoutes(app, parts);
  addChatRoutes(app, parts);
  addQuestionRoutes(app, parts);
  addAdminChatRoutes(app, parts);
}

/** Dependencies of the admin guard. */
function createGuarding(
  app: ServiceApp,
  { deps }: Shop,
  options: ShopAppOptions & { readonly scopes: RouteScopes },
): AdminGuardDeps {
  return createAdminParts(deps, {
    ...options,
    needsFreshProof: createFreshProofCheck(app, createDailyWork(options.scopes, shopDailyWork)),
    tellKey: (tx, news) => mailKeyNews(tx, deps, news),
  });
}

/** The page of a published product that had this path before. */
function findMoved({ store }: Shop, path: string): Promise<string | undefined> {
  return store.read(async (tx) => {
    for (const former of toFormerPaths(path)) {
      const id = await findRedirect(tx, former);
      const product = id === undefined ? undefined : await tx.get(products, id);
      if (product?.status !== "published" || former === `/p/${product.slug}`) continue;
      return toProductPath(product.slug);
    }
    return undefined;
  });
}

/** Creates the application over a shop. */
export function createShopApp(shop: Shop, options: ShopAppOptions): ServiceApp {
  const { center } = options;
  const buyers = center === undefined ? undefined : createBuyerSessions(options.userCheck, center);
  const userCheck = buyers ?? options.userCheck;
  const hasAccounts = center !== undefined;
  const storefront = createStorefront(shop, { assets: options.assets, hasAccounts });
  const app = createServiceApp({
    ...options,
    name: "shop",
    title: TITLE,
    description: DESCRIPTION,
    bodyLimitBytes: BODY_BYTES,
    bodyLimits: BODY_LIMITS,
    publicUrl: shop.deps.publicUrl,
    openPaths: licensePaths,
    isProtectedResource: hasAccounts,
    errorPage: storefront.errorPage,
    findMoved: (path) => findMoved(shop, path),
  });
  const scopes = createRouteScopes(app, shopNouns);
  const guarding = createGuarding(app, shop, { ...options, userCheck, scopes });
  const parts = { ...toParts(shop, guarding), ...storefront };
  if (center !== undefined && buyers !== undefined)
    addBuyerRoutes(app, {
      center,
      buyers,
      publicUrl: shop.deps.publicUrl,
      hasFormToken: storefront.visits.hasFormToken,
      forget: storefront.orderCookie.clear,
      showAway: storefront.showAway,
    });
  addConsole(app, shop, { ...options, guarding });
  const page = {
    name: "the storefront",
    wants: wantsPage,
    show: addStorefront(app, { ...parts, hasAccounts }),
  };
  addDescriptorRoutes(app, { schema: descriptorSchema, describe: () => describe(app, options), page });
  addHealthRoute(app, () => readHealth(options), shopHealthSchema);
  addOwnerRoutes(app, parts);
  addWishlistRoutes(app, parts);
  addUnsubscribePage(app, parts);
  addOperationRoutes(app, {
    ...parts,
    collections: shopCollections,
    version: options.version,
    facts: options.facts ?? {},
  });
  addProductRoutes(app, parts);
  addImageRoutes(app, parts);
  addAdminVerifyRoutes(app, parts);
  addAdminGoodsRoutes(app, parts);
  addStatsRoutes(app, parts);
  addCheckoutRoutes(app, parts);
  addGiftCardRoutes(app, parts);
  addSellingRoutes(app, parts);
  addContractRoutes(app, parts);
  addBuyersRoutes(app, parts);
  addPaymentRoutes(app, parts);
  addFileRoutes(app, parts);
  addWebhookRoutes(app, parts);
  addDemoPayPage(app, parts);
  addAdminSalesRoutes(app, parts);
  addAllChatRoutes(app, parts);
  const access = {
    guard: parts.admin,
    security: adminSecurity,
    refusals: problemResponses(...adminErrors),
    scope: "shop-settings:read",
  };
  const { apiKeys: keys } = guarding;
  addApiKeyRoutes(app, { ...access, service: "shop", tag: "admin api keys", keys });
  addDoctorRoute(app, options.examine, { ...access, tag: "admin operation" });
  addMetricsRoute(app, options.metrics, { ...access, isPublic: options.metricsPublic });
  const literalPaths = { ...webhookPath, values: () => parts.notices.words() };
  const scopeOf = scopes.find;
  addDocs(app, { groups: shopGroups, securitySchemes: SECURITY_SCHEMES, literalPaths, scopeOf });
  return app;
}
