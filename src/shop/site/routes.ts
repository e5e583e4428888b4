/** What everybody may know of the site: GET /api/site/… Each answer has an entity tag, so that a front asks cheaply. */
import { slug } from "../../kit/text/schemas.ts";
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { readSite } from "./settings.ts";
import { findAnnouncement, getPage, listCategories, listPaymentMethods } from "./site.ts";
import {
  type SiteSettings,
  announcementSchema,
  categorySchema,
  pageSchema as sitePageSchema,
  providerSchema,
  siteSettingsSchema,
} from "./schema.ts";
import { viewOf } from "../../kit/http/view.ts";
import type { ShopDeps } from "../deps.ts";
import { isUnchanged } from "../http/etag.ts";
import { createRoute } from "../http/create-route.ts";

const info = viewOf(siteSettingsSchema, [
  ...(["name", "logo", "description", "currency", "languages", "timeZone", "contact"] as const),
]);
const pageTitle = viewOf(sitePageSchema, ["slug", "title"]);
const infoSchema = z.object({ ...info.shape, pages: z.array(z.object(pageTitle.shape)) }).openapi("SiteInfo");

const settings = viewOf(siteSettingsSchema, [
  ...(["currency", "languages", "timeZone", "orderExpiryMinutes", "guestCheckout"] as const),
  ...(["stockDisplay", "shippingFee", "checkoutOpen", "maintenance"] as const),
]);
const settingsSchema = z.object(settings.shape).openapi("SitePublicSettings");

const announcement = viewOf(announcementSchema, ["text", "level"], ["startsAt", "endsAt"]);
const shownAnnouncementSchema = z
  .object({
    announcement: z
      .object(announcement.shape)
      .nullable()
      .openapi({ description: "null while none is shown" }),
  })
  .openapi("SiteAnnouncement");

const categoriesSchema = z
  .object({ items: z.array(z.object(categorySchema.shape)) })
  .openapi("SiteCategories");

const method = viewOf(providerSchema, ["word", "title", "instructions"]);
const methodsSchema = z
  .object({
    items: z.array(
      z.object({
        ...method.shape,
        hasPage: z.boolean().openapi({ description: "Whether a checkout gives an address to pay at" }),
      }),
    ),
  })
  .openapi("PaymentMethods");

const pageSchema = z
  .object(sitePageSchema.shape)
  .openapi("SitePage", { description: "Plain text as the administrator wrote it; escape it before showing" });

/** One of the routes that give a part of the settings. */
interface Part<T extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly schema: T;
  readonly view: (site: SiteSettings) => z.infer<T>;
}

type SiteParts = Pick<ShopDeps, "store" | "clock">;

const unchanged = { description: "It is what If-None-Match names" };
const common = { method: "get" as const, tags: ["site"], "x-access": "public" as const };

function addPart<T extends z.ZodType<object>>(app: ServiceApp, { store }: SiteParts, part: Part<T>): void {
  const route = createRoute({
    ...common,
    path: `/api/site/${part.path}`,
    operationId: part.operationId,
    summary: part.summary,
    responses: { 200: jsonResponse(part.summary, part.schema), 304: unchanged },
    errors: ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const body = part.view(await store.read(readSite));
    return (await isUnchanged(c, body)) ? c.body(null, 304) : c.json(body, 200);
  });
}

function addPageRoute(app: ServiceApp, { store }: SiteParts): void {
  const route = createRoute({
    ...common,
    path: "/api/site/pages/{slug}",
    operationId: "getSitePage",
    summary: "A page such as terms or imprint",
    request: { params: z.object({ slug }) },
    responses: {
      200: jsonResponse("The page", pageSchema, { slug: "terms", title: "Terms", body: "…" }),
      304: unchanged,
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const body = getPage(await store.read(readSite), c.req.valid("param").slug);
    return (await isUnchanged(c, body)) ? c.body(null, 304) : c.json(body, 200);
  });
}

function toAnnouncementView(site: SiteSettings, nowMs: number): z.infer<typeof shownAnnouncementSchema> {
  const shown = findAnnouncement(site, nowMs);
  return { announcement: shown && announcement.show(shown) };
}

/** Adds the routes below /api/site. */
export function addSiteRoutes(app: ServiceApp, parts: SiteParts): void {
  addPart(app, parts, {
    path: "info",
    operationId: "getSiteInfo",
    summary: "Name, looks and how to reach the shop",
    schema: infoSchema,
    view: (site) => ({ ...info.show(site), pages: site.pages.map(pageTitle.show) }),
  });
  addPart(app, parts, {
    path: "settings",
    operationId: "getSiteSettings",
    summary: "What a shop front needs to know",
    schema: settingsSchema,
    view: (site) => ({ ...settings.show(site), checkoutOpen: site.checkoutOpen && !site.maintenance }),
  });
  addPart(app, parts, {
    path: "announcement",
    operationId: "getSiteAnnouncement",
    summary: "The announcement, while one is shown",
    schema: shownAnnouncementSchema,
    view: (site) => toAnnouncementView(site, parts.clock.now()),
  });
  addPart(app, parts, {
    path: "categories",
    operationId: "listSiteCategories",
    summary: "All categories in the order in which they are shown",
    schema: categoriesSchema,
    view: (site) => ({ items: listCategories(site) }),
  });
  addPart(app, parts, {
    path: "payment-methods",
    operationId: "listPaymentMethods",
    summary: "The ways to pay",
    schema: methodsSchema,
    view: (site) => ({ items: listPaymentMethods(site) }),
  });
  addPageRoute(app, parts);
}
