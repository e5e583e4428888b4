/** Migrates a database to the declared schema: tables, indexes, checks, and records of an older revision. */
import {
  type Migration,
  type MigrationLockOptions,
  Kysely,
  Migrator,
  PostgresAdapter,
  PostgresDialect,
  sql,
} from "kysely";
import { toDocument } from "../documents.ts";
import { type Collection, StoreError } from "../store.ts";
import { isCatalogueRace, kindOfFailure, toUnavailable } from "./failures.ts";
import { createPool } from "./pool.ts";
import { type CheckShape, type TableShape, toTableShape } from "./shape.ts";

const LOCK_TABLE = "trivet_migration_lock";
const REGISTRY = "trivet_collections";
/** Records of an older revision that are read at once. */
const PAGE = 500;
/** A start that loses against the starts of others tries again so often. */
const TRIES = 20;

interface Registered {
  store: string;
  collection: string;
  revision: number;
  fingerprint: string;
}

interface Schema {
  trivet_collections: Registered;
  trivet_migration_lock: { id: string };
}

type Db = Kysely<Schema>;

/** Locks the migrator's row instead of taking an advisory lock; held to the end of one transaction. */
class RowLockAdapter extends PostgresAdapter {
  // The migrator opens its own transaction otherwise, within which the row would not stay locked.
  override get supportsTransactionalDdl(): boolean {
    return false;
  }
  override async acquireMigrationLock(
    db: Kysely<unknown>,
    { lockTable }: MigrationLockOptions,
  ): Promise<void> {
    await sql`begin`.execute(db);
    await sql`select id from ${sql.table(lockTable)} for update`.execute(db);
  }
  override async releaseMigrationLock(db: Kysely<unknown>): Promise<void> {
    // After a statement that failed, COMMIT takes everything back.
    await sql`commit`.execute(db);
  }
}

class RowLockDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new RowLockAdapter();
  }
}

