/** Shipping methods: public, and for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch } from "../../kit/http/schemas.ts";
import { viewOf } from "../../kit/http/view.ts";
import { languageTag } from "../../kit/text/schemas.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import type { Store } from "../../store/store.ts";
import { countrySchema } from "../base/postal-address.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { isUnchanged } from "../edge/etag.ts";
import { idParams } from "../edge/params.ts";
import { shippingMethodSchema } from "../site/selling-schema.ts";
import { readSite } from "../site/settings.ts";
import type { ShippingMethods, VersionedMethod } from "./methods-admin.ts";
import { listEnabled, sendsTo, wordsOf } from "./quotes.ts";

const TAG = "admin shipping";
const PATH = "/api/admin/shipping-methods";

const method = viewOf(shippingMethodSchema, [
  ...(["id", "title", "description", "deliveryTime", "translations", "countries"] as const),
  ...(["excludedCountries", "by", "steps", "limit", "freeFrom", "enabled", "sortOrder"] as const),
]);
const methodSchema = z.object(method.shape).openapi("ShippingMethod");

const { id: _id, ...fields } = shippingMethodSchema.shape;
const newSchema = z
  .strictObject({
    ...fields,
    by: fields.by.describe("Unit of `from` and `limit`: grams, or the subtotal in minor units"),
    countries: fields.countries.describe("Countries; empty: all"),
    freeFrom: fields.freeFrom.describe("Subtotal from which shipping is free, in minor units"),
    version: z.int().min(0).optional().describe("Version of the settings that the change is based on"),
  })
  .openapi("NewShippingMethod");
const changeSchema = toPatchSchema(shippingMethodSchema.omit({ id: true }))
  .extend({
    limit: fields.limit.nullable(),
    freeFrom: fields.freeFrom.nullable(),
    version: z.int().min(0).optional(),
  })
  .openapi("ShippingMethodChange");

const exampleNew = {
  title: "Parcel",
  deliveryTime: "2 to 4 days",
  translations: { de: { title: "Paket", deliveryTime: "2 bis 4 Tage" } },
  countries: ["DE", "AT"],
  by: "weight",
  steps: [
    { from: 0, price: 490 },
    { from: 5_000, price: 890 },
  ],
  limit: 30_000,
  freeFrom: 5_000,
} as const;
const exampleMethod = {
  id: "shm_01jd5v6m0c8f3k2n7q4x9y1z5a",
  description: "",
  excludedCountries: [],
  enabled: true,
  sortOrder: 0,
  ...exampleNew,
} as const;

const publicSchema = z
  .object({
    items: z.array(
      z.object({
        ...viewOf(shippingMethodSchema, ["id", "title", "description", "deliveryTime"]).shape,
        ...viewOf(shippingMethodSchema, ["by", "steps", "limit", "freeFrom"]).shape,
      }),
    ),
  })
  .openapi("ShippingMethods");

interface ShippingParts {
  readonly store: Store;
  readonly shippingMethods: ShippingMethods;
  readonly admin: AdminGuard;
}

function addPublicList(app: ServiceApp, { store }: ShippingParts): void {
  const route = createRoute({
    method: "get",
    path: "/api/site/shipping-methods",
    operationId: "listShippingMethods",
    tags: ["site"],
    "x-access": "public",
    summary:
      "List the shipping methods, optionally for a country. Use the checkout preview for the shipping price of a cart",
    request: { query: z.object({ country: countrySchema.optional(), language: languageTag.optional() }) },
    responses: {
      200: jsonResponse("The shipping methods; empty: the flat rate shippingFee", publicSchema),
      304: { description: "Not modified since the ETag in If-None-Match" },
    },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { country, language = "" } = c.req.valid("query");
    const { shipping } = await store.read(readSite);
    const items = listEnabled(shipping.methods)
      .filter((one) => country === undefined || sendsTo(one, country))
      .map(({ id, by, steps, limit, freeFrom, ...one }) => {
        const words = wordsOf({ id, by, steps, limit, freeFrom, ...one }, language);
        return { id, ...words, by, steps, limit, freeFrom };
      });
    return (await isUnchanged(c, { items })) ? c.body(null, 304) : c.json({ items }, 200);
  });
}

function addCollectionRoutes(app: ServiceApp, { shippingMethods, admin }: ShippingParts): void {
  const list = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListShippingMethods",
    summary: "List all shipping methods. The ETag is the version of the site settings",
    responses: { 200: jsonResponse("Methods", z.object({ items: z.array(methodSchema) })) },
  });
  app.openapi(list, async (c) => {
    const { items, version } = await shippingMethods.list();
    c.header("etag", `"${version}"`);
    return c.json({ items: items.map(method.show) }, 200);
  });
  const create = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateShippingMethod",
    summary: "Create a shipping method. While a method is enabled, shippingFee is ignored",
    request: { headers: ifMatchHeader, body: jsonBody(newSchema, exampleNew) },
    responses: { 201: jsonResponse("The method", methodSchema, exampleMethod) },
  });
  app.openapi(create, async (c) => {
    const { version, ...body } = c.req.valid("json");
    const by = { version, ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    const made = await shippingMethods.create(body, by);
    c.header("etag", `"${made.version}"`);
    c.header("location", `${PATH}/${made.method.id}`);
    return c.json(method.show(made.method), 201);
  });
}

function addItemRoutes(app: ServiceApp, { shippingMethods, admin }: ShippingParts): void {
  resourceRoutes(app, {
    route: adminRoute(TAG, admin),
    path: PATH,
    name: "ShippingMethod",
    noun: "shipping method",
    params: idParams(exampleMethod.id),
    view: methodSchema,
    example: exampleMethod,
    show: (found: VersionedMethod) => method.show(found.method),
    versionOf: ({ version }) => version,
    get: { summary: "Get a shipping method", run: (id) => shippingMethods.get(id) },
    change: {
      summary: "Change some fields, or disable the method. null removes limit or freeFrom",
      body: changeSchema,
      example: { enabled: false },
      run: (id, fields, by) => shippingMethods.change(id, fields, by),
    },
    remove: {
      summary: "Delete a shipping method. Orders keep its title",
      ifMatch: true,
      run: (id, by) => shippingMethods.remove(id, by),
    },
  });
}

/** Adds /api/site/shipping-methods and the routes below /api/admin/shipping-methods. */
export function addShippingRoutes(app: ServiceApp, parts: ShippingParts): void {
  addPublicList(app, parts);
  addCollectionRoutes(app, parts);
  addItemRoutes(app, parts);
}
