/** Invoices and credit notes as the store keeps them: written once, never changed. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { addressSchema } from "../base/postal-address.ts";
import { sellerSchema } from "../site/selling-schema.ts";
import { orderTaxSchema, taxKindSchema } from "../tax/schema.ts";

export const invoiceKindSchema = z.enum(["invoice", "credit_note"]);
export type InvoiceKind = z.infer<typeof invoiceKindSchema>;

/** A day in the shop's time zone: "2026-11-21". */
const daySchema = z.string();

const invoiceLineSchema = z.object({
  /** The order's line, or "shipping". In credit notes `total` is with tax, and `quantity` is 0 for an amount. */
  lineId: z.string().optional(),
  title: z.string(),
  sku: z.string(),
  options: z.record(z.string(), z.string()),
  quantity: z.number().int(),
  unitPrice: z.number().int(),
  discount: z.number().int(),
  total: z.number().int(),
  taxRate: z.number().int().optional(),
  taxKind: taxKindSchema.optional(),
  /** Absent on documents of earlier releases: the country of the first row with this rate. */
  taxCountry: z.string().optional(),
  tax: z.number().int().optional(),
});
export type InvoiceLine = z.infer<typeof invoiceLineSchema>;

export const invoiceRecordSchema = z.object({
  /** Made of the order's id, so that no order gets two invoices. */
  id: z.string(),
  version: z.number().int(),
  kind: invoiceKindSchema,
  number: z.string(),
  /** The counter that gave the number, such as "invoice:2026". */
  series: z.string(),
  /** Its sequence number: 1, 2, 3 … without a gap. */
  sequence: z.number().int().min(1),
  orderId: z.string(),
  orderNumber: z.string(),
  userId: z.string().optional(),
  issuedAt: timeMs,
  issuedOn: daySchema,
  orderedOn: daySchema,
  paidOn: daySchema.optional(),
  /** Of an invoice that is paid later. */
  dueOn: daySchema.optional(),
  deliveredOn: daySchema.optional(),
  language: z.string(),
  currency: z.string(),
  seller: sellerSchema,
  email: z.string(),
  emailLower: z.string(),
  billingAddress: addressSchema.optional(),
  shippingAddress: addressSchema.optional(),
  /** Names of the countries in it, by code, in its language; absent on documents of earlier releases. */
  countries: z.record(z.string(), z.string()).optional(),
  /** Where no address says it. */
  country: z.string().optional(),
  vatId: z.string().optional(),
  lines: z.array(invoiceLineSchema),
  shippingTitle: z.string().optional(),
  couponCode: z.string().optional(),
  /** Gift cards that paid: payments, which change neither tax nor total. */
  giftCards: z.array(z.object({ lastFour: z.string(), amount: z.number().int() })).optional(),
  subtotal: z.number().int(),
  discount: z.number().int(),
  shipping: z.number().int(),
  /** Of a credit note: what is given back. */
  total: z.number().int(),
  tax: orderTaxSchema.optional(),
  pricesIncludeTax: z.boolean().optional(),
  /** The title of the way to pay. */
  payment: z.string(),
  /** For e-invoices; absent on documents of earlier releases. */
  paymentMeans: z.enum(["transfer", "online", "other"]).optional(),
  buyerReference: z.string().optional(),
  orderReference: z.string().optional(),
  /** The PDF contains the e-invoice: decided when the document is issued. */
  eInvoice: z.literal(true).optional(),
  /** Lines about tax that the law asks for. */
  notes: z.array(z.string()),
  footer: z.string(),
  /** Of a credit note: the invoice that it corrects. */
  corrects: z.object({ id: z.string(), number: z.string(), issuedOn: daySchema }).optional(),
  /** Of a credit note: its amount named no items, and is spread over all of them by value. */
  isSpread: z.boolean().optional(),
  /** Of a credit note: a new invoice replaces the one that it corrects, and no money was given back. */
  isReplaced: z.boolean().optional(),
  /** Of a credit note: the order will not be paid, and no money was given back. */
  isVoid: z.literal(true).optional(),
  /** Of a credit note: why. */
  reason: z.string().optional(),
});
export type InvoiceRecord = z.infer<typeof invoiceRecordSchema>;

/** The last number that a series gave; the id is the series. */
export const invoiceCounterSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  last: z.number().int().min(0),
});
