/** Tables over a snapshot with its index file. Undeclared collections are kept unchanged. */
import { textOf } from "../../kit/thrown.ts";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Collection, type StoreError, defineCollection } from "../store.ts";
import { deepFreeze } from "../documents.ts";
import type { Base } from "../btree/base.ts";
import { Table, toIndexName } from "../tables/table.ts";
import { damaged } from "./line.ts";
import { createTables } from "./memory-store.ts";
import type { Changed } from "./recovery.ts";

export interface Loaded {
  readonly tables: ReadonlyMap<string, Table>;
  /** Collections in the files that are not declared: written back unchanged with every snapshot. */
  readonly extras: ReadonlyMap<string, Table>;
}

/** The refusal of a whole store for one of its records. */
export function refuse(
  path: string,
  collection: Collection,
  problem: { id: string; error: unknown },
): StoreError {
  const { id, error } = problem;
  return damaged(path, `holds record "${id}" of "${collection.name}" that cannot be taken: ${textOf(error)}`);
}

/** A collection of which nothing is known but its documents. */
export function toExtra(name: string, revision: number): Collection {
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
