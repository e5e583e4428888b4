import { defineCollection } from "../../store/store.ts";
import {
  storedFileRecordSchema,
  filePartRecordSchema,
  downloadTermsRecordSchema,
  fileGrantRecordSchema,
  fileNoticeRecordSchema,
} from "./schema.ts";

/** The contents of files; their chunks are blobs. */
export const storedFiles = defineCollection({
  name: "storedFiles",
  revision: 1,
  schema: storedFileRecordSchema,
  ordered: { byProduct: ["productId", "state"], bySweep: ["sweepAt"] },
});

export const fileParts = defineCollection({ name: "fileParts", revision: 1, schema: filePartRecordSchema });

export const downloadTerms = defineCollection({
  name: "downloadTerms",
  revision: 1,
  schema: downloadTermsRecordSchema,
});

export const fileGrants = defineCollection({
  name: "fileGrants",
  revision: 1,
  schema: fileGrantRecordSchema,
  ordered: { byOrder: ["orderId"], byBuyer: ["productId", "emailLower"] },
});

export const fileNotices = defineCollection({
  name: "fileNotices",
  revision: 1,
  schema: fileNoticeRecordSchema,
});
