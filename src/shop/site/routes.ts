/** Public data of the site: GET /api/site/… Each response has an entity tag, so that polling is cheap. */
import { languages } from "../../kit/text/languages.ts";
import { languageTag, slug } from "../../kit/text/schemas.ts";
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { readSite } from "./settings.ts";
import { getPage, readPageVersion } from "../legal/legal-pages.ts";
import { pageSchema as sitePageSchema } from "../legal/schema.ts";
import { isEuOn } from "../eu/schema.ts";
import { euWords } from "../eu/words.ts";
import { findAnnouncement, toPaymentMethods } from "./site.ts";
import {
  type Provider,
  type SiteSettings,
  announcementSchema,
  providerSchema,
  siteSettingsSchema,
} from "./schema.ts";
import { viewOf } from "../../kit/http/view.ts";
import type { ShopDeps } from "../base/deps.ts";
import { isUnchanged } from "../edge/etag.ts";
import { createRoute } from "../edge/create-route.ts";

const info = viewOf(siteSettingsSchema, [
  ...(["name", "logo", "description", "currency", "languages", "timeZone", "contact"] as const),
]);
const pageTitle = viewOf(sitePageSchema, ["slug", "title"]);
const infoSchema = z.object({ ...info.shape, pages: z.array(z.object(pageTitle.shape)) }).openapi("SiteInfo");

const brandSchema = z
  .object({
    name: z.string(),
    logo: z.string().openapi({ description: "PNG or SVG as a data URL; empty: none" }),
    color: z.string().openapi({ description: "The accent color as #rrggbb; empty: `accent` applies" }),
    accent: z.object({ light: z.string(), dark: z.string() }),
  })
  .openapi("SiteBrand");

const settings = viewOf(siteSettingsSchema, [
  ...(["currency", "languages", "timeZone", "orderExpiryMinutes", "guestCheckout"] as const),
  ...(["stockDisplay", "shippingFee", "checkoutOpen", "maintenance"] as const),
]);
const euSchema = z.object({
  isOn: z.boolean().openapi({ description: "Whether EU consumer law is enabled" }),
  withdrawalDays: z.int(),
  termsConsent: z.boolean().openapi({ description: "Whether a checkout requires consents.terms" }),
  words: z
    .record(
      z.enum(languages),
      z.object({
        orderButton: z.string(),
        digitalContent: z.string(),
        terms: z.string(),
        withdraw: z.string(),
        confirmWithdrawal: z.string(),
        lowestPrice: z.string(),
      }),
    )
    .openapi({ description: "Texts that must be shown verbatim, by language" }),
});
const settingsSchema = z.object({ ...settings.shape, eu: euSchema }).openapi("SitePublicSettings");

const announcement = viewOf(announcementSchema, ["text", "level"], ["startsAt", "endsAt"]);
const shownAnnouncementSchema = z
  .object({
    announcement: z
      .object(announcement.shape)
      .nullable()
      .openapi({ description: "The current announcement, or null" }),
  })
  .openapi("SiteAnnouncement");

const method = viewOf(providerSchema, ["word", "title", "instructions"]);
const methodsSchema = z
  .object({
    items: z.array(
      z.object({
        ...method.shape,
        hasPage: z.boolean().openapi({ description: "Whether the checkout returns a payment URL" }),
      }),
    ),
  })
  .openapi("PaymentMethods");

const page = viewOf(sitePageSchema, ["slug", "title", "body"], ["changedAt"]);
const pageSchema = z
  .object({
    ...page.shape,
    body: z.string().openapi({ description: "Markdown source. Escape it before you display it" }),
    html: z.string().openapi({ description: "Safe HTML without scripts, styles or images" }),
    language: z.string(),
    pageVersion: z
      .int()
      .openapi({ description: "Version of the text; orders store the version of the terms" }),
  })
  .openapi("SitePage");

/** One of the routes that give a part of the settings. */
interface Part<T extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly schema: T;
  readonly example?: z.infer<T>;
  /** Some of its words differ by language, for which a request may ask. */
  readonly hasWords?: boolean;
  readonly view: (site: SiteSettings, language: string | undefined) => z.infer<T>;
}

const wordsQuery = z.object({
  language: languageTag.optional().openapi({ description: "Default: the first language of the site" }),
});

type SiteParts = Pick<ShopDeps, "store" | "clock"> & {
  /** The providers that a buyer can pay with in a currency. */
  readonly listOnPages: (site: SiteSettings, currency: string) => readonly Provider[];
};

const unchanged = { description: "Not modified since the ETag in If-None-Match" };
const common = { method: "get" as const, tags: ["site"], "x-access": "public" as const };

