/** Responses about saved searches. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { savedSearchRecordSchema } from "./schema.ts";

export const savedView = viewOf(
  savedSearchRecordSchema,
  ["id", "version", "name", "query"],
  ["createdAt", "updatedAt"],
);
export const savedSearchSchema = z.object(savedView.shape).openapi("OrderSearch");
export type SavedSearch = z.infer<typeof savedSearchSchema>;

export const savedSearchListSchema = pageSchema(savedSearchSchema).openapi("OrderSearchList");
export type SavedSearchList = z.infer<typeof savedSearchListSchema>;
