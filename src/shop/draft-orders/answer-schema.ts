/** Responses about draft orders. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { orderChangeSchema } from "../orders/schema.ts";
import { draftContentSchema, draftRecordSchema, quotedSchema } from "./schema.ts";

/** What a draft costs. */
export const draftQuoteSchema = quotedSchema.clone().openapi("DraftOrderQuote");

const { id, version, number, state, orderId, orderNumber, createdBy } = draftRecordSchema.shape;

/** A draft as staff see it. */
export const draftSchema = z
  .object({
    id,
    version,
    number,
    state,
    ...draftContentSchema.shape,
    items: draftContentSchema.shape.items.unwrap(),
    quoted: draftQuoteSchema.optional().openapi({
      description: "Prices when it was saved; absent if something in it has no price",
    }),
    link: z
      .object({ sentAt: isoTime, expiresAt: isoTime, email: z.string() })
      .optional()
      .openapi({ description: "The payment link that was sent last" }),
    orderId,
    orderNumber,
    createdBy,
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .openapi("DraftOrder");
export const draftView = createView(draftSchema);
export type DraftView = z.infer<typeof draftSchema>;
export const draftListSchema = pageSchema(draftSchema).openapi("DraftOrderList");

/** What a draft costs now. */
export const draftPricesSchema = z
  .object({
    quoted: draftQuoteSchema,
    shippingMethods: z.array(z.object({ id: z.string(), title: z.string(), price: z.int() })),
    changes: z
      .array(orderChangeSchema)
      .openapi({ description: "Changes of prices since the draft was saved, such as of a product" }),
    short: z
      .array(z.object({ title: z.string(), left: z.int() }))
      .openapi({ description: "Items with too few units in stock" }),
  })
  .openapi("DraftOrderPrices");
export type DraftPricesView = z.infer<typeof draftPricesSchema>;

export const draftLinkSchema = z.object({ url: z.string() }).openapi("DraftOrderLink");
export type DraftLink = z.infer<typeof draftLinkSchema>;

const lineSchema = z.object({
  ...quotedSchema.shape.lines.element.shape,
  isAvailable: z.boolean(),
});

/** A draft as its buyer sees it. */
export const buyersDraftSchema = z
  .object({
    number: z.string(),
    version: z.int().openapi({ description: "Send it with the order" }),
    currency: z.string(),
    lines: z.array(lineSchema),
    subtotal: z.int(),
    discount: z.int(),
    shipping: z.int(),
    shippingTitle: z.string().optional(),
    total: z.int().openapi({ description: "Send it as expectedTotal with the order" }),
    tax: quotedSchema.shape.tax,
    pricesIncludeTax: z.boolean().optional(),
    changes: z
      .array(orderChangeSchema)
      .openapi({ description: "Changes of prices since the shop saved the draft" }),
    consents: z.array(z.object({ name: z.enum(["digitalContent", "terms"]), wording: z.string() })),
    orderButton: z.string().optional(),
    paymentMethods: z.array(z.object({ id: z.string(), title: z.string() })),
    expiresAt: isoTimeSchema,
    order: z
      .object({ id: z.string(), number: z.string(), accessToken: z.string() })
      .optional()
      .openapi({ description: "The order that it became; then nothing else is shown" }),
  })
  .partial()
  .required({ number: true, version: true, expiresAt: true })
  .openapi("BuyersDraftOrder");
export type BuyersDraftView = z.infer<typeof buyersDraftSchema>;
