/**
 * The port's view and transaction on one attempt. Every refusal (a taken key, a broken rule, a stale
 * version) is found before the database would raise it, because an error of the database ends a
 * transaction, while the port lets work go on after one.
 */
import { parseCursor, toCursor } from "../cursor.ts";
import { assertChecks, deepFreeze, toDocument, withAdded } from "../documents.ts";
import { type Doc, holdsNul, keyOf, readPath, toShapes } from "../keys.ts";
import type {
  Collection,
  IndexRange,
  IndexValue,
  ListOptions,
  Page,
  ReadTx,
  StoreRecord,
  Tx,
  StoreError,
} from "../store.ts";
import { changedIdError, missingError, staleError, takenError } from "../refusals.ts";
import type { Attempt } from "./attempt.ts";
import type { Rows } from "./database.ts";
import type { TableShape } from "./shape.ts";
import type { Statements } from "./statements.ts";

/** The store's data about each collection. */
export interface Table {
  readonly shape: TableShape;
  readonly statements: Statements;
}
export type Tables = ReadonlyMap<string, Table>;

function toDoc(row: Readonly<Record<string, unknown>>): Doc {
  const { id, version, doc } = row;
  if (typeof id !== "string" || typeof version !== "number" || typeof doc !== "object") {
    throw new TypeError("A row of the database has another form than this version writes");
  }
  return deepFreeze({ ...doc, id, version });
}

function firstDoc({ rows: [row] }: Rows): Doc | undefined {
  return row === undefined ? undefined : toDoc(row);
}

/** Contents of the `doc` column: all members without a column. */
function toColumn(doc: Doc): string {
  const { id: _id, version: _version, ...rest } = doc;
  return JSON.stringify(rest);
}

export class PostgresView implements ReadTx {
  protected readonly attempt: Attempt;
  readonly #tables: Tables;

  constructor(tables: Tables, attempt: Attempt) {
    this.#tables = tables;
    this.attempt = attempt;
  }

  protected table(collection: { readonly name: string }): Table {
    const table = this.#tables.get(collection.name);
    if (table !== undefined) return table;
    throw new RangeError(`Collection "${collection.name}" was not declared when the store was opened`);
  }

  // `as T` below: a table holds only what the schema of this very collection returned.
  async get<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<T | undefined> {
    return (await this.read(this.table(collection), id)) as T | undefined;
  }

  protected async read(table: Table, id: string): Promise<Doc | undefined> {
    if (holdsNul(id)) return undefined;
    return firstDoc(await this.attempt.run(table.statements.get(id)));
  }

  async by<T extends StoreRecord, U extends string>(
    collection: Collection<T, U>,
    index: U,
    key: readonly IndexValue[],
  ): Promise<T | undefined> {
    const rows = await this.attempt.run(this.table(collection).statements.by(index, key));
    return firstDoc(rows) as T | undefined;
  }

  async list<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index: O | "id",
    options: ListOptions,
  ): Promise<Page<T>> {
    const { limit, cursor, reverse = false } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new RangeError("limit must be 1 to 1000");
    const { shape, statements } = this.table(collection);
    const paths = [...(shape.indexes.get(index)?.fields ?? []).map(({ path }) => path), ["id"]];
    const place = { ...options, reverse, most: limit + 1 };
    const after = cursor === undefined ? undefined : parseCursor(cursor, { index, length: paths.length });
    const { rows } = await this.attempt.run(
      statements.list(index, after === undefined ? place : { ...place, after }),
    );
    const docs = rows.slice(0, limit).map(toDoc);
    const items = docs as unknown as T[];
    const last = rows.length > limit ? docs.at(-1) : undefined;
    if (last === undefined) return { items };
    return {
      items,
      nextCursor: toCursor(
        index,
        paths.map((path) => readPath(last, path)),
      ),
    };
  }

  async count<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index: O | "id" = "id",
    range: IndexRange = {},
  ): Promise<number> {
    const { rows } = await this.attempt.run(this.table(collection).statements.count(index, range));
    return Number(rows[0]?.["n"] ?? 0);
  }
}

export class PostgresTransaction extends PostgresView implements Tx {
  /** Documents as this attempt last saw them, so that a put after a get need not ask again. */
  readonly #seen = new Map<string, Doc>();

  protected override async read(table: Table, id: string): Promise<Doc | undefined> {
    const doc = await super.read(table, id);
    const key = seenKey(table, id);
    if (doc === undefined) this.#seen.delete(key);
    else this.#seen.set(key, doc);
    return doc;
  }

