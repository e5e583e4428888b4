/** The public catalogue: lists, single products, and views of them. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { line, trimmedLine, slug } from "../../kit/text/schemas.ts";
import type { CatalogueItem } from "./item.ts";
import { type CatalogueAnswers, createAnswers, exampleProduct, lang } from "./answers-views.ts";
import { addCategoryRoute } from "./category-routes.ts";
import { addCollectionRoutes } from "./collection-routes.ts";
import { wordsIn } from "./languages.ts";
import { listRelated } from "./chosen.ts";
import { search, searchSorts } from "./search.ts";
import { addSuggestRoute } from "./suggest-routes.ts";
import type { Suggest } from "./suggest.ts";
import { amountSchema } from "../base/money-schema.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Views } from "./page-view-counts.ts";
import { createProductTexts, productDetailSchema, productSchema, toProductView } from "./views.ts";
import { toCaller } from "../edge/user-guard.ts";
import { createRoute } from "../edge/create-route.ts";

const price = z.coerce.number().pipe(amountSchema).optional();

const listQuerySchema = z.object({
  q: line(200).optional().openapi({
    description:
      "Search terms. Every term must match the beginning of a word in the title, summary, tags, options, or SKU, in any language. Plurals, umlauts, and compounds match in all spellings. If no product matches, products with similar words are listed; terms with digits are never corrected",
  }),
  category: slug.optional().openapi({ description: "ID of a category, including its subcategories" }),
  tag: trimmedLine(60).optional(),
  minPrice: price,
  maxPrice: price,
  inStock: z
    .enum(["true", "false"])
    .default("false")
    .openapi({ description: "Whether to exclude products that cannot be ordered" }),
  sort: z.enum(searchSorts).optional().openapi({
    description:
      "Sort order. relevance (default with search terms): exact codes and titles first. featured (default without): the manual order of the shop, then newest",
  }),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .openapi({ description: "`nextCursor` of the previous page" }),
  lang,
});

const params = z.object({
  idOrSlug: z.string().openapi({ param: { name: "idOrSlug", in: "path" }, example: "red-mug" }),
});

const relatedSchema = z.object({ items: z.array(productSchema) }).openapi("RelatedProducts");

const common = { tags: ["catalogue"], "x-access": "public" as const };

const listRoute = createRoute({
  ...common,
  method: "get",
  path: "/api/products",
  operationId: "listProducts",
  summary: "List published products",
  request: { query: listQuerySchema },
  responses: {
    200: jsonResponse("A page", pageSchema(productSchema), { items: [exampleProduct] }),
    304: { description: "The page has not changed" },
  },
});

const detailRoute = createRoute({
  ...common,
  method: "get",
  path: "/api/products/{idOrSlug}",
  operationId: "getProduct",
  summary: "Get a published product by its ID or slug",
  request: { params, query: z.object({ lang }) },
  responses: {
    200: jsonResponse("The product", productDetailSchema, {
      ...exampleProduct,
      description: "Fired twice. Goes into the dishwasher.",
    }),
    304: { description: "The product has not changed" },
  },
});

const relatedRoute = createRoute({
  ...common,
  method: "get",
  path: "/api/products/{idOrSlug}/related",
  operationId: "listRelatedProducts",
  summary: "List related products: manually chosen ones, then the best sellers of the category",
  request: {
    params,
    query: z.object({ limit: z.coerce.number().int().min(1).max(20).default(8), lang }),
  },
  responses: {
    200: jsonResponse("The products", relatedSchema, { items: [exampleProduct] }),
    304: { description: "The list has not changed" },
  },
});

const viewRoute = createRoute({
  ...common,
  method: "post",
  path: "/api/products/{idOrSlug}/view",
  operationId: "viewProduct",
  summary: "Count a product view, at most once per visitor in 30 minutes",
  request: { params },
  responses: {
    200: jsonResponse(
      "Whether the view was counted, and the number of views",
      z.object({ counted: z.boolean(), views: z.int().min(0).optional() }).openapi("ViewResult"),
      { counted: true, views: 41 },
    ),
  },
  errors: ["bad_request", "not_found", "too_large"],
});

function getItem(catalogue: Catalogue, idOrSlug: string): CatalogueItem {
  const item = catalogue.find(idOrSlug);
  // A draft looks exactly like a product that does not exist.
  if (item === undefined) throw new AppError("not_found", "This product does not exist");
  return item;
}

function addListRoute(app: ServiceApp, { catalogue, answers }: CatalogueParts): void {
  app.openapi(listRoute, (c) => {
    const { inStock, lang: asked, ...query } = c.req.valid("query");
    const { items, nextCursor } = search(catalogue, { isInStock: inStock === "true", ...query });
    return answers.sendList(c, { items, nextCursor, lang: asked });
  });
}

function addDetailRoute(app: ServiceApp, { catalogue, answers }: CatalogueParts): void {
  const toText = createProductTexts((item, context) => ({
    ...toProductView(item, context),
    description: wordsIn(item.product, context.language).description,
  }));
  app.openapi(detailRoute, (c) => {
    const item = getItem(catalogue, c.req.valid("param").idOrSlug);
    const context = answers.readContext(c, c.req.valid("query").lang);
    return answers.sendText(c, toText(item, context), context.language);
  });
}

function addRelatedRoute(app: ServiceApp, { catalogue, answers }: CatalogueParts): void {
  app.openapi(relatedRoute, (c) => {
    const item = getItem(catalogue, c.req.valid("param").idOrSlug);
    const { limit, lang: asked } = c.req.valid("query");
    return answers.sendList(c, { items: listRelated(catalogue, item, limit), lang: asked });
  });
}

interface CatalogueParts {
  readonly catalogue: Catalogue;
  readonly answers: CatalogueAnswers;
}

/** Adds the routes of the public catalogue. */
export function addProductRoutes(
  app: ServiceApp,
  {
    catalogue,
    views: counts,
    suggest,
  }: { readonly catalogue: Catalogue; readonly views: Views; readonly suggest: Suggest },
): void {
  const answers = createAnswers(catalogue);
  const parts = { catalogue, answers };
  addListRoute(app, parts);
  addDetailRoute(app, parts);
  addRelatedRoute(app, parts);
  addSuggestRoute(app, { answers, suggest });
  addCategoryRoute(app, parts);
  addCollectionRoutes(app, parts);
  app.openapi(viewRoute, (c) => {
    const item = getItem(catalogue, c.req.valid("param").idOrSlug);
    const counted = counts.count(item.product.id, toCaller(c));
    const views = item.views + counts.pending(item.product.id);
    const isHidden = catalogue.site().hiddenStats.includes("views");
    return c.json({ counted, views: isHidden ? undefined : views }, 200);
  });
}
