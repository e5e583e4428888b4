/** The site's settings in requests and answers: times as ISO 8601, secrets only going in. */
import { z } from "@hono/zod-openapi";
import type { SitePatch, SiteView } from "../site-admin.ts";
import { announcementSchema, categorySchema, providerSchema, siteSettingsSchema } from "../site-schema.ts";
import { isoTimeSchema, toIsoTime } from "./times.ts";

const { shape } = siteSettingsSchema;
const contact = shape.contact.unwrap().shape;
const maxPending = shape.maxPending.unwrap().shape;

const shownAnnouncementSchema = announcementSchema
  .extend({
    level: z.enum(["info", "warning"]),
    startsAt: isoTimeSchema.optional(),
    endsAt: isoTimeSchema.optional(),
  })
  .nullable();

const { secret: _secret, ...providerShape } = providerSchema.shape;

const warningSchema = z.object({ code: z.string(), message: z.string() });

/** A list of what an administrator should know. */
export const warningsSchema = z.array(warningSchema);

/** The settings as an administrator sees them. */
export const adminSiteSchema = z
  .object({
    ...shape,
    announcement: shownAnnouncementSchema,
    paymentProviders: z.array(
      z.object({ ...providerShape, hasSecret: z.boolean(), webhookPath: z.string() }),
    ),
    version: z.int().openapi({ description: "0 while nobody changed anything; also the ETag" }),
    warnings: warningsSchema,
  })
  .openapi("AdminSite");

const secretSchema = z
  .string()
  .max(500)
  .regex(/^[\u0020-\u007e]*$/u, "must be visible ASCII characters: it is sent in a header")
  .optional()
  .openapi({ description: 'Left out, the stored one of this word stays; "" removes it' });

/** What a PATCH may hold. Members of objects are merged, lists replaced as a whole. */
export const sitePatchSchema = z
  .strictObject({
    name: shape.name.unwrap().optional(),
    logo: shape.logo.unwrap().optional(),
    description: shape.description.unwrap().optional(),
    currency: shape.currency.unwrap().optional(),
    languages: shape.languages.unwrap().optional(),
    timeZone: shape.timeZone.unwrap().optional(),
    contact: z
      .strictObject({
        email: contact.email.unwrap().optional(),
        phone: contact.phone.unwrap().optional(),
        url: contact.url.unwrap().optional(),
      })
      .optional(),
    announcement: z
      .strictObject({
        text: announcementSchema.shape.text.optional(),
        level: announcementSchema.shape.level.unwrap().optional(),
        startsAt: isoTimeSchema.nullable().optional(),
        endsAt: isoTimeSchema.nullable().optional(),
      })
      .nullable()
      .optional()
      .openapi({ description: "null takes it down; null for a time removes the time" }),
    categories: z.array(categorySchema).max(500).optional(),
    pages: shape.pages.unwrap().optional(),
    orderExpiryMinutes: shape.orderExpiryMinutes.unwrap().optional(),
    latePaymentHours: shape.latePaymentHours.unwrap().optional(),
    autoCompleteDays: shape.autoCompleteDays.unwrap().optional(),
    guestCheckout: shape.guestCheckout.unwrap().optional(),
    maxPending: z
      .strictObject({
        user: maxPending.user.unwrap().optional(),
        address: maxPending.address.unwrap().optional(),
        email: maxPending.email.unwrap().optional(),
      })
      .optional(),
    stockDisplay: shape.stockDisplay.unwrap().optional(),
    lowStockThreshold: shape.lowStockThreshold.unwrap().optional(),
    orderUrlTemplate: shape.orderUrlTemplate.unwrap().optional(),
    productUrlTemplate: shape.productUrlTemplate.unwrap().optional(),
    shippingFee: shape.shippingFee.unwrap().optional(),
    checkoutOpen: shape.checkoutOpen.unwrap().optional(),
    maintenance: shape.maintenance.unwrap().optional(),
    hiddenStats: shape.hiddenStats.unwrap().optional(),
    paymentProviders: z
      .array(providerSchema.extend({ secret: secretSchema }))
      .max(20)
      .optional(),
    version: z.int().min(0).optional().openapi({ description: "Of the answer that the change is made from" }),
  })
  .openapi("SitePatch");

/** The patch as the settings store it: times in milliseconds. */
export function toSitePatch(body: Omit<z.infer<typeof sitePatchSchema>, "version">): SitePatch {
  const { announcement, ...rest } = body;
  if (announcement === undefined || announcement === null)
    return { ...rest, ...(announcement === null ? { announcement } : {}) };
  const toMs = (time: string | null | undefined): number | null | undefined =>
    typeof time === "string" ? Date.parse(time) : time;
  const { startsAt, endsAt } = announcement;
  return {
    ...rest,
    announcement: { ...announcement, startsAt: toMs(startsAt), endsAt: toMs(endsAt) },
  };
}

/** The settings as an answer's body. */
export function toSiteAnswer(view: SiteView): z.infer<typeof adminSiteSchema> {
  const { announcement, paymentProviders, warnings, ...rest } = view;
  const { startsAt, endsAt, ...words } = announcement ?? { text: "", level: "info" };
  return {
    ...rest,
    announcement:
      announcement === null
        ? null
        : {
            ...words,
            ...(startsAt === undefined ? {} : { startsAt: toIsoTime(startsAt) }),
            ...(endsAt === undefined ? {} : { endsAt: toIsoTime(endsAt) }),
          },
    paymentProviders: [...paymentProviders],
    warnings: [...warnings],
  };
}
