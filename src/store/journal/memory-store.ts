/** A store without files, for tests: the same engine, in which a transaction is durable when it ends. */
import type { Collection, Store } from "../store.ts";
import { Engine } from "./engine.ts";
import { Table } from "../tables/table.ts";

export interface MemoryStoreOptions {
  readonly collections: readonly Collection[];
  /** Runs each transaction's work twice and counts the second run, to find work that keeps state outside. */
  readonly forceReruns?: boolean;
}

/** Empty tables for the declared collections. @throws RangeError when a name is declared twice */
export function createTables(collections: readonly Collection[]): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const collection of collections) {
    if (tables.has(collection.name))
      throw new RangeError(`Collection "${collection.name}" is declared twice`);
    tables.set(collection.name, new Table(collection));
  }
  return tables;
}

/** Creates an empty store that lives as long as the process. */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const engine = new Engine({
    start: { lsn: 0, tables: createTables(options.collections) },
    persist: () => Promise.resolve(),
    gather: () => Promise.resolve(),
    forceReruns: options.forceReruns === true,
  });
  return {
    transact: (work) => engine.transact(work),
    read: (work) => engine.read(work),
    check: () => Promise.resolve(),
    close: () => engine.drain(),
  };
}
