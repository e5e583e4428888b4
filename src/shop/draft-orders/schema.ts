/** Draft orders: what staff prepare for a buyer. A draft takes no stock and no number of an order. */
import { z } from "zod";
import { languageTag, line, text, timeMs } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import { taxClassSchema } from "../base/tax-class-schema.ts";
import {
  buyersFieldsSchema,
  emailSchema,
  orderLineSchema,
  orderRecordSchema,
  ownDiscountSchema,
} from "../orders/schema.ts";
import { MAX_QUANTITY } from "../products/schema.ts";

const id = line(100).min(1);
const quantity = z.number().int().min(1).max(MAX_QUANTITY);
const reasonSchema = line(300).trim().min(1);

const productItemSchema = z
  .strictObject({
    id: id.optional().describe("Keep it when you replace a draft: comparisons follow it"),
    productId: id,
    variantId: id.optional(),
    quantity,
    inputs: z.record(line(40), text(2_000)).optional(),
    unitPrice: amountSchema.optional().describe("In place of the product's price"),
    reason: reasonSchema.optional().describe("Required with unitPrice; only staff see it"),
  })
  .refine(({ unitPrice, reason }) => unitPrice === undefined || reason !== undefined, {
    path: ["reason"],
    message: "is required with unitPrice",
  });

const customItemSchema = z.strictObject({
  id: id.optional(),
  title: line(200).trim().min(1).describe("Of an item without a product"),
  quantity,
  unitPrice: amountSchema,
  taxClass: taxClassSchema.default("standard"),
  isSent: z.boolean().default(false).describe("Whether the item is shipped"),
});

const itemSchema = z.union([productItemSchema, customItemSchema], {
  error:
    "takes productId and quantity, with unitPrice and reason for another price; or title, quantity and unitPrice",
});
export type DraftItem = z.infer<typeof itemSchema>;
export type CustomItem = z.infer<typeof customItemSchema>;

const ids = (items: readonly { id?: string | undefined }[]): boolean => {
  const known = items.flatMap((item) => item.id ?? []);
  return new Set(known).size === known.length;
};

const { note, ...buyersFields } = buyersFieldsSchema.shape;

/** What staff write. */
export const draftContentSchema = z.strictObject({
  email: emailSchema.optional(),
  userId: id.optional().describe("The account of the buyer, for the list of their orders"),
  language: languageTag.optional().describe("Of the emails and the order"),
  ...z.object(buyersFields).partial().shape,
  note: note.default("").describe("For the buyer, on the order"),
  staffNote: text(2_000).default("").describe("Only staff see it"),
  items: z.array(itemSchema).max(100).refine(ids, "must not repeat an id").default([]),
  couponCode: line(60).trim().optional(),
  discount: z
    .strictObject({ ...ownDiscountSchema.shape, reason: reasonSchema.describe("Only staff see it") })
    .optional()
    .describe("In place of a coupon"),
  shipping: z
    .strictObject({
      methodId: z.string().min(1).max(40).optional(),
      title: line(120).trim().min(1).optional().describe("Of a fee without a method"),
      fee: amountSchema.optional().describe("In place of the price of the method"),
    })
    .optional(),
});

/** One discount: the code of a coupon or an amount of staff. */
function hasOneDiscount({ couponCode = "", discount }: DraftContent): boolean {
  return couponCode === "" || discount === undefined;
}

export const newDraftSchema = draftContentSchema.refine(hasOneDiscount, {
  path: ["couponCode"],
  message: "is not allowed together with discount",
});
export type DraftContent = z.infer<typeof draftContentSchema>;

const { note: noteField, staffNote, items: itemsField, ...removable } = draftContentSchema.shape;
const nullable = z.object(removable).partial().shape;

