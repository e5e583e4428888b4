/** API keys and scopes as people see them. */
import { z } from "zod";
import { consoleAddressSchema } from "../../kit/outbound/consoles.ts";
import { isoTimeMs, isoTimeSchema } from "../../kit/text/iso-time.ts";
import { keyNameSchema, keyNetworksSchema } from "./schema.ts";

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("First characters of the key"),
  scopes: z.array(z.string()),
  networks: z
    .array(z.string())
    .describe("IP addresses and CIDR ranges that the key can be used from; empty: any"),
  owner: z.string().describe("Who created the key"),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema.optional().describe("Expiry time. Absent: the key is valid until revoked"),
  lastUsedAt: isoTimeSchema.optional().describe("Time of the last use, accurate to five minutes"),
  lastUsedFrom: z.string().optional().describe("IPv4 /24, IPv6 /48"),
});
export type ApiKeyView = z.infer<typeof apiKeySchema>;

export const createdApiKeySchema = apiKeySchema.extend({
  key: z.string().describe("Shown only in this response; Trivet stores only a hash"),
});
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

export const apiKeyListSchema = z.object({
  items: z.array(apiKeySchema),
  scopes: z.array(z.string()).describe("Scopes that keys of this service can have"),
});
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

/** The rights of someone at a console. */
export const shownScopesSchema = z
  .array(z.string())
  .optional()
  .describe("Scopes of the user's roles for this service, such as orders:write; absent: all");

/** The signed-in user of a console. */
export const sessionInfoSchema = z.object({
  name: z.string(),
  expiresAt: isoTimeSchema.optional(),
  scopes: shownScopesSchema,
  consoles: z.array(consoleAddressSchema).describe("All consoles of this install, including this one"),
});
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

export const describedNetworksSchema = keyNetworksSchema.describe(
  "IP addresses or CIDR ranges that the key can be used from; empty: any",
);
/** Body that changes a key. */
export const apiKeyChangeSchema = z.strictObject({
  name: keyNameSchema.optional(),
  networks: describedNetworksSchema.optional(),
  expiresAt: isoTimeMs.nullable().optional().describe("Expiry time. null: the key is valid until revoked"),
});
