/** @jsxImportSource hono/jsx */
/** Somebody's visit to the storefront: in which language, with which cart, and how a page is answered. */
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv } from "../../kit/http/app.ts";
import { createHostCookie } from "../../kit/http/cookies.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import { type Language, chooseLanguage, findLanguage } from "../../kit/text/languages.ts";
import { Document, type Frame } from "../../pages/document.tsx";
import { type FormVisitor, createFormTokens } from "../../pages/form-tokens.ts";
import { toDocument } from "../../pages/render.ts";
import { toPagePath } from "../../pages/return-path.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { chooseLanguage as chooseOf } from "../catalogue/languages.ts";
import type { ShopDeps } from "../deps.ts";
import { toCaller } from "../http/user-guard.ts";
import { formatTime } from "../mails/formats.ts";
import { formatAmount } from "../money.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { Caller } from "../users/caller.ts";
import { type CartCookie, type CartLine, countUnits, createCartCookie } from "./cart/cart-cookie.ts";
import { StoreHeader } from "./store-header.tsx";
import { type Texts, createTexts } from "./texts.ts";

const LANGUAGE_SECONDS = 365 * 86_400;

/** Headers of every page: no cache keeps it. */
export const pageHeaders = {
  "content-type": "text/html; charset=UTF-8",
  "cache-control": "no-store",
  vary: "Cookie, Accept-Language",
};

export interface PageOptions {
  readonly title: string;
  readonly body: Child;
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 413 | 421 | 422 | 429 | 500 | 503;
  /** A single column, as wide as a form. */
  readonly narrow?: boolean;
  /** The place of the navigation that the page belongs to. */
  readonly place?: string;
  /** What else stands in the head: elements whose texts are escaped already. */
  readonly head?: string;
}

/** A visit. */
export interface Visit extends FormVisitor {
  readonly c: Context<AppEnv>;
  readonly t: Texts;
  /** Of the page's own words. */
  readonly language: Language;
  /** Of products and other words of the seller: one of the shop's languages. */
  readonly sellersLanguage: string;
  readonly site: SiteSettings;
  /** Guests, until a page asks who is signed in. */
  readonly caller: Caller;
  readonly cart: readonly CartLine[];
  /** An amount in the shop's currency, or another. */
  money(amount: number, currency?: string): string;
  /** A time in the shop's zone. */
  time(ms: number): string;
  render(page: PageOptions): Response;
}

export interface VisitDeps extends Pick<ShopDeps, "box" | "publicUrl"> {
  readonly catalogue: Pick<Catalogue, "site" | "tree">;
  readonly assets: PageAssets;
}

function toFrame(visit: Omit<Visit, "render">, assets: PageAssets): Frame {
  const { c, t, language, site, formToken } = visit;
  return {
    language,
    siteName: site.name,
    styles: [`/assets/${assets.storeStyle}`],
    icon: `/assets/${assets.icon}`,
    logo: undefined,
    path: c.req.method === "POST" ? "/" : toPagePath(c),
    token: formToken,
    words: { skip: t("frame.skip"), language: t("frame.language"), navigation: t("frame.navigation") },
    home: "/",
    footer: [],
  };
}

/** Makes what opens a visit. */
export function createVisits({ box, publicUrl: url, catalogue, assets }: VisitDeps) {
  const publicUrl = url === "" ? undefined : url;
  const tokens = createFormTokens(box, publicUrl);
  const chosen = createHostCookie("trivet_language", publicUrl);
  const cartCookie: CartCookie = createCartCookie(publicUrl);

  function begin(c: Context<AppEnv>, who: FormVisitor): Visit {
    const site = catalogue.site();
    const language = chooseLanguage({
      cookie: chosen.read(c),
      account: undefined,
      header: c.req.header("accept-language"),
      site: findLanguage(site.languages[0]) ?? "en",
    });
    const visit = {
      ...{ c, ...who, language, site },
      t: createTexts(language),
      sellersLanguage: chooseOf(site.languages, [language]),
      caller: toCaller(c),
      cart: cartCookie.read(c),
      money: (amount: number, currency = site.currency) => formatAmount(amount, currency, language),
      time: (ms: number) => formatTime(ms, { language, timeZone: site.timeZone }),
    };
    return {
      ...visit,
      render: ({ body, status, place, ...page }) => {
        const frame = toFrame(visit, assets);
        const header = <StoreHeader frame={frame} visit={visit} tree={catalogue.tree()} place={place} />;
        const document = (
          <Document frame={frame} header={header} {...page}>
            {body}
          </Document>
        );
        return c.body(toDocument(document), status, pageHeaders);
      },
    };
  }

  return {
    /** Opens a visit: reads who comes and what they want. */
    open: async (c: Context<AppEnv>): Promise<Visit> => begin(c, tokens.meet(c)),
    /** A visit that gives no cookies: for the page of an error. */
    openPlain: async (c: Context<AppEnv>): Promise<Visit> => begin(c, tokens.look(c)),
    /** Whether a form brought the token of its page. */
    hasFormToken: tokens.has,
    toFormKey: tokens.toKey,
    /** Keeps the language that a person chose. */
    chooseLanguage: (c: Context<AppEnv>, language: Language): void =>
      chosen.write(c, language, LANGUAGE_SECONDS),
    cart: cartCookie,
  };
}

export type Visits = ReturnType<typeof createVisits>;

/** The units in a visitor's cart. */
export function countCart({ cart }: Pick<Visit, "cart">): number {
  return countUnits(cart);
}
