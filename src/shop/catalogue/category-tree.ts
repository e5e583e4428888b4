/** Categories as the public sees them: those that are published, below published ones. */
import { type CategoryRecord, compareShown } from "../categories/schema.ts";

/** Never changed: another one takes its place when a category changes. */
export class CategoryTree {
  /** In the order in which they are shown. */
  readonly visible: readonly CategoryRecord[];
  readonly #known: ReadonlyMap<string, CategoryRecord>;
  readonly #visible: ReadonlySet<string>;
  readonly #below = new Map<string, readonly string[]>();

  constructor(records: readonly CategoryRecord[]) {
    this.#known = new Map(records.map((record) => [record.id, record]));
    this.visible = records.filter(({ id }) => this.#isShown(id)).sort(compareShown);
    this.#visible = new Set(this.visible.map(({ id }) => id));
  }

  #isShown(id: string): boolean {
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at);) {
      seen.add(at);
      const record: CategoryRecord | undefined = this.#known.get(at);
      if (record !== undefined && record.status !== "published") return false;
      at = record?.parentId;
    }
    return true;
  }

  /** Whether it is public that a product is in this category. A category without a record hides nothing. */
  mayShow(id: string): boolean {
    return this.#visible.has(id) || !this.#known.has(id);
  }

  /** A category and all of its descendants, including hidden ones. */
  allBelow(id: string): readonly string[] {
    const ids = new Set([id]);
    for (const parent of ids)
      for (const category of this.#known.values()) if (category.parentId === parent) ids.add(category.id);
    return [...ids];
  }

  /** A category and all of its visible descendants. */
  withDescendants(id: string): readonly string[] {
    const found = this.#below.get(id);
    if (found !== undefined) return found;
    if (!this.mayShow(id)) return [];
    const ids = new Set([id]);
    // A set's walk also meets what is added on the way; what is in it already (a circle) is not added again.
    for (const parent of ids)
      for (const category of this.visible) if (category.parentId === parent) ids.add(category.id);
    const all = [...ids];
    // Only categories that there are: there is no end of names that are none.
    if (this.#visible.has(id)) this.#below.set(id, all);
    return all;
  }
}
