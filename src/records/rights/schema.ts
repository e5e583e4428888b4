/** API keys as they are kept. */
import { z } from "zod";
import { networkSchema } from "../../kit/outbound/networks.ts";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { defineCollection } from "../../store/store.ts";

/** Audits and lists name a key by it. */
export const keyNameSchema = trimmedLine(60);
export const keyNetworksSchema = z.array(networkSchema).max(20);

export const apiKeyRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** SHA-256 of the key, hex. */
  hash: z.string().length(64),
  name: z.string(),
  /** The name in lower case: names are unique. */
  nameKey: z.string(),
  /** The beginning of the key, to tell keys apart. */
  hint: z.string(),
  /** Those that this version does not know open nothing. */
  scopes: z.array(z.string()),
  /** Empty: from everywhere. */
  networks: z.array(z.string()).default([]),
  /** Its creator, as named in the audit. */
  owner: z.string(),
  createdAt: timeMs,
  /** Absent: it counts until it is revoked. */
  expiresAt: timeMs.optional(),
  /** Within five minutes. */
  lastUsedAt: timeMs.optional(),
  /** The network of the address that used it last: IPv4 /24, IPv6 /48. */
  lastUsedFrom: z.string().optional(),
});
export type ApiKeyRecord = z.infer<typeof apiKeyRecordSchema>;

export const apiKeys = defineCollection({
  name: "apiKeys",
  revision: 1,
  schema: apiKeyRecordSchema,
  unique: { byHash: ["hash"], byName: ["nameKey"] },
});