/** Grows when the schema around the tables changes; never edit a released migration. */
const migrations: Readonly<Record<string, Migration>> = {
  "0001-collections": {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema
        .createTable(REGISTRY)
        .addColumn("store", "text", (column) => column.notNull())
        .addColumn("collection", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("fingerprint", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("trivet_collections_pkey", ["store", "collection"])
        .execute();
    },
  },
};

async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: "trivet_migrations",
    migrationLockTableName: LOCK_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function readNames(db: Db, query: "indexes" | "constraints", table: string): Promise<string[]> {
  const rows =
    query === "indexes"
      ? sql<{
          name: string;
        }>`select indexname as name from pg_indexes where tablename = ${table} and schemaname = current_schema()`
      : sql<{ name: string }>`select constraint_name as name from information_schema.table_constraints
          where table_name = ${table} and constraint_type = 'CHECK' and table_schema = current_schema()`;
  return (await rows.execute(db)).rows.map(({ name }) => name);
}

/** Creates the indexes and checks those of the declaration; the names end with a hash of their content. */
async function fitTable(db: Db, shape: TableShape): Promise<void> {
  const { tableName: table, collate } = shape;
  await sql`create table if not exists ${sql.table(table)}
    (id text${sql.raw(collate)} primary key, version bigint not null, doc jsonb not null)`.execute(db);
  const wanted = [...shape.indexes.values()];
  const keep = new Set([`${table}_pkey`, ...wanted.map(({ sqlName }) => sqlName)]);
  for (const name of await readNames(db, "indexes", table)) {
    if (!keep.has(name)) await sql`drop index if exists ${sql.id(name)}`.execute(db);
  }
  for (const { create } of wanted) await sql.raw(create).execute(db);
  await fitChecks(db, table, shape.checks);
}

async function fitChecks(db: Db, table: string, checks: readonly CheckShape[]): Promise<void> {
  const present = await readNames(db, "constraints", table);
  const keep = new Set(checks.map(({ sqlName }) => sqlName));
  for (const name of present) {
    // The names of NOT NULL rules, which are constraints too, do not begin with the table's.
    if (name.startsWith(`${table}_`) && !keep.has(name) && !name.endsWith("_not_null")) {
      await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.id(name)}`.execute(db);
    }
  }
  for (const { sqlName, sql: rule } of checks) {
    if (present.includes(sqlName)) continue;
    await sql`alter table ${sql.table(table)} add constraint ${sql.id(sqlName)} check (${sql.raw(rule)})`.execute(
      db,
    );
  }
}

/** Passes every record through the schema of the new revision. */
async function reviseRecords(db: Db, shape: TableShape): Promise<void> {
  const table = sql.raw(shape.table);
  let after = "";
  for (;;) {
    const { rows } = await sql<{ id: string; version: string; doc: object }>`
      select id, version, doc from ${table} where id > ${after} order by id limit ${PAGE}`.execute(db);
    for (const row of rows) {
      const { doc } = toDocument(shape.collection, { ...row.doc, id: row.id, version: Number(row.version) });
      const { id, version: _version, ...rest } = doc;
      await sql`update ${table} set doc = ${JSON.stringify(rest)}::jsonb where id = ${id}`.execute(db);
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = last.id;
  }
}

function assertNotNewer(known: Registered, collection: Collection): void {
  if (known.revision <= collection.revision) return;
  throw new StoreError(
    "store_unavailable",
    `The database holds "${known.collection}" in revision ${known.revision}, this version knows ${collection.revision}: it was written by a newer version. Start that version, or restore a backup`,
  );
}

async function fitCollection(db: Db, store: string, shape: TableShape): Promise<void> {
  const { collection, fingerprint } = shape;
  const known = await db
    .selectFrom(REGISTRY)
    .selectAll()
    .where("store", "=", store)
    .where("collection", "=", collection.name)
    .executeTakeFirst();
  if (known !== undefined) assertNotNewer(known, collection);
  const { revision } = collection;
  if (known?.fingerprint === fingerprint && known.revision === revision) return;
  // Records first: a new index or check may count on what the new revision gives them.
  if (known !== undefined && known.revision < revision) await reviseRecords(db, shape);
  await fitTable(db, shape);
  const entry: Registered = { store, collection: collection.name, revision, fingerprint };
  if (known === undefined) await db.insertInto(REGISTRY).values(entry).execute();
  else {
    await db
      .updateTable(REGISTRY)
      .set(entry)
      .where("store", "=", store)
      .where("collection", "=", collection.name)
      .execute();
  }
}

async function fitAll(db: Db, shapes: readonly TableShape[], store: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom(LOCK_TABLE).select("id").forUpdate().execute();
    for (const shape of shapes) await fitCollection(trx, store, shape);
  });
}

async function toShapes(
  db: Db,
  { name, collections }: { readonly name: string; readonly collections: readonly Collection[] },
): Promise<TableShape[]> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db);
  const collate = rows[0]?.version.includes("CockroachDB") === true ? "" : ' COLLATE "C"';
  return collections.map((collection) => toTableShape(name, collection, collate));
}

/**
 * The shape of a database that is to be read alone: nothing is made or changed.
 * @throws StoreError `store_unavailable` when the server cannot be used, or the tables are of another version
 */
export async function readDatabaseShape(options: {
  readonly url: string;
  readonly name: string;
  readonly collections: readonly Collection[];
}): Promise<TableShape[]> {
  const pool = createPool({ connectionString: options.url, max: 1, connectionTimeoutMillis: 5_000 });
  const db: Db = new Kysely<Schema>({ dialect: new RowLockDialect({ pool }) });
  try {
    const shapes = await toShapes(db, options);
    const known = await db.selectFrom(REGISTRY).selectAll().where("store", "=", options.name).execute();
    const isSame = shapes.every(({ collection, fingerprint }) =>
      known.some(
        (one) =>
          one.collection === collection.name &&
          one.fingerprint === fingerprint &&
          one.revision === collection.revision,
      ),
    );
    if (isSame) return shapes;
    throw new StoreError(
      "store_unavailable",
      `The tables of the ${options.name} were created by another version. Use that version, or start this one first`,
    );
  } catch (error) {
    const kind = kindOfFailure(error);
    throw ["lost", "busy", "disk"].includes(kind) ? toUnavailable(error) : error;
  } finally {
    await db.destroy();
  }
}

async function tryUntilAlone(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === TRIES || !isCatalogueRace(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tries));
    }
  }
}

/**
 * Migrates the database to the declared schema, and returns it; processes may do so concurrently.
 * @throws StoreError `store_unavailable` when the server cannot be used, or its data is of a newer version;
 *   `invalid_record` when a record of an older revision does not fit the new schema
 */
export async function prepareDatabase(options: {
  readonly url: string;
  readonly name: string;
  readonly collections: readonly Collection[];
}): Promise<TableShape[]> {
  const pool = createPool({ connectionString: options.url, max: 1, connectionTimeoutMillis: 5_000 });
  const db: Db = new Kysely<Schema>({ dialect: new RowLockDialect({ pool }) });
  try {
    const shapes = await toShapes(db, options);
    await tryUntilAlone(() => migrate(db));
    await tryUntilAlone(() => fitAll(db, shapes, options.name));
    return shapes;
  } catch (error) {
    const kind = kindOfFailure(error);
    throw ["lost", "busy", "disk"].includes(kind) ? toUnavailable(error) : error;
  } finally {
    await db.destroy();
  }
}
