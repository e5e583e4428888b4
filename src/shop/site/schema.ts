/**
 * Settings of administrators: the site, its payment providers, and email delivery. Each group's schema fills in what a
 * stored one lacks.
 */
import { z } from "zod";
import { accentSchema, colorSchema, logoSchema } from "../../kit/brand/schema.ts";
import { isMailAddress } from "../../kit/mail/mail.ts";
import { line, text, timeMs, timeZone, trimmedLine, languageTag, slug } from "../../kit/text/schemas.ts";
import { euSettingsSchema } from "../eu/schema.ts";
import { pageSchema } from "../legal/schema.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";
import {
  invoiceSettingsSchema,
  renewalSettingsSchema,
  sellerSchema,
  shippingSettingsSchema,
  taxSettingsSchema,
} from "./selling-schema.ts";
import { reviewSettingsSchema } from "./review-settings.ts";
import { storefrontSchema } from "./storefront-schema.ts";

const webAddress = z
  .url({ protocol: /^https?$/u })
  .max(500)
  .or(z.literal(""));

/** What of the shop's own pages its owner brings along. */
const brandingSchema = z.strictObject({
  /** A PNG or SVG of at most 64 KiB as a data address, without scripts; "" for the product's mark. */
  logo: logoSchema.default(""),
  /** The accent color; each theme gets the nearest shade of it that can be read (4.5:1). "" leaves `accent`. */
  color: colorSchema,
  /** One colour a theme that can be read in it (4.5:1); "" for the product's own. */
  accent: accentSchema.prefault({}),
  /** Rules after the product's own. The pages' policy lets them load nothing from elsewhere. */
  customCss: text(30_000).default(""),
});

/** A URL with placeholders; "/…" is below the shop's own URL. */
const pageTemplate = z
  .string()
  .max(1_000)
  .regex(/^(?:https?:\/\/|\/)[^\s]*$/u, "must be a URL that starts with https://, http:// or /")
  .or(z.literal(""))
  .default("");

export const categorySchema = z.strictObject({
  id: slug,
  title: trimmedLine(120),
  description: text(1_000).default(""),
  /** Another category; "" for one at the top. */
  parentId: slug.or(z.literal("")).default(""),
  sortOrder: z.number().int().min(-1_000_000).max(1_000_000).default(0),
});
export type Category = z.infer<typeof categorySchema>;

export const announcementSchema = z.strictObject({
  text: text(2_000),
  /** The same in languages beside the first of the site's. */
  translations: z.record(languageTag, text(2_000)).optional(),
  level: z.enum(["info", "warning"]).default("info"),
  /** Shown from and until; absent: always. */
  startsAt: timeMs.optional(),
  endsAt: timeMs.optional(),
});

/** The slug in /api/webhooks/<slug>-pay. */
export const providerSlugSchema = z
  .string()
  .regex(/^[a-z][a-z0-9]{0,39}$/u, "must consist of lowercase letters and digits, such as stripe");

/** Names in braces that each kind of address is filled in with. */
export const templatePlaceholders = {
  payUrlTemplate: ["orderId", "number", "amount", "amountMinor", "currency", "token", "returnUrl"],
  orderUrlTemplate: ["orderId", "number", "token"],
  productUrlTemplate: ["slug"],
} as const;

const count = (max: number) => z.number().int().min(1).max(max);

/** As good as none. */
export const NO_LIMIT = 1_000_000;

/** Up to 30 days. */
const expiryMinutes = count(43_200);

export const providerSchema = z.strictObject({
  word: providerSlugSchema,
  title: trimmedLine(120),
  enabled: z.boolean().default(true),
  /** The kind of provider; absent: any that sends the shop's own notifications. */
  kind: z.string().max(40).optional(),
  /** Options of its kind, which may be shown again. */
  options: z.record(z.string(), z.unknown()).optional(),
  /** Its secrets by name, sealed as one text. Never shown again: answers have `credentialsSet`. */
  sealedCredentials: z.string().max(40_000).optional(),
  /** Sealed in the store. Never shown again: answers have `secretSet`. */
  secret: z.string().max(2_000).optional(),
  /** With no secret set: refuse notices (true), or take them unverified. */
  requireWebhookSecret: z.boolean().default(true),
  /** Where the buyer pays; the names of `templatePlaceholders.payUrlTemplate` are filled in. */
  payUrlTemplate: pageTemplate,
  /** Shown to the buyer when there is no address: account numbers and the like. */
  instructions: text(2_000).default(""),
  /** Its words in languages beside the first of the site's. */
  translations: z
    .record(languageTag, z.strictObject({ title: line(120), instructions: text(2_000) }).partial())
    .optional(),
  /** How long its orders wait for payment; `orderExpiryMinutes` of the site unless set. */
  expiryMinutes: expiryMinutes.optional(),
});
export type Provider = z.infer<typeof providerSchema>;

