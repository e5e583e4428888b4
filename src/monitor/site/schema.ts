/** Public data of the site as a whole: the schema of GET /api/site. */
import { z } from "zod";
import { settingsFieldsSchema } from "../base/schema.ts";

export const siteSchema = z.object({
  title: z.string(),
  theme: settingsFieldsSchema.shape.theme,
  snapshotIntervalMs: z.number().int().describe("Interval of the live feed in milliseconds"),
  languages: z.array(z.string()).describe("Languages of the dashboard"),
  version: z.string(),
  logo: z.string().optional().describe("Path of the logo, which changes with every upload"),
  isPrivate: z.literal(true).optional().describe("Present if the site is visible only to signed-in users"),
});
export type Site = z.infer<typeof siteSchema>;

/** The settings that allow addresses in private networks: of checks, and of notifications. */
export const privateSettings = ["privateTargets", "privateReceivers"] as const;
export type PrivateSetting = (typeof privateSettings)[number];

/** What must be set before the monitor does what it rejected; results and problem documents name it as `setting`. */
export const remedySettings = [...privateSettings, "publicUrl", "mailServer", "statusPage"] as const;
export type RemedySetting = (typeof remedySettings)[number];

/** Disk usage of the history. */
export const diskUseSchema = z.strictObject({
  servers: z.number().int().describe("Number of servers in the estimate"),
  bytesOnDisk: z.number().int().describe("Current size of the history in bytes"),
  estimatedBytes: z
    .number()
    .int()
    .describe("Estimated size in bytes when all tiers are full, with the current number of servers"),
});

/** Settings from the environment. */
export const settingsEnvironmentSchema = z.strictObject({
  publicUrl: z.string().optional().describe("PUBLIC_URL, which is used while `publicUrl` is empty"),
  privateReceivers: z
    .boolean()
    .describe("Whether NOTIFY_PRIVATE allows private receivers regardless of `privateReceivers`"),
  privateTargets: z
    .boolean()
    .describe("Whether CHECKS_PRIVATE allows private targets regardless of `privateTargets`"),
});

/** The settings as an administrator sees them. */
export const settingsViewSchema = settingsFieldsSchema.extend({
  version: z.number().int(),
  environment: settingsEnvironmentSchema,
  history: diskUseSchema,
});
export type SettingsView = z.infer<typeof settingsViewSchema>;
