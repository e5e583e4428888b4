/** Files as goods in requests and answers of administrators. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import { line, trimmedLine } from "../../kit/text/schemas.ts";
import { isoTimeSchema, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { CHUNK_BYTES } from "./chunks.ts";
import {
  type DownloadTerms,
  type StoredFileRecord,
  downloadTermsRecordSchema,
  storedFileRecordSchema,
} from "./schema.ts";
import {
  fileNameSchema,
  sha256Schema,
  fileVersionSchema,
  type ProductFileRecord,
  productFileRecordSchema,
} from "../products/file-schema.ts";
import { toReceivedBytes } from "./upload-parts.ts";

const MAX_BYTES = 17_179_869_184;
const exampleTime = "2026-01-31T12:00:00.000+00:00";
const exampleSha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const exampleUploadId = "upl_01jd5v6m0c8f3k2n7q4x9y1z5a";

export const newUploadSchema = z
  .strictObject({
    fileName: fileNameSchema,
    sizeBytes: z.number().int().min(1).max(MAX_BYTES),
    sha256: sha256Schema.optional().describe("SHA-256 that the received bytes are compared with"),
  })
  .openapi("NewUpload");
export const exampleNewUpload = { fileName: "guide.pdf", sizeBytes: 5_242_880 };

const upload = viewOf(storedFileRecordSchema, ["id", "productId", "fileName", "sizeBytes", "sha256"]);
export const uploadSchema = z
  .object({
    ...upload.shape,
    receivedBytes: z.int().openapi({ description: "Offset of the next part" }),
    partBytes: z
      .int()
      .openapi({ description: "Minimum size of a part in bytes; parts are stored in multiples of it" }),
    expiresAt: isoTimeSchema.optional().openapi({ description: "Expiry of the upload" }),
  })
  .openapi("Upload");
export const exampleUpload: z.infer<typeof uploadSchema> = {
  id: exampleUploadId,
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  ...exampleNewUpload,
  receivedBytes: 1_048_576,
  partBytes: CHUNK_BYTES,
  expiresAt: exampleTime,
};

/** An upload that waits for more of it, or for a version that names it. */
export function toUploadView(stored: StoredFileRecord): z.infer<typeof uploadSchema> {
  return {
    ...upload.show(stored),
    receivedBytes: toReceivedBytes(stored),
    partBytes: CHUNK_BYTES,
    expiresAt: toIsoTimeIfAny(stored.sweepAt),
  };
}

const variantIdsSchema = z.array(z.string().min(1).max(100)).max(50);
const labelSchema = line(60).trim().default("").describe('Display label, such as "2.1"');

export const newFileSchema = z
  .strictObject({
    uploadId: z.string().min(1).max(100),
    title: trimmedLine(200).optional().describe("Display title. Default: the file name"),
    label: labelSchema,
    variantIds: variantIdsSchema
      .optional()
      .openapi({ description: "IDs of the variants that include the file" }),
  })
  .openapi("NewProductFile");
export const exampleNewFile = { uploadId: exampleUploadId, title: "The guide", label: "1.0" };

export const newVersionSchema = z
  .strictObject({
    uploadId: z.string().min(1).max(100),
    label: labelSchema,
    notify: z
      .boolean()
      .default(false)
      .openapi({ description: "Whether to notify every entitled buyer once by email" }),
  })
  .openapi("NewFileVersion");

export const fileChangeSchema = z
  .strictObject({
    title: trimmedLine(200).optional(),
    variantIds: variantIdsSchema
      .nullable()
      .optional()
      .openapi({ description: "IDs of the variants that include the file; null: all variants" }),
    version: z.int().min(1).optional().openapi({ description: "Version that the change is based on" }),
  })
  .openapi("ProductFileChange");

const version = viewOf(
  fileVersionSchema,
  ["number", "fileName", "label", "sizeBytes", "sha256"],
  ["createdAt"],
);
const file = viewOf(
  productFileRecordSchema,
  ["id", "productId", "title", "variantIds", "version"],
  ["createdAt", "retiredAt"],
);
export const productFileSchema = z
  .object({
    ...file.shape,
    retiredAt: file.shape.retiredAt.describe("Time since which only previous buyers get the file"),
    versions: z
      .array(z.object(version.shape))
      .describe("All versions, newest last. Buyers get the newest one"),
  })
  .openapi("ProductFile");
export const exampleFile: z.infer<typeof productFileSchema> = {
  id: "fil_01jd5v6m0c8f3k2n7q4x9y1z5a",
  productId: exampleUpload.productId,
  title: "The guide",
  version: 1,
  createdAt: exampleTime,
  versions: [
    {
      number: 1,
      fileName: "guide.pdf",
      label: "1.0",
      sizeBytes: 5_242_880,
      sha256: exampleSha256,
      createdAt: exampleTime,
    },
  ],
};

/** A file of a product with its versions. */
export function toProductFileView(record: ProductFileRecord): z.infer<typeof productFileSchema> {
  return { ...file.show(record), versions: record.versions.map((each) => version.show(each)) };
}

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
export const exampleTerms: DownloadTerms = { maxDownloads: 5, expiryDays: 365, endOnRefund: true };

export const productFilesSchema = z
  .object({ items: z.array(productFileSchema), terms: termsSchema })
  .openapi("ProductFiles");

/** The version of a file in an entity tag. */
export function toFileTag({ version: number }: ProductFileRecord): string {
  return `"${number}"`;
}
