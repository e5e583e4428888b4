/**
 * License keys for programs: POST /v1/licenses/activate, validate and deactivate, as clients of Lemon Squeezy know them;
 * license files, and the keys that verify them.
 */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { readFields, readFormBody, readText, toMediaType } from "../../kit/http/request-body.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { toStableNumber } from "../../kit/secrets/stable-number.ts";
import { createRoute } from "../edge/create-route.ts";
import { licenseStatuses, toLicenseStatus } from "../licence-keys/license-schema.ts";
import { type SoldLicense, nameProduct } from "./find-license.ts";
import { type LicenseAction, type LicenseAnswer, type LicenseApi, licenseActions } from "./license-api.ts";
import type { LicenseSigningKeys } from "./signing-keys.ts";

const PATH = "/v1/licenses";
/** Pages and extensions of every origin may ask: a key is the only thing that is needed. */
export const licensePaths: readonly string[] = [...licenseActions, "keys"].map((name) => `${PATH}/${name}`);

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json$/u;
/** The shop itself: the only store of this host. */
const STORE_ID = 1;

/** ISO 8601 with microseconds, as those programs parse it. */
function toTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}

const keySchema = z
  .object({
    id: z.int(),
    status: z.enum(licenseStatuses),
    key: z.string(),
    activation_limit: z.int().nullable().openapi({ description: "null: no limit" }),
    activation_usage: z.int(),
    created_at: z.string(),
    expires_at: z.string().nullable().openapi({ description: "null: never" }),
    test_mode: z.literal(false),
  })
  .openapi("LicenseKey");
const instanceSchema = z
  .object({ id: z.string(), name: z.string(), created_at: z.string() })
  .openapi("LicenseInstance");
const metaSchema = z
  .object({
    store_id: z.int(),
    order_id: z.int(),
    order_item_id: z.int(),
    product_id: z
      .int()
      .openapi({ description: "Shown in the console; compare it with that of your program" }),
    product_name: z.string(),
    variant_id: z.int(),
    variant_name: z.string(),
    customer_id: z.int(),
    customer_name: z.string(),
    customer_email: z.string(),
  })
  .openapi("LicenseMeta");
const fileSchema = z
  .string()
  .openapi({ description: "The content of the file: a compact JWS (RFC 7515) with the algorithm EdDSA" });
const answerShape = {
  error: z.string().nullable(),
  license_key: keySchema.nullable(),
  meta: metaSchema.nullable(),
};

const example = {
  error: null,
  license_key: {
    id: 1_283_904_417,
    status: "active",
    key: "7KQ4M-PXA2N-93HTC-B0WZ6",
    activation_limit: 3,
    activation_usage: 1,
    created_at: "2026-11-21T09:00:00.000000Z",
    expires_at: "2027-11-21T09:00:00.000000Z",
    test_mode: false,
  },
  meta: {
    store_id: STORE_ID,
    order_id: 901_335_782,
    order_item_id: 411_209_377,
    product_id: 1_530_226_941,
    product_name: "Photo Desk",
    variant_id: 77_201_948,
    variant_name: "3 devices",
    customer_id: 1_012_884_530,
    customer_name: "Ann Example",
    customer_email: "ann@example.org",
  },
};
const exampleInstance = {
  id: "f90ec370-fd83-46a5-8bbd-44a241e78665",
  name: "Ann's laptop",
  created_at: "2026-11-22T08:30:00.000000Z",
};

const keyField = z.string().openapi({ description: "The license key" });
const fieldsOf = {
  activate: z.object({
    license_key: keyField,
    instance_name: z.string().openapi({ description: "Name of the device, up to 200 characters" }),
    fingerprint: z
      .string()
      .optional()
      .openapi({ description: "Fingerprint of the device, for its license file. Send a hash" }),
  }),
  validate: z.object({
    license_key: keyField,
    instance_id: z.string().optional().openapi({ description: "Also checks that the device is active" }),
  }),
  deactivate: z.object({
    license_key: keyField,
    instance_id: z.string().openapi({ description: "The id that activate returned" }),
  }),
  file: z.object({
    license_key: keyField,
    instance_id: z.string().openapi({ description: "The id that activate returned" }),
    fingerprint: z
      .string()
      .optional()
      .openapi({ description: "Fingerprint of the device; the first one stays" }),
  }),
} as const;

