/** All addresses of the storefront that search engines are to know. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import type { SortKey } from "../../catalogue/sort-orders.ts";
import { toProductPath } from "../../products/slug.ts";

/** A page with the time of its last change, where that is known. */
export interface PageAddress {
  readonly path: string;
  readonly changedMs?: number | undefined;
}

/** Products that are read at once. */
const AT_ONCE = 1_000;

/** All published products, the newest first. */
export function* listProducts(catalogue: Pick<Catalogue, "list">): Generator<CatalogueItem, void> {
  let after: SortKey | undefined;
  do {
    const page = catalogue.list({}, { sort: "newest", limit: AT_ONCE, after });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/** The first page, categories, collections, legal pages, products. */
export function listAddresses(catalogue: Catalogue): PageAddress[] {
  const shown = catalogue.collections().filter(({ status }) => status === "published");
  return [
    { path: "/" },
    ...catalogue.tree().visible.map(({ id, updatedAt }) => ({ path: `/c/${id}`, changedMs: updatedAt })),
    ...shown.map(({ id, updatedAt }) => ({ path: `/collections/${id}`, changedMs: updatedAt })),
    ...catalogue
      .site()
      .pages.map(({ slug, changedAt }) => ({ path: `/legal/${slug}`, changedMs: changedAt })),
    ...Array.from(listProducts(catalogue), ({ product: { slug, updatedAt } }) => ({
      path: toProductPath(slug),
      changedMs: updatedAt,
    })),
  ];
}
