/**
 * Tables with versions of their rows, and serializable transactions over them, as PostgreSQL has them: a snapshot,
 * locks of rows for writers, the first of two writers wins, and a transaction fails that would be between two others
 * that read and wrote past each other (serializable snapshot isolation, with false positives as there).
 */
import { type Doc, keyOf, toShapes } from "../../../src/store/keys.ts";
import type { Collection } from "../../../src/store/store.ts";
import { type Query, type Row, compareInOrder, findWantedId, matches } from "./statement.ts";

/** An error as the server reports it. */
export class ServerError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const conflict = (): ServerError =>
  new ServerError("40001", "could not serialize access due to concurrent update");
const danger = (): ServerError =>
  new ServerError("40001", "could not serialize access due to read/write dependencies among transactions");

interface Version {
  readonly seq: number;
  /** Undefined: the row was deleted. */
  readonly row: Row | undefined;
}

export interface Table {
  readonly name: string;
  readonly collection: Collection;
  readonly rows: Map<string, Version[]>;
  /** Writers of rows that have not ended, by id. */
  readonly writers: Map<string, Transaction>;
}

interface Write {
  readonly table: Table;
  readonly id: string;
  readonly before: Row | undefined;
  after: Row | undefined;
}

/** What was read: rows for which this is true, also such as were not there. */
interface Reading {
  readonly table: Table;
  readonly isAbout: (row: Row) => boolean;
}

export class Transaction {
  /** What it sees; taken with the first statement. */
  snapshot: number | undefined;
  commitSeq: number | undefined;
  readonly writes = new Map<string, Write>();
  readonly readings: Reading[] = [];
  /** Whether a concurrent one read what it wrote, and whether it read what a concurrent one wrote. */
  hasIn = false;
  hasOut = false;
  isOver = false;
  waitsFor: Transaction | undefined;
  readonly whenOver: (() => void)[] = [];
  /** What it does to tables of the history. */
  readonly whenCommitted: (() => void)[] = [];
  readonly isSerializable: boolean;

  constructor(isSerializable: boolean) {
    this.isSerializable = isSerializable;
  }
}

function toDoc({ id, version, doc }: Row): Doc {
  return { ...doc, id, version };
}

/** The unique keys of rows, as texts: a version never changes. */
const keysOfRows = new WeakMap<Row, readonly (string | undefined)[]>();

function findKeys({ collection }: Table, row: Row): readonly (string | undefined)[] {
  const known = keysOfRows.get(row);
  if (known !== undefined) return known;
  const keys = toShapes(collection.unique).map((shape) => {
    const key = keyOf(toDoc(row), shape);
    return key && JSON.stringify(key);
  });
  keysOfRows.set(row, keys);
  return keys;
}

const hasUnique = ({ collection }: Table): boolean => Object.keys(collection.unique).length > 0;

/** Whether two rows have a unique key in common. */
function clashes(table: Table, a: Row, b: Row): boolean {
  const right = findKeys(table, b);
  return findKeys(table, a).some((key, at) => key !== undefined && key === right[at]);
}

const isAffected = ({ table, isAbout }: Reading, write: Write): boolean =>
  table === write.table && [write.before, write.after].some((row) => row !== undefined && isAbout(row));

/** Whether `reader` read what `writer` wrote. */
const readsPast = (reader: Transaction, writer: Transaction): boolean =>
  [...writer.writes.values()].some((write) => reader.readings.some((reading) => isAffected(reading, write)));

export class Tables {
  readonly #tables = new Map<string, Table>();
  readonly #open = new Set<Transaction>();
  /** Committed ones that an open one may conflict with. */
  #recent: Transaction[] = [];
  #seq = 0;

  declare(name: string, collection: Collection): void {
    const known = this.#tables.get(name);
    if (known === undefined)
      this.#tables.set(name, { name, collection, rows: new Map(), writers: new Map() });
  }

