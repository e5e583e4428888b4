/** Collections for administrators: /api/admin/collections. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import type { Collections } from "./collections.ts";
import { collectionChangeSchema, newCollectionSchema, pickSchema } from "./change-schema.ts";
import type { CollectionRecord } from "./schema.ts";
import { addShownRoutes } from "./shown-routes.ts";
import { adminCollectionsSchema, adminCollectionSchema } from "./answer-schema.ts";
import { exampleCollection, toCollectionView } from "./views.ts";

const PATH = "/api/admin/collections";
const TAG = "admin categories";

const version = z.int().min(1).optional().openapi({ description: "Stale: 409" });
const changeSchema = collectionChangeSchema.extend({ version }).openapi("CollectionChange");
const newSchema = newCollectionSchema.clone().openapi("NewCollection");
const pickBody = pickSchema.extend({ version }).openapi("CollectionProducts");

interface CollectionParts {
  readonly collections: Collections;
  readonly admin: AdminGuard;
}

function addPickRoute(app: ServiceApp, { collections, admin }: CollectionParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path: `${PATH}/{id}/products`,
    operationId: "adminPickCollectionProducts",
    summary: "Set the products of a manual collection, in this order",
    request: {
      params: idParams(exampleCollection.id),
      headers: ifMatchHeader,
      body: jsonBody(pickBody, { productIds: ["prd_01jd5v6m0c8f3k2n7q4x9y1z5a"], version: 3 }),
    },
    responses: {
      200: jsonResponse("The collection. The ETag is its version, for If-Match", adminCollectionSchema),
    },
    errors: [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"],
  });
  app.openapi(route, async (c) => {
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const options = { ...c.req.valid("json"), ifMatch, actor: c.var.actor };
    const changed = await collections.pick(c.req.valid("param").id, options);
    c.header("etag", `"${changed.version}"`);
    return c.json(toCollectionView(changed, collections.listPicked(changed)), 200);
  });
}

export function addAdminCollectionRoutes(app: ServiceApp, parts: CollectionParts): void {
  const { collections, admin } = parts;
  const show = (record: CollectionRecord) =>
    toCollectionView(record, record.rule === undefined ? collections.listPicked(record) : undefined);
  const kind = {
    path: PATH,
    tag: TAG,
    name: "Collection",
    names: "Collections",
    noun: "collection",
    nouns: "collections",
    params: idParams(exampleCollection.id),
    view: adminCollectionSchema,
    example: exampleCollection,
    page: adminCollectionsSchema,
  } as const;
  resourceRoutes(app, {
    ...kind,
    route: adminRoute(TAG, admin),
    show,
    listAll: {
      summary: "List all collections, including hidden ones",
      page: kind.page,
      show: (record: CollectionRecord) => toCollectionView(record),
      run: collections.list,
    },
    get: { summary: "A collection", run: collections.get },
    create: {
      summary: "Create a collection. If no ID is given, it is derived from the title. The ID is part of URLs",
      body: newSchema,
      example: {
        title: "Our best mugs",
        rule: { categoryId: "mugs", inStock: true, sort: "sold", limit: 12 },
      },
      errors: ["already_exists", "conflict"],
      run: (fields, { actor }) => collections.create(fields, actor),
    },
    change: {
      summary: "Change some fields; null clears a field",
      body: changeSchema,
      example: { status: "hidden", version: 3 },
      run: collections.change,
    },
    remove: {
      summary: "Delete a collection. Its products are kept",
      ifMatch: true,
      errors: ["conflict"],
      run: collections.remove,
    },
  });
  addShownRoutes(
    app,
    {
      ...kind,
      arrangeSummary: "Set the display order of the collections",
      arrange: async (items, actor) =>
        (await collections.arrange(items, actor)).map((record) => toCollectionView(record)),
      setImage: async (id, options) => show(await collections.setImage(id, options)),
      removeImage: async (id, by) => show(await collections.removeImage(id, by)),
    },
    admin,
  );
  addPickRoute(app, parts);
}
