/** Customers, for administrators. */
import { z } from "@hono/zod-openapi";
import { csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { csvSeparatorSchema, jsonResponse } from "../../kit/http/schemas.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { line } from "../../kit/text/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { licenseSchema } from "../licenses/answer-schema.ts";
import { toLicenseView } from "../licenses/views.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import { toCustomerCsv } from "./customer-csv.ts";
import type { CustomerData, Customers } from "./customers.ts";
import type { createCustomerErasure } from "./erasure.ts";
import { listColumns, showCustomer } from "./fields.ts";
import { customerChangeSchema } from "./change-schema.ts";
import { customerErasedSchema, customerViewSchema } from "./view-schema.ts";
import { ownReview, ownReviewSchema } from "../reviews/answer-schema.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const TAG = "admin customers";
const PATH = "/api/admin/customers";
const ITEM = `${PATH}/{id}` as const;

const customerSchema = customerViewSchema.clone().openapi("Customer");

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
const changeSchema = customerChangeSchema.clone().openapi("CustomerChange");

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
    giftCards: z
      .array(
        z.object({
          lastFour: z.string(),
          initial: z.int(),
          balance: z.int(),
          currency: z.string(),
          message: z.string().optional(),
          createdAt: isoTimeSchema,
        }),
      )
      .openapi({ description: "Gift cards that were sent to the customer" }),
    stockRequests: z
      .array(z.object({ productId: z.string(), variantId: z.string().optional(), createdAt: isoTimeSchema }))
      .openapi({ description: "Requests for an email when a product is back in stock" }),
    reviews: z.array(ownReviewSchema),
    messages: z.array(z.object({ sender: z.string(), body: z.string(), createdAt: isoTimeSchema })),
    licenses: z.array(licenseSchema).openapi({ description: "With their active devices" }),
  })
  .openapi("CustomerData");

function toDataView({
  customer,
  orders,
  wishes,
  giftCards,
  stockRequests,
  reviews,
  messages,
  licenses,
  atMs,
}: CustomerData): z.infer<typeof exportSchema> {
  return {
    licenses: licenses.map((license) => toLicenseView(license, atMs)),
    customer: showCustomer(customer),
    orders: orders.map((order) => toAdminOrderView(order)),
    wishes: wishes.map(({ productId, variantId, note, addedAt }) => ({
      productId,
      variantId,
      note,
      addedAt: toIsoTime(addedAt),
    })),
    giftCards: giftCards.map(({ lastFour, initial, balance, currency, message, createdAt }) => ({
      lastFour,
      initial,
      balance,
      currency,
      message,
      createdAt: toIsoTime(createdAt),
    })),
    stockRequests: stockRequests.map(({ productId, variantId, createdAt }) => ({
      productId,
      variantId,
      createdAt: toIsoTime(createdAt),
    })),
    reviews: reviews.map(ownReview.show),
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

const filterShape = {
  q: line(254).optional().describe("Part of the email address, the imported name, or the account ID"),
  blocked: z.enum(["true", "false"]).optional(),
};

function toSwitch(value: "true" | "false" | undefined): boolean | undefined {
  return value === undefined ? undefined : value === "true";
}

const exampleCells = [exampleCustomer.id, "", exampleCustomer.email, 3, 1, { decimal: "59.97" }, at, at];

const exampleImported = ["Ann Lee", "", "", "", "vip", "", "", ""];

function addExport(app: ServiceApp, { customers, admin }: CustomerParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/export`,
    operationId: "adminExportCustomers",
    summary: "All customers that a filter finds, as CSV that spreadsheets know as UTF-8",
    description: `Columns: ${listColumns(["EUR"]).join(", ")}; a column of what was paid for each currency, as decimal numbers in its unit. The export is noted in the audit log.`,
    request: { query: z.object({ ...filterShape, separator: csvSeparatorSchema }) },
    responses: {
      200: {
        description: "Customers",
        content: {
          "text/csv": {
            schema: z.string(),
            example:
              toCsvLine(listColumns(["EUR"])) +
              toCsvLine([...exampleCells, exampleCustomer.note, "false", "false", ...exampleImported]),
          },
        },
      },
    },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { separator, blocked, q } = c.req.valid("query");
    const found = await customers.exportAll({ q, blocked: toSwitch(blocked) }, c.var.actor);
    return c.body(await toByteStream(toCustomerCsv(found, csvStyles[separator])), 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="customers.csv"',
    });
  });
}

function addCustomers(app: ServiceApp, { customers, admin }: CustomerParts): void {
  resourceRoutes(app, {
    route: adminRoute(TAG, admin),
    path: PATH,
    name: "Customer",
    noun: "customer",
    params,
    view: customerSchema,
    example: exampleCustomer,
    show: showCustomer,
    list: {
      summary: "List customers with accounts, guests, and imported customers, sorted by their latest order",
      query: pageQuerySchema.extend(filterShape),
      page: pageSchema(customerSchema).openapi("CustomerPage"),
      run: ({ blocked, ...wanted }) => customers.list({ ...wanted, blocked: toSwitch(blocked) }),
    },
    get: {
      summary:
        "Get a customer with totals. For the orders, use GET /api/admin/orders/search with userId or email",
      run: (id) => customers.get(id),
    },
    change: {
      summary:
        "Change the note or the imported details of a customer, withdraw a consent, or block the customer. Blocked customers cannot order and are not told why",
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
    summary:
      "Export the data of a customer: orders, licenses with their devices, wishlist, reviews, and chat",
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
    summary: "Anonymize a customer. Orders are anonymized when their legal retention period ends",
    request: { params },
    responses: {
      200: jsonResponse(
        "What was anonymized, and what follows later",
        customerErasedSchema.clone().openapi("CustomerErased"),
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
  addExport(app, parts); // before {id}: its path is literal
  addCustomers(app, parts);
  addDataRoutes(app, parts);
}
