/** Imports from other shops, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import type { Principal } from "../../records/rights/principal.ts";
import { assertFreshProof } from "../../records/rights/fresh-proof.ts";
import { assertScope } from "../../records/rights/route-scopes.ts";
import { opensAdminScope } from "../../records/rights/scopes.ts";
import { fileNameSchema } from "../products/file-schema.ts";
import {
  type ImportView,
  faultView,
  importFaultSchema,
  importItemSchema,
  importPictureSchema,
  importSchema,
  importView,
  itemView,
  pictureView,
} from "./answer-schema.ts";
import type { Imports } from "./imports.ts";
import {
  type ImportRecord,
  MAX_ARCHIVE_BYTES,
  MAX_IMPORT_BYTES,
  importOptionsSchema,
  importPictureRecordSchema,
  importItemRecordSchema,
  importKindSchema,
  type ImportKindName,
} from "./schema.ts";

const TAG = "admin imports";
const PATH = "/api/admin/imports";

const params = idParams("imp_01jd5v6m0c8f3k2n7q4x9y1z5a");
const exampleCounts = {
  rows: 16,
  items: 3,
  created: 3,
  changed: 0,
  skipped: 0,
  failed: 0,
  noted: 0,
  pictures: 11,
  picturesDone: 0,
  picturesFailed: 0,
};
const example: ImportView = {
  id: "imp_01jd5v6m0c8f3k2n7q4x9y1z5a",
  kind: "products",
  state: "checked",
  source: "shopify",
  fileName: "products_export.csv",
  sizeBytes: 6_302,
  uploadId: "upl_01jd5v6m0c8f3k2n7q4x9y1z5a",
  options: { mapping: {}, status: "file", createCategories: true, updateExisting: true, redirects: true },
  encoding: "utf-8",
  separator: ",",
  columns: [{ header: "Handle", field: "handle", example: "linen-shirt" }],
  preview: [
    {
      line: 2,
      title: "Linen shirt",
      price: "34.50 → 34.50 EUR",
      variants: 6,
      pictures: 4,
      outcome: "create",
    },
  ],
  trial: exampleCounts,
  counts: { ...exampleCounts, rows: 0, items: 0, created: 0, pictures: 0 },
  undone: 0,
  kept: 0,
  startedBy: "token",
  createdAt: "2026-11-29T09:00:00.000+00:00",
};

function toView(record: ImportRecord): ImportView {
  return { ...importView.show(record), uploadId: record.storedId, archiveUploadId: record.archiveId };
}

const fileShape = { fileName: fileNameSchema };
const newImportSchema = z
  .strictObject({
    kind: importKindSchema.default("products").describe("What the file has records of"),
    ...fileShape,
    sizeBytes: z.number().int().min(1).max(MAX_IMPORT_BYTES),
    archive: z
      .strictObject({ ...fileShape, sizeBytes: z.number().int().min(1).max(MAX_ARCHIVE_BYTES) })
      .optional()
      .describe("ZIP with the pictures that the file names"),
  })
  .openapi("NewImport");
const optionsSchema = z
  .strictObject({
    mapping: importOptionsSchema.shape.mapping
      .refine((all) => Object.keys(all).length <= 500, "must have at most 500 columns")
      .describe("Fields by column header. An empty field ignores the column; omitted columns are recognized"),
    decimalMark: importOptionsSchema.shape.decimalMark.describe("How to read prices such as 1,234"),
    dateOrder: importOptionsSchema.shape.dateOrder.describe("How to read dates such as 01/02/2026"),
    timeZone: importOptionsSchema.shape.timeZone.describe(
      "Time zone of dates in the file, such as Europe/Berlin; the shop's if omitted",
    ),
    encoding: importOptionsSchema.shape.encoding,
    status: importOptionsSchema.shape.status.describe("Status of new products: draft, or as the file says"),
    createCategories: importOptionsSchema.shape.createCategories,
    updateExisting: importOptionsSchema.shape.updateExisting.describe(
      "Whether to update existing records (products with the same slug, customers with the same email address, coupons with the same code), or to leave them unchanged",
    ),
    redirects: importOptionsSchema.shape.redirects.describe(
      "Whether paths of the former shop redirect to the products",
    ),
  })
  .partial()
  .openapi("ImportOptions");

interface ImportParts {
  readonly imports: Imports;
  readonly admin: AdminGuard;
  readonly deps: Pick<ShopDeps, "clock">;
}

/** Rights that imports of a kind need beside that for products: of personal data, and of money. */
const rooms: Partial<Record<ImportKindName, "customers" | "orders">> = {
  customers: "customers",
  giftCards: "orders",
};

