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
