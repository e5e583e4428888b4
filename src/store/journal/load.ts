/**
 * From recovered files to tables: freezes and indexes documents, and passes them through the schema when
 * their revision is older or a hand has edited them. Collections that nobody declared are kept as they are.
 */
import { textOf } from "../../kit/thrown.ts";
import type { Collection } from "../store.ts";
import { StoreError } from "../store.ts";
import { assertChecks, deepFreeze, toDocument } from "../documents.ts";
import type { Doc } from "../keys.ts";
import { damaged } from "./line.ts";
import { createTables } from "./memory-store.ts";
import type { Recovered, RecoveredCollection } from "./recovery.ts";
import type { Table } from "./table.ts";

export interface Loaded {
  readonly tables: ReadonlyMap<string, Table>;
  /** Collections in the files that are not declared: written back unchanged with every snapshot. */
  readonly extras: ReadonlyMap<string, RecoveredCollection>;
  /** True when the files must be written anew before the first transaction, so that revisions in them stay true. */
  readonly changed: boolean;
}

function toChecked(collection: Collection, doc: Doc): Doc {
  const { doc: checked } = toDocument(collection, doc);
  if (checked.id !== doc.id) throw new StoreError("invalid_record", `The schema changed the id "${doc.id}"`);
  assertChecks(collection, checked);
  return checked;
}

function fill(
  table: Table,
  documents: ReadonlyMap<string, Doc>,
  options: { path: string; check: boolean },
): void {
  const { collection } = table;
  for (const doc of documents.values()) {
    try {
      const ready = options.check ? toChecked(collection, doc) : deepFreeze(doc);
      const index = table.violated(ready);
      if (index !== undefined)
        throw new StoreError("unique_violation", `another record has this value of "${index}"`);
      table.replace(undefined, ready);
    } catch (error) {
      const problem = textOf(error);
      throw damaged(
        options.path,
        `holds record "${doc.id}" of "${collection.name}" that cannot be taken: ${problem}`,
      );
    }
  }
}

/**
 * Builds the tables of the declared collections.
 * @throws StoreError `store_unavailable` when a record cannot be taken or was written by a newer program
 */
export function loadTables(collections: readonly Collection[], recovered: Recovered, path: string): Loaded {
  const tables = createTables(collections);
  let changed = recovered.edited;
  for (const [name, table] of tables) {
    const stored = recovered.collections.get(name);
    const { revision } = table.collection;
    if (stored === undefined || stored.revision !== revision) changed = true;
    if (stored === undefined) continue;
    if (stored.revision > revision) {
      throw damaged(
        path,
        `holds "${name}" in revision ${stored.revision}, newer than ${revision}`,
        "start the newer program",
      );
    }
    fill(table, stored.documents, { path, check: recovered.edited || stored.revision !== revision });
  }
  const extras = new Map([...recovered.collections].filter(([name]) => !tables.has(name)));
  return { tables, extras, changed };
}