function assertMay({ scopes }: Principal, kind: ImportKindName, right: "read" | "write"): void {
  const room = rooms[kind];
  if (room !== undefined) assertScope(scopes, `${room}:${right}`);
}

const answer = jsonResponse("The import", importSchema, example);

function addBegin(app: ServiceApp, { imports, admin }: ImportParts): void {
  const adminListImports = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListImports",
    summary: "List imports, newest first",
    request: { query: pageQuerySchema },
    responses: {
      200: jsonResponse("Imports", pageSchema(importSchema).openapi("ImportPage"), { items: [example] }),
    },
    errors: ["invalid", "bad_request"],
  });
  app.openapi(adminListImports, async (c) => {
    const page = await imports.list(c.req.valid("query"));
    const { scopes } = c.var.principal;
    const items = page.items.filter(({ kind }) => {
      const room = rooms[kind];
      return room === undefined || opensAdminScope(scopes, `${room}:read`);
    });
    return c.json(toPageView({ ...page, items }, toView), 200);
  });

  const adminCreateImport = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateImport",
    summary: "Announce an import. The file is then uploaded, checked, and imported",
    description:
      "1. Announce the file with its kind, and a ZIP with pictures if you have one. 2. Send the bytes with PUT /api/admin/uploads/{uploadId}. " +
      "3. POST …/check: the trial reads the whole file and stores nothing. 4. POST …/start. Poll GET …/{id} for the progress. " +
      "Exports of Shopify, WooCommerce, Gumroad and Lemon Squeezy are recognized by their columns; columns of other files by their headers.",
    request: {
      body: jsonBody(newImportSchema, { fileName: "products_export.csv", sizeBytes: 6_302 }),
    },
    responses: { 201: answer },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminCreateImport, async (c) => {
    const input = c.req.valid("json");
    assertMay(c.var.principal, input.kind, "write");
    return c.json(toView(await imports.create(input, c.var.actor)), 201);
  });

  const adminGetImport = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}`,
    operationId: "adminGetImport",
    summary: "Get an import with its progress",
    description: "Imports of customers need the scope `customers`, too, and those of gift cards `orders`.",
    request: { params },
    responses: { 200: answer },
  });
  app.openapi(adminGetImport, async (c) => {
    c.header("cache-control", "no-store");
    const found = await imports.get(c.req.valid("param").id);
    assertMay(c.var.principal, found.kind, "read");
    return c.json(toView(found), 200);
  });

  const adminCheckImport = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/check`,
    operationId: "adminCheckImport",
    summary: "Run the trial, also again with other options. Nothing is imported",
    request: {
      params,
      body: jsonBody(optionsSchema, { status: "draft", mapping: { Bezeichnung: "title" } }),
    },
    responses: { 202: answer },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminCheckImport, async (c) => {
    const { id } = c.req.valid("param");
    assertMay(c.var.principal, (await imports.get(id)).kind, "write");
    return c.json(toView(await imports.check(id, c.req.valid("json"))), 202);
  });
}

function addMoves(app: ServiceApp, { imports, admin, deps }: ImportParts): void {
  const moves = [
    { name: "start", id: "adminStartImport", summary: "Start a checked import, or continue a stopped one" },
    {
      name: "stop",
      id: "adminStopImport",
      summary: "Stop an import. Stored records stay, and it can be continued",
    },
    {
      name: "undo",
      id: "adminUndoImport",
      summary:
        "Undo an import: remove created records, and restore changed ones. Products that orders use are archived, and records changed since are kept",
    },
    { name: "retry-pictures", id: "adminRetryImportPictures", summary: "Try failed pictures again" },
  ] as const;
  for (const { name, id: operationId, summary } of moves) {
    const route = createRoute({
      ...adminRoute(TAG, admin),
      method: "post",
      path: `${PATH}/{id}/${name}`,
      operationId,
      summary,
      request: { params },
      responses: { 202: answer },
      errors: ["not_found", "conflict"],
    });
    app.openapi(route, async (c) => {
      const { id } = c.req.valid("param");
      const { actor, principal } = c.var;
      const { kind } = await imports.get(id);
      assertMay(principal, kind, "write");
      // As for issuing a single card.
      if (name === "start" && kind === "giftCards" && principal.proof !== undefined)
        assertFreshProof(principal.proof, deps.clock.now());
      const run = {
        start: () => imports.start(id, actor),
        stop: () => imports.stop(id),
        undo: () => imports.undo(id, actor),
        "retry-pictures": () => imports.retryPictures(id),
      };
      return c.json(toView(await run[name]()), 202);
    });
  }
  const adminDeleteImport = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: `${PATH}/{id}`,
    operationId: "adminDeleteImport",
    summary: "Delete an import from the history. Imported records stay, and it can no longer be undone",
    request: { params },
    responses: { 204: { description: "Deleted" } },
    errors: ["not_found", "conflict"],
  });
  app.openapi(adminDeleteImport, async (c) => {
    const { id } = c.req.valid("param");
    assertMay(c.var.principal, (await imports.get(id)).kind, "write");
    await imports.remove(id);
    return c.body(null, 204);
  });
}