const exampleFields: Record<LicenseAction, Record<string, string>> = {
  activate: { license_key: example.license_key.key, instance_name: exampleInstance.name },
  validate: { license_key: example.license_key.key, instance_id: exampleInstance.id },
  deactivate: { license_key: example.license_key.key, instance_id: exampleInstance.id },
  file: { license_key: example.license_key.key, instance_id: exampleInstance.id },
};

const flags = {
  activate: "activated",
  validate: "valid",
  deactivate: "deactivated",
  file: "issued",
} as const;
const names = {
  activate: "LicenseActivation",
  validate: "LicenseValidation",
  deactivate: "LicenseDeactivation",
  file: "LicenseFile",
} as const;
const EXAMPLE_FILE =
  "eyJhbGciOiJFZERTQSIsInR5cCI6ImxpY2Vuc2Urand0Iiwia2lkIjoibHNrXzAxIn0.eyJzdWIiOiIxIn0.c2ln";

function toMeta(sold: SoldLicense): z.infer<typeof metaSchema> {
  const { license, order } = sold;
  const { productId, stockId, orderId, lineId, holderName, holderEmail } = license;
  const { title, variant } = nameProduct(sold);
  const email = order?.email ?? holderEmail ?? "";
  const name = order?.billingAddress?.name ?? order?.shippingAddress?.name ?? holderName ?? "";
  return {
    store_id: STORE_ID,
    order_id: toStableNumber(orderId ?? license.id),
    order_item_id: toStableNumber(lineId ?? license.id),
    product_id: toStableNumber(productId),
    product_name: title,
    variant_id: toStableNumber(stockId),
    variant_name: variant === "" ? "Default" : variant,
    customer_id: toStableNumber(order?.userId ?? email.toLowerCase()),
    customer_name: name,
    customer_email: email,
  };
}

function toKey({ license }: SoldLicense, key: string, nowMs: number): z.infer<typeof keySchema> {
  const { number, maxDevices, used, createdAt, expiresAt } = license;
  return {
    id: number,
    status: toLicenseStatus(license, nowMs),
    key,
    activation_limit: maxDevices ?? null,
    activation_usage: used,
    created_at: toTime(createdAt),
    expires_at: expiresAt === undefined ? null : toTime(expiresAt),
    test_mode: false,
  };
}

/** The body of an answer. */
function toBody(action: LicenseAction, answer: LicenseAnswer, asked: { key: string; nowMs: number }) {
  const { status, error, sold, device, file } = answer;
  const instance = device && { id: device.id, name: device.name, created_at: toTime(device.createdAt) };
  return {
    [flags[action]]: status === 200,
    error: error ?? null,
    license_key: sold === undefined ? null : toKey(sold, asked.key, asked.nowMs),
    ...(action === "deactivate" ? {} : { instance: instance ?? null }),
    ...(action === "file" ? { file: file ?? null } : {}),
    meta: sold === undefined ? null : toMeta(sold),
  };
}

/** Texts of the fields; numbers of JSON count as text, and what is neither is not there. */
async function readBody(c: Context<AppEnv>): Promise<(name: string) => string | undefined> {
  const type = toMediaType(c.req.header("content-type"));
  if (type === FORM || type === "") {
    const fields = await readFields(c);
    return (name) => fields.get(name) ?? undefined;
  }
  let fields: Record<string, unknown> = {};
  if (JSON_TYPE.test(type)) {
    const { json } = await readText(c, { isJson: true });
    if (typeof json === "object" && json !== null) fields = Object.fromEntries(Object.entries(json));
  } else if (type === "multipart/form-data") fields = await readFormBody(c);
  else
    throw new AppError(
      "unsupported_media_type",
      `The Content-Type must be ${FORM}, multipart/form-data or application/json`,
    );
  return (name) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
}

const summaries: Record<LicenseAction, string> = {
  activate: "Activate a license key on a device. Every request activates a further device",
  validate: "Check a license key, or one of its devices",
  deactivate: "Deactivate a device. A repeated request succeeds and changes nothing",
  file: "Get the signed license file of a device, which is verified offline",
};