  get(name: string): Table {
    const table = this.#tables.get(name);
    if (table === undefined) throw new ServerError("42P01", `relation "${name}" does not exist`);
    return table;
  }

  /** Gives a transaction its snapshot. */
  see(transaction: Transaction): number {
    if (transaction.snapshot === undefined) {
      transaction.snapshot = this.#seq;
      this.#open.add(transaction);
    }
    return transaction.snapshot;
  }

  #find(table: Table, id: string, transaction: Transaction): Row | undefined {
    const own = transaction.writes.get(`${table.name} ${id}`);
    if (own !== undefined) return own.after;
    const snapshot = this.see(transaction);
    return table.rows.get(id)?.findLast(({ seq }) => seq <= snapshot)?.row;
  }

  *#scan(table: Table, transaction: Transaction): Generator<Row> {
    for (const id of table.rows.keys()) {
      const row = this.#find(table, id, transaction);
      if (row !== undefined) yield row;
    }
    for (const { table: of, id, after } of transaction.writes.values())
      if (of === table && after !== undefined && !table.rows.has(id)) yield after;
  }

  /** Rows of a query, in its order. */
  query(transaction: Transaction, query: Query, values: readonly unknown[]): readonly Row[] {
    const table = this.get(query.table);
    const id = findWantedId(query, values);
    const scanned =
      id === undefined ? [...this.#scan(table, transaction)] : [this.#find(table, id, transaction)];
    const found = scanned.filter((row) => row !== undefined).filter((row) => matches(row, query, values));
    found.sort((a, b) => compareInOrder(a, b, query));
    const most = query.limit === undefined ? Infinity : Number(values[query.limit]);
    const rows = found.slice(0, most);
    const last = rows.at(-1);
    const reachesEnd = rows.length < most || last === undefined;
    if (transaction.isSerializable)
      transaction.readings.push({
        table,
        // Up to where it looked.
        isAbout: (row) =>
          matches(row, query, values) && (reachesEnd || compareInOrder(row, last, query) <= 0),
      });
    return rows;
  }

  /** The transaction that a write of these rows has to wait for. */
  findHolder(transaction: Transaction, table: Table, id: string, candidate?: Row): Transaction | undefined {
    const holder = table.writers.get(id);
    if (holder !== undefined && holder !== transaction) return holder;
    if (candidate === undefined || !hasUnique(table)) return undefined;
    for (const other of table.writers.values())
      for (const { table: of, after, before } of other.writes.values())
        if (other !== transaction && of === table)
          for (const row of [before, after])
            if (row !== undefined && row.id !== id && clashes(table, row, candidate)) return other;
    return undefined;
  }

  /** Whether the newest version of a row is one that a transaction does not see. */
  #isNewer(table: Table, id: string, transaction: Transaction): boolean {
    return (table.rows.get(id)?.at(-1)?.seq ?? 0) > this.see(transaction);
  }

  #note(transaction: Transaction, table: Table, id: string, after: Row | undefined): void {
    const key = `${table.name} ${id}`;
    const before = this.#find(table, id, transaction);
    const known = transaction.writes.get(key);
    if (known === undefined) transaction.writes.set(key, { table, id, before, after });
    else known.after = after;
    table.writers.set(id, transaction);
  }

  /** Stores nothing when the id or a unique key is taken. @throws ServerError */
  insert(transaction: Transaction, table: Table, row: Row): number {
    const newest = (id: string): Row | undefined => {
      const own = transaction.writes.get(`${table.name} ${id}`);
      return own === undefined ? table.rows.get(id)?.at(-1)?.row : own.after;
    };
    const ids = hasUnique(table) ? new Set([...table.rows.keys(), ...table.writers.keys()]) : [row.id];
    for (const id of ids) {
      const other = newest(id);
      if (other === undefined || (id !== row.id && !clashes(table, other, row))) continue;
      if (transaction.writes.has(`${table.name} ${id}`)) return 0;
      if (this.#isNewer(table, id, transaction)) throw conflict();
      // That it is taken was read.
      transaction.readings.push({ table, isAbout: (one) => one.id === id });
      return 0;
    }
    if (this.#isNewer(table, row.id, transaction)) throw conflict();
    this.#note(transaction, table, row.id, row);
    return 1;
  }

  /** @throws ServerError */
  update(transaction: Transaction, table: Table, row: Row): number {
    const before = this.#find(table, row.id, transaction);
    transaction.readings.push({ table, isAbout: ({ id }) => id === row.id });
    if (before === undefined || before.version !== row.version - 1) return 0;
    if (this.#isNewer(table, row.id, transaction)) throw conflict();
    for (const [id, versions] of hasUnique(table) ? table.rows : []) {
      const other = versions.at(-1)?.row;
      const own = transaction.writes.get(`${table.name} ${id}`);
      const present = own === undefined ? other : own.after;
      if (id !== row.id && present !== undefined && clashes(table, present, row))
        throw new ServerError("23505", "duplicate key value violates unique constraint");
    }
    this.#note(transaction, table, row.id, row);
    return 1;
  }

  /** @throws ServerError */
  remove(transaction: Transaction, table: Table, id: string): number {
    const before = this.#find(table, id, transaction);
    transaction.readings.push({ table, isAbout: (row) => row.id === id });
    if (before === undefined) return 0;
    if (this.#isNewer(table, id, transaction)) throw conflict();
    this.#note(transaction, table, id, undefined);
    return 1;
  }

  /** @throws ServerError when it cannot be put into an order with the others */
  commit(transaction: Transaction): void {
    if (transaction.snapshot !== undefined && transaction.isSerializable) this.#judge(transaction);
    if (transaction.writes.size > 0) this.#seq += 1;
    transaction.commitSeq = this.#seq;
    for (const { table, id, after } of transaction.writes.values()) {
      const versions = table.rows.get(id) ?? [];
      table.rows.set(id, versions);
      versions.push({ seq: this.#seq, row: after });
    }
    for (const apply of transaction.whenCommitted) apply();
    if (transaction.snapshot !== undefined) this.#recent.push(transaction);
    this.#finish(transaction);
  }

  #judge(transaction: Transaction): void {
    const { snapshot = 0 } = transaction;
    const concurrent = this.#recent.filter(({ commitSeq = 0 }) => commitSeq > snapshot);
    const past = concurrent.filter((other) => readsPast(transaction, other));
    const before = concurrent.filter((other) => readsPast(other, transaction));
    const [hasOut, hasIn] = [past.length > 0, before.length > 0];
    if ((hasOut && hasIn) || past.some((other) => other.hasOut) || before.some((other) => other.hasIn))
      throw danger();
    transaction.hasOut = hasOut;
    transaction.hasIn = hasIn;
    for (const other of past) other.hasIn = true;
    for (const other of before) other.hasOut = true;
  }

  rollBack(transaction: Transaction): void {
    this.#finish(transaction);
  }

  #finish(transaction: Transaction): void {
    transaction.isOver = true;
    this.#open.delete(transaction);
    const touched = new Set<Version[]>();
    for (const { table, id } of transaction.writes.values()) {
      if (table.writers.get(id) === transaction) table.writers.delete(id);
      const versions = table.rows.get(id);
      if (versions !== undefined) touched.add(versions);
    }
    const oldest = Math.min(this.#seq, ...[...this.#open].map(({ snapshot = 0 }) => snapshot));
    this.#recent = this.#recent.filter(({ commitSeq = 0 }) => commitSeq > oldest);
    for (const versions of touched) {
      const kept = versions.findLastIndex(({ seq }) => seq <= oldest);
      if (kept > 0) versions.splice(0, kept);
    }
    for (const tell of transaction.whenOver.splice(0)) tell();
  }

  /** All rows that are committed; for checks. */
  list(name: string): readonly Row[] {
    return [...this.get(name).rows.values()].flatMap((versions) => versions.at(-1)?.row ?? []);
  }
}