/** Some fields of a draft; what is absent stays, and null takes a field away. */
export const draftChangeSchema = z.strictObject({
  email: nullable.email.unwrap().nullable().optional(),
  userId: nullable.userId.unwrap().nullable().optional(),
  language: nullable.language.unwrap().nullable().optional(),
  shippingAddress: nullable.shippingAddress.unwrap().nullable().optional(),
  billingAddress: nullable.billingAddress.unwrap().nullable().optional(),
  country: nullable.country.unwrap().nullable().optional(),
  vatId: nullable.vatId.unwrap().nullable().optional(),
  buyerReference: nullable.buyerReference.unwrap().nullable().optional(),
  orderReference: nullable.orderReference.unwrap().nullable().optional(),
  note: noteField.unwrap().optional(),
  staffNote: staffNote.unwrap().optional(),
  items: itemsField.unwrap().optional(),
  couponCode: nullable.couponCode.unwrap().nullable().optional(),
  discount: nullable.discount.unwrap().nullable().optional(),
  shipping: nullable.shipping.unwrap().nullable().optional(),
});
export type DraftChange = z.infer<typeof draftChangeSchema>;

const lines = orderLineSchema.pick({
  id: true,
  productId: true,
  variantId: true,
  title: true,
  options: true,
  sku: true,
  quantity: true,
  unitPrice: true,
  subtotal: true,
  discount: true,
  total: true,
  deliveryType: true,
});

/** What a draft costs, and who gets it, at one time: later prices are compared with it. */
export const quotedSchema = z.object({
  ...orderRecordSchema.pick({
    language: true,
    currency: true,
    subtotal: true,
    discount: true,
    shipping: true,
    total: true,
    tax: true,
    pricesIncludeTax: true,
    shippingMethodId: true,
    shippingTitle: true,
    email: true,
    note: true,
    shippingAddress: true,
    billingAddress: true,
    country: true,
    vatId: true,
  }).shape,
  lines: z.array(lines),
});
export type Quoted = z.infer<typeof quotedSchema>;

export const draftStates = ["open", "sent", "ordered"] as const;

export const draftRecordSchema = z.object({
  ...draftContentSchema.shape,
  id: z.string(),
  version: z.number().int(),
  /** For people: "D-7KQ4MP2X". */
  number: z.string(),
  state: z.enum(draftStates),
  /** When it was saved; absent where it could not be priced. */
  quoted: quotedSchema.optional(),
  /** What earlier versions said, for who has one of them open. */
  former: z.array(z.object({ version: z.number().int(), quoted: quotedSchema })),
  /** The payment link that was sent last. */
  link: z
    .object({
      sentAt: timeMs,
      expiresAt: timeMs,
      email: z.string(),
      /** How often it was sent to another address, which ends earlier links. */
      renewals: z.number().int().min(0),
    })
    .optional(),
  orderId: z.string().optional(),
  orderNumber: z.string().optional(),
  createdBy: z.string(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type DraftRecord = z.infer<typeof draftRecordSchema>;

const version = z.number().int().min(1);
const expectedTotal = z.number().int().min(0).describe("The total that was shown");
const day = z.iso.date();

export const draftSendSchema = z.strictObject({
  version,
  message: text(1_000).default("").describe("For the email"),
  expiresInDays: z.number().int().min(1).max(90).default(14),
});

/** How money comes without a payment provider. */
export const paidMethods = ["cash", "bank_transfer", "card_terminal", "other"] as const;

export const draftPaidSchema = z.strictObject({
  version,
  expectedTotal,
  method: z.enum(paidMethods),
  paidOn: day.optional().describe("In the time zone of the shop; today by default"),
  reference: line(120).trim().min(1).optional().describe("Such as that of the bank statement"),
  note: text(1_000).default(""),
});

export const draftInvoiceSchema = z.strictObject({
  version,
  expectedTotal,
  dueOn: day.describe("In the time zone of the shop"),
  paymentMethod: z.string().max(40).optional().describe("A payment provider; the first one by default"),
  note: text(1_000).default(""),
});

/** The buyer's order of a draft. */
export const draftAcceptSchema = z.strictObject({
  version,
  expectedTotal,
  paymentMethod: z.string().max(40).optional(),
  consents: z
    .strictObject({ digitalContent: z.boolean().optional(), terms: z.boolean().optional() })
    .optional(),
});
