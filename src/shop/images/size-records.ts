/** Smaller pictures as the store knows them. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { defineCollection } from "../../store/store.ts";

/** The id is "<hash of the original>-<width>-<kind>". */
export const imageSizeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Where its bytes lie: their SHA-256, hex. */
  hash: z.string(),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
  bytes: z.number().int().min(0),
  /** Last use, to a day. */
  usedAt: timeMs,
});
export type ImageSizeRecord = z.infer<typeof imageSizeRecordSchema>;

export const imageSizes = defineCollection({
  name: "imageSizes",
  revision: 1,
  schema: imageSizeRecordSchema,
  ordered: { byUsed: ["usedAt"], byHash: ["hash"] },
});
