/** Licenses for administrators: lists, changes, devices, and the keys of license files. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { licenseStatuses } from "../licence-keys/license-schema.ts";
import {
  type LicenseSigningKeysView,
  type LicenseView,
  licensePageSchema,
  licenseSchema,
  licenseSigningKeysSchema,
} from "./answer-schema.ts";
import { licenseChangeSchema } from "./change-schema.ts";
import type { LicenseAdmin } from "./license-admin.ts";
import { type LicenseSigningKeys, toFilesEnd } from "./signing-keys.ts";
import type { LicenseSigningKeyRecord } from "./signing-schema.ts";
import { toLicenseView } from "./views.ts";

const TAG = "admin licenses";
const PATH = "/api/admin/licenses";
const KEYS_PATH = "/api/admin/license-signing-keys";

const exampleTime = "2026-11-21T09:00:00.000+00:00";
const example: LicenseView = {
  id: "key_01jd5v6m0c8f3k2n7q4x9y1z5c",
  version: 3,
  number: 1_283_904_417,
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  stockId: "var_01jd5v6m0c8f3k2n7q4x9y1z5b",
  orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a",
  maxDevices: 3,
  used: 1,
  offlineDays: 30,
  expiresAt: "2027-11-21T09:00:00.000+00:00",
  createdAt: exampleTime,
  updatedAt: exampleTime,
  status: "active",
  key: "••••WZ6A",
  productTitle: "Photo Desk",
  variantTitle: "3 devices",
  productNumber: 1_530_226_941,
  variantNumber: 77_201_948,
  orderNumber: "261121-7KQ4MPXA",
  email: "ann@example.org",
  devices: [{ id: "f90ec370-fd83-46a5-8bbd-44a241e78665", name: "Ann's laptop", createdAt: exampleTime }],
};
const exampleKeys: LicenseSigningKeysView = {
  items: [
    {
      id: "lsk_01jd5v6m0c8f3k2n7q4x9y1z5a",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      createdAt: exampleTime,
    },
  ],
};

const id = z.string().min(1).max(100);
const querySchema = pageQuerySchema.extend({
  q: z.string().max(254).optional().openapi({
    description:
      "The end of a license key or the whole key, the email of the buyer, an order number, or the title of the product",
  }),
  status: z.enum(licenseStatuses).optional(),
  productId: id.optional(),
  orderId: id.optional(),
  email: z
    .string()
    .max(254)
    .optional()
    .openapi({ description: "Of the holder of a license from another shop" }),
  key: z.string().min(1).max(2_000).optional().openapi({ description: "The whole license key" }),
});

interface LicenseAdminParts {
  readonly licenseAdmin: LicenseAdmin;
  readonly licenseSigningKeys: LicenseSigningKeys;
  readonly admin: AdminGuard;
  readonly deps: { readonly clock: { now(): number } };
}

function toKeysView(keys: readonly LicenseSigningKeyRecord[]): LicenseSigningKeysView {
  return {
    items: keys.map((key) => ({
      id: key.id,
      x: key.x,
      createdAt: toIsoTime(key.createdAt),
      retiredAt: toIsoTimeIfAny(key.retiredAt),
      filesUntil: toIsoTimeIfAny(toFilesEnd(key)),
    })),
  };
}

function addReadRoutes(app: ServiceApp, { licenseAdmin, admin, deps }: LicenseAdminParts): void {
  const adminListLicenses = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListLicenses",
    summary: "List licenses, newest first: all, or those of a search, product, order, holder, or key",
    description:
      "A search for the end of a key looks at 5,000 licenses a request: a page with few or no items and a nextCursor goes on with it.",
    request: { query: querySchema },
    responses: { 200: jsonResponse("A page of licenses", licensePageSchema, { items: [example] }) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(adminListLicenses, async (c) => {
    const page = await licenseAdmin.list(c.req.valid("query"));
    c.header("cache-control", "no-store");
    return c.json(
      toPageView(page, (shown) => toLicenseView(shown, deps.clock.now())),
      200,
    );
  });

  const adminGetLicense = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}`,
    operationId: "adminGetLicense",
    summary: "Get a license with its devices",
    request: { params: idParams(example.id) },
    responses: { 200: jsonResponse("The license", licenseSchema, example) },
  });
  app.openapi(adminGetLicense, async (c) => {
    const shown = await licenseAdmin.get(c.req.valid("param").id);
    c.header("etag", `"${shown.license.version}"`);
    c.header("cache-control", "no-store");
    return c.json(toLicenseView(shown, deps.clock.now()), 200);
  });
}

function addChangeRoutes(app: ServiceApp, { licenseAdmin, admin, deps }: LicenseAdminParts): void {
  const adminChangeLicense = createRoute({
    ...adminRoute(TAG, admin),
    method: "patch",
    path: `${PATH}/{id}`,
    operationId: "adminChangeLicense",
    summary: "Disable or enable a license, or change its device limit, expiry, or holder",
    description:
      "null removes a limit, the expiry, or the holder. A limit below the number of active devices ends none of them.",
    request: {
      params: idParams(example.id),
      headers: ifMatchHeader,
      body: jsonBody(
        licenseChangeSchema.extend({ version: z.int().min(1).optional() }).openapi("LicenseChange"),
        { expiresAt: "2028-11-21T09:00:00+00:00", version: 3 },
      ),
    },
    responses: { 200: jsonResponse("The changed license", licenseSchema, example) },
  });
  app.openapi(adminChangeLicense, async (c) => {
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const change = { ...c.req.valid("json"), ifMatch, actor: c.var.actor };
    const shown = await licenseAdmin.change(c.req.valid("param").id, change);
    c.header("etag", `"${shown.license.version}"`);
    return c.json(toLicenseView(shown, deps.clock.now()), 200);
  });

  const adminDeactivateDevice = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/devices/{deviceId}/deactivate`,
    operationId: "adminDeactivateDevice",
    summary: "Deactivate a device. A repeated request changes nothing",
    request: { params: idParams(example.id).extend({ deviceId: id }) },
    responses: { 200: jsonResponse("The license", licenseSchema, { ...example, used: 0, devices: [] }) },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminDeactivateDevice, async (c) => {
    const { id: licenseId, deviceId } = c.req.valid("param");
    const shown = await licenseAdmin.deactivate(licenseId, deviceId, c.var.actor);
    return c.json(toLicenseView(shown, deps.clock.now()), 200);
  });
}

function addKeyRoutes(app: ServiceApp, { licenseSigningKeys, admin }: LicenseAdminParts): void {
  const adminListLicenseSigningKeys = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: KEYS_PATH,
    operationId: "adminListLicenseSigningKeys",
    summary: "List the keys of license files, newest first",
    responses: { 200: jsonResponse("The keys", licenseSigningKeysSchema, exampleKeys) },
    errors: ["store_unavailable"],
  });
  app.openapi(adminListLicenseSigningKeys, async (c) =>
    c.json(toKeysView(await licenseSigningKeys.list()), 200),
  );

  const adminRotateLicenseSigningKeys = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${KEYS_PATH}/rotate`,
    operationId: "adminRotateLicenseSigningKeys",
    "x-scope": "shop-settings:write",
    [FRESH_PROOF]: true,
    summary: "Sign license files with a new key. Files of the former key stay valid",
    responses: { 200: jsonResponse("The keys", licenseSigningKeysSchema, exampleKeys) },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminRotateLicenseSigningKeys, async (c) =>
    c.json(toKeysView(await licenseSigningKeys.rotate(c.var.actor)), 200),
  );

  const adminWithdrawLicenseSigningKey = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: `${KEYS_PATH}/{id}`,
    operationId: "adminWithdrawLicenseSigningKey",
    "x-scope": "shop-settings:write",
    [FRESH_PROOF]: true,
    summary: "Withdraw a key that no longer signs, for example because it was stolen",
    request: { params: idParams("lsk_01jd5v6m0c8f3k2n7q4x9y1z5a") },
    responses: { 204: { description: "Withdrawn" } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(adminWithdrawLicenseSigningKey, async (c) => {
    await licenseSigningKeys.withdraw(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes. */
export function addAdminLicenseRoutes(app: ServiceApp, parts: LicenseAdminParts): void {
  addReadRoutes(app, parts);
  addChangeRoutes(app, parts);
  addKeyRoutes(app, parts);
}
