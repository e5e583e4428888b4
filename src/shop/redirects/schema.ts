/** Former addresses of products: of their own slugs, and of the shop that they came from. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** The id is the path, percent-decoded, such as "/products/red-mug". */
export const redirectRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  /** The import that brought it; absent for a former slug. */
  importId: z.string().optional(),
  createdAt: timeMs,
});
export type RedirectRecord = z.infer<typeof redirectRecordSchema>;
