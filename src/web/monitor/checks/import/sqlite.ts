/**
 * Reads tables of an SQLite 3 database (https://www.sqlite.org/fileformat2.html) from a file of any size: only the pages
 * of the wanted tables are read.
 */
import { type Columns, parseColumns, type Value } from "./sqlite-columns.ts";

export type Row = Readonly<Record<string, Value>>;

export type SqliteFault = "not_sqlite" | "wal_file" | "wal_only" | "newer" | "cut" | "broken" | "too_large";

export class SqliteError extends Error {
  readonly fault: SqliteFault;

  constructor(fault: SqliteFault) {
    super(`SQLite: ${fault}`);
    this.fault = fault;
  }
}

const MAGIC = "SQLite format 3\0";
const WAL_MAGIC = [0x377f0682, 0x377f0683];
/** Pages that are read of one file, and bytes of one row. */
const MAX_PAGES = 20_000;
const MAX_ROW_BYTES = 1_048_576;
const encodings: Readonly<Record<number, string>> = { 0: "utf-8", 1: "utf-8", 2: "utf-16le", 3: "utf-16be" };

/** Reads numbers of a page in turn. */
class Cursor {
  readonly view: DataView;
  at: number;

  constructor(view: DataView, at: number) {
    this.view = view;
    this.at = at;
  }

  /** A varint; those over 2^53 lose precision, and none of what is read is that large. */
  varint(): number {
    let value = 0;
    for (let index = 0; index < 9; index += 1) {
      const byte = this.view.getUint8(this.at);
      this.at += 1;
      if (index === 8) return value * 256 + byte;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    return value;
  }

  integer(bytes: number): number {
    let value = bytes === 0 ? 0 : this.view.getInt8(this.at);
    for (let index = 1; index < bytes; index += 1) value = value * 256 + this.view.getUint8(this.at + index);
    this.at += bytes;
    return value;
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    const from = this.at;
    this.at += length;
    if (this.at > this.view.byteLength) throw new SqliteError("broken");
    return new Uint8Array(this.view.byteLength === 0 ? 0 : length).map((_, index) =>
      this.view.getUint8(from + index),
    );
  }
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8];

function readValue(cursor: Cursor, type: number, decoder: TextDecoder): Value {
  if (type === 0) return null;
  if (type <= 6) return cursor.integer(integerBytes[type] ?? 0);
  if (type === 7) {
    cursor.at += 8;
    return cursor.view.getFloat64(cursor.at - 8);
  }
  if (type <= 9) return type - 8;
  if (type < 12) throw new SqliteError("broken");
  const bytes = cursor.bytes(Math.floor((type - 12) / 2));
  // Nothing that is wanted is a BLOB.
  return type % 2 === 0 ? null : decoder.decode(bytes);
}

function readRecord(payload: DataView, decoder: TextDecoder): Value[] {
  const header = new Cursor(payload, 0);
  const end = header.varint();
  const body = new Cursor(payload, end);
  const values: Value[] = [];
  while (header.at < end) values.push(readValue(body, header.varint(), decoder));
  return values;
}

function toRow({ columns, rowId }: Columns, id: number, values: readonly Value[]): Row {
  const named = columns.map(({ name, fallback }, index): [string, Value] => {
    const value = index < values.length ? (values[index] ?? null) : fallback;
    return [name, value === null && name === rowId ? id : value];
  });
  return Object.fromEntries(named);
}

class Database {
  readonly #file: Blob;
  readonly #pageSize: number;
  readonly #usable: number;
  readonly #decoder: TextDecoder;
  #left = MAX_PAGES;

