/** Licence keys and shared secrets for administrators. */
import { findEncoding, readBytes, toMediaType } from "../../kit/http/request-body.ts";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { text } from "../../kit/text/schemas.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import {
  keyView,
  keysAddedSchema,
  keysReadSchema,
  productKeyPageSchema,
  sharedSecretSchema,
} from "./answer-schema.ts";
import type { Keys } from "./licence-keys.ts";
import { readKeyLines, readKeyTable } from "./key-files.ts";
import { MAX_KEYS, sharedSecretChangeSchema } from "./schema.ts";
import type { SharedSecrets } from "./shared-secret.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { productParams } from "../products/routes.ts";
import { createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const PATH = "/api/admin/products/{id}/secrets";
const TAG = "admin products";
const MAX_KEY_LENGTH = 2_000;
const MAX_REMOVED = 1_000;

const id = z.string().min(1).max(100);
const keySchema = text(MAX_KEY_LENGTH).trim().min(1);
const keysSchema = z.array(keySchema).min(1).max(MAX_KEYS);
const variantQuery = z.object({
  variantId: id.optional().openapi({ description: "Required if the product has variants" }),
});
const flag = z.enum(["true", "false"]).default("false");
const reveal = flag.openapi({ description: "Whether to show the value. Recorded in the audit log" });

const exampleKey = {
  id: "key_01jd5v6m0c8f3k2n7q4x9y1z5c",
  stockId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  state: "free",
  value: "••••7Q2K",
  addedAt: "2026-11-21T09:00:00.000+00:00",
};

/** The keys of a file. Throws `invalid` for one that is no key, `bad_request` for what cannot be read. */
async function readFileKeys(c: Context): Promise<string[]> {
  const type = c.req.header("content-type");
  const bytes = await readBytes(c);
  const encoding = findEncoding(type);
  const keys =
    toMediaType(type) === "text/csv" ? await readKeyTable(bytes, encoding) : readKeyLines(bytes, encoding);
  const parsed = keysSchema.safeParse(keys);
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return parsed.data;
}

/** The body's keys; the schema has checked those of a JSON body. */
async function readKeys(c: Context, fromJson: () => string[]): Promise<string[]> {
  const mediaType = toMediaType(c.req.header("content-type"));
  if (mediaType === "application/json") return fromJson();
  if (mediaType === "text/plain" || mediaType === "text/csv") return readFileKeys(c);
  throw new AppError(
    "unsupported_media_type",
    "The Content-Type must be application/json (an array of keys), text/plain (one key per line) or text/csv",
  );
}

interface KeyParts {
  readonly keys: Keys;
  readonly sharedSecrets: SharedSecrets;
  readonly admin: AdminGuard;
}

function addAddRoute(app: ServiceApp, { keys, admin }: KeyParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminAddKeys",
    summary: "Add up to 10,000 license keys. Each key increases the stock by one",
    description:
      "Keys are stored in batches of 1,000. Duplicates are skipped, so a request can be repeated safely. " +
      "A CSV must have one column, or name the column with the keys in its first row: key, license, code, serial number, " +
      "Lizenzschlüssel, 密钥. The separator and encoding are detected, as in product imports.",
    request: {
      params: productParams,
      query: variantQuery,
      body: {
        content: {
          "application/json": { schema: keysSchema, example: ["AAAA-BBBB-CCCC", "DDDD-EEEE-FFFF"] },
          "text/plain": { schema: z.string(), example: "AAAA-BBBB-CCCC\nDDDD-EEEE-FFFF\n" },
          "text/csv": { schema: z.string(), example: "key;sold\nAAAA-BBBB-CCCC;no\n" },
        },
      },
    },
    responses: { 200: jsonResponse("Number of added keys", keysAddedSchema, { added: 2, duplicates: [] }) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(route, async (c) => {
    const values = await readKeys(c, () => {
      // The types take every body for JSON; a text never is one here.
      const body = c.req.valid("json");
      return typeof body === "string" ? [body] : body;
    });
    const { variantId } = c.req.valid("query");
    const options = { values, variantId, actor: c.var.actor };
    return c.json(await keys.add(c.req.valid("param").id, options), 200);
  });
}

function addReadRoute(app: ServiceApp, { keys, admin }: KeyParts): void {
  const files = {
    "text/plain": { schema: z.string(), example: "AAAA-BBBB-CCCC\nDDDD-EEEE-FFFF\n" },
    "text/csv": { schema: z.string(), example: "key;sold\nAAAA-BBBB-CCCC;no\n" },
  };
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/read`,
    operationId: "adminReadKeys",
    [FRESH_PROOF]: true,
    summary: "Read license keys from a text or CSV file without adding them",
    request: { params: productParams, body: { required: true, content: files } },
    responses: {
      200: jsonResponse("The keys in the file", keysReadSchema, {
        keys: ["AAAA-BBBB-CCCC", "DDDD-EEEE-FFFF"],
      }),
    },
  });
  app.openapi(route, async (c) => {
    // Throws `not_found` for a product that there is not.
    await keys.list(c.req.valid("param").id, { limit: 1, reveal: false, actor: c.var.actor });
    c.header("cache-control", "no-store");
    return c.json({ keys: await readKeys(c, () => []) }, 200);
  });
}

function addListRoute(app: ServiceApp, { keys, admin }: KeyParts): void {
  const query = pageQuerySchema.extend({
    variantId: id.optional(),
    state: z.enum(["free", "given"]).optional(),
    reveal,
  });
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListKeys",
    summary: "List license keys, masked",
    request: { params: productParams, query },
    responses: { 200: jsonResponse("A page of keys", productKeyPageSchema, { items: [exampleKey] }) },
    errors: ["bad_request", "invalid", "not_found", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const query = c.req.valid("query");
    const asked = { ...query, reveal: query.reveal === "true", actor: c.var.actor };
    const found = await keys.list(c.req.valid("param").id, asked);
    c.header("cache-control", "no-store");
    return c.json(
      toPageView(found, (record) => ({ ...keyView.show(record), value: record.value })),
      200,
    );
  });
}

function addRemoveRoutes(app: ServiceApp, { keys, admin }: KeyParts): void {
  const adminRemoveKeys = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/remove`,
    operationId: "adminRemoveKeys",
    summary: "Delete available license keys in one transaction. Each key decreases the stock by one",
    request: {
      params: productParams,
      body: jsonBody(z.strictObject({ ids: z.array(id).min(1).max(MAX_REMOVED) }), {
        ids: [exampleKey.id],
      }),
    },
    responses: {
      200: jsonResponse("Number of deleted keys", z.object({ removed: z.int() }), { removed: 1 }),
    },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminRemoveKeys, async (c) => {
    const options = { ids: c.req.valid("json").ids, actor: c.var.actor };
    return c.json({ removed: await keys.remove(c.req.valid("param").id, options) }, 200);
  });

  const adminRemoveKey = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: `${PATH}/{keyId}`,
    operationId: "adminRemoveKey",
    summary: "Delete an available license key",
    request: { params: productParams.extend({ keyId: id }) },
    responses: { 204: { description: "Deleted" } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(adminRemoveKey, async (c) => {
    const { id: productId, keyId } = c.req.valid("param");
    await keys.remove(productId, { ids: [keyId], actor: c.var.actor });
    return c.body(null, 204);
  });
}

function addSharedRoutes(app: ServiceApp, { sharedSecrets, admin }: KeyParts): void {
  const path = "/api/admin/products/{id}/shared-secret";
  const adminSetSharedSecret = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path,
    operationId: "adminSetSharedSecret",
    summary: "Set the shared secret that every buyer receives; null removes it",
    request: {
      params: productParams,
      body: jsonBody(sharedSecretChangeSchema, { value: "The password is …" }),
    },
    responses: {
      200: jsonResponse("Get the state of the shared secret", sharedSecretSchema, { sharedSecretSet: true }),
    },
  });
  app.openapi(adminSetSharedSecret, async (c) => {
    const { value } = c.req.valid("json");
    await sharedSecrets.set(c.req.valid("param").id, { value, actor: c.var.actor });
    return c.json({ sharedSecretSet: value !== null }, 200);
  });

  const adminGetSharedSecret = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path,
    operationId: "adminGetSharedSecret",
    "x-scope": "products:write",
    summary: "Get the state of the shared secret",
    request: { params: productParams, query: z.object({ reveal }) },
    responses: {
      200: jsonResponse("Whether a shared secret is set, and its value if requested", sharedSecretSchema, {
        sharedSecretSet: true,
      }),
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminGetSharedSecret, async (c) => {
    const productId = c.req.valid("param").id;
    c.header("cache-control", "no-store");
    if (c.req.valid("query").reveal === "false")
      return c.json({ sharedSecretSet: await sharedSecrets.isSet(productId) }, 200);
    const value = await sharedSecrets.reveal(productId, c.var.actor);
    return c.json(value === undefined ? { sharedSecretSet: false } : { sharedSecretSet: true, value }, 200);
  });
}

/** Adds the routes of licence keys and shared secrets. */
export function addAdminKeyRoutes(app: ServiceApp, parts: KeyParts): void {
  addAddRoute(app, parts);
  addReadRoute(app, parts);
  addListRoute(app, parts);
  addRemoveRoutes(app, parts);
  addSharedRoutes(app, parts);
}
