/** Coupons for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { viewOf } from "../../kit/http/view.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { viewNames } from "../../kit/fields/field-table.ts";
import { couponFields } from "./fields.ts";
import { couponChangeSchema, couponRecordSchema, newCouponSchema } from "./schema.ts";
import type { CouponsAdmin } from "./coupons-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { idParams } from "../edge/params.ts";
import { resourceRoutes } from "../edge/create-route.ts";

const newSchema = newCouponSchema
  .extend({
    value: newCouponSchema.shape.value.describe(
      "Discount in hundredths of a percent (1000 is 10%), or in minor units",
    ),
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
    used: z.int().openapi({ description: "Number of uses in paid and unpaid orders" }),
  })
  .openapi("Coupon");

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
} as const;
/** Adds the routes below /api/admin/coupons. */
export function addAdminCouponRoutes(
  app: ServiceApp,
  { couponsAdmin, admin }: { readonly couponsAdmin: CouponsAdmin; readonly admin: AdminGuard },
): void {
  resourceRoutes(app, {
    route: adminRoute("admin coupons", admin),
    path: "/api/admin/coupons",
    name: "Coupon",
    noun: "coupon",
    params: idParams(exampleCoupon.id),
    view: couponSchema,
    example: exampleCoupon,
    show: coupon.show,
    list: {
      summary: "List coupons with their number of uses, newest first",
      query: pageQuerySchema,
      page: pageSchema(couponSchema).openapi("CouponPage"),
      run: couponsAdmin.list,
    },
    get: { summary: "Get a coupon by its ID or code", run: couponsAdmin.get },
    create: {
      summary: "Create a coupon. Without a code, one is generated",
      body: newSchema,
      example: { code: "SPRING", kind: "percent", value: 1_000, endsAt: "2027-05-31T22:00:00+00:00" },
      errors: ["already_exists"],
      run: couponsAdmin.create,
    },
    change: {
      summary: "Change some fields, or disable the coupon. null removes a limit",
      description: "Every use also changes the version.",
      body: changeSchema,
      example: { enabled: false },
      errors: ["already_exists"],
      run: couponsAdmin.change,
    },
    remove: {
      summary: "Delete a coupon that no order uses. Disable other coupons instead",
      errors: ["conflict"],
      run: couponsAdmin.remove,
    },
  });
}
