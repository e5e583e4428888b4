/** Bulk changes of products, and their results. */
import { z } from "zod";
import { line, slug } from "../../kit/text/schemas.ts";

const MAX_CHANGED = 100;

export const bulkChangeSchema = z
  .strictObject({
    action: z.enum(["publish", "hide", "archive", "category", "delete"]),
    ids: z
      .array(line(100).min(1))
      .min(1)
      .max(MAX_CHANGED)
      .refine((ids) => new Set(ids).size === ids.length, "must not repeat a product"),
    categoryId: slug.nullable().optional().describe("Category for the action category; null: no category"),
  })
  .refine(({ action, categoryId }) => (action === "category") === (categoryId !== undefined), {
    path: ["categoryId"],
    error: "is required for the action category, and not allowed for others",
  });
export type BulkBody = z.infer<typeof bulkChangeSchema>;

export const bulkResultSchema = z.object({
  id: z.string(),
  result: z.enum(["done", "refused"]),
  code: z.string().optional().describe("The error code of the same change for this product alone"),
  detail: z.string().optional(),
});
export type BulkResult = z.infer<typeof bulkResultSchema>;
