/** Imports from other shops, as the store keeps them. */
import { z } from "zod";
import { encodings } from "../../kit/files/decode-text.ts";
import { timeMs, timeZone } from "../../kit/text/schemas.ts";
import { saidSchema } from "./said.ts";

/** Bytes of a file at most: 200 MB. */
export const MAX_IMPORT_BYTES = 209_715_200;
/** Bytes of an archive of pictures at most: 4 GiB. */
export const MAX_ARCHIVE_BYTES = 4_294_967_296;
/** Columns of a file. */
export const MAX_COLUMNS = 2_000;
/** Records of a file, such as products. */
export const MAX_ITEMS = 200_000;
/** Faults that are kept of a trial, and of a run. */
export const MAX_FAULTS = 1_000;

export const importKindSchema = z.enum(["products", "customers", "coupons", "keys", "giftCards", "reviews"]);
export type ImportKindName = z.infer<typeof importKindSchema>;
export const importSourceSchema = z.enum(["shopify", "woocommerce", "gumroad", "lemonsqueezy", "columns"]);
export type ImportSource = z.infer<typeof importSourceSchema>;

/**
 * "receiving": the file is being sent; "checking": the trial runs; "checked": it waits for the go-ahead; "failed": the
 * file cannot be read.
 */
export const importStateSchema = z.enum([
  "receiving",
  "checking",
  "checked",
  "failed",
  "running",
  "stopped",
  "done",
  "undoing",
  "undone",
]);
export type ImportState = z.infer<typeof importStateSchema>;

const count = z.number().int().min(0);

export const importCountsSchema = z.object({
  /** Rows of the file. */
  rows: count,
  items: count,
  created: count,
  changed: count,
  /** Products that exist and were to be left alone. */
  skipped: count,
  failed: count,
  /** Stored records of which something could not be carried over. */
  noted: count.default(0),
  pictures: count,
  picturesDone: count,
  picturesFailed: count,
});
export type ImportCounts = z.infer<typeof importCountsSchema>;
export const noCounts: ImportCounts = {
  rows: 0,
  items: 0,
  created: 0,
  changed: 0,
  skipped: 0,
  failed: 0,
  noted: 0,
  pictures: 0,
  picturesDone: 0,
  picturesFailed: 0,
};

export const importOptionsSchema = z.object({
  /** Fields by the header of their column; for columns that differ from what was recognized. "" ignores a column. */
  mapping: z.record(z.string().max(200), z.string().max(40)),
  /** The mark before decimals, where prices such as "1,234" can be read in two ways. */
  decimalMark: z.enum([".", ","]).optional(),
  /** The order of dates such as 01/02/2026, where they can be read in two ways. */
  dateOrder: z.enum(["dmy", "mdy"]).optional(),
  /** Of dates without one; absent: the shop's. */
  timeZone: timeZone.optional(),
  encoding: z.enum(encodings).optional(),
  /** Of new products; "file": as the file says. */
  status: z.enum(["file", "draft"]),
  createCategories: z.boolean(),
  updateExisting: z.boolean(),
  redirects: z.boolean(),
});
export type ImportOptions = z.infer<typeof importOptionsSchema>;
export const defaultOptions: ImportOptions = {
  mapping: {},
  status: "file",
  createCategories: true,
  updateExisting: true,
  redirects: true,
};

const columnSchema = z.object({
  header: z.string(),
  /** The recognized or chosen field; absent: the column is ignored. */
  field: z.string().optional(),
  /** The first value of the column. */
  example: z.string(),
});

/** What a trial or a run says of one record of the file. */
const previewSchema = z.object({
  line: z.number().int(),
  title: z.string(),
  price: z.string(),
  /** Of records that are no products: the discount of a coupon, the name of a customer. */
  detail: z.string().optional(),
  variants: count,
  pictures: count,
  outcome: z.enum(["create", "change", "skip"]),
});
export type ImportPreview = z.infer<typeof previewSchema>;

export const importRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  kind: importKindSchema,
  state: importStateSchema,
  /** Set by the trial. */
  source: importSourceSchema.optional(),
  fileName: z.string(),
  /** The contents among the stored files. */
  storedId: z.string(),
  sizeBytes: z.number().int(),
  archiveName: z.string().optional(),
  archiveId: z.string().optional(),
  archiveBytes: z.number().int().optional(),
  /** Whether the pictures of the archive were kept. */
  archiveRead: z.boolean().optional(),
  options: importOptionsSchema,
  encoding: z.enum(encodings).optional(),
  separator: z.enum([",", ";", "\t", "|"]).optional(),
  sample: z.string().optional(),
  columns: z.array(columnSchema),
  preview: z.array(previewSchema),
  /** Results of the trial. */
  trial: importCountsSchema,
  /** Results of the run. */
  counts: importCountsSchema,
  /** Records of the file that the run is done with. */
  cursor: count,
  /** Whether the run read all of the file. */
  itemsDone: z.boolean().optional(),
  /** Records that were undone, and those that stayed. */
  undone: count,
  kept: count,
  categoryIds: z.array(z.string()),
  failure: z.string().optional(),
  failureText: saidSchema.optional(),
  /** The process that works on it, while the lease lasts. */
  worker: z.string().optional(),
  leaseUntil: timeMs.optional(),
  startedBy: z.string(),
  createdAt: timeMs,
  startedAt: timeMs.optional(),
  endedAt: timeMs.optional(),
});
export type ImportRecord = z.infer<typeof importRecordSchema>;

/** A record that an import created or changed: "<import>:<number in seven digits>". */
export const importItemRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  importId: z.string(),
  line: z.number().int(),
  outcome: z.enum(["created", "changed"]),
  targetId: z.string(),
  title: z.string(),
  /** For "changed": the record before, as JSON. */
  before: z.string().optional(),
  /** The version that the import left. */
  afterVersion: z.number().int(),
  /** "yes" until it is undone. */
  open: z.literal("yes").optional(),
  undo: z.enum(["removed", "restored", "archived", "kept"]).optional(),
  reason: z.string().optional(),
  reasonText: saidSchema.optional(),
  /** The shop that it came from with its ID there, such as "woocommerce:44". */
  foreign: z.string().optional(),
});
export type ImportItemRecord = z.infer<typeof importItemRecordSchema>;

/** A picture of a product: "<item>:<number in three digits>". */
export const importPictureRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  importId: z.string(),
  itemId: z.string(),
  state: z.enum(["waiting", "done", "failed"]),
  /** An http address, or the name of a file in the archive. */
  source: z.string(),
  alt: z.string(),
  line: z.number().int(),
  productId: z.string(),
  variantIds: z.array(z.string()),
  tries: count,
  nextTryAt: timeMs,
  hash: z.string().optional(),
  reason: z.string().optional(),
  reasonText: saidSchema.optional(),
});
export type ImportPictureRecord = z.infer<typeof importPictureRecordSchema>;

/** A picture of the archive that was kept: "<import>:<name of the file in lower case>". */
export const importFileRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  importId: z.string(),
  image: z.string(),
});

/** Something that is wrong with a line: "<import>:<phase>:<number in six digits>". */
export const importFaultRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  importId: z.string(),
  phase: z.enum(["trial", "run"]),
  line: z.number().int(),
  column: z.string().optional(),
  code: z.string(),
  message: z.string(),
  /** The message for the languages of the console. */
  text: saidSchema.optional(),
  /** "note": the record was stored without what the message names. */
  level: z.enum(["error", "note"]).default("error"),
  title: z.string().optional(),
});
export type ImportFaultRecord = z.infer<typeof importFaultRecordSchema>;
