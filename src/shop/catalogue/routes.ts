/** The public catalogue: lists, single products, and that somebody looked at one. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { toAcceptedLanguages } from "../../kit/text/accepted-languages.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { pageSchema } from "../../kit/http/pages.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { line, trimmedLine, languageTag, slug } from "../../kit/text/schemas.ts";
import { catalogueSorts } from "./sort-orders.ts";
import type { CatalogueItem } from "./item.ts";
import { chooseLanguage, wordsIn } from "./languages.ts";
import { search } from "./search.ts";
import { hashText } from "./text-hash.ts";
import { amountSchema } from "../money.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Views } from "./page-view-counts.ts";
import { createProductTexts, productDetailSchema, productSchema, toProductView } from "./views.ts";
import { toCaller } from "../http/user-guard.ts";
import { createRoute } from "../http/create-route.ts";

const lang = languageTag
  .optional()
  .openapi({ description: "One of the shop's languages; takes precedence over Accept-Language" });

const price = z.coerce.number().pipe(amountSchema).optional();

const listQuerySchema = z.object({
  q: line(200).optional().openapi({
    description: "Beginnings of words in title, summary, tags or SKU, in any language; all must be there",
  }),
  category: slug.optional().openapi({ description: "With all categories below it" }),
  tag: trimmedLine(60).optional(),
  minPrice: price,
  maxPrice: price,
  inStock: z
    .enum(["true", "false"])
    .default("false")
    .openapi({ description: "Whether to leave out what cannot be ordered" }),
  sort: z
    .enum(catalogueSorts)
    .default("featured")
    .openapi({ description: "featured: as the shop sorts them, then the newest" }),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(2_000).optional().openapi({ description: "`nextCursor` of the page before" }),
  lang,
});

const params = z.object({
  idOrSlug: z.string().openapi({ param: { name: "idOrSlug", in: "path" }, example: "red-mug" }),
});

const exampleProduct = {
  id: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  slug: "red-mug",
  title: "Red mug",
  summary: "Holds a third of a litre",
  images: [],
  categoryId: "kitchen",
  tags: ["mug"],
  price: 1_290,
  currency: "EUR",
  sku: "MUG-R",
  variants: [],
  stock: { status: "in_stock" as const, mode: "tracked" as const, available: 12 },
  minQuantity: 1,
  maxQuantity: 10,
  deliveryType: "shipping" as const,
  inputs: [],
  views: 40,
  sold: 3,
  createdAt: "2026-01-31T12:00:00.000+00:00",
  updatedAt: "2026-01-31T12:00:00.000+00:00",
  version: 2,
};

const common = { tags: ["catalogue"], "x-access": "public" as const };

const listRoute = createRoute({
  ...common,
  method: "get",
  path: "/api/products",
  operationId: "listProducts",
  summary: "Published products",
  request: { query: listQuerySchema },
  responses: {
    200: jsonResponse("A page", pageSchema(productSchema), { items: [exampleProduct] }),
    304: { description: "The page is as the one that If-None-Match names" },
  },
  errors: ["bad_request", "invalid"],
});

const detailRoute = createRoute({
  ...common,
  method: "get",
  path: "/api/products/{idOrSlug}",
  operationId: "getProduct",
  summary: "A published product, by its id or its slug",
  request: { params, query: z.object({ lang }) },
  responses: {
    200: jsonResponse("The product", productDetailSchema, {
      ...exampleProduct,
      description: "Fired twice. Goes into the dishwasher.",
    }),
    304: { description: "The product is as the one that If-None-Match names" },
  },
  errors: ["bad_request", "invalid", "not_found"],
});

const viewRoute = createRoute({
  ...common,
  method: "post",
  path: "/api/products/{idOrSlug}/view",
  operationId: "viewProduct",
  summary: "Somebody looks at a product; a visitor counts once in 30 minutes",
  request: { params },
  responses: {
    200: jsonResponse(
      "Whether it counted, and how many there are by now",
      z.object({ counted: z.boolean(), views: z.int().min(0).optional() }).openapi("ViewResult"),
      { counted: true, views: 41 },
    ),
  },
  errors: ["bad_request", "not_found", "too_large"],
});

function getItem(catalogue: Catalogue, idOrSlug: string): CatalogueItem {
  const item = catalogue.find(idOrSlug);
  // A draft looks exactly like a product that does not exist.
  if (item === undefined) throw new AppError("not_found", "There is no such product");
  return item;
}

/** The languages that a request asks for, the most wanted first: the one in the query, then those of the header. */
export function toLanguageRanges(lang: string | undefined, header: string = ""): string[] {
  const ranges = toAcceptedLanguages(header);
  return lang === undefined ? ranges : [lang, ...ranges];
}

/** What every answer in a language says of itself. */
function toHeaders(language: string): Record<string, string> {
  return { "cache-control": "no-cache", vary: "Accept-Language", "content-language": language };
}

const JSON_TYPE = { "content-type": "application/json" };

function addListRoute(app: ServiceApp, catalogue: Catalogue): void {
  const toText = createProductTexts(toProductView);
  app.openapi(listRoute, (c) => {
    const { inStock, lang: asked, ...query } = c.req.valid("query");
    const { items, nextCursor } = search(catalogue, { ...query, isInStock: inStock === "true" });
    const site = catalogue.site();
    const ranges = toLanguageRanges(asked, c.req.header("accept-language"));
    const language = chooseLanguage(site.languages, ranges);
    const texts = items.map((item) => toText(item, { site, language }));
    const rest = nextCursor === undefined ? "}" : `,"nextCursor":"${nextCursor}"}`;
    const etag = `"${hashText([...texts.map((text) => text.etag()), rest].join())}"`;
    const headers = { ...toHeaders(language), etag };
    if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
    const json = texts.map((text) => text.json).join(",");
    return c.body(`{"items":[${json}]${rest}`, 200, { ...headers, ...JSON_TYPE });
  });
}

function addDetailRoute(app: ServiceApp, catalogue: Catalogue): void {
  const toText = createProductTexts((item, context) => ({
    ...toProductView(item, context),
    description: wordsIn(item.product, context.language).description,
  }));
  app.openapi(detailRoute, (c) => {
    const item = getItem(catalogue, c.req.valid("param").idOrSlug);
    const site = catalogue.site();
    const ranges = toLanguageRanges(c.req.valid("query").lang, c.req.header("accept-language"));
    const language = chooseLanguage(site.languages, ranges);
    const text = toText(item, { site, language });
    const headers = { ...toHeaders(language), etag: text.etag() };
    if (isKnownTag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(text.json, 200, { ...headers, ...JSON_TYPE });
  });
}

/** Adds the routes of the public catalogue. */
export function addProductRoutes(
  app: ServiceApp,
  { catalogue, views: counts }: { readonly catalogue: Catalogue; readonly views: Views },
): void {
  addListRoute(app, catalogue);
  addDetailRoute(app, catalogue);
  app.openapi(viewRoute, (c) => {
    const item = getItem(catalogue, c.req.valid("param").idOrSlug);
    const counted = counts.count(item.product.id, toCaller(c));
    const views = item.views + counts.pending(item.product.id);
    const isHidden = catalogue.site().hiddenStats.includes("views");
    return c.json({ counted, views: isHidden ? undefined : views }, 200);
  });
}