function declareRoute(action: LicenseAction) {
  const shape = { [flags[action]]: z.boolean(), ...answerShape };
  const withDevice = action === "deactivate" ? shape : { ...shape, instance: instanceSchema.nullable() };
  const whole = action === "file" ? { ...withDevice, file: fileSchema.nullable() } : withDevice;
  const schema = z.object(whole).openapi(names[action]);
  const success = {
    [flags[action]]: true,
    ...example,
    ...(action === "deactivate" ? {} : { instance: exampleInstance }),
    ...(action === "file" ? { file: EXAMPLE_FILE } : {}),
  };
  const fail = (description: string, error: string, status?: string) =>
    jsonResponse(description, schema, {
      ...success,
      [flags[action]]: false,
      error,
      ...(status === undefined
        ? { license_key: null, meta: null }
        : { license_key: { ...example.license_key, status } }),
      ...(action === "deactivate" ? {} : { instance: null }),
      ...(action === "file" ? { file: null } : {}),
    });
  const content = { schema: fieldsOf[action], example: exampleFields[action] };
  return createRoute({
    tags: ["licenses"],
    "x-access": "public",
    method: "post",
    path: `${PATH}/${action}`,
    operationId: `${action}License`,
    summary: summaries[action],
    request: {
      body: { required: true, content: { [FORM]: content, "application/json": content } },
    },
    responses: {
      200: jsonResponse("The license", schema, success),
      ...(action === "deactivate"
        ? {}
        : {
            400: fail(
              "The license key is disabled or expired, or has reached its limit",
              "This license key is disabled.",
              "disabled",
            ),
          }),
      404: fail("The license key or the device does not exist", "license_key not found."),
      422: fail("A field is missing or invalid", "The license_key field is required."),
      429: fail("Too many requests, or too many wrong keys", "Too many requests. Try again later."),
    },
    errors: ["too_large", "unsupported_media_type", "store_unavailable"],
  });
}

interface LicenseParts {
  readonly licenseApi: LicenseApi;
  readonly licenseSigningKeys: LicenseSigningKeys;
  readonly deps: { readonly clock: { now(): number } };
}

const jwksSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal("OKP"),
        crv: z.literal("Ed25519"),
        alg: z.literal("EdDSA"),
        use: z.literal("sig"),
        kid: z.string(),
        x: z.string(),
      }),
    ),
  })
  .openapi("LicenseVerificationKeys");

function addKeysRoute(app: ServiceApp, { licenseSigningKeys }: LicenseParts): void {
  const route = createRoute({
    tags: ["licenses"],
    "x-access": "public",
    method: "get",
    path: `${PATH}/keys`,
    operationId: "listLicenseVerificationKeys",
    summary: "Get the public keys of license files as a JWK Set (RFC 7517, RFC 8037)",
    description:
      "The key that signs is first. Keys that no longer sign stay until their last file has expired, or until they are withdrawn.",
    responses: {
      200: jsonResponse("The keys", jwksSchema, {
        keys: [
          {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            use: "sig",
            kid: "lsk_01jd5v6m0c8f3k2n7q4x9y1z5a",
            x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
          },
        ],
      }),
    },
    errors: ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const keys = (await licenseSigningKeys.listPublished()).map(({ id, x }) => ({
      kty: "OKP" as const,
      crv: "Ed25519" as const,
      alg: "EdDSA" as const,
      use: "sig" as const,
      kid: id,
      x,
    }));
    c.header("cache-control", "public, max-age=3600");
    return c.json({ keys }, 200);
  });
}

/** Adds the routes. */
export function addLicenseRoutes(app: ServiceApp, parts: LicenseParts): void {
  const { licenseApi, deps } = parts;
  addKeysRoute(app, parts);
  for (const action of licenseActions) {
    // The bodies have many types, which the document tells and the handler reads.
    app.openAPIRegistry.registerPath(declareRoute(action));
    app.post(`${PATH}/${action}`, async (c) => {
      const read = await readBody(c);
      const licenseKey = read("license_key") ?? "";
      const answer = await licenseApi.ask(action, {
        licenseKey,
        instanceName: read("instance_name"),
        instanceId: read("instance_id"),
        fingerprint: read("fingerprint"),
        address: c.var.clientAddress,
      });
      c.header("cache-control", "no-store");
      if (answer.retryAfterSeconds !== undefined) c.header("retry-after", String(answer.retryAfterSeconds));
      const asked = { key: licenseKey.trim(), nowMs: deps.clock.now() };
      return c.json(toBody(action, answer, asked), answer.status);
    });
  }
}
