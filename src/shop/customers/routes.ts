/** Customers, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { line } from "../../kit/text/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import type { Customer, CustomerData, Customers } from "./customers.ts";
import type { createCustomerErasure } from "./erasure.ts";
import { customerRecordSchema } from "./schema.ts";
import { customerViewSchema } from "./view-schema.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const TAG = "admin customers";
const PATH = "/api/admin/customers";
const ITEM = `${PATH}/{id}` as const;

const customerSchema = customerViewSchema.clone().openapi("Customer");

function toView({ record, paid, firstOrderAt, lastOrderAt, ...summary }: Customer) {
  const { id, userId, email, orders, openOrders } = summary;
  return {
    id,
    userId,
    email,
    orders,
    openOrders,
    version: record?.version ?? 0,
    paid: Array.from(paid, ([currency, amount]) => ({ currency, amount })),
    firstOrderAt: toIsoTime(firstOrderAt),
    lastOrderAt: toIsoTime(lastOrderAt),
    note: record?.note ?? "",
    blocked: record?.blocked === "yes",
    erasing: record?.erasing === "yes",
  };
}

const at = "2026-11-21T09:00:00.000+00:00";
const exampleCustomer = {
  id: "cus_5mZbRkkrSCmMWmCJ8Y3KzN7YHjzz0fXZr4Vw9l0pXQY",
  version: 1,
  email: "ann@example.org",
  orders: 3,
  openOrders: 1,
  paid: [{ currency: "EUR", amount: 5_997 }],
  firstOrderAt: at,
  lastOrderAt: at,
  note: "asks for an invoice",
  blocked: false,
  erasing: false,
};
const params = idParams(exampleCustomer.id);
const changeSchema = z
  .strictObject({
    note: customerRecordSchema.shape.note.optional(),
    blocked: z.boolean().optional(),
    version: z.int().min(0).optional(),
  })
  .openapi("CustomerChange");

const exportSchema = z
  .object({
    customer: customerSchema,
    orders: z.array(adminOrderSchema),
    wishes: z.array(
      z.object({
        productId: z.string(),
        variantId: z.string().optional(),
        note: z.string(),
        addedAt: isoTimeSchema,
      }),
    ),
    messages: z.array(z.object({ sender: z.string(), body: z.string(), createdAt: isoTimeSchema })),
  })
  .openapi("CustomerData");

function toDataView({ customer, orders, wishes, messages }: CustomerData): z.infer<typeof exportSchema> {
  return {
    customer: toView(customer),
    orders: orders.map((order) => toAdminOrderView(order)),
    wishes: wishes.map(({ productId, variantId, note, addedAt }) => ({
      productId,
      variantId,
      note,
      addedAt: toIsoTime(addedAt),
    })),
    messages: messages.map(({ sender, body, createdAt }) => ({
      sender,
      body,
      createdAt: toIsoTime(createdAt),
    })),
  };
}

interface CustomerParts {
  readonly customers: Customers;
  readonly customerErasure: ReturnType<typeof createCustomerErasure>;
  readonly admin: AdminGuard;
}

function addCustomers(app: ServiceApp, { customers, admin }: CustomerParts): void {
  const query = pageQuerySchema.extend({
    q: line(254).optional().describe("Words of the e-mail address, or of the id of the account"),
    blocked: z.enum(["true", "false"]).optional(),
  });
  resourceRoutes(app, {
    route: adminRoute(TAG, admin),
    path: PATH,
    name: "Customer",
    noun: "customer",
    params,
    view: customerSchema,
    example: exampleCustomer,
    show: toView,
    list: {
      summary: "Everybody who ordered, by account or as a guest by mailbox; who ordered last comes first",
      query,
      page: pageSchema(customerSchema).openapi("CustomerPage"),
      run: ({ blocked, ...wanted }) =>
        customers.list({ ...wanted, blocked: blocked === undefined ? undefined : blocked === "true" }),
    },
    get: {
      summary: "A customer in sum; the orders: GET /api/admin/orders/search with userId or email",
      run: (id) => customers.get(id),
    },
    change: {
      summary: "Write a note, or block a customer, who cannot order then and is not told why",
      body: changeSchema,
      example: { blocked: true },
      run: (id, fields, by) => customers.change(id, { fields, ...by }),
    },
  });
}

function addDataRoutes(app: ServiceApp, { customers, customerErasure, admin }: CustomerParts): void {
  const exportData = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${ITEM}/export`,
    operationId: "adminExportCustomer",
    summary: "All that the shop has about a customer: orders, wishes, chat",
    request: { params },
    responses: { 200: jsonResponse("The data", exportSchema) },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(exportData, async (c) => {
    c.header("content-disposition", 'attachment; filename="customer.json"');
    return c.json(toDataView(await customers.export(c.req.valid("param").id, c.var.actor)), 200);
  });

  const anonymise = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/anonymise`,
    operationId: "adminAnonymiseCustomer",
    [FRESH_PROOF]: true,
    summary: "Remove what is personal, from orders as soon as the books allow it",
    request: { params },
    responses: {
      200: jsonResponse(
        "What became anonymous, and what follows later",
        z
          .object({ anonymised: z.int(), kept: z.int(), keptUntil: isoTimeSchema.optional() })
          .openapi("CustomerErased"),
        { anonymised: 2, kept: 1, keptUntil: "2036-11-21T09:00:00.000+00:00" },
      ),
    },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(anonymise, async (c) => {
    const { keptUntil, ...counts } = await customerErasure.erase(c.req.valid("param").id, c.var.actor);
    return c.json({ ...counts, keptUntil: toIsoTimeIfAny(keptUntil) }, 200);
  });
}

/** Adds the routes below /api/admin/customers. */
export function addAdminCustomerRoutes(app: ServiceApp, parts: CustomerParts): void {
  addCustomers(app, parts);
  addDataRoutes(app, parts);
}
