/** Groups of the site's settings that selling needs besides: the seller, shipping, tax, invoices. */
import { z } from "zod";
import { languageTag, line, text, trimmedLine } from "../../kit/text/schemas.ts";
import { countrySchema } from "../base/postal-address.ts";
import { amountSchema } from "../base/money-schema.ts";
import { taxClassSchema } from "../base/tax-class-schema.ts";
import { ibanSchema } from "../base/iban.ts";

/** Weights of a unit or a parcel, in grams. */
export const gramsSchema = z.number().int().min(0).max(100_000_000);

/** The seller on invoices. */
export const sellerSchema = z.strictObject({
  name: line(200).default(""),
  line1: line(200).default(""),
  line2: line(200).default(""),
  postalCode: line(20).default(""),
  city: line(120).default(""),
  region: line(120).default(""),
  country: countrySchema.or(z.literal("")).default(""),
  email: line(254).default(""),
  phone: line(60).default(""),
  vatId: line(20).trim().default(""),
  taxNumber: line(60).default(""),
  /** Such as "HRB 12345, Amtsgericht Berlin". */
  register: line(200).default(""),
  /** The person or department that answers questions about invoices; "" is the seller's name. */
  contact: line(120).default(""),
  iban: ibanSchema.or(z.literal("")).default(""),
  /** Where e-invoices reach the seller: a scheme of the EAS list and an ID, such as 9930:DE123456789; "" is the email. */
  electronicAddress: z
    .string()
    .regex(/^(?:(?:\d{4}|EM):[!-~]{1,80})?$/u, "must be a scheme and an ID such as 9930:DE123456789")
    .default(""),
});
export type Seller = z.infer<typeof sellerSchema>;

const stepSchema = z.strictObject({
  /** From this weight (grams) or order value (minor units) on. */
  from: z.number().int().min(0).max(999_999_999_999),
  price: amountSchema,
});

const isAscending = (steps: readonly { from: number }[]): boolean =>
  steps.every(({ from }, index) => (index === 0 ? from === 0 : from > (steps[index - 1]?.from ?? 0)));

const methodWords = {
  title: trimmedLine(120),
  description: text(1_000),
  /** Such as "2 to 4 days". */
  deliveryTime: line(120),
};

/** A way to send goods. */
export const shippingMethodSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9_]{1,40}$/u, "must consist of lowercase letters, digits and underscores"),
  title: methodWords.title,
  description: methodWords.description.default(""),
  deliveryTime: methodWords.deliveryTime.default(""),
  /** Words of other languages, by language tag. */
  translations: z.record(languageTag, z.strictObject(methodWords).partial()).default({}),
  /** Where it sends to; none: everywhere. */
  countries: z.array(countrySchema).max(250).default([]),
  excludedCountries: z.array(countrySchema).max(250).default([]),
  by: z.enum(["weight", "value"]).default("value"),
  steps: z.array(stepSchema).min(1).max(50).refine(isAscending, "must start at 0 in ascending order of from"),
  /** Beyond this weight or value (as `by` says) it is not offered. */
  limit: z.number().int().min(1).max(999_999_999_999).optional(),
  /** Costs nothing from this value of goods on, in minor units. */
  freeFrom: amountSchema.optional(),
  enabled: z.boolean().default(true),
  sortOrder: z.number().int().min(-1_000_000).max(1_000_000).default(0),
});
export type ShippingMethod = z.infer<typeof shippingMethodSchema>;

export const shippingSettingsSchema = z.strictObject({
  /** None switched on: `shippingFee`, everywhere. */
  methods: z
    .array(shippingMethodSchema)
    .max(50)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "must not repeat an ID")
    .default([]),
});

const rateSchema = z.strictObject({
  country: countrySchema,
  taxClass: taxClassSchema,
  /** 1900 is 19 %. */
  basisPoints: z.number().int().min(0).max(10_000),
});