  async insert<T extends StoreRecord>(collection: Collection<T>, record: Omit<T, "version">): Promise<T> {
    const table = this.table(collection);
    const { doc } = toDocument(table.shape.collection, { ...record, version: 1 });
    assertChecks(table.shape.collection, doc);
    assertIndexable(table, doc);
    const { count } = await this.attempt.run(table.statements.insert(doc.id, toColumn(doc)));
    if (count === 0) throw await this.#findTaken(table, doc);
    this.#seen.set(seenKey(table, doc.id), doc);
    return doc as unknown as T;
  }

  async put<T extends StoreRecord>(collection: Collection<T>, record: T): Promise<T> {
    const table = this.table(collection);
    const { id, version } = record;
    this.attempt.claim(seenKey(table, id));
    const before = this.#seen.get(seenKey(table, id)) ?? (await this.read(table, id));
    if (before === undefined) throw missingError(collection.name, id);
    if (before.version !== version) {
      throw staleError(collection.name, id, { stored: before.version, given: version });
    }
    const { doc } = toDocument(table.shape.collection, { ...record, version: version + 1 });
    assertChecks(table.shape.collection, doc);
    return (await this.#replace(table, before, doc)) as unknown as T;
  }

  async remove<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<boolean> {
    const table = this.table(collection);
    if (holdsNul(id)) return false;
    this.attempt.claim(seenKey(table, id));
    const { count } = await this.attempt.run(table.statements.remove(id));
    this.#seen.delete(seenKey(table, id));
    return count > 0;
  }

  async adjust<T extends StoreRecord>(
    collection: Collection<T>,
    id: string,
    change: { readonly field: string; readonly by: number },
  ): Promise<T> {
    const table = this.table(collection);
    this.attempt.claim(seenKey(table, id));
    const before = this.#seen.get(seenKey(table, id)) ?? (await this.read(table, id));
    if (before === undefined) throw missingError(collection.name, id);
    const candidate = withAdded(table.shape.collection, before, change);
    // Checks first: a caller who counts down needs the rule's error, not the schema's minimum.
    assertChecks(table.shape.collection, candidate);
    const { doc } = toDocument(table.shape.collection, candidate);
    return (await this.#replace(table, before, doc)) as unknown as T;
  }

  async #replace(table: Table, before: Doc, doc: Doc): Promise<Doc> {
    const { name } = table.shape.collection;
    if (before.id !== doc.id) throw changedIdError(name, before.id);
    assertIndexable(table, doc);
    const taken = await this.#findTakenKey(table, doc, before);
    if (taken !== undefined) throw taken;
    const { count } = await this.attempt.run(table.statements.update(doc.id, before.version, toColumn(doc)));
    if (count === 0) throw missingError(name, doc.id);
    this.#seen.set(seenKey(table, doc.id), doc);
    return doc;
  }

  /** The conflict of an insert that stored nothing: the ID, or the first unique key that another record holds. */
  async #findTaken(table: Table, doc: Doc): Promise<StoreError> {
    const { name } = table.shape.collection;
    if ((await this.read(table, doc.id)) !== undefined) return takenError(name, "id", doc.id);
    return (await this.#findTakenKey(table, doc, undefined)) ?? takenError(name, "id", doc.id);
  }

  async #findTakenKey(table: Table, doc: Doc, before: Doc | undefined): Promise<StoreError | undefined> {
    for (const shape of toShapes(table.shape.collection.unique)) {
      const key = keyOf(doc, shape);
      if (key === undefined) continue;
      const old = before === undefined ? undefined : keyOf(before, shape);
      if (old?.every((part, at) => part === key[at]) === true) continue;
      const holder = firstDoc(await this.attempt.run(table.statements.by(shape.name, key)));
      if (holder !== undefined && holder.id !== doc.id)
        return takenError(table.shape.collection.name, shape.name, doc.id);
    }
    return undefined;
  }
}

function seenKey(table: Table, id: string): string {
  return `${table.shape.table}/${id}`;
}

/** @throws StoreError `invalid_record` when an index cannot hold the document */
function assertIndexable(table: Table, doc: Doc): void {
  const { unique, ordered } = table.shape.collection;
  for (const shape of [...toShapes(unique), ...toShapes(ordered)]) keyOf(doc, shape);
}
