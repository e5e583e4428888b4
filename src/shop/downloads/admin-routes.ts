/** Downloads of an order, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch } from "../../kit/http/schemas.ts";
import { isoTimeMs, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { fileGrantRecordSchema } from "../files/schema.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { orderIdParams } from "../orders/routes.ts";
import { grantView, lineDownloadsSchema, orderDownloadsSchema } from "./answer-schema.ts";
import type { LineDownloads, OrderDownloads } from "./order-downloads.ts";

const TAG = "admin files";
const PATH = "/api/admin/orders/{id}/downloads";

function toView({ grant: record, state, files }: LineDownloads): z.infer<typeof lineDownloadsSchema> {
  return {
    ...grantView.show(record),
    state,
    files: files.map(({ file, newest, downloads, downloadsLeft }) => {
      const used = record.used.find(({ fileId }) => fileId === file.id);
      return {
        fileId: file.id,
        title: file.title,
        fileName: newest.fileName,
        number: newest.number,
        downloads,
        downloadsLeft,
        firstAt: toIsoTimeIfAny(used?.firstAt),
        lastAt: toIsoTimeIfAny(used?.lastAt),
      };
    }),
  };
}

const exampleTime = "2026-01-31T12:00:00.000+00:00";
const exampleLine: z.infer<typeof lineDownloadsSchema> = {
  lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a",
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  maxDownloads: 5,
  endOnRefund: true,
  version: 2,
  grantedAt: exampleTime,
  state: "usable",
  files: [
    {
      fileId: "fil_01jd5v6m0c8f3k2n7q4x9y1z5a",
      title: "The guide",
      fileName: "guide.pdf",
      number: 1,
      downloads: 1,
      downloadsLeft: 4,
      firstAt: exampleTime,
      lastAt: exampleTime,
    },
  ],
};

const { maxDownloads } = fileGrantRecordSchema.shape;
const changeSchema = z
  .strictObject({
    resetCount: z
      .boolean()
      .optional()
      .openapi({ description: "Whether to reset the download counter. Links in use count again" }),
    maxDownloads: maxDownloads.nullable().describe("Download limit per file; null: no limit"),
    expiresAt: isoTimeMs.nullable().optional().describe("Expiry time; null: never"),
    ended: z
      .boolean()
      .optional()
      .openapi({ description: "Whether the download right is revoked; false restores it" }),
    version: z.int().min(1).optional().openapi({ description: "Version that the change is based on" }),
  })
  .openapi("DownloadsChange");

interface OrderDownloadParts {
  readonly orderDownloads: OrderDownloads;
  readonly admin: AdminGuard;
}

/** Adds the routes of an order's downloads. */
export function addAdminDownloadRoutes(app: ServiceApp, { orderDownloads, admin }: OrderDownloadParts): void {
  const adminListDownloads = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListDownloads",
    "x-scope": "orders:read",
    summary: "Get the downloads of an order by line",
    request: { params: orderIdParams },
    responses: {
      200: jsonResponse("The order lines with files", orderDownloadsSchema, { items: [exampleLine] }),
    },
  });
  app.openapi(adminListDownloads, async (c) => {
    const lines = await orderDownloads.list(c.req.valid("param").id);
    c.header("cache-control", "no-store");
    return c.json({ items: lines.map(toView) }, 200);
  });

  const adminChangeDownloads = createRoute({
    ...adminRoute(TAG, admin),
    method: "patch",
    path: `${PATH}/{lineId}`,
    operationId: "adminChangeDownloads",
    "x-scope": "orders:write",
    summary: "Change the download limit, expiry or right of an order line",
    request: {
      params: orderIdParams.extend({ lineId: z.string().min(1).max(100) }),
      headers: ifMatchHeader,
      body: jsonBody(changeSchema, { resetCount: true, version: 2 }),
    },
    responses: { 200: jsonResponse("The updated order line", lineDownloadsSchema, exampleLine) },
  });
  app.openapi(adminChangeDownloads, async (c) => {
    const { id, lineId } = c.req.valid("param");
    const { ended, ...fields } = c.req.valid("json");
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const change = { ...fields, ...(ended === undefined ? {} : { isEnded: ended }), ifMatch };
    const line = await orderDownloads.change(id, { ...change, lineId, actor: c.var.actor });
    c.header("etag", `"${line.grant.version}"`);
    return c.json(toView(line), 200);
  });
}
