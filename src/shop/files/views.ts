/** Files as goods in requests and answers of administrators. */
import { z } from "@hono/zod-openapi";
import { line, trimmedLine } from "../../kit/text/schemas.ts";
import { toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { type ProductFileView, type UploadView, fileView, uploadView, versionView } from "./answer-schema.ts";
import { CHUNK_BYTES } from "./chunks.ts";
import type { DownloadTerms, StoredFileRecord } from "./schema.ts";
import { type ProductFileRecord, fileNameSchema, sha256Schema } from "../products/file-schema.ts";
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

export const exampleUpload: UploadView = {
  id: exampleUploadId,
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  ...exampleNewUpload,
  receivedBytes: 1_048_576,
  partBytes: CHUNK_BYTES,
  expiresAt: exampleTime,
};

/** An upload that waits for more of it, or for a version that names it. */
export function toUploadView(stored: StoredFileRecord): UploadView {
  return {
    ...uploadView.show(stored),
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

export const exampleFile: ProductFileView = {
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
export function toProductFileView(record: ProductFileRecord): ProductFileView {
  return { ...fileView.show(record), versions: record.versions.map((each) => versionView.show(each)) };
}

export const exampleTerms: DownloadTerms = { maxDownloads: 5, expiryDays: 365, endOnRefund: true };

/** The version of a file in an entity tag. */
export function toFileTag({ version: number }: ProductFileRecord): string {
  return `"${number}"`;
}
