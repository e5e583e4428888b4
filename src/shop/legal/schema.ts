/** Pages such as terms and imprint, as the settings keep them. */
import { z } from "zod";
import { languageTag, slug, text, timeMs, trimmedLine } from "../../kit/text/schemas.ts";

/** Markdown. */
const body = text(100_000);

const MAX_TRANSLATIONS = 20;

export const pageSchema = z.strictObject({
  slug,
  title: trimmedLine(200),
  body,
  /** By language, beside the first of the site's languages. */
  translations: z
    .record(languageTag, z.strictObject({ title: trimmedLine(200), body }))
    .refine(
      (all) => Object.keys(all).length <= MAX_TRANSLATIONS,
      `must have at most ${MAX_TRANSLATIONS} languages`,
    )
    .optional(),
  /** Counts the changes of its words, from 1 on; set by the shop. */
  pageVersion: z.number().int().min(1).optional(),
  /** When its words were changed last; set by the shop. */
  changedAt: timeMs.optional(),
});
export type Page = z.infer<typeof pageSchema>;

/** Words of a page as they were once; kept as long as an order may name them. */
export const pageVersionRecordSchema = z.object({
  /** "terms 3": slug and version. */
  id: z.string(),
  version: z.number().int(),
  slug: z.string(),
  pageVersion: z.number().int(),
  at: timeMs,
  title: z.string(),
  body: z.string(),
  translations: pageSchema.shape.translations,
});
export type PageVersion = z.infer<typeof pageVersionRecordSchema>;
