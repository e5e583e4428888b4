/** API keys and scopes as people see them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("What the key begins with"),
  scopes: z.array(z.string()),
  networks: z.array(z.string()).describe("Empty: the key works from everywhere"),
  owner: z.string().describe("Who created it"),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema.optional().describe("Absent: until it is revoked"),
  lastUsedAt: isoTimeSchema.optional().describe("Within five minutes"),
  lastUsedFrom: z.string().optional().describe("IPv4 /24, IPv6 /48"),
});
export type ApiKeyView = z.infer<typeof apiKeySchema>;

export const createdApiKeySchema = apiKeySchema.extend({
  key: z.string().describe("Shown this once; Trivet keeps its hash alone"),
});
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

export const apiKeyListSchema = z.object({
  items: z.array(apiKeySchema),
  scopes: z.array(z.string()).describe("What keys of this service can be given"),
});
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

/** What someone at a console may do. */
export const shownScopesSchema = z
  .array(z.string())
  .optional()
  .describe("What roles allow here, such as orders:write; absent: everything");