/** The provider that is built in for trying a sale. */
export const DEMO_SLUG = "demo";

/** The demo provider, off by default: with it, orders are free. */
export const demoProvider: Provider = {
  word: DEMO_SLUG,
  title: "Demo payment (no real charge)",
  enabled: false,
  requireWebhookSecret: true,
  payUrlTemplate: "/demo-pay/{orderId}?token={token}",
  instructions: "",
};

const defaultProviders: Provider[] = [
  {
    word: "generic",
    title: "Bank transfer or other",
    enabled: true,
    requireWebhookSecret: true,
    payUrlTemplate: "",
    instructions: "",
  },
  demoProvider,
];

/** Enabled automatic discounts at most. */
export const MAX_AUTOMATIC = 20;

export const siteSettingsSchema = z.strictObject({
  name: trimmedLine(120).default("Trivet shop"),
  /** A picture's address, for programs and other shop fronts; the shop's own pages show that of `branding`. */
  logo: webAddress.default(""),
  branding: brandingSchema.prefault({}),
  /** How the shop's own pages look. */
  storefront: storefrontSchema.prefault({}),
  description: text(2_000).default(""),
  currency: currencySchema.default("EUR"),
  /** The first one is that of the products' own words. */
  languages: z.array(languageTag).min(1).max(50).default(["en"]),
  timeZone: timeZone.default("UTC"),
  contact: z
    .strictObject({ email: line(254).default(""), phone: line(60).default(""), url: webAddress.default("") })
    .prefault({}),
  announcement: announcementSchema.nullable().default(null),
  /** Of earlier versions; at the start they become records (src/shop/categories). */
  categories: z.array(categorySchema).max(500).default([]),
  /** Terms, privacy, imprint and whatever else. */
  pages: z.array(pageSchema).max(50).default([]),
  orderExpiryMinutes: expiryMinutes.default(15),
  latePaymentHours: z.number().int().min(0).max(720).default(12),
  /** 0: only the buyer completes an order. */
  autoCompleteDays: z.number().int().min(0).max(365).default(14),
  guestCheckout: z.boolean().default(true),
  maxPending: z
    .strictObject({
      user: count(1_000_000).default(3),
      address: count(1_000_000).default(5),
      email: count(1_000_000).default(2),
    })
    .prefault({}),
  /** Orders that one may place, whatever becomes of them. */
  orderLimits: z
    .strictObject({
      /** In an hour from a network address (IPv6: a /64). */
      addressPerHour: count(NO_LIMIT).default(20),
      /** In an hour for an e-mail address. */
      emailPerHour: count(NO_LIMIT).default(10),
      /** In a day, orders that are mailed to an e-mail address that has never paid. */
      mailedPerDay: count(NO_LIMIT).default(5),
      /** Units of limited stock that wait for payment from a network address: when a guest orders, and when a user does. */
      guestUnits: count(NO_LIMIT).default(20),
      userUnits: count(NO_LIMIT).default(200),
    })
    .prefault({}),
  /** Pictures that one user may send in the chat. */
  chatQuota: z
    .strictObject({
      /** Within a day, whatever becomes of them. */
      picturesPerDay: count(10_000).default(100),
      megabytesPerDay: count(100_000).default(100),
      /** That are kept in all. */
      pictures: count(10_000).default(200),
      megabytes: count(100_000).default(100),
    })
    .prefault({}),
  files: z
    .strictObject({
      /** The largest file that is sold; up to 16 GiB. */
      maxFileMegabytes: count(16_384).default(2_048),
    })
    .prefault({}),
  /** Whether guests may place free orders: the email address of such an order is not verified. */
  freeGuestOrders: z.boolean().default(false),
  stockDisplay: z.enum(["exact", "status", "hidden"]).default("status"),
  lowStockThreshold: z.number().int().min(0).max(1_000_000).default(5),
  /** Slugs of new products: in Latin letters, or in the letters of the title. */
  slugStyle: z.enum(["romanize", "letters"]).default("romanize"),
  /** Pages of the shop front that mails lead to; "" while there is none. What is filled in: `templatePlaceholders`. */
  orderUrlTemplate: pageTemplate,
  productUrlTemplate: pageTemplate,
  /** The flat shipping fee while no method of `shipping` is switched on. */
  shippingFee: amountSchema.default(0),
  seller: sellerSchema.prefault({}),
  shipping: shippingSettingsSchema.prefault({}),
  tax: taxSettingsSchema.prefault({}),
  invoices: invoiceSettingsSchema.prefault({}),
  renewals: renewalSettingsSchema.prefault({}),
  /** Consumer law of the European Union. */
  eu: euSettingsSchema.prefault({}),
  /** Reviews by buyers of what they received. */
  reviews: reviewSettingsSchema.prefault({}),
  customers: z
    .strictObject({
      /** Days that orders keep who bought when a customer is anonymised, as tax law wants it; ten years unless set. */
      retentionDays: z.number().int().min(0).max(36_500).default(3_653),
    })
    .prefault({}),
  /** IDs of enabled automatic discounts, kept here so that a checkout without any reads nothing more. */
  automaticDiscounts: z.array(z.string()).max(MAX_AUTOMATIC).default([]),
  checkoutOpen: z.boolean().default(true),
  /** The catalogue stays readable; nothing can be ordered. */
  maintenance: z.boolean().default(false),
  hiddenStats: z
    .array(z.enum(["products", "inStock", "views", "soldUnits", "completedOrders", "since"]))
    .max(6)
    .default([]),
  /** Emails when a product is back in stock, for who asked for one on its page. */
  stockRequests: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** For each unit that came back, within a day. */
      emailsPerUnit: count(100).default(2),
    })
    .prefault({}),
  /** An email to who consented and did not complete a checkout. */
  checkoutReminders: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** After the order was placed. */
      hours: count(72).default(4),
    })
    .prefault({}),
  paymentProviders: z
    .array(providerSchema)
    .max(20)
    .refine((all) => new Set(all.map(({ word }) => word)).size === all.length, "must not repeat a name")
    .default(defaultProviders),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema>;

