/**
 * A transaction on tables in memory. Changes are made in place and noted, so that a transaction that
 * fails is undone and one that succeeds becomes a journal line.
 */
import type {
  Collection,
  IndexRange,
  IndexValue,
  ListOptions,
  Page,
  ReadTx,
  StoreRecord,
  Tx,
} from "../store.ts";
import { changedIdError, missingError, staleError, takenError } from "../refusals.ts";
import { type Written, assertChecks, toDocument, withAdded } from "../documents.ts";
import type { Doc } from "../keys.ts";
import type { Table } from "../tables/table.ts";

export type Tables = ReadonlyMap<string, Table>;

/** One document before and after; `text` is the JSON of `after`. */
export interface Change {
  readonly collection: string;
  readonly before: Doc | undefined;
  readonly after: Doc | undefined;
  readonly text: string | undefined;
}

function tableOf(tables: Tables, collection: { readonly name: string }): Table {
  const table = tables.get(collection.name);
  if (table === undefined)
    throw new RangeError(`Collection "${collection.name}" was not declared when the store was opened`);
  return table;
}

/** Undoes changes, newest first, on any tables with their outcome. */
export function undo(tables: Tables, changes: readonly Change[]): void {
  for (const { collection, before, after } of changes.toReversed()) {
    tableOf(tables, { name: collection }).replace(after, before);
  }
}

/** Replays changes, oldest first, on tables with the state before them. */
export function redo(tables: Tables, changes: readonly Change[]): void {
  for (const { collection, before, after } of changes)
    tableOf(tables, { name: collection }).replace(before, after);
}

/** The transaction's part of a journal line: absolute states, so that replaying twice changes nothing. */
export function toOperations(changes: readonly Change[]): string {
  return changes
    .map(({ collection, before, text }) =>
      text === undefined
        ? `["remove",${JSON.stringify(collection)},${JSON.stringify(before?.id)}]`
        : `["put",${JSON.stringify(collection)},${text}]`,
    )
    .join(",");
}

/** A view on one version of the tables. */
export class View implements ReadTx {
  protected readonly tables: Tables;
  #open = true;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  /** Ends the view: work that kept it beyond its time learns so. */
  end(): void {
    this.#open = false;
  }

  protected table(collection: { readonly name: string }): Table {
    if (!this.#open) throw new Error("The transaction is over: its work returned before this call");
    return tableOf(this.tables, collection);
  }

  // `as T` below: a table holds only what the schema of this very collection returned, frozen.
  async get<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<T | undefined> {
    return this.table(collection).get(id) as T | undefined;
  }

  async by<T extends StoreRecord, U extends string>(
    collection: Collection<T, U>,
    index: U,
    key: readonly IndexValue[],
  ): Promise<T | undefined> {
    return this.table(collection).by(index, key) as T | undefined;
  }

  async list<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index: O | "id",
    options: ListOptions,
  ): Promise<Page<T>> {
    return this.table(collection).list(index, options) as unknown as Page<T>;
  }

  async count<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index: O | "id" = "id",
    range?: IndexRange,
  ): Promise<number> {
    return this.table(collection).count(index, range);
  }
}

/** A view that can also change its tables. */
export class Transaction extends View implements Tx {
  readonly changes: Change[] = [];

  async insert<T extends StoreRecord>(collection: Collection<T>, record: Omit<T, "version">): Promise<T> {
    const table = this.table(collection);
    // Its place is the first one (docs/decisions/078-members-before-the-copy.md), whatever version the record brings.
    const candidate = { version: 1, ...record };
    candidate.version = 1;
    const written = toDocument(table.collection, candidate);
    const { id } = written.doc;
    if (table.get(id) !== undefined) throw takenError(collection.name, "id", id);
    assertChecks(table.collection, written.doc);
    return this.#write(table, undefined, written) as unknown as T;
  }

  async put<T extends StoreRecord>(collection: Collection<T>, record: T): Promise<T> {
    const table = this.table(collection);
    const before = found(table, record.id);
    if (before.version !== record.version) {
      throw staleError(collection.name, record.id, { stored: before.version, given: record.version });
    }
    const written = toDocument(table.collection, { ...record, version: record.version + 1 });
    assertChecks(table.collection, written.doc);
    return this.#write(table, before, written) as unknown as T;
  }

  async remove<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<boolean> {
    const table = this.table(collection);
    const before = table.get(id);
    if (before === undefined) return false;
    table.replace(before, undefined);
    this.changes.push({ collection: collection.name, before, after: undefined, text: undefined });
    return true;
  }

  async adjust<T extends StoreRecord>(
    collection: Collection<T>,
    id: string,
    change: { readonly field: string; readonly by: number },
  ): Promise<T> {
    const table = this.table(collection);
    const before = found(table, id);
    const candidate = withAdded(table.collection, before, change);
    // Checks first: a caller who counts down needs the rule's error, not the schema's minimum.
    assertChecks(table.collection, candidate);
    return this.#write(table, before, toDocument(table.collection, candidate)) as unknown as T;
  }

  #write(table: Table, before: Doc | undefined, written: Written): Doc {
    const { doc, text } = written;
    const { name } = table.collection;
    if (before !== undefined && before.id !== doc.id) throw changedIdError(name, before.id);
    const index = table.violated(doc, before);
    if (index !== undefined) throw takenError(name, index, doc.id);
    table.replace(before, doc);
    this.changes.push({ collection: name, before, after: doc, text });
    return doc;
  }
}

function found(table: Table, id: string): Doc {
  const doc = table.get(id);
  if (doc !== undefined) return doc;
  throw missingError(table.collection.name, id);
}
