/** Responses about orders: for buyers, and more for administrators. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { vatCheckSchema } from "../tax/schema.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { repeatedMails } from "./mails.ts";
import {
  attentionSchema,
  begunSchema,
  consentsSchema,
  historyEntrySchema,
  orderLineSchema,
  orderRecordSchema,
  shipmentRecordSchema,
} from "./schema.ts";

export const paymentSchema = z
  .object({
    method: z.string(),
    amount: z.int(),
    currency: z.string(),
    reference: z.string(),
    state: z.enum(["ready", "beginning", "failed"]).openapi({
      description:
        "State of the payment. Unless it is ready, message explains why the payment cannot be started",
    }),
    message: z.string().optional(),
    url: z.string().optional(),
    qr: z.string().optional().openapi({ description: "Content of a QR code" }),
    form: z
      .object({ url: z.string(), fields: z.record(z.string(), z.string()) })
      .optional()
      .openapi({ description: "Form that the buyer's browser must post" }),
    instructions: z.string().optional(),
    expiresAt: isoTimeSchema,
  })
  .openapi("Payment");

export const lineView = viewOf(
  orderLineSchema,
  [
    ...(["id", "productId", "variantId", "title", "sku", "options", "quantity", "unitPrice"] as const),
    ...([
      "subtotal",
      "discount",
      "total",
      "taxRate",
      "tax",
      "deliveryType",
      "inputs",
      "bundle",
      "withdrawal",
    ] as const),
  ],
  ["deliveredAt"],
);
export const fileSchema = z
  .object({
    fileId: z.string(),
    title: z.string(),
    fileName: z.string(),
    sizeBytes: z.int(),
    sha256: z.string(),
    number: z.int().openapi({ description: "Number of the newest version, which is downloaded" }),
    label: z.string().openapi({ description: "Label of the version; can be empty" }),
    updatedAt: isoTimeSchema,
    state: z.enum(["usable", "used_up", "expired", "ended"]),
    downloads: z.int(),
    downloadsLeft: z.int().optional().openapi({ description: "Remaining downloads; absent: unlimited" }),
    expiresAt: isoTimeSchema.optional().openapi({ description: "End of the download period; absent: never" }),
    url: z.string().optional().openapi({
      description: "Download path relative to the shop URL, while the file can be downloaded. Keep it secret",
    }),
    urlExpiresAt: isoTimeSchema
      .optional()
      .openapi({ description: "Expiry of url. Get the order again for a new one" }),
  })
  .openapi("OrderFile");

const lineSchema = z
  .object({
    ...lineView.shape,
    /** Once handed over. */
    files: z.array(fileSchema).optional(),
    /** Once handed over. */
    instructions: z.string().optional(),
    /** Licence keys and the like, once handed over. */
    delivered: z.array(z.string()).optional(),
  })
  .openapi("OrderLine");

const { digitalContent, terms, reminder, review } = consentsSchema.shape;
export const shownConsentsSchema = z
  .object({
    orderButton: z.string().optional(),
    digitalContent: digitalContent.unwrap().extend({ at: isoTimeSchema }).optional(),
    reminder: reminder.unwrap().extend({ at: isoTimeSchema }).optional(),
    review: review.unwrap().extend({ at: isoTimeSchema }).optional(),
    terms: terms.unwrap().extend({ at: isoTimeSchema }).optional(),
  })
  .openapi("OrderConsents");

export const entryView = viewOf(
  historyEntrySchema,
  ["by", "event", "from", "to", "note", "who", "changes"],
  ["at"],
);

export const recordView = viewOf(
  orderRecordSchema,
  [
    ...(["id", "number", "userId", "language", "status", "paymentStatus", "currency"] as const),
    ...(["subtotal", "discount", "shipping", "total", "amountPaid", "amountRefunded"] as const),
    ...(["tax", "pricesIncludeTax", "shippingMethodId", "shippingTitle", "invoiceNumber"] as const),
    ...([
      "couponCode",
      "discounts",
      "note",
      "shippingAddress",
      "billingAddress",
      "country",
      "vatId",
      "buyerReference",
      "orderReference",
      "paymentMethod",
      "version",
    ] as const),
  ],
  ["createdAt", "updatedAt", "expiresAt", "paidAt", "deliveredAt", "completedAt", "canceledAt"],
);
export const shipmentView = viewOf(
  shipmentRecordSchema,
  ["carrier", "trackingNumber", "trackingUrl"],
  ["shippedAt"],
);
const shape = {
  ...recordView.shape,
  contact: z.object({ email: z.string() }),
  shipment: z.object(shipmentView.shape).optional(),
  amountDue: z.int(),
  giftCards: z
    .array(
      z.object({
        cardId: z.string().optional().openapi({ description: "For administrators" }),
        lastFour: z.string(),
        amount: z.int().openapi({ description: "What the card paid" }),
        returned: z.int().openapi({ description: "Given back to the card by refunds" }),
      }),
    )
    .optional()
    .openapi({ description: "Gift cards that pay for the order" }),
  lines: z.array(lineSchema),
  history: z.array(z.object(entryView.shape)),
  consents: shownConsentsSchema.optional(),
  deliveredAt: recordView.shape.deliveredAt.describe(
    "Time when everything was delivered: digital items to the buyer, parcels to the carrier",
  ),
};

const withdrawalSchema = z
  .object({
    isOpen: z.boolean(),
    endsAt: isoTimeSchema.optional().openapi({
      description:
        "End of the withdrawal period; absent while deliveries are outstanding, because the period has not started",
    }),
  })
  .openapi("OrderWithdrawal");

/** An order as its buyer sees it. */
export const orderSchema = z
  .object({
    ...shape,
    payment: paymentSchema.optional(),
    withdrawal: withdrawalSchema.optional(),
  })
  .openapi("Order");

export const begunView = viewOf(begunSchema, ["attempt", "kind", "failure"], ["expiresAt"]);
const adminLine = viewOf(orderLineSchema, ["returned"], []);
const adminLineSchema = z
  .object({
    ...lineSchema.shape,
    ...adminLine.shape,
    returnable: z.int().openapi({ description: "Number of units that can be restocked" }),
    refundable: z
      .int()
      .openapi({ description: "Refundable amount of the line, including VAT, in minor units" }),
  })
  .openapi("AdminOrderLine");

/** An order as administrators see it. */
export const adminOrderSchema = z
  .object({
    ...shape,
    lines: z.array(adminLineSchema),
    refundableShipping: z
      .int()
      .openapi({ description: "Refundable amount of the shipping, including VAT, in minor units" }),
    mails: z
      .array(z.enum(repeatedMails))
      .openapi({ description: "Emails that match the current state and can be sent again" }),
    attention: z.array(attentionSchema),
    vatCheck: z
      .object({ ...vatCheckSchema.shape, at: isoTimeSchema })
      .optional()
      .openapi({
        description:
          "Check of the VAT ID. consultation is the proof of VIES; isHeld: nothing is delivered until the flag vat_id is resolved",
      }),
    expiredAt: isoTimeSchema.optional(),
    begun: z.object(begunView.shape).optional().openapi({
      description: "State of the payment at the provider; failure is the reason why it could not be started",
    }),
  })
  .openapi("AdminOrder");

export type OrderView = z.infer<typeof orderSchema>;
export type AdminOrderView = z.infer<typeof adminOrderSchema>;

/** The result of a search. */
export const orderSearchSchema = pageSchema(adminOrderSchema).openapi("AdminOrderSearch");
export type OrderSearchPage = z.infer<typeof orderSearchSchema>;
