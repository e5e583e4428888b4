/** Categories as administrators keep them. */
import { AppError, type FieldError } from "../../kit/errors.ts";
import type { AuditActor } from "../../records/audit.ts";
import type { ChangedBy } from "../../records/versions.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { categories } from "./records.ts";
import { products } from "../products/records.ts";
import type { Arrangement, CategoryChange, NewCategory } from "./change-schema.ts";
import { type CategoryRecord, MAX_CATEGORIES } from "./schema.ts";
import { type ShownKind, createShownRecords, toBlank } from "./shown-records.ts";

/** A category has a parent: it must not be its own ancestor. */
async function check(tx: ReadTx, { id, parentId }: CategoryRecord): Promise<FieldError[]> {
  const wrong = (message: string): FieldError[] => [{ pointer: "/parentId", code: "invalid", message }];
  const seen = new Set([id]);
  for (let at = parentId; at !== undefined;) {
    if (seen.has(at)) return wrong("must not create a loop");
    seen.add(at);
    const parent: CategoryRecord | undefined = await tx.get(categories, at);
    if (parent === undefined) return at === parentId ? wrong("must be the ID of another category") : [];
    at = parent.parentId;
  }
  return [];
}

const kind: ShownKind<CategoryRecord> = {
  collection: categories,
  noun: "category",
  atMost: MAX_CATEGORIES,
  check,
};

function merge(before: CategoryRecord, fields: CategoryChange): CategoryRecord {
  const merged = { ...before, ...fields };
  return { ...merged, parentId: merged.parentId ?? undefined };
}

/** Throws `conflict` for a category that products or other categories name. */
async function assertUnused(tx: Tx, { id }: CategoryRecord): Promise<void> {
  const inside = await tx.count(categories, "byParent", { prefix: [id] });
  const count = await tx.count(products, "byCategory", { prefix: [id] });
  if (inside === 0 && count === 0) return;
  const what = inside > 0 ? `The category has ${inside} subcategories` : `The category has ${count} products`;
  throw new AppError("conflict", `${what}. Move them first, or hide the category`, {
    details: { categories: inside, products: count },
  });
}

/** Creates a category with this ID if it is missing; the title is derived from the ID. Throws `conflict` for the 501st. */
export async function ensureCategory(tx: Tx, id: string, nowMs: number): Promise<void> {
  if ((await tx.get(categories, id)) !== undefined) return;
  if ((await tx.count(categories)) >= MAX_CATEGORIES)
    throw new AppError("conflict", `You can have up to ${MAX_CATEGORIES} categories. Delete one first`);
  const words = id.replaceAll("-", " ");
  await tx.insert(categories, { id, ...toBlank(words.charAt(0).toUpperCase() + words.slice(1), nowMs) });
}

export type Categories = ReturnType<typeof createCategories>;

/** Creates the administration of categories; each throws `not_found`, `invalid`, `stale_version`, `version_conflict`. */
export function createCategories(deps: Pick<ShopDeps, "store" | "clock" | "blobs">) {
  const { change, create, remove, arrange, ...shown } = createShownRecords(deps, kind);
  return {
    ...shown,
    /** Throws `already_exists`, `conflict` for the 501st. */
    create: ({ id: wanted, ...fields }: NewCategory, actor: AuditActor): Promise<CategoryRecord> => {
      const { title } = fields;
      const make = (id: string) => merge({ id, ...toBlank(title, deps.clock.now()) }, fields);
      return create({ id: wanted, title }, make, actor);
    },
    change: (id: string, fields: CategoryChange, by: ChangedBy): Promise<CategoryRecord> =>
      change(id, (before) => merge(before, fields), by),
    /** Throws `conflict` while products or other categories name it. */
    remove: (id: string, by: ChangedBy): Promise<void> => remove(id, assertUnused, by),
    /** Puts the named ones in this order, and below others where that is said. */
    arrange: (items: Arrangement, actor: AuditActor): Promise<CategoryRecord[]> =>
      arrange(
        items.map(({ id }) => id),
        (before, index) => {
          const parentId = items[index]?.parentId;
          return parentId === undefined ? before : { ...before, parentId: parentId ?? undefined };
        },
        actor,
      ),
  };
}
