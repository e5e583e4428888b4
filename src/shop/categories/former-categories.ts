/** Categories in the form that the site's settings had them in: those that are still stored there, and lists that are sent so. */
import { AppError, type FieldError } from "../../kit/errors.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { categories } from "./records.ts";
import type { Category } from "../site/schema.ts";
import { readSettings, replaceSettings } from "../site/settings.ts";
import type { CategoryRecord } from "./schema.ts";
import { listShown, toBlank } from "./shown-records.ts";

/** A category as the settings had it. */
export function toFormerCategory({ id, title, description, parentId, sortOrder }: CategoryRecord): Category {
  return { id, title, description, parentId: parentId ?? "", sortOrder };
}

/** All categories as the settings had them. */
export async function readFormerCategories(tx: ReadTx): Promise<Category[]> {
  return (await listShown(tx, categories)).map(toFormerCategory);
}

function isInCircle(list: readonly Category[], id: string): boolean {
  const parents = new Map(list.map((category) => [category.id, category.parentId]));
  let at = parents.get(id) ?? "";
  for (let steps = 0; steps <= list.length && at !== ""; steps += 1) {
    if (at === id) return true;
    at = parents.get(at) ?? "";
  }
  return false;
}

/** Throws `invalid` for ids that are there twice, parents that are not there, and circles. */
function assertTree(list: readonly Category[]): void {
  const errors: FieldError[] = [];
  const add = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "invalid", message });
  };
  const ids = list.map(({ id }) => id);
  list.forEach(({ id, parentId }, index) => {
    if (ids.indexOf(id) !== index) add(`/categories/${index}/id`, "must not be repeated");
    if (parentId !== "" && !ids.includes(parentId))
      add(`/categories/${index}/parentId`, "must be the ID of another category");
    else if (isInCircle(list, id)) add(`/categories/${index}/parentId`, "must not create a loop");
  });
  if (errors.length > 0) throw new AppError("invalid", "The settings contradict each other", { errors });
}

/** The category with what the list says of it; the rest stays, or gets its default. */
function toRecord(before: CategoryRecord | undefined, category: Category, nowMs: number): CategoryRecord {
  const { id, title, description, parentId, sortOrder } = category;
  return {
    ...(before ?? { id, ...toBlank(title, nowMs) }),
    title,
    description,
    sortOrder,
    updatedAt: nowMs,
    parentId: parentId === "" ? undefined : parentId,
  };
}

async function keep(tx: Tx, category: Category, nowMs: number): Promise<void> {
  const before = await tx.get(categories, category.id);
  const after = toRecord(before, category, nowMs);
  await (before === undefined ? tx.insert(categories, after) : tx.put(categories, after));
}

/** Replaces the categories; omitted ones are deleted. Throws `invalid`. */
export async function replaceCategories(
  tx: Tx,
  list: readonly Category[],
  { actor, clock }: { readonly actor: AuditActor } & Pick<ShopDeps, "clock">,
): Promise<void> {
  assertTree(list);
  const ids = new Set(list.map(({ id }) => id));
  for (const { id } of await listShown(tx, categories)) if (!ids.has(id)) await tx.remove(categories, id);
  for (const category of list) await keep(tx, category, clock.now());
  const changes = list.slice(0, 20).map(({ id }) => id);
  await writeAudit(tx, { actor, action: "category.replace", target: "categories", changes }, clock);
}

/** Creates records for categories that the settings still contain; run at the start. Resolves with their number. */
export function carryOverCategories({ store, clock }: Pick<ShopDeps, "store" | "clock">): Promise<number> {
  return store.transact(async (tx) => {
    const { fields } = await readSettings(tx, "site");
    const { categories: list } = fields;
    if (list.length === 0) return 0;
    for (const category of list)
      if ((await tx.get(categories, category.id)) === undefined) await keep(tx, category, clock.now());
    const actor = { name: "system", clientId: "shop", requestId: "start" };
    await replaceSettings(tx, { group: "site", fields: { ...fields, categories: [] }, actor, clock });
    return list.length;
  });
}
