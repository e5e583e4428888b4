/**
 * From recovered files to tables: freezes and indexes documents, and passes them through the schema when
 * their revision is older or a hand has edited them. Collections that nobody declared are kept as they are.
 */
import { textOf } from "../../kit/thrown.ts";
import { type Collection, StoreError } from "../store.ts";
import { assertChecks, deepFreeze, toDocument } from "../documents.ts";
import type { Doc } from "../keys.ts";
import { damaged } from "./line.ts";
import { createTables } from "./memory-store.ts";
import type { Recovered, RecoveredCollection } from "./recovery.ts";
import { DuplicateKey } from "./bulk.ts";
import { Table } from "./table.ts";

export interface Loaded {
  readonly tables: ReadonlyMap<string, Table>;
  /** Collections in the files that are not declared: written back unchanged with every snapshot. */
  readonly extras: ReadonlyMap<string, RecoveredCollection>;
  /** True when the files must be rewritten before the first transaction, so that revisions in them stay true. */
  readonly changed: boolean;
}

function toChecked(collection: Collection, doc: Doc): Doc {
  const { doc: checked } = toDocument(collection, doc);
  if (checked.id !== doc.id) throw new StoreError("invalid_record", `The schema changed the id "${doc.id}"`);
  assertChecks(collection, checked);
  return checked;
}

function refuse(path: string, collection: Collection, problem: { id: string; error: unknown }): StoreError {
  const { id, error } = problem;
  return damaged(path, `holds record "${id}" of "${collection.name}" that cannot be taken: ${textOf(error)}`);
}

function fill(
  collection: Collection,
  documents: ReadonlyMap<string, Doc>,
  options: { path: string; check: boolean },
): Table {
  const ready: Doc[] = [];
  for (const doc of documents.values()) {
    try {
      ready.push(options.check ? toChecked(collection, doc) : deepFreeze(doc));
    } catch (error) {
      throw refuse(options.path, collection, { id: doc.id, error });
    }
  }
  try {
    return Table.of(collection, ready);
  } catch (error) {
    const id =
      error instanceof DuplicateKey ? error.docId : error instanceof StoreError ? error.details.id : "";
    throw refuse(options.path, collection, { id: id ?? "", error });
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
    const check = recovered.edited || stored.revision !== revision;
    tables.set(name, fill(table.collection, stored.documents, { path, check }));
  }
  const extras = new Map([...recovered.collections].filter(([name]) => !tables.has(name)));
  return { tables, extras, changed };
}