export const taxSettingsSchema = z.strictObject({
  /** Off: prices are what is paid, and nothing is said about tax. */
  enabled: z.boolean().default(false),
  pricesIncludeTax: z.boolean().default(true),
  /**
   * Where VAT is rounded: on each line, or once for each rate of an order (EN 16931, BR-CO-17). Fixed with the first
   * invoice.
   */
  rounding: z.enum(["line", "document"]).default("line"),
  /**
   * The VAT rate for consumers in other EU countries: below the threshold of the one-stop shop the seller's, above it
   * the buyer's.
   */
  destination: z.enum(["seller", "buyer"]).default("seller"),
  /** Sells without tax as a small business; invoices say so. */
  smallBusiness: z.boolean().default(false),
  /** The line that says so; "" is the usual one of the seller's country. */
  smallBusinessNote: line(300).default(""),
  /**
   * The effect of a VAT ID of another EU country. "off": none. "checked": no tax is charged if form and check digits
   * are right and a company with its address in that country is given; its registration is not checked. "review": the
   * same, and nothing is delivered until a person has checked it. "vies": no tax is charged if VIES has it.
   */
  vatIds: z.enum(["off", "checked", "review", "vies"]).default("off"),
  /**
   * While VIES does not answer: the buyer pays the tax, which can be given back after the check, or pays none and gets
   * nothing delivered before it.
   */
  viesAway: z.enum(["charge", "hold"]).default("charge"),
  /** Of releases before `vatIds`: without effect, and kept until the group is changed. */
  reverseCharge: z.boolean().optional(),
  /** Where no tax is due, prices that include tax are charged without it; off: all buyers pay the same. */
  netWhereUntaxed: z.boolean().default(true),
  /** These take precedence over the rates that the shop comes with. */
  rates: z
    .array(rateSchema)
    .max(1_000)
    .refine(
      (all) => new Set(all.map((rate) => `${rate.country} ${rate.taxClass}`)).size === all.length,
      "must not repeat a country and class",
    )
    .default([]),
});
export type TaxSettings = z.infer<typeof taxSettingsSchema>;

/** A number in the making: `{number}` or `{number:5}` (with leading noughts), and `{year}` or `{yy}`. */
const numberFormat = z
  .string()
  .max(40)
  .regex(
    /^[A-Za-z0-9 ./_-]*(?:\{(?:year|yy|number|number:[1-9])\}[A-Za-z0-9 ./_-]*)+$/u,
    "can contain letters, digits, spaces, . / _ - and {year}, {yy}, {number} or {number:5}",
  )
  .refine((format) => format.split("{number").length === 2, "must contain {number} exactly once");

export const invoiceSettingsSchema = z
  .strictObject({
    enabled: z.boolean().default(false),
    /** The event that issues an invoice: the payment, or the complete delivery. */
    issueOn: z.enum(["payment", "delivery"]).default("payment"),
    format: numberFormat.default("{year}-{number:5}"),
    /** Whether numbers restart every year, or never. */
    restart: z.enum(["yearly", "never"]).default("yearly"),
    /** The number that a series begins with. */
    firstNumber: z.number().int().min(1).max(1_000_000_000).default(1),
    /** Whether credit notes have separate numbers, or those of the invoices. */
    creditNotes: z.enum(["own", "same"]).default("own"),
    creditFormat: numberFormat.default("C{year}-{number:5}"),
    /** Below each invoice: bank account, thanks, and so on. */
    footer: text(1_000).default(""),
    /** Which orders get e-invoices: "companies" are buyers with a company name or a VAT ID. */
    eInvoices: z.enum(["never", "companies", "always"]).default("never"),
    /** Whether emails of paid and refunded orders bring the PDF and the XML file of an e-invoice. */
    attachEInvoices: z.boolean().default(false),
  })
  .refine(({ creditNotes, format, creditFormat }) => creditNotes === "same" || format !== creditFormat, {
    path: ["creditFormat"],
    message: "must differ from format, because document numbers must be unique",
  })
  .refine(
    ({ restart, format, creditFormat }) =>
      restart === "never" || [format, creditFormat].every((one) => /\{(?:year|yy)\}/u.test(one)),
    { path: ["restart"], message: "numbers that restart every year require {year} or {yy} in the format" },
  );
export type InvoiceSettings = z.infer<typeof invoiceSettingsSchema>;

/** Renewals of licenses: when buyers hear of them. In days; halves of shorter periods are the most. */
export const renewalSettingsSchema = z.strictObject({
  /** The order of a renewal is made, and mailed, so long before the paid period ends. */
  leadDays: z.number().int().min(1).max(60).default(14),
  /** A changed price counts for the next period if it was mailed so long before. */
  priceNoticeDays: z.number().int().min(1).max(90).default(30),
  /** The first reminder of an unpaid renewal, after the paid period has ended. */
  reminderDays: z.number().int().min(0).max(60).default(1),
  /** Between further reminders, until the days of grace are over. */
  reminderEveryDays: z.number().int().min(1).max(60).default(3),
});
export type RenewalSettings = z.infer<typeof renewalSettingsSchema>;
