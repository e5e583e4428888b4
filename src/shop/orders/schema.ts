/** Orders with their lines and their history, as the store keeps them. */
import { z } from "zod";
import { isMailAddress } from "../../kit/mail/mail.ts";
import { line, text, timeMs, languageTag } from "../../kit/text/schemas.ts";
import { addressSchema, countrySchema } from "../base/postal-address.ts";
import { isWrongLeitwegId } from "../base/iban.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";
import { orderDiscountSchema } from "../coupons/order-discounts.ts";
import { withdrawalStates } from "../eu/right-of-withdrawal.ts";
import { refundPartSchema } from "../base/refund-part.ts";
import { giftCardTermsSchema } from "../products/gift-card-schema.ts";
import { licenseTermsSchema } from "../products/license-schema.ts";
import { deliveryTypeSchema, MAX_QUANTITY, stockModeSchema } from "../products/schema.ts";
import { fieldHints } from "../../kit/text/field-hints.ts";
import { gramsSchema } from "../site/selling-schema.ts";
import { lineTaxShape, orderTaxSchema, vatCheckSchema } from "../tax/schema.ts";

/** One bare e-mail address. */
export const emailSchema = z
  .string()
  .trim()
  .max(254)
  .refine(isMailAddress, "must be an email address")
  .register(fieldHints, { keyboard: "email" });

export const orderStatusSchema = z.enum([
  "pending_payment",
  "paid",
  "fulfilling",
  "delivered",
  "completed",
  "canceled",
  "expired",
]);
export type OrderStatus = z.infer<typeof orderStatusSchema>;

export const paymentStatusSchema = z.enum([
  "unpaid",
  "partial",
  "paid",
  "overpaid",
  "partially_refunded",
  "refunded",
]);
export type PaymentStatus = z.infer<typeof paymentStatusSchema>;

/** Reasons for a review by a person. */
export const attentionSchema = z.enum([
  "underpaid",
  "overpaid",
  "late_payment",
  "paid_after_cancel",
  "duplicate_payment",
  "currency_mismatch",
  "stock_shortfall",
  "unverified_notice",
  "chargeback",
  "payment_claim",
  "other_method",
  "withdrawal",
  "refund_unclear",
  "vat_id",
  "balance_due",
]);
export type Attention = z.infer<typeof attentionSchema>;

/** An ordered item as of the order: later changes of the product do not affect it. */
export const orderLineSchema = z.object({
  id: z.string(),
  productId: z.string(),
  variantId: z.string().optional(),
  /** Id of the stock record that units come from. */
  stockId: z.string(),
  stockMode: stockModeSchema,
  title: z.string(),
  sku: z.string(),
  options: z.record(z.string(), z.string()),
  quantity: z.number().int().min(1).max(MAX_QUANTITY),
  unitPrice: amountSchema,
  /** Prices by quantity as of the order, that of one unit first; edits choose among them. */
  priceSteps: z.array(z.object({ from: z.number().int().min(1), price: amountSchema })).optional(),
  /** unitPrice × quantity. */
  subtotal: z.number().int().min(0),
  /** This line's share of the order's discount. */
  discount: z.number().int().min(0),
  /** subtotal − discount. */
  total: z.number().int().min(0),
  deliveryType: deliveryTypeSchema,
  ...lineTaxShape,
  /** Of one unit. */
  weightGrams: gramsSchema.optional(),
  inputs: z.record(z.string(), z.string()),
  /** Of a part of a bundle: which one; lines of one bundle have the same ID. */
  bundle: z
    .object({
      id: z.string(),
      productId: z.string(),
      categoryId: z.string().optional(),
      title: z.string(),
      /** Ordered bundles. */
      quantity: z.number().int().min(1),
      /** Units of this part in one bundle. */
      each: z.number().int().min(1),
    })
    .optional(),
  instructions: z.string(),
  /** When everything of this line was handed over. */
  deliveredAt: timeMs.optional(),
  /** Units that an administrator put back into the stock. */
  returned: z.number().int().min(1).max(MAX_QUANTITY).optional(),
  /** For keys that programs activate and validate: the terms of their licenses. */
  license: licenseTermsSchema.optional(),
  /** Of a gift card: its terms. */
  giftCard: giftCardTermsSchema.optional(),
  /** For one more period of licenses that were sold before: whose, and which. */
  renewal: z
    .object({ subscriptionId: z.string(), number: z.number().int().min(1), from: timeMs, until: timeMs })
    .optional(),
  /** Ids of the licence keys that this line got. */
  secretIds: z.array(z.string()),
  /** Whether the buyer may withdraw from it; absent for orders outside the rules of the EU. */
  withdrawal: z.enum(withdrawalStates).optional(),
  /**
   * Delivered content that is not a license key of the store, encrypted: a shared secret, or an administrator's text.
   */
  sealedContent: z.string().optional(),
});
export type OrderLine = z.infer<typeof orderLineSchema>;

