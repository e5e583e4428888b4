/** Pagination shared by the lists of all services: query parameters and responses. */
import { z } from "@hono/zod-openapi";
import type { Page } from "../../store/store.ts";

export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(512).optional(),
});

/** The answer of a list; without `nextCursor` it is the last page, or all there is. */
export function pageSchema<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; nextCursor: z.ZodOptional<z.ZodString> }> {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

/** The page of a store as an answer's body. */
export function toPageView<T, V>(page: Page<T>, toView: (item: T) => V): { items: V[]; nextCursor?: string } {
  const items = page.items.map((item) => toView(item));
  return { items, ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
}
