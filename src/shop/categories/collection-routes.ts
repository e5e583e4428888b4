/** Collections for administrators: /api/admin/collections. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import type { Collections } from "./collections.ts";
import { collectionChangeSchema, newCollectionSchema, pickSchema } from "./input.ts";
import type { CollectionRecord } from "./schema.ts";
import { addShownRoutes } from "./shown-routes.ts";
import { adminCollectionSchema, exampleCollection, toCollectionView } from "./views.ts";

const PATH = "/api/admin/collections";
const TAG = "admin categories";

const version = z.int().min(1).optional().openapi({ description: "Stale: 409" });
const changeSchema = collectionChangeSchema.extend({ version }).openapi("CollectionChange");
const newSchema = newCollectionSchema.openapi("NewCollection");
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
    summary: "Make these the products of a collection without a rule, in this order",
    request: {
      params: idParams(exampleCollection.id),
      headers: ifMatchHeader,
      body: jsonBody(pickBody, { productIds: ["prd_01jd5v6m0c8f3k2n7q4x9y1z5a"], version: 3 }),
    },
    responses: {
      200: jsonResponse("The collection; ETag is its version, for If-Match", adminCollectionSchema),
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
  const { collections } = parts;
  const show = (record: CollectionRecord) =>
    toCollectionView(record, record.rule === undefined ? collections.listPicked(record) : undefined);
  const kind = {
    path: PATH,
    tag: TAG,
    name: "Collection",
    plural: "Collections",
    schemas: { new: newSchema, change: changeSchema },
    viewSchema: adminCollectionSchema,
    examples: {
      new: { title: "Our best mugs", rule: { categoryId: "mugs", inStock: true, sort: "sold", limit: 12 } },
      view: exampleCollection,
    },
    arrangeSummary: "Put collections in this order",
  } as const;
  addShownRoutes(
    app,
    {
      ...kind,
      list: async () => (await collections.list()).map((record) => toCollectionView(record)),
      get: async (id) => show(await collections.get(id)),
      create: async (body, actor) => show(await collections.create(newSchema.parse(body), actor)),
      change: async (id, body, by) => {
        const { version: fromBody, ...fields } = changeSchema.parse(body);
        return show(await collections.change(id, fields, { ...by, version: fromBody }));
      },
      remove: collections.remove,
      arrange: async (items, actor) =>
        (await collections.arrange(items, actor)).map((record) => toCollectionView(record)),
      setImage: async (id, options) => show(await collections.setImage(id, options)),
      removeImage: async (id, by) => show(await collections.removeImage(id, by)),
    },
    parts.admin,
  );
  addPickRoute(app, parts);
}
