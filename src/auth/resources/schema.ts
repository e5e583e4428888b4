/** Resources that applications act at for a person (RFC 8707): those of this install, and those that administrators register. */
import { z } from "zod";
import { applicationScopes } from "../../records/rights/application-scopes.ts";
import { line, timeMs, trimmedLine } from "../../kit/text/schemas.ts";

const MAX_SCOPES = 50;
const MAX_RESOURCES = 20;

/** Scopes that belong to no resource (OpenID Connect Core 1.0 section 5.4): claims about the user. */
export const accountScopes = ["openid", "profile", "email", "groups", "offline_access"] as const;

/** Requestable scopes of the installation's own services. */
export const builtInResources: Readonly<Record<BuiltInResource, readonly string[]>> = applicationScopes;
export type BuiltInResource = keyof typeof applicationScopes;

/** Whether an identifier belongs to a service of the installation. */
export function isBuiltIn(id: string): id is BuiltInResource {
  return Object.hasOwn(builtInResources, id);
}

/** A URI without a fragment (RFC 8707 section 2). */
const identifierSchema = line(200).refine(
  (text) => /^[a-z][a-z0-9+.-]*:[\u0021-\u007e]+$/u.test(text) && URL.canParse(text) && !text.includes("#"),
  { error: "must be a URI without a fragment and spaces, such as https://api.example.org" },
);

/** A word of RFC 6749 section 3.3. */
export const scopeNameSchema = z
  .string()
  .regex(/^[!#-[\]-~]{1,60}$/u, "must be 1 to 60 characters of ASCII without spaces, quotes and backslashes");

/** Fields of a resource that an administrator sets. */
export const resourceFieldsSchema = z.strictObject({
  identifier: identifierSchema.describe(
    "Value of the parameter `resource` and of the claim `aud`. A resource server lists it in the `audiences` of its application",
  ),
  title: trimmedLine(100).describe("Display name"),
  scopes: z
    .array(z.strictObject({ name: scopeNameSchema, title: trimmedLine(200) }))
    .max(MAX_SCOPES)
    .default([])
    .describe("Scopes that applications can request, each with a title for users"),
});
export type ResourceFields = z.infer<typeof resourceFieldsSchema>;

/** Changes by an administrator; the identifier is fixed, since tokens contain it. */
export const resourceChangeSchema = z.strictObject({
  title: resourceFieldsSchema.shape.title.optional(),
  scopes: resourceFieldsSchema.shape.scopes.unwrap().optional(),
});
export type ResourceChange = z.infer<typeof resourceChangeSchema>;

export const resourceRecordSchema = z.object({
  ...resourceFieldsSchema.shape,
  id: z.string(),
  version: z.number().int(),
  createdAt: timeMs,
  editVersion: z.number().int(),
});
export type ResourceRecord = z.infer<typeof resourceRecordSchema>;

/** A resource as answers have it. */
export type ResourceView = ResourceFields &
  Pick<ResourceRecord, "id" | "version"> & {
    readonly createdAt: string;
  };

/** Requestable scopes: `id` is "auth", "shop" or "monitor", or the identifier of a registered resource. */
export const requestableSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(200),
      scopes: z.array(scopeNameSchema).max(MAX_SCOPES).default([]),
    }),
  )
  .max(MAX_RESOURCES)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, {
    error: "must not repeat a resource",
  });
export type Requestable = z.infer<typeof requestableSchema>;
