/** Files as goods. Records as the store keeps them. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { fileNameSchema, type fileVersionSchema, sha256Schema } from "../products/file-schema.ts";

/** Files of one product, and versions of one file. */
export const MAX_FILES = 100;

/**
 * The content of a file, in chunks of 1 MiB that lie beside the pictures. "sending": parts still come, or no version
 * names it yet; "named": a version does; "leaving": its chunks are being removed.
 */
export const storedFileRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  fileName: fileNameSchema,
  sizeBytes: z.number().int().min(1),
  /** Chunks that are durable, from the first on. */
  keptChunks: z.number().int().min(0),
  /** The current writer: of two, the later one goes on. */
  writer: z.string().optional(),
  /** The sender's SHA-256, to compare. */
  expectedSha256: sha256Schema.optional(),
  /** Of the whole; present once all is there. */
  sha256: sha256Schema.optional(),
  state: z.enum(["sending", "named", "leaving"]),
  createdAt: timeMs,
  /** From when on it goes; absent while a version names it. */
  sweepAt: timeMs.optional(),
});
export type StoredFileRecord = z.infer<typeof storedFileRecordSchema>;

/** Up to 64 chunks of a content: "<id of the content>:<number in six digits>". */
export const filePartRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  storedId: z.string(),
  /** Names of the blobs. The last one may be on its way: a name is written before its bytes. */
  chunks: z.array(z.string()).max(64),
});
export type FileVersion = z.infer<typeof fileVersionSchema>;

/** How buyers of a product may download; the id is the product's. */
export const downloadTermsRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Of each file, for each unit bought; absent: as often as they like. */
  maxDownloads: z.number().int().min(1).max(10_000).optional(),
  /** Days after the purchase; absent: for ever. */
  expiryDays: z.number().int().min(1).max(3_650).optional(),
  /** Whether the right ends when all money was given or taken back. */
  endOnRefund: z.boolean().default(true),
});
export type DownloadTerms = Omit<z.infer<typeof downloadTermsRecordSchema>, "id" | "version">;

const usedLinkSchema = z.object({
  id: z.string(),
  until: timeMs,
  /** Keyed hash of the network that counted it; absent in records of earlier releases. */
  network: z.string().optional(),
});

/** Downloads of one file by one purchase. */
const usedFileSchema = z.object({
  fileId: z.string(),
  /** Since it was reset last. */
  count: z.number().int().min(0),
  firstAt: timeMs,
  lastAt: timeMs,
  /** Links that were counted and still go on answering. */
  links: z.array(usedLinkSchema),
});

/** The right of one order line to the files of its product, on the terms of that day: "<order>:<line>". */
export const fileGrantRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  orderId: z.string(),
  lineId: z.string(),
  productId: z.string(),
  variantId: z.string().optional(),
  emailLower: z.string(),
  grantedAt: timeMs,
  /** Of each file. */
  maxDownloads: z.number().int().min(1).optional(),
  expiresAt: timeMs.optional(),
  endOnRefund: z.boolean(),
  /** When an administrator ended it. */
  endedAt: timeMs.optional(),
  used: z.array(usedFileSchema),
});
export type FileGrantRecord = z.infer<typeof fileGrantRecordSchema>;

/** Mails about a new version that are still to be written: "<file>:<number>". */
export const fileNoticeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  fileId: z.string(),
  number: z.number().int(),
  /** Where the list of buyers goes on. */
  cursor: z.string().optional(),
  /** Who was emailed last: the list is ordered by address, so that each buyer is emailed once. */
  lastEmail: z.string().optional(),
  createdAt: timeMs,
});
export type FileNoticeRecord = z.infer<typeof fileNoticeRecordSchema>;
