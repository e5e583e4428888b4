/** Licenses for administrators: lists, changes, devices, and the keys of license files. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { toStableNumber } from "../../kit/secrets/stable-number.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { toMasked } from "../licence-keys/masked.ts";
import { toLicenseStatus } from "../licence-keys/license-schema.ts";
import {
  type LicenseSigningKeysView,
  type LicenseView,
  deviceView,
  licensePageSchema,
  licenseSchema,
  licenseSigningKeysSchema,
  licenseView,
} from "./answer-schema.ts";
import { licenseChangeSchema } from "./change-schema.ts";
import { nameProduct } from "./find-license.ts";
import type { LicenseAdmin, ShownLicense } from "./license-admin.ts";
import type { LicenseSigningKeys } from "./signing-keys.ts";
import type { LicenseSigningKeyRecord } from "./signing-schema.ts";

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

function toView(shown: ShownLicense, nowMs: number): LicenseView {
  const { license, order, value, devices } = shown;
  const { title, variant } = nameProduct(shown);
  return {
    ...licenseView.show(license),
    status: toLicenseStatus(license, nowMs),
    key: toMasked(value),
    productTitle: title,
    variantTitle: variant,
    productNumber: toStableNumber(license.productId),
    variantNumber: toStableNumber(license.stockId),
    orderNumber: order?.number,
    email: order?.email ?? license.holderEmail,
    devices: devices.map(deviceView.show),
  };
}

function toKeysView(keys: readonly LicenseSigningKeyRecord[]): LicenseSigningKeysView {
  return {
    items: keys.map(({ id: kid, x, createdAt, retiredAt }) => ({
      id: kid,
      x,
      createdAt: toIsoTime(createdAt),
      retiredAt: toIsoTimeIfAny(retiredAt),
    })),
  };
}

function addReadRoutes(app: ServiceApp, { licenseAdmin, admin, deps }: LicenseAdminParts): void {
  const adminListLicenses = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListLicenses",
    summary: "List licenses, newest first: all, or those of a product, order, holder, or key",
    request: { query: querySchema },
    responses: { 200: jsonResponse("A page of licenses", licensePageSchema, { items: [example] }) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(adminListLicenses, async (c) => {
    const page = await licenseAdmin.list(c.req.valid("query"));
    c.header("cache-control", "no-store");
    return c.json(
      toPageView(page, (shown) => toView(shown, deps.clock.now())),
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
    return c.json(toView(shown, deps.clock.now()), 200);
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
    return c.json(toView(shown, deps.clock.now()), 200);
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
    return c.json(toView(shown, deps.clock.now()), 200);
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
