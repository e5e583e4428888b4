/** Moving categories among their siblings. */
import { moveItem } from "../../ui/forms/moves.ts";
import type { CategoryView } from "../../../shop/categories/answer-schema.ts";

/** The categories with the same parent, in order. */
export function listSiblings(all: readonly CategoryView[], of: CategoryView): readonly CategoryView[] {
  const known = new Set(all.map(({ id }) => id));
  const above = ({ parentId }: CategoryView): string =>
    parentId !== undefined && known.has(parentId) ? parentId : "";
  return all.filter((category) => above(category) === above(of));
}

/** The order of its siblings, by id, once a category was moved by `step` places. */
export function moveAmongSiblings(
  all: readonly CategoryView[],
  { of, step }: { of: CategoryView; step: number },
): readonly string[] {
  const siblings = listSiblings(all, of);
  const from = siblings.findIndex(({ id }) => id === of.id);
  return moveItem(siblings, { from, to: from + step }).map(({ id }) => id);
}

/** A category and its descendants: none of them may become its parent. */
export function listBelow(all: readonly CategoryView[], id: string): ReadonlySet<string> {
  const below = new Set([id]);
  for (const above of below)
    for (const category of all) if (category.parentId === above) below.add(category.id);
  return below;
}
