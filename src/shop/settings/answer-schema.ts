/** Requests and responses about the site's settings: times as ISO 8601, secrets only in requests. */
import { z } from "@hono/zod-openapi";
import {
  announcementSchema,
  categorySchema,
  providerSchema,
  siteSettingsSchema,
  smtpSettingsSchema,
  templatePlaceholders,
} from "../site/schema.ts";
import { mailSources } from "./smtp-admin.ts";
import { listKinds } from "../payments/providers/kinds.ts";
import { pageSchema } from "../legal/schema.ts";
import { pageSchema as pageOf } from "../../kit/http/paging.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";

/** An address that names in braces are filled into, with those names. */
function describeTemplate<T extends z.ZodType>(schema: T, names: readonly string[]): T {
  const list = names.map((name) => `{${name}}`).join(", ");
  return schema.describe(`A URL. You can use ${list}; other names in braces are rejected`);
}

const { automaticDiscounts: _discounts, ...shape } = siteSettingsSchema.shape;
const describedTemplates = {
  orderUrlTemplate: describeTemplate(shape.orderUrlTemplate, templatePlaceholders.orderUrlTemplate),
  productUrlTemplate: describeTemplate(shape.productUrlTemplate, templatePlaceholders.productUrlTemplate),
};

const { pageVersion, ...pageShape } = pageSchema.shape;
export const shownPageSchema = z
  .strictObject({ ...pageShape, pageVersion, changedAt: isoTimeSchema.optional() })
  .openapi({
    description: "pageVersion and changedAt are read-only and ignored in requests",
  });

const shownAnnouncementSchema = announcementSchema
  .extend({
    level: z.enum(["info", "warning"]),
    startsAt: isoTimeSchema.optional(),
    endsAt: isoTimeSchema.optional(),
  })
  .nullable();

const { secret: _secret, sealedCredentials: _sealed, ...providerShape } = providerSchema.shape;
const kindNames = listKinds().map(([name]) => name);
const kindSchema = z.enum(kindNames);
const optionsSchema = z.record(z.string(), z.unknown());

/** A payment provider as an administrator sees it. */
export const adminProviderSchema = z
  .object({
    ...providerShape,
    payUrlTemplate: describeTemplate(providerShape.payUrlTemplate, templatePlaceholders.payUrlTemplate),
    kind: kindSchema,
    options: optionsSchema,
    credentialsSet: z
      .array(z.string())
      .openapi({ description: "Names of the stored credentials. Their values are never shown" }),
    secretSet: z.boolean(),
    webhookPath: z.string(),
  })
  .openapi("AdminProvider");

/** The same with the version of the settings that it is part of. */
export const storedProviderSchema = adminProviderSchema
  .extend({ version: z.int().openapi({ description: "Of the site's settings; also the ETag" }) })
  .openapi("StoredProvider");
export type ProviderView = z.infer<typeof storedProviderSchema>;

export const providerListSchema = pageOf(storedProviderSchema).openapi("ProviderList");

/** The same as the answer about one provider has it. */
export const adminProviderDetailsSchema = storedProviderSchema
  .extend({
    waitingOrders: z.int().min(0).openapi({
      description:
        "Orders that are waiting for this payment; without the provider they need another payment method",
    }),
  })
  .openapi("AdminProviderDetails");
export type ProviderDetails = z.infer<typeof adminProviderDetailsSchema>;

const warningSchema = z.object({ code: z.string(), message: z.string() });

/** A list of what an administrator should know. */
export const warningsSchema = z.array(warningSchema);

/** The settings as an administrator sees them. */
export const adminSiteSchema = z
  .object({
    ...shape,
    announcement: shownAnnouncementSchema,
    ...describedTemplates,
    pages: z.array(shownPageSchema),
    paymentProviders: z.array(adminProviderSchema),
    version: z.int().openapi({ description: "Version, 0 before the first change; also the ETag" }),
    warnings: warningsSchema,
  })
  .openapi("AdminSite");
export type AdminSite = z.infer<typeof adminSiteSchema>;

