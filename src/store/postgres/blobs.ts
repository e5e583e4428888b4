/**
 * Bytes under their hashes in a table of PostgreSQL, beside the tables of records: every process on the database sees
 * them, and a dump of it has them.
 */
import { Buffer } from "node:buffer";
import { StoreError } from "../store.ts";
import { type Database, type Rows, type Statement, openDatabase } from "./database.ts";
import { isCatalogueRace, kindOfFailure, toUnavailable } from "./failures.ts";

export interface BlobTableOptions {
  readonly url: string;
  /** Lower-case letters and `_`. */
  readonly table: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
}

const HASH = /^[0-9a-f]{64}$/u;
const POOL_SIZE = 4;
/** A picture of 5 MiB on a slow line. */
const STATEMENT_TIMEOUT_MS = 15_000;
const TRIES = 20;
const LIST = 1_000;

function assertHash(hash: string): void {
  if (!HASH.test(hash)) throw new RangeError("Bytes are named by their SHA-256, in hex");
}

async function prepareTable(database: Database, table: string): Promise<void> {
  const text = `CREATE TABLE IF NOT EXISTS ${table} (hash text PRIMARY KEY, bytes bytea NOT NULL)`;
  for (let tries = 1; ; tries += 1) {
    try {
      await database.query({ text });
      return;
    } catch (error) {
      if (tries === TRIES || !isCatalogueRace(error)) throw error;
    }
  }
}

/** Bytes by the SHA-256 of them, in hex. Errors of the connection, of a full disk and of lost races are StoreError `store_unavailable`. */
export class BlobTable {
  readonly #database: Database;
  readonly #table: string;

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = table;
  }

  /** Keeps the bytes; resolves when they are durable. What is there already is not sent again. */
  async put(hash: string, bytes: Uint8Array): Promise<void> {
    assertHash(hash);
    if ((await this.find([hash])).size > 0) return;
    await this.#query({
      text: `INSERT INTO ${this.#table} (hash, bytes) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`,
      values: [hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
    });
  }

  async get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    assertHash(hash);
    const text = `SELECT bytes FROM ${this.#table} WHERE hash = $1`;
    const { rows } = await this.#query({ text, values: [hash] });
    const bytes = rows[0]?.["bytes"];
    // A copy: the driver's bytes are a part of what it read from the connection.
    return bytes instanceof Uint8Array ? new Uint8Array(bytes) : undefined;
  }

  /** Removes the bytes; nothing happens when there are none. */
  async remove(hash: string): Promise<void> {
    assertHash(hash);
    await this.#query({ text: `DELETE FROM ${this.#table} WHERE hash = $1`, values: [hash] });
  }

  /** Those of some hashes that are there. */
  async find(hashes: readonly string[]): Promise<Set<string>> {
    const text = `SELECT hash FROM ${this.#table} WHERE hash = ANY($1)`;
    return new Set(toHashes(await this.#query({ text, values: [hashes] })));
  }

  /** Up to 1,000 hashes behind `after`, in their order. */
  async list(after: string): Promise<string[]> {
    const text = `SELECT hash FROM ${this.#table} WHERE hash > $1 ORDER BY hash LIMIT ${LIST}`;
    return toHashes(await this.#query({ text, values: [after] }));
  }

  /** All hashes, in parts. */
  async *listAll(): AsyncGenerator<readonly string[]> {
    for (let part = await this.list(""); part.length > 0; part = await this.list(part.at(-1) ?? ""))
      yield part;
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #query(statement: Statement): Promise<Rows> {
    return this.#database.query(statement).catch((error: unknown) => {
      // A lost race is no fault of the bytes: they can be sent again.
      const isKnown = error instanceof StoreError || kindOfFailure(error) === "retry";
      throw isKnown ? toUnavailable(error) : error;
    });
  }
}

function toHashes({ rows }: Rows): string[] {
  return rows.map(({ hash }) => String(hash));
}

/** Opens the table, which is made when there is none. @throws StoreError `store_unavailable` */
export async function openBlobTable({ url, table, applicationName }: BlobTableOptions): Promise<BlobTable> {
  const database = openDatabase({
    url,
    applicationName,
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    await prepareTable(database, table);
    return new BlobTable(database, table);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a table that is to be read alone; undefined when there is none. @throws StoreError `store_unavailable` */
export async function findBlobTable(options: BlobTableOptions): Promise<BlobTable | undefined> {
  const { url, table, applicationName } = options;
  const database = openDatabase({
    url,
    applicationName,
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const text =
    "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1";
  try {
    if ((await database.query({ text, values: [table] })).count > 0) return new BlobTable(database, table);
  } catch (error) {
    await database.close();
    throw toUnavailable(error);
  }
  await database.close();
  return undefined;
}