function addPart<T extends z.ZodType<object>>(app: ServiceApp, { store }: SiteParts, part: Part<T>): void {
  const route = createRoute({
    ...common,
    path: `/api/site/${part.path}`,
    operationId: part.operationId,
    summary: part.summary,
    request: part.hasWords === true ? { query: wordsQuery } : {},
    responses: { 200: jsonResponse(part.summary, part.schema, part.example), 304: unchanged },
    errors: part.hasWords === true ? ["invalid", "store_unavailable"] : ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const language = part.hasWords === true ? c.req.query("language") : undefined;
    const body = part.view(await store.read(readSite), language);
    return (await isUnchanged(c, body)) ? c.body(null, 304) : c.json(body, 200);
  });
}

const examplePage = {
  slug: "terms",
  title: "Terms",
  body: "**Who we are** …",
  html: "<p><strong>Who we are</strong> …</p>",
  language: "en",
  pageVersion: 3,
  changedAt: "2026-11-23T09:00:00.000+00:00",
};

function addPageRoute(app: ServiceApp, { store }: SiteParts): void {
  const route = createRoute({
    ...common,
    path: "/api/site/pages/{slug}",
    operationId: "getSitePage",
    summary: "Get a page such as the terms or the legal notice",
    request: {
      params: z.object({ slug }),
      query: z.object({
        language: languageTag.optional().openapi({ description: "Default: the first language of the site" }),
        pageVersion: z.coerce.number().int().min(1).optional().openapi({
          description:
            "Version of the page, for example at the time of an order. Default: the current version",
        }),
      }),
    },
    responses: {
      200: jsonResponse("The page", pageSchema, examplePage),
      304: unchanged,
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { language, pageVersion } = c.req.valid("query");
    const { slug: name } = c.req.valid("param");
    const shown = await store.read(async (tx) => {
      const site = await readSite(tx);
      if (pageVersion === undefined) return getPage(site, name, language);
      return readPageVersion(tx, site, { slug: name, pageVersion, language });
    });
    const { html, language: spoken, pageVersion: present } = shown;
    const body = { ...page.show(shown), html, language: spoken, pageVersion: present };
    return (await isUnchanged(c, body)) ? c.body(null, 304) : c.json(body, 200);
  });
}

function toAnnouncementView(
  site: SiteSettings,
  asked: { nowMs: number; language: string | undefined },
): z.infer<typeof shownAnnouncementSchema> {
  const shown = findAnnouncement(site, asked);
  return { announcement: shown && announcement.show(shown) };
}

function toEuView(site: SiteSettings): z.infer<typeof euSchema> {
  const { withdrawalDays, termsConsent } = site.eu;
  return { isOn: isEuOn(site), withdrawalDays, termsConsent, words: euWords };
}

/** Adds the routes below /api/site. */
export function addSiteRoutes(app: ServiceApp, parts: SiteParts): void {
  addPart(app, parts, {
    path: "info",
    operationId: "getSiteInfo",
    summary: "Get the name, branding and contact details of the shop",
    schema: infoSchema,
    view: (site) => ({ ...info.show(site), pages: site.pages.map(pageTitle.show) }),
  });
  addPart(app, parts, {
    path: "brand",
    operationId: "getSiteBrand",
    summary: "Get the name, logo, and colors of the shop's pages",
    schema: brandSchema,
    example: { name: "Harbour Goods", logo: "", color: "#0d6b5c", accent: { light: "", dark: "" } },
    view: ({ name, branding: { logo, color, accent } }) => ({ name, logo, color, accent }),
  });
  addPart(app, parts, {
    path: "settings",
    operationId: "getSiteSettings",
    summary: "Get the settings for a storefront",
    schema: settingsSchema,
    view: (site) => ({
      ...settings.show(site),
      checkoutOpen: site.checkoutOpen && !site.maintenance,
      eu: toEuView(site),
    }),
  });
  addPart(app, parts, {
    path: "announcement",
    operationId: "getSiteAnnouncement",
    summary: "Get the current announcement",
    schema: shownAnnouncementSchema,
    hasWords: true,
    view: (site, language) => toAnnouncementView(site, { nowMs: parts.clock.now(), language }),
  });
  addPart(app, parts, {
    path: "payment-methods",
    operationId: "listPaymentMethods",
    summary: "List the payment methods for the shop's currency",
    schema: methodsSchema,
    hasWords: true,
    view: (site, language) => ({
      items: toPaymentMethods(parts.listOnPages(site, site.currency), language),
    }),
  });
  addPageRoute(app, parts);
}