const secretSchema = z
  .string()
  .max(500)
  .regex(/^[\u0020-\u007e]*$/u, "must be printable ASCII characters, because it is sent in a header")
  .optional()
  .openapi({
    description:
      '"whsec_" followed by 24 to 64 bytes in base64, or any other text of at least 24 characters. If omitted, the stored secret is kept; "" removes it',
  });

const providerFields = {
  title: providerShape.title.optional(),
  enabled: providerShape.enabled.unwrap().optional(),
  kind: kindSchema.optional().openapi({
    description:
      "Provider type. Default: generic (any service that sends notifications in the shop's format). Cannot be changed later",
  }),
  options: optionsSchema.optional().openapi({
    description:
      "Settings of the provider type, see /api/admin/site/provider-kinds. If omitted, the stored settings are kept",
  }),
  credentials: z
    .record(z.string().max(60), z.string().max(8_000))
    .optional()
    .openapi({ description: 'Secrets by name: those that are left out stay, "" removes one' }),
  secret: secretSchema,
  requireWebhookSecret: providerShape.requireWebhookSecret.unwrap().optional(),
  payUrlTemplate: describeTemplate(
    providerShape.payUrlTemplate.unwrap().optional(),
    templatePlaceholders.payUrlTemplate,
  ),
  instructions: providerShape.instructions.unwrap().optional(),
  translations: providerShape.translations.describe(
    "Title and instructions in additional languages of the site",
  ),
  expiryMinutes: providerShape.expiryMinutes.unwrap().nullable().optional().openapi({
    description: "Payment window in minutes; null: orderExpiryMinutes of the site",
  }),
};

/** A provider in a request; omitted members get their default, and in a PATCH are unchanged. */
export const providerFieldsSchema = z.strictObject(providerFields).openapi("ProviderFields");

/** The same with what a new one must have. */
export const namedProviderSchema = z.strictObject({
  ...providerFields,
  word: providerShape.word,
  title: providerShape.title,
});

/** The body of a PATCH. Members of objects are merged, lists replaced as a whole. */
export const sitePatchSchema = toPatchSchema(
  siteSettingsSchema.omit({ automaticDiscounts: true }).extend(describedTemplates),
)
  .extend({
    announcement: z
      .strictObject({
        text: announcementSchema.shape.text.optional(),
        translations: announcementSchema.shape.translations,
        level: announcementSchema.shape.level.unwrap().optional(),
        startsAt: isoTimeSchema.nullable().optional(),
        endsAt: isoTimeSchema.nullable().optional(),
      })
      .nullable()
      .optional()
      .openapi({ description: "null removes the announcement; null for a time removes the time" }),
    pages: z.array(shownPageSchema).max(50).optional(),
    categories: z.array(categorySchema).max(500).optional(),
    paymentProviders: z.array(namedProviderSchema).max(20).optional().openapi({
      description:
        "Replaces the list; secrets that are left out stay by their word, and a list that leaves out a provider with a secret is rejected. For one provider: /api/admin/site/providers/{word}",
    }),
    version: z.int().min(0).optional().openapi({ description: "Version that the change is based on" }),
  })
  .openapi("SitePatch");

/** First drafts of legal pages. */
export const pageDraftsSchema = z
  .object({ items: z.array(z.object({ slug: z.string(), title: z.string(), body: z.string() })) })
  .openapi("PageDrafts");
export type PageDrafts = z.infer<typeof pageDraftsSchema>;

const { password: _password, enabledAt: _enabledAt, ...shown } = smtpSettingsSchema.shape;

/** How emails leave. */
export const smtpViewSchema = z
  .object({
    ...shown,
    passwordSet: z.boolean(),
    source: z.enum(mailSources).openapi({
      description: "Which mail server is used: the one in the settings if enabled, otherwise SMTP_URL",
    }),
    enabledAt: isoTimeSchema
      .optional()
      .openapi({ description: "Time when the mail server was last enabled" }),
    version: z.int(),
  })
  .openapi("SmtpSettings");
export type SmtpAnswer = z.infer<typeof smtpViewSchema>;
