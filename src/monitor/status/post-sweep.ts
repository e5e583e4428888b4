/** Removes what deleted pages leave behind. */
import type { Store } from "../../store/store.ts";
import { listPages } from "./status-pages.ts";
import { posts } from "./records.ts";

/** Posts that one call looks at. */
const LOOKED_AT_ONCE = 500;

/** Creates what removes posts of pages that are gone; each call looks at further posts. */
export function createPostSweep(store: Store): () => Promise<void> {
  let cursor: string | undefined;
  return async () => {
    cursor = await store.transact(async (tx) => {
      const pages = new Set((await listPages(tx)).map(({ id }) => id));
      const { items, nextCursor } = await tx.list(posts, "id", { limit: LOOKED_AT_ONCE, cursor });
      for (const { id, pageId } of items) if (!pages.has(pageId)) await tx.remove(posts, id);
      return nextCursor;
    });
  };
}
