/** Responses about files as products, and about uploads. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { fileVersionSchema, productFileRecordSchema } from "../products/file-schema.ts";
import { downloadTermsRecordSchema, storedFileRecordSchema } from "./schema.ts";

export const uploadView = viewOf(storedFileRecordSchema, [
  "id",
  "productId",
  "fileName",
  "sizeBytes",
  "sha256",
]);
export const uploadSchema = z
  .object({
    ...uploadView.shape,
    receivedBytes: z.int().openapi({ description: "Offset of the next part" }),
    partBytes: z
      .int()
      .openapi({ description: "Minimum size of a part in bytes; parts are stored in multiples of it" }),
    expiresAt: isoTimeSchema.optional().openapi({ description: "Expiry of the upload" }),
  })
  .openapi("Upload");
export type UploadView = z.infer<typeof uploadSchema>;

export const versionView = viewOf(
  fileVersionSchema,
  ["number", "fileName", "label", "sizeBytes", "sha256"],
  ["createdAt"],
);
export const fileView = viewOf(
  productFileRecordSchema,
  ["id", "productId", "title", "variantIds", "version"],
  ["createdAt", "retiredAt"],
);
export const productFileSchema = z
  .object({
    ...fileView.shape,
    retiredAt: fileView.shape.retiredAt.describe("Time since which only previous buyers get the file"),
    versions: z
      .array(z.object(versionView.shape))
      .describe("All versions, newest last. Buyers get the newest one"),
  })
  .openapi("ProductFile");
export type ProductFileView = z.infer<typeof productFileSchema>;

const { maxDownloads, expiryDays } = downloadTermsRecordSchema.shape;
/** Terms as they are set: a bound that is left out is none. */
export const termsSchema = z
  .strictObject({
    maxDownloads: maxDownloads.describe("Download limit per file and purchased unit; absent: no limit"),
    expiryDays: expiryDays.describe("Download period in days after the purchase; absent: unlimited"),
    endOnRefund: z
      .boolean()
      .default(true)
      .openapi({ description: "Whether the download right ends after a full refund" }),
  })
  .openapi("DownloadTerms");

export const productFilesSchema = z
  .object({ items: z.array(productFileSchema), terms: termsSchema })
  .openapi("ProductFiles");
export type ProductFiles = z.infer<typeof productFilesSchema>;

export const removedFileSchema = z
  .object({
    kept: z.boolean().openapi({ description: "Whether the file is kept for previous buyers" }),
  })
  .openapi("RemovedFile");
export type RemovedFile = z.infer<typeof removedFileSchema>;
