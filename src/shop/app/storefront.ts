/** The storefront's pages for people, put together. */
import type { Context } from "hono";
import type { AppEnv, ErrorPage, ServiceApp } from "../../kit/http/app.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import { findLanguage } from "../../kit/text/languages.ts";
import { createErrorPage } from "../../html/error-page.tsx";
import { escapeHtml } from "../../kit/text/html.ts";
import { showSignInFirst } from "../pages/account/sign-in-first.tsx";
import { findReturnPath, withReturn } from "../../html/return-path.ts";
import { addChatPage } from "../pages/chat/chat.tsx";
import { addContactPages } from "../pages/contact/contact.tsx";
import { addMyOrdersPage } from "../pages/order/my-orders.tsx";
import { addRestoreCartPage } from "../pages/restore-cart/restore-cart.ts";
import { addBackInStockPage } from "../pages/back-in-stock/back-in-stock.tsx";
import { addGiftCardPage } from "../pages/gift-card/gift-card.tsx";
import { addFindOrderPage } from "../pages/find-order/find-order.tsx";
import { addWithdrawPage } from "../pages/withdraw/withdraw.tsx";
import { addWishlistPage } from "../pages/wishlist/wishlist.tsx";
import { addCheckoutPage } from "../pages/checkout/checkout.tsx";
import { createHomePage, createProductsPage } from "../pages/home/home.tsx";
import { addHomeRoutes } from "../pages/home/home-routes.ts";
import { createFindLostPictures } from "../pages/home/lost-pictures.ts";
import { addOrderPage } from "../pages/order/order-pages.tsx";
import { addCartPage } from "../pages/cart/cart.tsx";
import { addLegalPages } from "../pages/legal/legal.tsx";
import { addCategoryPages } from "../pages/listing/category.tsx";
import { addCollectionPage } from "../pages/listing/collection.tsx";
import { addSearchPage } from "../pages/listing/search.tsx";
import { type OrderCookie, createOrderCookie } from "../pages/order/order-cookie.ts";
import { addMachinePages } from "../pages/machine/machine-pages.ts";
import { addSubscriptionPages } from "../pages/order/subscription-pages.tsx";
import { addPayPage } from "../pages/pay/pay.tsx";
import { createPageRoutes } from "../pages/page.ts";
import { addProductPage } from "../pages/product/product.tsx";
import { type Visits, createVisits } from "../pages/visit.tsx";
import type { Shop } from "./shop.ts";
import type { AdminGuard } from "../edge/admin-guard.ts";
import type { UserCheck } from "../users/user-check.ts";

/** Common parts of all pages. */
export interface StorefrontParts {
  readonly visits: Visits;
  /** The page of an error, in the shop's look. */
  readonly errorPage: ErrorPage;
  readonly orderCookie: OrderCookie;
  /** The page of a sign-in while the auth center does not answer. */
  readonly showAway: (c: Context<AppEnv>) => Promise<Response>;
  /** In the head of pages on which people buy. */
  readonly buyingHead: string;
  /** In the head of products' pages. */
  readonly browsingHead: string;
}

/** Parts that know the buyer. */
export interface BuyersParts {
  readonly userCheck: UserCheck;
  /** Whether people can sign in to the shop itself. */
  readonly hasAccounts: boolean;
}

/** Creates what the pages are made from, before the application. */
export function createStorefront(
  shop: Shop,
  { assets, hasAccounts }: { readonly assets: PageAssets; readonly hasAccounts: boolean },
): StorefrontParts {
  const visits = createVisits({ ...shop, ...shop.deps, assets, hasAccounts });
  const { publicUrl } = shop.deps;
  const orderCookie = createOrderCookie(publicUrl === "" ? undefined : publicUrl);
  const toHead = (script: string): string =>
    `<script type="module" src="/assets/${escapeHtml(script)}"></script>`;
  const [buyingHead, browsingHead] = [toHead(assets.buying), toHead(assets.browsing)];
  const showAway = async (c: Context<AppEnv>): Promise<Response> => {
    const visit = await visits.open(c);
    const buyer = { caller: visit.caller, user: undefined, isAway: true };
    const path = withReturn("/sign-in", findReturnPath(c.req.query("rd")) ?? "/");
    return showSignInFirst({
      visit,
      buyer,
      title: visit.t("account.signIn"),
      text: "",
      hasAccounts: true,
      path,
    });
  };
  return {
    visits,
    orderCookie,
    buyingHead,
    browsingHead,
    showAway,
    errorPage: createErrorPage((c) => visits.openPlain(c)),
  };
}

/** Adds the pages; gives what shows the first one at "/". */
export function addStorefront(
  app: ServiceApp,
  parts: Shop & Shop["deps"] & StorefrontParts & BuyersParts & { readonly admin: AdminGuard },
): (c: Context<AppEnv>) => Promise<Response> {
  const { visits, publicUrl, clock } = parts;
  const pages = createPageRoutes({ app, visits, publicUrl, now: () => clock.now() });
  pages.addForm("/language", async ({ c }, { values }) => {
    const language = findLanguage(values["language"]);
    if (language !== undefined) visits.chooseLanguage(c, language);
    return c.redirect(findReturnPath(values["rd"]) ?? "/", 303);
  });
  addProductPage(pages, parts);
  const buying = { ...parts, app };
  addCheckoutPage(pages, buying);
  addPayPage(pages, buying);
  addMyOrdersPage(pages, buying);
  addOrderPage(pages, buying);
  addSubscriptionPages(pages, buying);
  addCategoryPages(pages, parts);
  addCollectionPage(pages, parts);
  addSearchPage(pages, parts);
  addLegalPages(pages);
  addMachinePages(app, parts);
  addCartPage(pages, parts);
  addChatPage(pages, buying);
  addContactPages(pages, parts);
  addFindOrderPage(pages, parts);
  addGiftCardPage(pages, parts);
  addBackInStockPage(pages, parts);
  addRestoreCartPage(pages, parts);
  addWithdrawPage(pages, parts);
  addWishlistPage(pages, buying);
  const home = { catalogue: parts.catalogue, findLost: createFindLostPictures(parts.blobs) };
  pages.addCatalogue(createProductsPage(home));
  addHomeRoutes(app, { ...parts, ...home });
  return pages.toHandler(createHomePage(home));
}
