/** @jsxImportSource hono/jsx */
/** A visit to the storefront: in which language, with which cart, and how a page is answered. */
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv, SendPage } from "../../kit/http/app.ts";
import { createHostCookie } from "../../kit/http/cookies.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import { chooseLanguage } from "../../kit/text/accepted-languages.ts";
import { type Language, findLanguage } from "../../kit/text/languages.ts";
import type { Brand } from "../../html/brand.ts";
import { Document } from "../../html/document.tsx";
import { type FormVisitor, createFormTokens } from "../../html/form-tokens.ts";
import { createKeptPages } from "../../html/kept-pages.ts";
import { toDocument } from "../../html/render.ts";
import { toPagePath } from "../../html/return-path.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { chooseLanguage as chooseOf } from "../catalogue/languages.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toCaller } from "../edge/user-guard.ts";
import { formatTime } from "../base/formats.ts";
import { formatAmount } from "../base/money.ts";
import { createBrandOf } from "../site/brand-routes.ts";
import type { SiteSettings } from "../site/schema.ts";
import { findAnnouncement } from "../site/site.ts";
import type { Caller } from "../users/caller.ts";
import { type CartCookie, type CartLine, countUnits, createCartCookie } from "./cart-cookie.ts";
import { toFontTags, toFrame } from "./frame.ts";
import { createFindRenewals } from "./sells-renewals.ts";
import { Notices } from "./notices.tsx";
import { type PageMeta, listPageLanguages, toMetaTags } from "./page-meta.ts";
import { createFindShape } from "./picture-shape.ts";
import type { Shown } from "./shown.ts";
import { StoreHeader } from "./storefront-header.tsx";
import { createTexts } from "./texts.ts";

const LANGUAGE_SECONDS = 365 * 86_400;
/** Of rendered pages that are kept. */
const MAX_KEPT_BYTES = 33_554_432;

const encoder = new TextEncoder();
/** The text of each page that was rendered: to ask the answer for it costs a stream. */
const htmlOf = new WeakMap<Response, string>();

/** Headers of every page: no cache keeps it. */
export const pageHeaders = {
  "content-type": "text/html; charset=UTF-8",
  "cache-control": "no-store",
  vary: "Cookie, Accept-Language",
};

/** Of pages of the catalogue: going back shows them at once, and only the visitor's own browser keeps them. */
export const catalogueHeaders = { ...pageHeaders, "cache-control": "private, no-cache" };

export interface PageOptions {
  readonly title: string;
  readonly body: Child;
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 413 | 421 | 422 | 429 | 500 | 503;
  /** A single column, as wide as a form. */
  readonly narrow?: boolean;
  /** The place of the navigation that the page belongs to. */
  readonly place?: string;
  /** More elements for the head; their texts are escaped already. */
  readonly head?: string;
  /** What search engines and other sites learn about it; they are not allowed on pages without. */
  readonly meta?: PageMeta;
}

export interface Visit extends Shown {
  /** Guests, until a page asks who is signed in. */
  readonly caller: Caller;
  readonly cart: readonly CartLine[];
  /** An amount in the shop's currency, or another. */
  money(amount: number, currency?: string): string;
  /** A time in the shop's zone. */
  time(ms: number): string;
  render(page: PageOptions): Response;
}

export interface VisitDeps extends Pick<ShopDeps, "box" | "clock" | "publicUrl"> {
  /** Whether people can sign in here. */
  readonly hasAccounts: boolean;
  readonly catalogue: Pick<Catalogue, "site" | "tree" | "revision" | "list">;
  readonly assets: PageAssets;
}

/** Differences between simultaneous visits. */
interface Begun extends FormVisitor {
  readonly language: Language;
  readonly brand: Brand;
  readonly address?: string | undefined;
  readonly cart: readonly CartLine[];
  readonly cartBadge: string;
  /** Settings that are not stored yet; else those of the catalogue. */
  readonly site?: SiteSettings;
  readonly preview?: Shown["preview"];
}

/** How a page would look. */
interface PreviewOptions extends NonNullable<Shown["preview"]> {
  readonly site: SiteSettings;
  readonly language: Language;
}

/** A request for a page of the catalogue. */
export interface KeptPage {
  /** Its path with all of the query that counts. */
  readonly address: string;
  /** Whether there are few enough of its kind to keep them. */
  readonly isKept: boolean;
  readonly send: SendPage;
  readonly show: (visit: Visit) => Promise<Response> | Response;
}

/** The number of a cart's units in the header, as HTML. */
export function toCartBadge(lines: readonly CartLine[]): string {
  const units = countUnits(lines);
  return units === 0 ? "" : ` <span class="badge num">${units}</span>`;
}

