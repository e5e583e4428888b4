/** What everybody may know of the site as a whole: the words of GET /api/site. */
import { z } from "zod";
import { settingsFieldsSchema } from "../base/schema.ts";

export const siteSchema = z.object({
  title: z.string(),
  theme: settingsFieldsSchema.shape.theme,
  snapshotIntervalMs: z.number().int().describe("How often the live feed sends"),
  languages: z.array(z.string()).describe("Languages that the dashboard has texts for"),
  version: z.string(),
  logo: z.string().optional().describe("Path of the owner's logo; another one after each change"),
  isPrivate: z.literal(true).optional().describe("Strangers see nothing of this site"),
});
export type Site = z.infer<typeof siteSchema>;

/** The settings that allow addresses in private networks: of checks, and of notifications. */
export const privateSettings = ["privateTargets", "privateReceivers"] as const;
export type PrivateSetting = (typeof privateSettings)[number];

/** What the history takes on disk. */
export const diskUseSchema = z.strictObject({
  servers: z.number().int().describe("Servers that the estimate is for"),
  bytesOnDisk: z.number().int().describe("What the history takes now"),
  estimatedBytes: z
    .number()
    .int()
    .describe("What it comes to once every tier is full, with as many servers as there are"),
});

/** What the environment says of the settings. */
export const settingsEnvironmentSchema = z.strictObject({
  publicUrl: z.string().optional().describe("PUBLIC_URL, which counts while `publicUrl` is empty"),
  privateReceivers: z
    .boolean()
    .describe("Whether NOTIFY_PRIVATE allows them whatever `privateReceivers` says"),
  privateTargets: z.boolean().describe("Whether CHECKS_PRIVATE allows them whatever `privateTargets` says"),
});

/** The settings as an administrator sees them. */
export const settingsViewSchema = settingsFieldsSchema.extend({
  version: z.number().int(),
  environment: settingsEnvironmentSchema,
  history: diskUseSchema,
});
export type SettingsView = z.infer<typeof settingsViewSchema>;
