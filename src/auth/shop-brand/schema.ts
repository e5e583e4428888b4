/** The brand of the install's shop as the auth center keeps it. */
import { z } from "zod";
import { accentSchema, logoSchema } from "../../kit/brand/schema.ts";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";

/** What the shop publishes at GET /api/site/brand; further members are ignored. */
export const publishedBrandSchema = z.object({
  name: z.string().max(200),
  logo: z.string().max(90_000),
  color: z.string().regex(/^(?:#[\da-f]{6})?$/iu),
  accent: z.object({
    light: z.string().regex(/^(?:#[\da-f]{6})?$/iu),
    dark: z.string().regex(/^(?:#[\da-f]{6})?$/iu),
  }),
});
export type PublishedBrand = z.infer<typeof publishedBrandSchema>;

/** The last one that the shop published, whether or not it answers now. */
export const shopBrandRecordSchema = z.object({
  id: z.literal("shop"),
  version: z.number().int(),
  name: trimmedLine(60),
  logo: logoSchema,
  accent: accentSchema,
  takenAt: timeMs,
});
export type ShopBrandRecord = z.infer<typeof shopBrandRecordSchema>;
