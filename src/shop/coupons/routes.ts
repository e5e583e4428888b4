/** Coupons for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { viewOf } from "../../kit/http/view.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { viewNames } from "../../kit/fields/field-table.ts";
import { couponFields } from "./fields.ts";
import { couponChangeSchema, couponRecordSchema, newCouponSchema } from "./schema.ts";
import type { CouponsAdmin } from "./coupons-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { idParams } from "../edge/params.ts";
import { createRoute } from "../edge/create-route.ts";

const PATH = "/api/admin/coupons";
const ITEM = `${PATH}/{id}` as const;
const TAG = "admin coupons";

const newSchema = newCouponSchema
  .extend({
    value: newCouponSchema.shape.value.describe("Hundredths of a percent (1000 is 10 %), or minor units"),
  })
  .openapi("NewCoupon");
const changeSchema = couponChangeSchema
  .extend({ version: z.int().min(1).optional() })
  .openapi("CouponChange");

const names = viewNames(couponFields);
const coupon = viewOf(
  couponRecordSchema,
  ["id", "version", ...names.fields, "currency", "used"],
  [...names.times, "createdAt", "updatedAt"],
);
const couponSchema = z
  .object({
    ...coupon.shape,
    used: z.int().openapi({ description: "Uses by orders that wait for payment or are paid" }),
  })
  .openapi("Coupon");

const exampleNew = { code: "SPRING", kind: "percent", value: 1_000, endsAt: "2027-05-31T22:00:00+00:00" };
const exampleCoupon = {
  id: "cpn_01jd5v6m0c8f3k2n7q4x9y1z5a",
  code: "SPRING",
  kind: "percent",
  value: 1_000,
  currency: "EUR",
  minimum: 0,
  endsAt: "2027-05-31T22:00:00.000+00:00",
  used: 3,
  productIds: [],
  categoryIds: [],
  enabled: true,
  note: "",
  createdAt: "2026-11-21T09:00:00.000+00:00",
  updatedAt: "2026-11-21T09:00:00.000+00:00",
  version: 4,
};
const answer = jsonResponse("The coupon; ETag is its version, for If-Match", couponSchema, exampleCoupon);

const params = idParams(exampleCoupon.id);

interface CouponParts {
  readonly couponsAdmin: CouponsAdmin;
  readonly admin: AdminGuard;
}

function addCollectionRoutes(app: ServiceApp, { couponsAdmin, admin }: CouponParts): void {
  const page = pageSchema(couponSchema).openapi("CouponPage");
  const adminListCoupons = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListCoupons",
    summary: "Coupons with their uses so far, the newest first",
    request: { query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of coupons", page, { items: [exampleCoupon] }) },
  });
  app.openapi(adminListCoupons, async (c) =>
    c.json(toPageView(await couponsAdmin.list(c.req.valid("query")), coupon.show), 200),
  );

  const adminCreateCoupon = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateCoupon",
    summary: "Make a coupon; without a code one is made up",
    request: { body: jsonBody(newSchema, exampleNew) },
    responses: { 201: answer },
    errors: [...writeErrors, "already_exists"],
  });
  app.openapi(adminCreateCoupon, async (c) => {
    const made = await couponsAdmin.create(c.req.valid("json"), c.var.actor);
    c.header("etag", `"${made.version}"`);
    c.header("location", `${PATH}/${made.id}`);
    return c.json(coupon.show(made), 201);
  });
}

function addItemRoutes(app: ServiceApp, { couponsAdmin, admin }: CouponParts): void {
  const adminGetCoupon = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: ITEM,
    operationId: "adminGetCoupon",
    summary: "A coupon by its id or its code",
    request: { params },
    responses: { 200: answer },
  });
  app.openapi(adminGetCoupon, async (c) => {
    const found = await couponsAdmin.get(c.req.valid("param").id);
    c.header("etag", `"${found.version}"`);
    return c.json(coupon.show(found), 200);
  });

  const adminChangeCoupon = createRoute({
    ...adminRoute(TAG, admin),
    method: "patch",
    path: ITEM,
    operationId: "adminChangeCoupon",
    summary: "Change some fields, or switch the coupon off; null takes a limit away",
    description: "Each use changes the version too.",
    request: {
      params,
      headers: ifMatchHeader,
      body: jsonBody(changeSchema, { enabled: false }),
    },
    responses: { 200: answer },
    errors: [...writeErrors, "not_found", "already_exists", "version_conflict", "stale_version"],
  });
  app.openapi(adminChangeCoupon, async (c) => {
    const { version, ...fields } = c.req.valid("json");
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const options = { fields, version, ifMatch, actor: c.var.actor };
    const found = await couponsAdmin.change(c.req.valid("param").id, options);
    c.header("etag", `"${found.version}"`);
    return c.json(coupon.show(found), 200);
  });

  const adminDeleteCoupon = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: ITEM,
    operationId: "adminDeleteCoupon",
    summary: "Delete a coupon that no order uses; switch others off",
    request: { params },
    responses: { 204: { description: "It is gone" } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(adminDeleteCoupon, async (c) => {
    await couponsAdmin.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/admin/coupons. */
export function addAdminCouponRoutes(app: ServiceApp, parts: CouponParts): void {
  addCollectionRoutes(app, parts);
  addItemRoutes(app, parts);
}
