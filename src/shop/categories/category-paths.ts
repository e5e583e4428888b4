/** Categories by their titles, for imports. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import { toSlug } from "../products/slug.ts";
import { categories } from "./records.ts";
import { type CategoryRecord, MAX_CATEGORIES } from "./schema.ts";
import { listShown, toBlank } from "./shown-records.ts";

/** The categories during one transaction, by their titles from the top down. */
export async function openCategoryPaths(tx: Tx, nowMs: number) {
  const all = await listShown(tx, categories);
  const created: string[] = [];

  async function create(title: string, parentId: string | undefined): Promise<CategoryRecord> {
    if (all.length >= MAX_CATEGORIES)
      throw new AppError("conflict", `You can have up to ${MAX_CATEGORIES} categories. Delete one first`);
    const base = toSlug(title);
    const names = [
      base,
      parentId === undefined ? "" : `${parentId}-${base}`,
      newId("cat", nowMs).replaceAll("_", "-"),
    ];
    const isFree = (id: string): boolean =>
      id !== "" && id.length <= 120 && !all.some((each) => each.id === id);
    const id =
      (base === "" ? names.slice(2) : names).find(isFree) ?? newId("cat", nowMs).replaceAll("_", "-");
    const record = await tx.insert(categories, { id, ...toBlank(title.slice(0, 120), nowMs), parentId });
    all.push(record);
    created.push(id);
    return record;
  }

  return {
    /** IDs of categories that `find` created. */
    created,
    /** The id of the last category of a path; undefined if it does not exist. @throws AppError `conflict` for too many */
    find: async (
      titles: readonly string[],
      { creates }: { readonly creates: boolean },
    ): Promise<string | undefined> => {
      let parentId: string | undefined;
      for (const title of titles) {
        const isSame = (record: CategoryRecord): boolean =>
          record.parentId === parentId && record.title.toLowerCase() === title.toLowerCase();
        const found = all.find(isSame) ?? (creates ? await create(title, parentId) : undefined);
        if (found === undefined) return undefined;
        parentId = found.id;
      }
      return parentId;
    },
  };
}
