/** Collections as administrators keep them. */
import { AppError, type FieldError } from "../../kit/errors.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { categories, collections } from "./records.ts";
import { products } from "../products/records.ts";
import type { Arrangement, CollectionChange, NewCollection } from "./change-schema.ts";
import { type CollectionRecord, MAX_COLLECTIONS } from "./schema.ts";
import { type ShownKind, createShownRecords, getShown, refuse, toBlank } from "./shown-records.ts";

async function check(tx: ReadTx, { rule }: CollectionRecord): Promise<FieldError[]> {
  const wrong = (member: string, message: string): FieldError => ({
    pointer: `/rule/${member}`,
    code: "invalid",
    message,
  });
  if (rule === undefined) return [];
  const { categoryId, minPrice = 0, maxPrice = Number.MAX_SAFE_INTEGER } = rule;
  const errors: FieldError[] = [];
  if (categoryId !== undefined && (await tx.get(categories, categoryId)) === undefined)
    errors.push(wrong("categoryId", "is not a category of the shop"));
  if (maxPrice < minPrice) errors.push(wrong("maxPrice", "must not be less than minPrice"));
  return errors;
}

const kind: ShownKind<CollectionRecord> = {
  collection: collections,
  noun: "collection",
  atMost: MAX_COLLECTIONS,
  check,
};

function merge(before: CollectionRecord, fields: CollectionChange): CollectionRecord {
  const merged = { ...before, ...fields };
  return { ...merged, rule: merged.rule ?? undefined };
}

/** Puts a product into a collection, or takes it out. */
async function setMember(
  tx: Tx,
  productId: string,
  { id, isIn, nowMs }: { readonly id: string; readonly isIn: boolean; readonly nowMs: number },
): Promise<boolean> {
  const product = await tx.get(products, productId);
  if (product === undefined) return false;
  const before = product.collectionIds ?? [];
  if (before.includes(id) === isIn) return true;
  const after = isIn ? [...before, id] : before.filter((other) => other !== id);
  const collectionIds = after.length === 0 ? undefined : after;
  await tx.put(products, { ...product, collectionIds, updatedAt: nowMs });
  return true;
}

/** Replaces the products of a collection. Throws `invalid`. */
async function setMembers(
  tx: Tx,
  nowMs: number,
  { id, productIds, former }: { id: string; productIds: readonly string[]; former: readonly string[] },
): Promise<void> {
  const errors: FieldError[] = [];
  for (const [index, productId] of productIds.entries()) {
    const isGood = productIds.indexOf(productId) === index;
    if (isGood && (await setMember(tx, productId, { id, isIn: true, nowMs }))) continue;
    const pointer = `/productIds/${index}`;
    errors.push({ pointer, code: "invalid", message: "must be the ID of a product and not be repeated" });
  }
  refuse("collection", errors);
  for (const productId of former)
    if (!productIds.includes(productId)) await setMember(tx, productId, { id, isIn: false, nowMs });
}

/** The ids of `members` as the collection orders them; what it does not name comes after. */
function inOrder({ productOrder }: CollectionRecord, members: readonly string[]): string[] {
  const known = new Set(members);
  return [...new Set([...productOrder.filter((id) => known.has(id)), ...members])];
}

export type Collections = ReturnType<typeof createCollections>;

/**
 * Creates the administration of collections; each throws `not_found`, `invalid`, `stale_version`, `version_conflict`.
 * `listMembers` finds the products that name a collection, as the catalogue in memory has them.
 */
export function createCollections(
  deps: Pick<ShopDeps, "store" | "clock" | "blobs">,
  listMembers: (id: string) => readonly string[],
) {
  const { store, clock } = deps;
  const { change, create, remove, arrange, ...shown } = createShownRecords(deps, kind);

  return {
    ...shown,
    /** Throws `already_exists`, `conflict` for the 201st. */
    create: ({ id: wanted, ...fields }: NewCollection, actor: AuditActor): Promise<CollectionRecord> => {
      const { title } = fields;
      const make = (id: string) => merge({ id, ...toBlank(title, clock.now()), productOrder: [] }, fields);
      return create({ id: wanted, title }, make, actor);
    },
    change: (id: string, fields: CollectionChange, by: ChangedBy): Promise<CollectionRecord> =>
      change(id, (before) => merge(before, fields), by),
    /** Its products stay. */
    remove: (id: string, by: ChangedBy): Promise<void> => {
      const former = listMembers(id);
      return remove(id, (tx) => setMembers(tx, clock.now(), { id, productIds: [], former }), by);
    },
    /** Puts collections in this order. */
    arrange: (items: Arrangement, actor: AuditActor): Promise<CollectionRecord[]> =>
      arrange(
        items.map(({ id }) => id),
        (before) => before,
        actor,
      ),
    /** The ids of the products that were picked, in their order. */
    listPicked: (record: CollectionRecord): string[] => inOrder(record, listMembers(record.id)),
    /** Sets the products of the collection in this order. Throws `conflict` for one with a rule. */
    pick: (
      id: string,
      { productIds, actor, ...expected }: ChangedBy & { readonly productIds: readonly string[] },
    ): Promise<CollectionRecord> => {
      const former = listMembers(id);
      return store.transact(async (tx) => {
        const before = await getShown(tx, kind, id);
        assertVersion(before.version, expected);
        if (before.rule !== undefined)
          throw new AppError(
            "conflict",
            "The products of this collection are chosen by a rule. Remove the rule first",
          );
        await setMembers(tx, clock.now(), { id, productIds, former });
        const changes = [`products: ${productIds.length}`];
        await writeAudit(tx, { actor, action: "collection.change", target: id, changes }, clock);
        return tx.put(collections, { ...before, productOrder: [...productIds], updatedAt: clock.now() });
      });
    },
  };
}
