/** What lists of all services share: how a page is asked for, and how it is answered. */
import { z } from "@hono/zod-openapi";
import type { Page } from "../../store/store.ts";

/** Query of a list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(512).optional(),
});

/** The page of a store as an answer's body. */
export function toPageView<T, V>(page: Page<T>, toView: (item: T) => V): { items: V[]; nextCursor?: string } {
  const items = page.items.map((item) => toView(item));
  return { items, ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
}
