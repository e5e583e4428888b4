/** Looking for orders, and searches that are kept, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { csvSeparatorSchema, jsonResponse } from "../../kit/http/schemas.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import { csvStyles } from "../../kit/files/csv-line.ts";
import { toCsv } from "../fulfilment/bulk.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { orderSearchSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import { savedSearchListSchema, savedSearchSchema, savedView } from "./answer-schema.ts";
import type { SavedSearches } from "./saved-searches.ts";
import { type SearchQuery, savedQuerySchema, savedSearchRecordSchema, searchQuerySchema } from "./schema.ts";
import type { OrderSearch } from "./search.ts";

const TAG = "admin orders";

const querySchema = searchQuerySchema.extend({
  q: searchQuerySchema.shape.q.describe(
    "Search terms, all of which must match: number, email address, name, city, product, SKU, payment reference, coupon, note",
  ),
  status: searchQuerySchema.shape.status.describe(
    'Order status, or "to_deliver": paid and not fully delivered',
  ),
  attention: searchQuerySchema.shape.attention.describe('A flag, or "any"'),
  country: searchQuerySchema.shape.country.describe("Country of the shipping address, or of the buyer"),
});

interface SearchParts {
  readonly orderSearch: OrderSearch;
  readonly savedSearches: SavedSearches;
  readonly admin: AdminGuard;
}

function addSearch(app: ServiceApp, { orderSearch, admin }: SearchParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/search",
    operationId: "adminSearchOrders",
    summary: "Search orders by text and filters, newest first",
    description: "Searches the newest 200,000 orders.",
    request: { query: pageQuerySchema.extend(querySchema.shape) },
    responses: { 200: jsonResponse("Orders", orderSearchSchema) },
  });
  app.openapi(route, async (c) => {
    const { limit, cursor, ...query } = c.req.valid("query");
    const found = await orderSearch.search(query, { limit, cursor });
    return c.json(
      toPageView(found, (order) => toAdminOrderView(order)),
      200,
    );
  });
}

const MEDIA_TYPE: string = "text/csv; charset=utf-8";
const EXPORT_PAGE = 500;

/** Pages of what a search finds. */
async function* findAll(
  search: OrderSearch,
  query: SearchQuery,
): AsyncGenerator<readonly OrderRecord[], void> {
  let cursor: string | undefined;
  do {
    const page = await search.search(query, { limit: EXPORT_PAGE, cursor });
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function addExport(app: ServiceApp, { orderSearch, admin }: SearchParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/search/export",
    operationId: "adminExportOrderSearch",
    summary: "Export the orders of a search as CSV (UTF-8 with a byte order mark for spreadsheets)",
    request: { query: querySchema.extend({ separator: csvSeparatorSchema }) },
    responses: { 200: { description: "Orders", content: { "text/csv": { schema: z.string() } } } },
  });
  app.openapi(route, async (c) => {
    const { separator, ...query } = c.req.valid("query");
    const lines = toCsv(findAll(orderSearch, query), { hasMark: true, style: csvStyles[separator] });
    return c.body(await toByteStream(lines), 200, {
      "content-type": MEDIA_TYPE,
      "content-disposition": 'attachment; filename="orders.csv"',
    });
  });
}

const at = "2026-11-21T09:00:00.000+00:00";
const exampleNew = { name: "To be sent to Austria", query: { status: "paid", country: "AT" } };
const exampleSaved = {
  ...exampleNew,
  id: "sea_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  createdAt: at,
  updatedAt: at,
};
const fieldsSchema = z.strictObject({
  name: savedSearchRecordSchema.shape.name,
  query: z
    .record(z.string().max(40), z.string().max(254).or(z.int()))
    .superRefine((query, context) => {
      for (const { path, message } of savedQuerySchema.safeParse(query).error?.issues ?? [])
        context.addIssue({ code: "custom", path: [...path], message });
    })
    .describe("Parameters of GET /api/admin/orders/search"),
});
const newSchema = z.strictObject(fieldsSchema.shape).openapi("NewOrderSearch");
const changeSchema = z
  .strictObject({ ...fieldsSchema.partial().shape, version: z.int().min(1).optional() })
  .openapi("OrderSearchChange");

function addSaved(app: ServiceApp, { savedSearches, admin }: SearchParts): void {
  resourceRoutes(app, {
    route: adminRoute(TAG, admin),
    path: "/api/admin/order-searches",
    name: "OrderSearch",
    names: "OrderSearches",
    noun: "saved search",
    nouns: "saved searches",
    params: idParams(exampleSaved.id),
    view: savedSearchSchema,
    example: exampleSaved,
    show: savedView.show,
    listAll: {
      summary: "List saved searches, sorted by name",
      page: savedSearchListSchema,
      run: savedSearches.listAll,
    },
    create: {
      summary: "Save a search",
      body: newSchema,
      example: exampleNew,
      errors: ["already_exists", "conflict"],
      run: savedSearches.create,
    },
    change: {
      summary: "Rename a saved search, or replace its query",
      body: changeSchema,
      example: { name: "Austria" },
      errors: ["already_exists"],
      run: savedSearches.change,
    },
    remove: { run: savedSearches.remove },
  });
}

/** Adds the routes; that of the search comes before those of single orders, its path is literal. */
export function addOrderSearchRoutes(app: ServiceApp, parts: SearchParts): void {
  addSearch(app, parts);
  addExport(app, parts);
  addSaved(app, parts);
}