  constructor(file: Blob, header: DataView) {
    const size = header.getUint16(16);
    this.#file = file;
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - header.getUint8(20);
    this.#decoder = new TextDecoder(encodings[header.getUint32(56)] ?? "utf-8");
    if (this.#pageSize < 512 || this.#usable < 480) throw new SqliteError("broken");
    // The number of pages is right when the file was last written by a version that keeps it.
    const isKnown = header.getUint32(24) === header.getUint32(92);
    if (isKnown && header.getUint32(28) * this.#pageSize > file.size) throw new SqliteError("cut");
  }

  async #page(number: number): Promise<DataView> {
    this.#left -= 1;
    if (this.#left < 0) throw new SqliteError("too_large");
    const from = (number - 1) * this.#pageSize;
    if (number < 1) throw new SqliteError("broken");
    if (from + this.#pageSize > this.#file.size) throw new SqliteError("cut");
    return new DataView(await this.#file.slice(from, from + this.#pageSize).arrayBuffer());
  }

  /** The payload of a cell, with its overflow pages. */
  async #payload(cell: Cursor, length: number): Promise<DataView> {
    if (length > MAX_ROW_BYTES) throw new SqliteError("too_large");
    const usable = this.#usable;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (usable - 4));
    const most = usable - 35;
    const local = length <= most ? length : fitting <= most ? fitting : least;
    const payload = new Uint8Array(length);
    payload.set(cell.bytes(local));
    let next = local < length ? cell.view.getUint32(cell.at) : 0;
    let filled = local;
    while (filled < length) {
      const page = new Cursor(await this.#page(next), 4);
      const part = page.bytes(Math.min(usable - 4, length - filled));
      payload.set(part, filled);
      filled += part.length;
      next = page.view.getUint32(0);
    }
    return new DataView(payload.buffer);
  }

  /** Row IDs and values of the table whose tree has its root on this page. */
  async *rows(root: number, depth = 0): AsyncGenerator<{ id: number; values: Value[] }> {
    const view = await this.#page(root);
    const start = root === 1 ? 100 : 0;
    const type = view.getUint8(start);
    // An index is no table, and a tree that is deeper has a circle.
    if ((type !== 5 && type !== 13) || depth > 20) throw new SqliteError("broken");
    const pointers = start + (type === 5 ? 12 : 8);
    const count = view.getUint16(start + 3);
    for (let index = 0; index < count; index += 1) {
      const cell = new Cursor(view, view.getUint16(pointers + index * 2));
      if (type === 5) yield* this.rows(view.getUint32(cell.at), depth + 1);
      else {
        const length = cell.varint();
        const id = cell.varint();
        yield { id, values: readRecord(await this.#payload(cell, length), this.#decoder) };
      }
    }
    if (type === 5) yield* this.rows(view.getUint32(start + 8), depth + 1);
  }
}

async function readHeader(file: Blob): Promise<DataView> {
  const header = new DataView(await file.slice(0, 100).arrayBuffer());
  if (header.byteLength >= 4 && WAL_MAGIC.includes(header.getUint32(0))) throw new SqliteError("wal_file");
  const magic = new TextDecoder().decode(new Uint8Array(header.buffer, 0, Math.min(16, header.byteLength)));
  if (magic !== MAGIC || header.byteLength < 100) throw new SqliteError("not_sqlite");
  if (header.getUint8(19) > 2 || header.getUint32(44) > 4) throw new SqliteError("newer");
  return header;
}

export interface Tables {
  /** Rows of the wanted tables that exist, by the table's name. */
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  /** Whether recent changes can be in another file, that with "-wal" at the end of its name. */
  readonly hasLog: boolean;
}

/** @throws SqliteError */
export async function readTables(file: Blob, wanted: readonly string[]): Promise<Tables> {
  const header = await readHeader(file);
  const hasLog = header.getUint8(18) === 2;
  const tables: Record<string, readonly Row[]> = {};
  try {
    const database = new Database(file, header);
    const schema: Value[][] = [];
    for await (const { values } of database.rows(1)) schema.push(values);
    if (schema.length === 0 && hasLog) throw new SqliteError("wal_only");
    for (const [type, name, , root, sql] of schema) {
      if (type !== "table" || typeof root !== "number" || typeof sql !== "string") continue;
      if (typeof name !== "string" || !wanted.includes(name)) continue;
      const columns = parseColumns(sql);
      const rows: Row[] = [];
      for await (const { id, values } of database.rows(root)) rows.push(toRow(columns, id, values));
      tables[name] = rows;
    }
  } catch (error) {
    // What lies outside of a page is a fault of the file.
    throw error instanceof RangeError ? new SqliteError("broken") : error;
  }
  return { tables, hasLog };
}