/** Kinds of emails; each can be switched off. */
export const mailKinds = [
  "order_placed",
  "order_paid",
  "order_delivered",
  "order_shipped",
  "order_canceled",
  "order_expired",
  "order_refunded",
  "order_edited",
  "file_version",
  "restock",
  "price_drop",
  "chat_reply",
  "admin_attention",
  "new_order",
  "new_message",
  "low_stock",
  "withdrawal",
  "dispute",
] as const;
export type MailKind = (typeof mailKinds)[number];

const mailAddress = z
  .string()
  .max(254)
  .refine(isMailAddress, "must be an email address")
  .or(z.literal(""))
  .default("");

/** Recipients of the shop's own mails at most. */
const MAX_ADMINS = 10;

/** The addresses of a list that is separated by commas. */
export function toAddresses(list: string): string[] {
  return list
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
}

function areMailAddresses(list: string): boolean {
  const all = toAddresses(list);
  return all.length <= MAX_ADMINS && all.every(isMailAddress) && new Set(all).size === all.length;
}

const mailAddresses = line(2_600)
  .refine(areMailAddresses, `must be up to ${MAX_ADMINS} email addresses, separated by commas`)
  .default("");

export const smtpSettingsSchema = z.strictObject({
  enabled: z.boolean().default(false),
  /** When it was switched on last; mails much older than that are not sent. Set by the shop itself. */
  enabledAt: timeMs.default(0),
  host: line(253).default(""),
  port: z.number().int().min(1).max(65_535).default(587),
  security: z.enum(["none", "starttls", "tls"]).default("starttls"),
  username: line(254).default(""),
  /** Sealed in the store. Never shown again: answers have `passwordSet`. Left out, the stored one stays. */
  password: z.string().max(3_000).optional(),
  fromAddress: mailAddress,
  fromName: line(120).default(""),
  replyTo: mailAddress,
  /** Where the shop's own mails go, such as that a payment needs a look: one address or several, separated by commas; "" sends none. */
  adminAddress: mailAddresses,
  notify: z
    .strictObject(
      Object.fromEntries(mailKinds.map((kind) => [kind, z.boolean().default(true)])) as {
        [K in MailKind]: z.ZodDefault<z.ZodBoolean>;
      },
    )
    .prefault({}),
});
export type SmtpSettings = z.infer<typeof smtpSettingsSchema>;
