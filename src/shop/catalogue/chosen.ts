/** Hand-picked products: those of a collection, and related products. */
import { type CollectionRecord, MAX_COLLECTED } from "../categories/schema.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueItem } from "./item.ts";

/** The published products of a collection in its order: by its rule, or as they were picked. */
export function listCollected(
  catalogue: Pick<Catalogue, "list" | "tree">,
  { id, rule, productOrder }: CollectionRecord,
): readonly CatalogueItem[] {
  if (rule === undefined) {
    const { items } = catalogue.list({ collectionId: id }, { sort: "newest", limit: MAX_COLLECTED });
    const places = new Map(productOrder.map((productId, place) => [productId, place]));
    const placeOf = ({ product }: CatalogueItem): number => places.get(product.id) ?? productOrder.length;
    return items.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
  const { categoryId, sort, limit, inStock: isInStock, ...filter } = rule;
  const categoryIds = categoryId === undefined ? undefined : catalogue.tree().withDescendants(categoryId);
  return catalogue.list({ ...filter, isInStock, categoryIds }, { sort, limit }).items;
}

/** Related products: chosen by hand, then the best selling of its category. */
export function listRelated(
  catalogue: Pick<Catalogue, "list" | "tree" | "find">,
  { product }: CatalogueItem,
  limit: number,
): CatalogueItem[] {
  const { categoryId, relatedIds = [] } = product;
  const chosen = relatedIds.flatMap((id) => catalogue.find(id) ?? []).slice(0, limit);
  if (chosen.length === limit || categoryId === undefined) return chosen;
  const known = new Set([product.id, ...chosen.map((item) => item.product.id)]);
  const categoryIds = catalogue.tree().withDescendants(categoryId);
  const { items } = catalogue.list({ categoryIds }, { sort: "sold", limit: limit + known.size });
  return [...chosen, ...items.filter((item) => !known.has(item.product.id))].slice(0, limit);
}
