/** Public collections: the list, and the products of one. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { parseCursor, toCursor } from "../../store/cursor.ts";
import { StoreError } from "../../store/store.ts";
import { collectionRecordSchema, type CollectionRecord } from "../categories/schema.ts";
import { createRoute } from "../edge/create-route.ts";
import { type CatalogueAnswers, exampleProduct, lang } from "./answers-views.ts";
import type { Catalogue } from "./catalogue.ts";
import { listCollected } from "./chosen.ts";
import { shownWordsIn } from "./languages.ts";
import { hashText } from "./text-hash.ts";
import { imageSchema, productSchema, toImageView, type ProductText } from "./views.ts";

const collectionSchema = z
  .object({
    ...collectionRecordSchema.pick({ id: true, title: true, description: true, sortOrder: true }).shape,
    image: imageSchema.optional(),
  })
  .openapi("SiteCollection");
const collectionsSchema = z.object({ items: z.array(collectionSchema) }).openapi("SiteCollections");
const example = { id: "summer", title: "Summer", description: "", sortOrder: 0 };

const common = { tags: ["catalogue"], "x-access": "public" as const, method: "get" as const };
const unchanged = { description: "Not modified since the ETag in If-None-Match" };
const params = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" }, example: "summer" }) });

const listRoute = createRoute({
  ...common,
  path: "/api/collections",
  operationId: "listCollections",
  summary: "List the collections in display order",
  request: { query: z.object({ lang }) },
  responses: {
    200: jsonResponse("The collections", collectionsSchema, { items: [example] }),
    304: unchanged,
  },
  errors: ["invalid"],
});

const itemRoute = createRoute({
  ...common,
  path: "/api/collections/{id}",
  operationId: "getCollection",
  summary: "A collection",
  request: { params, query: z.object({ lang }) },
  responses: { 200: jsonResponse("The collection", collectionSchema, example), 304: unchanged },
  errors: ["invalid", "not_found"],
});

const productsRoute = createRoute({
  ...common,
  path: "/api/collections/{id}/products",
  operationId: "listCollectionProducts",
  summary: "List the products of a collection in its order",
  request: {
    params,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      cursor: z
        .string()
        .min(1)
        .max(2_000)
        .optional()
        .openapi({ description: "`nextCursor` of the previous page" }),
      lang,
    }),
  },
  responses: {
    200: jsonResponse("A page", pageSchema(productSchema), { items: [exampleProduct] }),
    304: unchanged,
  },
  errors: ["bad_request", "invalid", "not_found"],
});

const CURSOR_INDEX = "collection";

function toStart(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [start] = parseCursor(cursor, { index: CURSOR_INDEX, length: 1 });
  if (typeof start === "number" && Number.isSafeInteger(start) && start >= 0) return start;
  throw new StoreError("bad_cursor", "The cursor is malformed or belongs to another list");
}

function getCollection(catalogue: Pick<Catalogue, "collections">, id: string): CollectionRecord {
  const found = catalogue.collections().find((collection) => collection.id === id);
  // A hidden one looks exactly like one that does not exist.
  if (found?.status === "published") return found;
  throw new AppError("not_found", "This collection does not exist");
}

function toView(collection: CollectionRecord, language: string): z.infer<typeof collectionSchema> {
  const { id, sortOrder, image } = collection;
  return { id, ...shownWordsIn(collection, language), sortOrder, image: image && toImageView(image) };
}

function toText(body: object): ProductText {
  const json = JSON.stringify(body);
  return { json, etag: () => `"${hashText(json)}"` };
}

export function addCollectionRoutes(
  app: ServiceApp,
  { catalogue, answers }: { readonly catalogue: Catalogue; readonly answers: CatalogueAnswers },
): void {
  app.openapi(listRoute, (c) => {
    const { language } = answers.readContext(c, c.req.valid("query").lang);
    const shown = catalogue.collections().filter(({ status }) => status === "published");
    const items = shown.map((collection) => toView(collection, language));
    return answers.sendText(c, toText({ items }), language);
  });
  app.openapi(itemRoute, (c) => {
    const { language } = answers.readContext(c, c.req.valid("query").lang);
    const collection = getCollection(catalogue, c.req.valid("param").id);
    return answers.sendText(c, toText(toView(collection, language)), language);
  });
  app.openapi(productsRoute, (c) => {
    const { limit, cursor, lang: asked } = c.req.valid("query");
    const all = listCollected(catalogue, getCollection(catalogue, c.req.valid("param").id));
    const start = toStart(cursor);
    const end = start + limit;
    const nextCursor = end < all.length ? toCursor(CURSOR_INDEX, [end]) : undefined;
    return answers.sendList(c, { items: all.slice(start, end), nextCursor, lang: asked });
  });
}
