/** Files of products for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { productParams } from "../products/routes.ts";
import type { ProductFiles } from "./product-files.ts";
import { productFileSchema, productFilesSchema, removedFileSchema, termsSchema } from "./answer-schema.ts";
import { MAX_FILES } from "./schema.ts";
import {
  exampleFile,
  exampleNewFile,
  exampleTerms,
  fileChangeSchema,
  newFileSchema,
  newVersionSchema,
  toFileTag,
  toProductFileView,
} from "./views.ts";

const TAG = "admin files";
const PATH = "/api/admin/products/{id}/files";
const ITEM = `${PATH}/{fileId}` as const;

const fileId = z.string().min(1).max(100);
const fileParams = productParams.extend({ fileId });
export const versionParams = fileParams.extend({ number: z.coerce.number().int().min(1).max(1_000_000) });

const fileAnswer = jsonResponse(
  "The file. The ETag is its version, for If-Match",
  productFileSchema,
  exampleFile,
);
const listAnswer = jsonResponse("The files in order, and the download terms", productFilesSchema, {
  items: [exampleFile],
  terms: exampleTerms,
});

interface FileParts {
  readonly productFiles: ProductFiles;
  readonly admin: AdminGuard;
}

async function readList(files: ProductFiles, productId: string): Promise<z.infer<typeof productFilesSchema>> {
  const found = await files.list(productId);
  return { items: found.files.map(toProductFileView), terms: found.terms };
}

function addListRoutes(app: ServiceApp, { productFiles, admin }: FileParts): void {
  const adminListFiles = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListFiles",
    summary: "List the files of a product with all versions",
    request: { params: productParams },
    responses: { 200: listAnswer },
  });
  app.openapi(adminListFiles, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await readList(productFiles, c.req.valid("param").id), 200);
  });

  const adminAddFile = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminAddFile",
    summary: "Add an upload to a product as a file",
    request: { params: productParams, body: jsonBody(newFileSchema, exampleNewFile) },
    responses: { 201: fileAnswer },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminAddFile, async (c) => {
    const input = { ...c.req.valid("json"), actor: c.var.actor };
    const file = await productFiles.add(c.req.valid("param").id, input);
    c.header("etag", toFileTag(file));
    return c.json(toProductFileView(file), 201);
  });

  const orderSchema = z.strictObject({ ids: z.array(fileId).max(MAX_FILES) });
  const adminArrangeFiles = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path: PATH,
    operationId: "adminArrangeFiles",
    summary: "Set the order of the files. The list must contain every file on sale once",
    request: { params: productParams, body: jsonBody(orderSchema, { ids: [exampleFile.id] }) },
    responses: { 200: listAnswer },
  });
  app.openapi(adminArrangeFiles, async (c) => {
    const { id } = c.req.valid("param");
    await productFiles.arrange(id, { ids: c.req.valid("json").ids, actor: c.var.actor });
    return c.json(await readList(productFiles, id), 200);
  });
}

function addOneRoutes(app: ServiceApp, { productFiles, admin }: FileParts): void {
  const adminChangeFile = createRoute({
    ...adminRoute(TAG, admin),
    method: "patch",
    path: ITEM,
    operationId: "adminChangeFile",
    summary: "Change the title of a file, or the variants that include it",
    request: {
      params: fileParams,
      headers: ifMatchHeader,
      body: jsonBody(fileChangeSchema, { title: "The whole guide", version: 1 }),
    },
    responses: { 200: fileAnswer },
  });
  app.openapi(adminChangeFile, async (c) => {
    const { id, ...params } = c.req.valid("param");
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const change = { ...params, ...c.req.valid("json"), ifMatch, actor: c.var.actor };
    const file = await productFiles.change(id, change);
    c.header("etag", toFileTag(file));
    return c.json(toProductFileView(file), 200);
  });

  const adminRemoveFile = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: ITEM,
    operationId: "adminRemoveFile",
    summary:
      "Remove a file from a product. If the product was already sold, the file is kept for its buyers only",
    request: { params: fileParams },
    responses: {
      200: jsonResponse("Whether the file is kept for its buyers", removedFileSchema, { kept: true }),
    },
  });
  app.openapi(adminRemoveFile, async (c) => {
    const { id, ...params } = c.req.valid("param");
    const { isKept } = await productFiles.remove(id, { ...params, actor: c.var.actor });
    return c.json({ kept: isKept }, 200);
  });
}

function addVersionRoutes(app: ServiceApp, { productFiles, admin }: FileParts): void {
  const adminAddFileVersion = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/versions`,
    operationId: "adminAddFileVersion",
    summary: "Publish an upload as the new version for all buyers, optionally with a notification by email",
    request: {
      params: fileParams,
      body: jsonBody(newVersionSchema, { uploadId: exampleNewFile.uploadId, label: "1.1", notify: true }),
    },
    responses: { 201: fileAnswer },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminAddFileVersion, async (c) => {
    const { id, ...params } = c.req.valid("param");
    const input = { ...params, ...c.req.valid("json"), actor: c.var.actor };
    const file = await productFiles.addVersion(id, input);
    c.header("etag", toFileTag(file));
    return c.json(toProductFileView(file), 201);
  });

  const adminRemoveFileVersion = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: `${ITEM}/versions/{number}`,
    operationId: "adminRemoveFileVersion",
    summary: "Delete a version that is not the newest",
    request: { params: versionParams },
    responses: { 204: { description: "Deleted" } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(adminRemoveFileVersion, async (c) => {
    const { id, ...params } = c.req.valid("param");
    await productFiles.removeVersion(id, { ...params, actor: c.var.actor });
    return c.body(null, 204);
  });
}

function addTermsRoute(app: ServiceApp, { productFiles, admin }: FileParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path: "/api/admin/products/{id}/download-terms",
    operationId: "adminSetDownloadTerms",
    summary: "Set the download limit and period for future purchases",
    request: { params: productParams, body: jsonBody(termsSchema, exampleTerms) },
    responses: { 200: jsonResponse("The download terms", termsSchema, exampleTerms) },
  });
  app.openapi(route, async (c) => {
    const options = { terms: c.req.valid("json"), actor: c.var.actor };
    return c.json(await productFiles.setTerms(c.req.valid("param").id, options), 200);
  });
}

export function addAdminFileRoutes(app: ServiceApp, parts: FileParts): void {
  addListRoutes(app, parts);
  addOneRoutes(app, parts);
  addVersionRoutes(app, parts);
  addTermsRoute(app, parts);
}
