/**
 * From recovered files to tables: freezes and indexes documents, and passes them through the schema when
 * their revision is older or a hand has edited them. Collections that nobody declared are kept as they are.
 */
import { textOf } from "../../kit/thrown.ts";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Collection, StoreError, defineCollection } from "../store.ts";
import { assertChecks, deepFreeze, toDocument } from "../documents.ts";
import type { Doc } from "../keys.ts";
import type { Base } from "../pages/base.ts";
import { DuplicateKey } from "../tables/bulk.ts";
import { Table, toIndexName } from "../tables/table.ts";
import { damaged } from "./line.ts";
import { createTables } from "./memory-store.ts";
import type { Changed, Recovered } from "./recovery.ts";

export interface Loaded {
  readonly tables: ReadonlyMap<string, Table>;
  /** Collections in the files that are not declared: written back unchanged with every snapshot. */
  readonly extras: ReadonlyMap<string, Table>;
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
  for (const [name, table] of tables) {
    const stored = recovered.collections.get(name);
    const { revision } = table.collection;
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
  const extras = new Map(
    [...recovered.collections]
      .filter(([name]) => !tables.has(name))
      .map(([name, { revision, documents }]) => [
        name,
        Table.of(toExtra(name, revision), [...documents.values()]),
      ]),
  );
  return { tables, extras };
}

/** A collection of which nothing is known but its documents. */
function toExtra(name: string, revision: number): Collection {
  return defineCollection({ name, revision, schema: z.object({ id: z.string(), version: z.number() }) });
}

/** Whether a snapshot's index file was made for the collections as they are declared now. */
export function isFor(collections: readonly Collection[], { contents }: Base): boolean {
  return collections.every((collection) => {
    const stored = contents.collections[collection.name];
    if (stored?.revision !== collection.revision) return false;
    const declared = (["unique", "ordered"] as const).flatMap((kind) =>
      Object.entries(collection[kind]).map(([name, fields]) => [toIndexName(kind, name), fields]),
    );
    const kept = Object.entries(stored.indexes).map(([name, { fields }]) => [name, fields]);
    return isDeepStrictEqual(Object.fromEntries(declared), Object.fromEntries(kept));
  });
}

/**
 * Tables over a snapshot whose index file fits, with what changed since.
 * @throws StoreError `store_unavailable` when a change cannot be taken
 */
export function loadOver(
  collections: readonly Collection[],
  { base, changes, path }: { base: Base; changes: Changed["changes"]; path: string },
): Loaded {
  const tables = createTables(collections);
  const extras = new Map<string, Table>();
  for (const [name, part] of base.collections) {
    const collection = tables.get(name)?.collection;
    const table = new Table(collection ?? toExtra(name, part.revision), { base: part });
    (collection === undefined ? extras : tables).set(name, table);
    for (const [id, doc] of changes.get(name) ?? []) {
      try {
        table.replace(table.get(id), doc && deepFreeze(doc));
      } catch (error) {
        throw refuse(path, table.collection, { id, error });
      }
    }
  }
  return { tables, extras };
}

/** The same content over a newer snapshot, which holds all of it. */
export function moveOver(tables: ReadonlyMap<string, Table>, base: Base): Map<string, Table> {
  return new Map(
    [...tables].map(([name, { collection }]) => [
      name,
      new Table(collection, { base: base.collections.get(name) }),
    ]),
  );
}
