/** Imports in answers. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import {
  importFaultRecordSchema,
  importItemRecordSchema,
  importPictureRecordSchema,
  importRecordSchema,
} from "./schema.ts";

export const importView = viewOf(
  importRecordSchema,
  [
    "id",
    "kind",
    "state",
    "source",
    "fileName",
    "sizeBytes",
    "archiveName",
    "archiveBytes",
    "options",
    "encoding",
    "separator",
    "sample",
    "columns",
    "preview",
    "trial",
    "counts",
    "undone",
    "kept",
    "failure",
    "failureText",
    "startedBy",
  ],
  ["createdAt", "startedAt", "endedAt"],
);
export const importSchema = z
  .object({
    ...importView.shape,
    uploadId: z.string().openapi({ description: "Upload of the file: PUT /api/admin/uploads/{id}" }),
    archiveUploadId: z.string().optional().openapi({ description: "Upload of the archive of pictures" }),
  })
  .openapi("Import");
export type ImportView = z.infer<typeof importSchema>;

export const faultView = viewOf(importFaultRecordSchema, [
  "line",
  "column",
  "code",
  "level",
  "message",
  "text",
  "title",
]);
export const importFaultSchema = z.object(faultView.shape).openapi("ImportFault");
export type ImportFaultView = z.infer<typeof importFaultSchema>;

export const itemView = viewOf(importItemRecordSchema, [
  "line",
  "outcome",
  "targetId",
  "title",
  "undo",
  "reason",
  "reasonText",
]);
export const importItemSchema = z.object(itemView.shape).openapi("ImportItem");
export type ImportItemView = z.infer<typeof importItemSchema>;

export const pictureView = viewOf(importPictureRecordSchema, [
  "line",
  "source",
  "productId",
  "state",
  "tries",
  "reason",
  "reasonText",
]);
export const importPictureSchema = z.object(pictureView.shape).openapi("ImportPicture");
export type ImportPictureView = z.infer<typeof importPictureSchema>;
