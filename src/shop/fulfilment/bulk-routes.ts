/** Many orders at once, and all that happened about one, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { csvSeparatorSchema, jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { line, text } from "../../kit/text/schemas.ts";
import type { Store } from "../../store/store.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { orderIdParams } from "../orders/routes.ts";
import { toAdminOrderView } from "../orders/views.ts";
import { csvStyles } from "../../kit/files/csv-line.ts";
import { bulkResultsSchema, timelineSchema } from "./answer-schema.ts";
import { MAX_EXPORTED, MAX_MOVED, bulkActions, moveMany, readMany, toCsv } from "./bulk.ts";
import type { OrderAdmin } from "./order-admin.ts";
import { readTimeline } from "./timeline.ts";

const TAG = "admin orders";

interface BulkParts {
  readonly store: Store;
  readonly orderAdmin: OrderAdmin;
  readonly admin: AdminGuard;
}

const idsSchema = (most: number) =>
  z
    .array(line(100).min(1))
    .min(1)
    .max(most)
    .refine((ids) => new Set(ids).size === ids.length, "must not repeat an order");

const exampleIds = ["ord_01jd5v6m0c8f3k2n7q4x9y1z5a", "ord_01jd5v6m0c8f3k2n7q4x9y1z5b"];

function addMoves(app: ServiceApp, { orderAdmin, admin }: BulkParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/bulk",
    operationId: "adminMoveOrders",
    summary: "Deliver or cancel up to 100 orders. Each order is processed separately and has its own result",
    request: {
      body: jsonBody(
        z
          .strictObject({
            action: z.enum(bulkActions),
            ids: idsSchema(MAX_MOVED),
            note: text(1_000).default(""),
          })
          .openapi("BulkMove"),
        { action: "deliver", ids: exampleIds, note: "the van of Monday" },
      ),
    },
    responses: {
      200: jsonResponse("The result for each item", bulkResultsSchema, {
        items: [
          { id: exampleIds[0], result: "done", status: "delivered" },
          {
            id: exampleIds[1],
            result: "refused",
            code: "illegal_transition",
            detail: "The order is canceled",
          },
        ],
      }),
    },
    errors: writeErrors,
  });
  app.openapi(route, async (c) => {
    const wanted = { ...c.req.valid("json"), actor: c.var.actor };
    return c.json({ items: await moveMany(orderAdmin, wanted) }, 200);
  });
}

const formats = {
  csv: { type: "text/csv; charset=utf-8", file: "orders.csv" },
  ndjson: { type: "application/x-ndjson", file: "orders.ndjson" },
} as const;

function addExport(app: ServiceApp, { store, admin }: BulkParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/export",
    operationId: "adminExportSomeOrders",
    "x-scope": "orders:read",
    summary: "Export up to 500 orders as CSV or NDJSON, without license keys",
    request: {
      body: jsonBody(
        z
          .strictObject({
            ids: idsSchema(MAX_EXPORTED),
            format: z.enum(["csv", "ndjson"]).default("csv"),
            bom: z
              .boolean()
              .default(false)
              .describe("Whether to add a byte order mark, so that Excel detects UTF-8"),
            separator: csvSeparatorSchema,
          })
          .openapi("OrderExport"),
        { ids: exampleIds, format: "csv", bom: true },
      ),
    },
    responses: {
      200: {
        description: "The orders, in the order of the IDs",
        content: { "text/csv": { schema: z.string() }, "application/x-ndjson": { schema: z.string() } },
      },
    },
    errors: [...writeErrors, "not_found"],
  });
  app.openapi(route, async (c) => {
    const { ids, format, bom, separator } = c.req.valid("json");
    const found = await readMany(store, ids);
    async function* toPages() {
      yield found;
    }
    async function* toNdjson() {
      yield found.map((order) => `${JSON.stringify(toAdminOrderView(order))}\n`).join("");
    }
    const lines =
      format === "csv" ? toCsv(toPages(), { hasMark: bom, style: csvStyles[separator] }) : toNdjson();
    const { type, file } = formats[format];
    return c.body(await toByteStream(lines), 200, {
      "content-type": type,
      "content-disposition": `attachment; filename="${file}"`,
    });
  });
}

function addTimeline(app: ServiceApp, { store, admin }: BulkParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/{id}/timeline",
    operationId: "adminGetOrderTimeline",
    summary:
      "Get the timeline of an order, oldest first. Emails and events are included while they are stored",
    request: { params: orderIdParams },
    responses: {
      200: jsonResponse("The timeline", timelineSchema, {
        items: [
          { at: "2026-11-21T09:00:00.000+00:00", kind: "history", what: "placed", by: "buyer" },
          {
            at: "2026-11-21T09:03:00.000+00:00",
            kind: "payment_notice",
            what: "payment",
            state: "applied",
            by: "stripe",
            note: "pi_3Ox",
            amount: 1_999,
            currency: "EUR",
          },
        ],
      }),
    },
  });
  app.openapi(route, async (c) => {
    const items = await readTimeline(store, c.req.valid("param").id);
    return c.json({ items: items.map(({ at, ...rest }) => ({ at: toIsoTime(at), ...rest })) }, 200);
  });
}

/** Adds the routes; they come before those of single orders, whose paths are not literal. */
export function addBulkOrderRoutes(app: ServiceApp, parts: BulkParts): void {
  addMoves(app, parts);
  addExport(app, parts);
  addTimeline(app, parts);
}