/** What an edit can change of an order, as its history and the buyer's email name it. */
export const editedFields = [
  ...(["email", "language", "note", "shippingAddress", "billingAddress", "country", "vatId"] as const),
  ...(["items", "shipping", "discount", "total"] as const),
] as const;

/** A change by an edit; "" for what was not there, and what is no longer there. */
export const orderChangeSchema = z.object({ field: z.enum(editedFields), from: z.string(), to: z.string() });
export type OrderChange = z.infer<typeof orderChangeSchema>;

/** One entry of an order's history, which only grows. */
export const historyEntrySchema = z.object({
  at: timeMs,
  /** "system", "buyer", "admin", or "provider <slug>". */
  by: z.string(),
  event: z.string(),
  from: orderStatusSchema.optional(),
  to: orderStatusSchema.optional(),
  note: z.string().optional(),
  /** Of an administrator's edit: their name. */
  who: z.string().optional(),
  /** Of an edit. */
  changes: z.array(orderChangeSchema).optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export type Address = z.infer<typeof addressSchema>;

/** A parcel, as an administrator writes it. */
export const shipmentSchema = z.object({
  carrier: line(120).default(""),
  trackingNumber: line(120).default(""),
  trackingUrl: line(500).default(""),
});

/** A shipment as an order keeps it. */
export const shipmentRecordSchema = shipmentSchema.extend({
  /** When it was handed to the carrier. */
  shippedAt: timeMs.optional(),
});

/** A buyer's consents to an order, in the words that were shown. */
export const consentsSchema = z.object({
  /** The order button required by law; absent for a free order. */
  orderButton: z.string().optional(),
  /** That digital content is handed over before the right of withdrawal would end. */
  digitalContent: z.object({ at: timeMs, wording: z.string() }).optional(),
  /** To one email if the order is not paid. */
  reminder: z.object({ at: timeMs, wording: z.string() }).optional(),
  /** To one email that asks for a review. */
  review: z.object({ at: timeMs, wording: z.string() }).optional(),
  /** The terms as they were then; `wording` when the buyer agreed to them in words. */
  terms: z.object({ at: timeMs, pageVersion: z.number().int(), wording: z.string().optional() }).optional(),
});
export type Consents = z.infer<typeof consentsSchema>;

/** A buyer's fields of an order: the body of a checkout accepts these, and the record stores them. */
export const buyersFieldsSchema = z.object({
  shippingAddress: addressSchema.optional(),
  /** Where the invoice goes, when not to where the goods go. */
  billingAddress: addressSchema.optional(),
  /** Where the buyer lives, when no address says so. */
  country: countrySchema.optional(),
  /** Of a business, as it was typed. */
  vatId: line(40).trim().optional(),
  /** What a company wants to read on its e-invoice: a Leitweg-ID, a cost center, a name. */
  buyerReference: line(100)
    .trim()
    .refine((reference) => !isWrongLeitwegId(reference), "has wrong check digits for a Leitweg-ID")
    .optional(),
  /** The number of the company's own purchase order. */
  orderReference: line(100).trim().optional(),
  note: text(2_000),
});

/** How an order's payment began, as far as its buyer needs it; the session has what only the shop needs. */
export const begunSchema = z.object({
  /** 1, 2, …: each has a separate session. */
  attempt: z.number().int().min(1),
  /** "template": the provider has no such beginning; "failed": `failure` says why. */
  kind: z.enum(["beginning", "failed", "template", "instructions", "redirect", "qr", "form"]),
  url: z.string().optional(),
  /** Content of a QR code. */
  text: z.string().optional(),
  /** The fields that the buyer's browser posts to `url`. */
  fields: z.record(z.string(), z.string()).optional(),
  /** When the service gives up; absent: with the order. */
  expiresAt: timeMs.optional(),
  /** "unavailable": it is tried again by itself. */
  failure: z.enum(["unavailable", "refused"]).optional(),
});
export type Begun = z.infer<typeof begunSchema>;

/** Like that of a coupon: a percentage in basis points, or an amount. */
export const ownDiscountSchema = z.strictObject({
  kind: z.enum(["percent", "fixed"]),
  value: z.number().int().min(1).describe("Hundredths of a percent, or minor units"),
});

/** A gift card that pays for an order, from the moment when the order is placed. */
export const cardPaymentSchema = z.object({
  cardId: z.string(),
  lastFour: z.string(),
  /** What it paid, minor units. */
  amount: z.number().int().min(1),
  /** Given back to it by refunds. */
  returned: z.number().int().min(0).optional(),
  /** The order was not paid: the card has the amount again. */
  isReleased: z.literal(true).optional(),
  /** The entry of the ledger. */
  noticeId: z.string(),
});
export type CardPayment = z.infer<typeof cardPaymentSchema>;

export const orderRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** For people: "261121-7KQ4MP". */
  number: z.string(),
  userId: z.string().optional(),
  email: z.string(),
  emailLower: z.string(),
  language: languageTag,
  status: orderStatusSchema,
  paymentStatus: paymentStatusSchema,
  attention: z.array(attentionSchema),
  /** "yes" while `attention` is not empty, for the index; absent otherwise. */
  needsAttention: z.literal("yes").optional(),
  currency: currencySchema,
  subtotal: z.number().int().min(0),
  discount: z.number().int().min(0),
  shipping: z.number().int().min(0),
  total: z.number().int().min(0),
  /** Absent while the shop says nothing about tax. */
  tax: orderTaxSchema.optional(),
  /** Whether tax is in the prices, or on top of them. */
  pricesIncludeTax: z.boolean().optional(),
  /** The check of `vatId`. */
  vatCheck: vatCheckSchema.optional(),
  /** The method that was chosen; absent where `shippingFee` of the settings counted. */
  shippingMethodId: z.string().optional(),
  shippingTitle: z.string().optional(),
  invoiceId: z.string().optional(),
  invoiceNumber: z.string().optional(),
  /** Of the latest refund, where that has one. */
  creditNoteId: z.string().optional(),
  /** The credited amount of the invoice. */
  credited: z.number().int().min(0).optional(),
  /** Applied payments minus refunds. */
  amountPaid: z.number().int(),
  amountRefunded: z.number().int().min(0),
  /** Left to pay of a paid order after an edit made it more expensive; refunds do not change it. */
  balanceDue: z.number().int().min(1).optional(),
  /** Refunded parts of each item, each once; disputes name none. */
  refundParts: z.array(refundPartSchema).optional(),
  couponId: z.string().optional(),
  couponCode: z.string().optional(),
  /** All discounts but one of staff; absent in older orders, which have the coupon alone. */
  discounts: z.array(orderDiscountSchema).optional(),
  /** A discount that staff gave in a draft; edits compute it again. */
  ownDiscount: ownDiscountSchema.optional(),
  /** The draft that staff made it of. */
  draftId: z.string().optional(),
  /** Of an order with an invoice that is paid later: when its payment is due. The order expires a while after it. */
  dueAt: timeMs.optional(),
  lines: z.array(orderLineSchema).min(1),
  history: z.array(historyEntrySchema),
  ...buyersFieldsSchema.shape,
  shipment: shipmentRecordSchema.optional(),
  consents: consentsSchema.optional(),
  /** Gift cards that pay for it. */
  giftCards: z.array(cardPaymentSchema).optional(),
  /** The provider's slug, such as "demo". */
  paymentMethod: z.string(),
  begun: begunSchema.optional(),
  /** Nothing is mailed before it is paid: too many unpaid orders named this address within a day. */
  isQuiet: z.boolean().optional(),
  /** A guest's order of a product with `maxPerCustomer`: counted again when it is paid, over all networks. */
  isLimited: z.boolean().optional(),
  /** How often its token was replaced by another. */
  tokenRenewals: z.number().int().min(1).optional(),
  /** Only while it waits for payment: these indexes bound how many may wait. */
  openUser: z.string().optional(),
  openEmail: z.string().optional(),
  openAddress: z.string().optional(),
  /** Only while it waits for payment: when that ends. */
  pendingUntil: timeMs.optional(),
  /** When payment was or is due. */
  expiresAt: timeMs,
  createdAt: timeMs,
  updatedAt: timeMs,
  paidAt: timeMs.optional(),
  deliveredAt: timeMs.optional(),
  completedAt: timeMs.optional(),
  /** Only while delivered: when it counts as completed without an answer of the buyer. */
  autoCompleteAt: timeMs.optional(),
  canceledAt: timeMs.optional(),
  expiredAt: timeMs.optional(),
});
export type OrderRecord = z.infer<typeof orderRecordSchema>;
