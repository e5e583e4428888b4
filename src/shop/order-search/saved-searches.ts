/** Searches that administrators keep under a name, for everybody who administers the shop. */
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type ExpectedVersion, assertVersion } from "../products/products.ts";
import { savedSearches } from "./records.ts";
import { toSearchText } from "./rows.ts";
import type { SavedSearchRecord } from "./schema.ts";

const MAX_SEARCHES = 100;

export type SavedFields = Pick<SavedSearchRecord, "name" | "query">;

async function getSaved(tx: ReadTx, id: string): Promise<SavedSearchRecord> {
  const found = await tx.get(savedSearches, id);
  if (found === undefined) throw new AppError("not_found", "There is no such saved search");
  return found;
}

async function assertFreeName(tx: ReadTx, { nameKey, id }: { nameKey: string; id?: string }): Promise<void> {
  const holder = await tx.by(savedSearches, "byName", [nameKey]);
  if (holder === undefined || holder.id === id) return;
  throw new AppError("already_exists", "Another saved search has this name", {
    errors: [{ pointer: "/name", code: "already_exists", message: "belongs to another search" }],
  });
}

/** The administration of saved searches. */
export class SavedSearches {
  readonly #deps: Pick<ShopDeps, "store" | "clock">;

  constructor(deps: Pick<ShopDeps, "store" | "clock">) {
    this.#deps = deps;
  }

  list(): Promise<SavedSearchRecord[]> {
    return this.#deps.store.read((tx) => listEvery(tx, savedSearches, { index: "inOrder" }));
  }

  /** Throws `already_exists` for a taken name, `conflict` when there are as many as there may be. */
  create({ name, query }: SavedFields, actor: AuditActor): Promise<SavedSearchRecord> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const nameKey = toSearchText(name);
      await assertFreeName(tx, { nameKey });
      if ((await tx.count(savedSearches)) >= MAX_SEARCHES)
        throw new AppError("conflict", `There are ${MAX_SEARCHES} saved searches; remove one first`);
      const nowMs = clock.now();
      const id = newId("sea", nowMs);
      const changes = describeName(name);
      await writeAudit(tx, { actor, action: "order-search.create", target: id, changes }, clock);
      return tx.insert(savedSearches, { id, name, nameKey, query, createdAt: nowMs, updatedAt: nowMs });
    });
  }

  /** Throws `not_found`, `already_exists`, `version_conflict`, `stale_version`. */
  change(
    id: string,
    { fields, actor, ...expected }: ExpectedVersion & { fields: Partial<SavedFields>; actor: AuditActor },
  ): Promise<SavedSearchRecord> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const before = await getSaved(tx, id);
      assertVersion(before.version, expected);
      const { name = before.name, query = before.query } = fields;
      const nameKey = toSearchText(name);
      await assertFreeName(tx, { nameKey, id });
      const changes = changedFields({ name: before.name, query: before.query }, { name, query });
      await writeAudit(tx, { actor, action: "order-search.change", target: id, changes }, clock);
      return tx.put(savedSearches, { ...before, name, nameKey, query, updatedAt: clock.now() });
    });
  }

  /** Throws `not_found`. */
  remove(id: string, actor: AuditActor): Promise<void> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const { name } = await getSaved(tx, id);
      const changes = describeName(name);
      await writeAudit(tx, { actor, action: "order-search.delete", target: id, changes }, clock);
      await tx.remove(savedSearches, id);
    });
  }
}
