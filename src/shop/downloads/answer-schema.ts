/** Responses about the downloads of an order. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { fileGrantRecordSchema } from "../files/schema.ts";

export const grantView = viewOf(
  fileGrantRecordSchema,
  ["lineId", "productId", "variantId", "maxDownloads", "endOnRefund", "version"],
  ["grantedAt", "expiresAt", "endedAt"],
);
const fileSchema = z.object({
  fileId: z.string(),
  title: z.string(),
  fileName: z.string(),
  number: z.int().openapi({ description: "Number of the newest version" }),
  downloads: z.int().openapi({ description: "Number of downloads since the last reset" }),
  downloadsLeft: z.int().optional(),
  firstAt: isoTimeSchema.optional(),
  lastAt: isoTimeSchema.optional(),
});
export const lineDownloadsSchema = z
  .object({
    ...grantView.shape,
    state: z.enum(["usable", "expired", "ended"]),
    files: z.array(fileSchema),
  })
  .openapi("LineDownloads");
export const orderDownloadsSchema = z
  .object({ items: z.array(lineDownloadsSchema) })
  .openapi("OrderDownloads");
export type OrderDownloads = z.infer<typeof orderDownloadsSchema>;