function createBegin({ clock, publicUrl, catalogue, assets, hasAccounts }: VisitDeps) {
  const findShape = createFindShape(catalogue);
  const sellsRenewals = createFindRenewals(catalogue);
  return (c: Context<AppEnv>, { language, address, site = catalogue.site(), ...who }: Begun): Visit => {
    const visit = {
      c,
      ...who,
      language,
      site,
      publicUrl,
      nowMs: clock.now(),
      address: address ?? (c.req.method === "POST" ? "/" : toPagePath(c)),
      t: createTexts(language),
      sellersLanguage: chooseOf(site.languages, [language]),
      caller: toCaller(c),
      money: (amount: number, currency = site.currency) => formatAmount(amount, currency, language),
      time: (ms: number) => formatTime(ms, { language, timeZone: site.timeZone }),
    };
    return {
      ...visit,
      render: ({ body, status, place, meta, head = "", ...page }) => {
        const frame = {
          formPage: c.get("formPage"),
          ...toFrame(visit, {
            assets,
            hasAccounts,
            sellsRenewals: sellsRenewals(),
            pictures: findShape(site.storefront),
          }),
        };
        const header = (
          <>
            <Notices visit={visit} />
            <StoreHeader
              frame={frame}
              visit={visit}
              tree={catalogue.tree()}
              place={place}
              hasAccounts={hasAccounts}
            />
          </>
        );
        const tags = toMetaTags(meta, { ...visit, title: page.title });
        const document = (
          <Document frame={frame} header={header} head={toFontTags(site, assets) + tags + head} {...page}>
            {body}
          </Document>
        );
        const html = toDocument(document);
        const answer = c.body(html, status, pageHeaders);
        htmlOf.set(answer, html);
        return answer;
      },
    };
  };
}

export function createVisits(deps: VisitDeps) {
  const { box, clock, catalogue } = deps;
  const publicUrl = deps.publicUrl === "" ? undefined : deps.publicUrl;
  const tokens = createFormTokens(box, publicUrl);
  const chosen = createHostCookie("trivet_language", publicUrl);
  const cartCookie: CartCookie = createCartCookie(publicUrl);
  const toBrand = createBrandOf();
  const begin = createBegin(deps);
  const kept = createKeptPages({ holes: ["token", "cart"], maxBytes: MAX_KEPT_BYTES });

  /** The language of the address, for those who follow a link to a page in it, before all others. */
  function findPageLanguage(c: Context<AppEnv>): Language {
    const spoken = listPageLanguages({ site: catalogue.site() });
    return chooseLanguage({
      // A shop in a language that pages have no words in shows them in all that they have.
      spoken: spoken.length === 0 ? undefined : spoken,
      cookie:
        (c.req.raw.url.includes("lang=") ? findLanguage(c.req.query("lang")) : undefined) ?? chosen.read(c),
      account: undefined,
      header: c.req.header("accept-language"),
      site: findLanguage(catalogue.site().languages[0]) ?? "en",
    });
  }

  async function open(c: Context<AppEnv>, who: FormVisitor, address?: string): Promise<Visit> {
    const brand = await toBrand(catalogue.site());
    const cart = cartCookie.read(c);
    const language = findPageLanguage(c);
    return begin(c, { brand, language, address, cart, cartBadge: toCartBadge(cart), ...who });
  }

  return {
    /** A visit as it would be with other settings, without cookies and a cart: for previews. */
    openPreview: async (
      c: Context<AppEnv>,
      { site, language, ...preview }: PreviewOptions,
    ): Promise<Visit> => {
      // The logo, as it is stored, and the owner's own rules.
      const brand = await toBrand(catalogue.site());
      const none = { address: "/", cart: [], cartBadge: "" };
      return begin(c, { ...tokens.look(c), ...none, brand, language, site, preview });
    },
    /** Opens a visit: reads the visitor and their preferences. */
    open: async (c: Context<AppEnv>): Promise<Visit> => open(c, tokens.meet(c)),
    /** A visit that gives no cookies: for the page of an error. */
    openPlain: async (c: Context<AppEnv>): Promise<Visit> => open(c, tokens.look(c)),
    /** Answers with a page that is the same for all but for the token of its forms and the cart: rendered once for each language and state of the catalogue. */
    showKept: async (c: Context<AppEnv>, { address, isKept, send, show }: KeptPage): Promise<Response> => {
      const who = tokens.meet(c);
      const toAnswer = (page: Uint8Array<ArrayBuffer>): Response =>
        // A browser that comes for the first time gets its cookie with the page.
        who.keepsCookies ? send(c, page) : c.body(page, 200, catalogueHeaders);
      if (!isKept) {
        const shown = await show(await open(c, who, address));
        const html = htmlOf.get(shown);
        return html !== undefined && shown.status === 200 ? toAnswer(encoder.encode(html)) : shown;
      }
      const site = catalogue.site();
      const language = findPageLanguage(c);
      const isAnnounced = findAnnouncement(site, { nowMs: clock.now() }) !== null;
      const [name, version] = [`${language} ${address}`, `${catalogue.revision()} ${isAnnounced}`];
      const values = { token: who.formToken, cart: toCartBadge(cartCookie.read(c)) };
      const known = kept.find(name, version, values);
      if (known !== undefined) return toAnswer(known);
      const { token: formToken, cart: cartBadge } = kept.placeholders;
      const brand = await toBrand(site);
      const shown = await show(
        begin(c, { ...who, formToken, brand, language, address, cart: [], cartBadge }),
      );
      const html = htmlOf.get(shown) ?? (await shown.text());
      kept.keep(name, version, html);
      const page = kept.find(name, version, values);
      return page === undefined ? shown : toAnswer(page);
    },
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
