/** Files that a product sells, and their versions. */
import { z } from "zod";
import { trimmedLine, timeMs, line } from "../../kit/text/schemas.ts";
import { MAX_VARIANTS } from "./schema.ts";

export const MAX_FILE_VERSIONS = 50;

/** A name without a folder: it is only ever told to a browser, and some of those are credulous. */
export const fileNameSchema = trimmedLine(255)
  .refine((name) => !/[\\/]/u.test(name), "must be a file name without a folder")
  .refine((name) => name !== "." && name !== "..", "must be a name");

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/u, "must be a SHA-256 in hex");

export const fileVersionSchema = z.object({
  /** Grows by one. */
  number: z.number().int().min(1),
  storedId: z.string(),
  fileName: fileNameSchema,
  /** For people, such as "2.1"; may be empty. */
  label: line(60),
  sizeBytes: z.number().int(),
  sha256: sha256Schema,
  createdAt: timeMs,
});

export const productFileRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  title: trimmedLine(200),
  /** Only for buyers of these; absent: of any. */
  variantIds: z.array(z.string()).max(MAX_VARIANTS).optional(),
  position: z.number().int(),
  /** The newest last: that is the one buyers get. */
  versions: z.array(fileVersionSchema).min(1).max(MAX_FILE_VERSIONS),
  createdAt: timeMs,
  /** Removed from the product: earlier buyers still get it. */
  retiredAt: timeMs.optional(),
});

export type ProductFileRecord = z.infer<typeof productFileRecordSchema>;