function addResults(app: ServiceApp, { imports, admin }: ImportParts): void {
  const adminListImportFaults = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}/faults`,
    operationId: "adminListImportFaults",
    summary:
      "List the faults of the trial or of the import by line and column, up to 1,000 records. `note`: the record is imported without what the message names",
    request: { params, query: pageQuerySchema.extend({ phase: z.enum(["trial", "run"]).default("trial") }) },
    responses: {
      200: jsonResponse("Faults", pageSchema(importFaultSchema).openapi("ImportFaultPage"), {
        items: [
          {
            line: 7,
            column: "Variant Price",
            code: "ambiguous",
            level: "error",
            message: '"1,234" is ambiguous (1234 or 1.234): write 1234 or 1234.00',
            title: "Linen shirt",
          },
        ],
      }),
    },
    errors: ["invalid", "bad_request", "not_found"],
  });
  app.openapi(adminListImportFaults, async (c) => {
    const { phase, ...page } = c.req.valid("query");
    const { id } = c.req.valid("param");
    assertMay(c.var.principal, (await imports.get(id)).kind, "read");
    const found = await imports.faults(id, phase, page);
    return c.json(
      toPageView(found, (record) => faultView.show(record)),
      200,
    );
  });

  const { undo } = importItemRecordSchema.shape;
  const adminListImportItems = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}/items`,
    operationId: "adminListImportItems",
    summary: "List the records of an import, or those that its undo archived or kept",
    request: { params, query: pageQuerySchema.extend({ undo }) },
    responses: {
      200: jsonResponse("Records", pageSchema(importItemSchema).openapi("ImportItemPage"), {
        items: [
          { line: 2, outcome: "created", targetId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a", title: "Linen shirt" },
        ],
      }),
    },
    errors: ["invalid", "bad_request", "not_found"],
  });
  app.openapi(adminListImportItems, async (c) => {
    const { undo: wanted, ...page } = c.req.valid("query");
    const { id } = c.req.valid("param");
    assertMay(c.var.principal, (await imports.get(id)).kind, "read");
    const found = await imports.items(id, wanted, page);
    return c.json(
      toPageView(found, (record) => itemView.show(record)),
      200,
    );
  });
}

function addPictures(app: ServiceApp, { imports, admin }: ImportParts): void {
  const state = importPictureRecordSchema.shape.state.default("failed");
  const adminListImportPictures = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}/pictures`,
    operationId: "adminListImportPictures",
    summary: "List pictures of an import: failed ones with the reason, waiting or done ones",
    request: { params, query: pageQuerySchema.extend({ state }) },
    responses: {
      200: jsonResponse("Pictures", pageSchema(importPictureSchema).openapi("ImportPicturePage"), {
        items: [
          {
            line: 2,
            source: "https://cdn.example.com/shirt.jpg",
            productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
            state: "failed",
            tries: 1,
            reason: "The server responded that the picture does not exist (404)",
          },
        ],
      }),
    },
    errors: ["invalid", "bad_request", "not_found"],
  });
  app.openapi(adminListImportPictures, async (c) => {
    const { state: wanted, ...page } = c.req.valid("query");
    const found = await imports.pictures(c.req.valid("param").id, wanted, page);
    return c.json(
      toPageView(found, (record) => pictureView.show(record)),
      200,
    );
  });
}

/** Adds the routes of imports. */
export function addAdminImportRoutes(app: ServiceApp, parts: ImportParts): void {
  addBegin(app, parts);
  addMoves(app, parts);
  addResults(app, parts);
  addPictures(app, parts);
}
