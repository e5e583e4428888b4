/** Files on their way in, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { toMediaType } from "../../kit/http/request-body.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { productParams } from "../products/routes.ts";
import type { Uploads } from "./uploads.ts";
import { uploadSchema } from "./answer-schema.ts";
import { exampleNewUpload, exampleUpload, newUploadSchema, toUploadView } from "./views.ts";

const TAG = "admin files";
const PATH = "/api/admin/uploads/{id}";
const OCTETS = "application/octet-stream";

const params = idParams(exampleUpload.id);

interface UploadParts {
  readonly uploads: Uploads;
  readonly admin: AdminGuard;
}

function addBegin(app: ServiceApp, { uploads, admin }: UploadParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/products/{id}/uploads",
    operationId: "adminBeginUpload",
    summary:
      "Start an upload. The file is then sent in parts and becomes a file of the product, or a version of one",
    request: { params: productParams, body: jsonBody(newUploadSchema, exampleNewUpload) },
    responses: { 201: jsonResponse("The upload, valid for one day", uploadSchema, exampleUpload) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(route, async (c) => {
    const stored = await uploads.begin(c.req.valid("param").id, {
      ...c.req.valid("json"),
      actor: c.var.actor,
    });
    c.header("location", `/api/admin/uploads/${stored.id}`);
    return c.json(toUploadView(stored), 201);
  });
}

function addSend(app: ServiceApp, { uploads, admin }: UploadParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path: PATH,
    operationId: "adminSendUpload",
    summary: "Upload a part of the file: the whole file, or as much as fits into a request of one minute",
    description:
      "Received bytes are stored in multiples of partBytes and at the end of the file, even if the connection breaks. Continue from " +
      "receivedBytes. Repeating a part returns 409 with receivedBytes; a part of a complete file changes nothing.",
    request: {
      params,
      query: z.object({ offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) }),
      body: { required: true, content: { [OCTETS]: { schema: z.string().openapi({ format: "binary" }) } } },
    },
    responses: { 200: jsonResponse("The progress of the upload", uploadSchema, exampleUpload) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(route, async (c) => {
    const mediaType = toMediaType(c.req.header("content-type"));
    if (mediaType !== OCTETS && mediaType !== "")
      throw new AppError("unsupported_media_type", `The Content-Type must be ${OCTETS}`);
    const { body } = c.req.raw;
    if (body === null) throw new AppError("bad_request", "The body is empty. Send the bytes of the part");
    const part = { offset: c.req.valid("query").offset, body };
    return c.json(toUploadView(await uploads.receive(c.req.valid("param").id, part)), 200);
  });
}

function addLook(app: ServiceApp, { uploads, admin }: UploadParts): void {
  const adminGetUpload = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminGetUpload",
    summary: "Get the progress of an upload",
    request: { params },
    responses: { 200: jsonResponse("The upload", uploadSchema, exampleUpload) },
  });
  app.openapi(adminGetUpload, async (c) => {
    const stored = await uploads.get(c.req.valid("param").id);
    c.header("cache-control", "no-store");
    return c.json(toUploadView(stored), 200);
  });

  const adminCancelUpload = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: PATH,
    operationId: "adminCancelUpload",
    summary: "Cancel an upload and delete the received bytes",
    request: { params },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(adminCancelUpload, async (c) => {
    await uploads.cancel(c.req.valid("param").id);
    return c.body(null, 204);
  });
}

export function addUploadRoutes(app: ServiceApp, parts: UploadParts): void {
  addBegin(app, parts);
  addSend(app, parts);
  addLook(app, parts);
}
