/** Stores in a PostgreSQL database. */
import pg from "pg";
import { openPostgresStore } from "../../store/postgres/postgres-store.ts";
import { toUnavailable } from "../../store/postgres/failures.ts";
import { prepareDatabase } from "../../store/postgres/schema.ts";
import type { TableShape } from "../../store/postgres/shape.ts";
import type { Doc } from "../../store/keys.ts";
import { type Collection, type Store, StoreError } from "../../store/store.ts";
import { type Content, toContent } from "./content.ts";
import type { Place, StoreName } from "./place.ts";

/** Not that of a service, so that this tool never takes itself for one. */
const APPLICATION = "trivet-migrate";

async function withClient<R>(url: string, work: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => undefined); // told by the query that meets it
  try {
    await client.connect().catch((error: unknown) => Promise.reject(toUnavailable(error)));
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function assertUnused(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ n: number }>(
    "select count(*)::float8 as n from pg_stat_activity where datname = current_database() and application_name = $1",
    [`trivet-${name}`],
  );
  if ((rows[0]?.n ?? 0) === 0) return;
  throw new StoreError(
    "store_unavailable",
    `The ${name} is running on this database. Stop all its processes, then try again`,
  );
}

/** @throws StoreError `store_unavailable` while processes of the service use the database */
export function assertDatabaseUnused(url: string, name: string): Promise<void> {
  return withClient(url, (client) => assertUnused(client, name));
}

function toRows(docs: readonly Doc[]): [string[], number[], string[]] {
  return [
    docs.map(({ id }) => id),
    docs.map(({ version }) => version),
    docs.map(({ id: _id, version: _version, ...rest }) => JSON.stringify(rest)),
  ];
}

async function writeAll(client: pg.Client, shapes: readonly TableShape[], content: Content): Promise<void> {
  for (const { table, collection } of shapes) {
    await client.query(`DELETE FROM ${table}`);
    for await (const docs of content.pages(collection))
      await client.query(
        `INSERT INTO ${table} (id, version, doc) SELECT * FROM unnest($1::text[], $2::bigint[], $3::jsonb[])`,
        toRows(docs),
      );
  }
}

/** False for a database that no service ever used: opening it would make tables. */
async function isPrepared(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ registry: string | null }>(
    "select max(table_name)::text as registry from information_schema.tables where table_schema = current_schema() and table_name = 'trivet_collections'",
  );
  if ((rows[0]?.registry ?? null) === null) return false;
  return (
    (await client.query("select 1 from trivet_collections where store = $1 limit 1", [name])).rowCount === 1
  );
}

/** The services that have tables in a database, by name. @throws StoreError `store_unavailable` when it cannot be reached */
export async function listStores(url: string, names: readonly string[]): Promise<string[]> {
  return withClient(url, async (client) => {
    const found: string[] = [];
    for (const name of names) if (await isPrepared(client, name)) found.push(name);
    return found;
  });
}

async function hasRecords(store: Store, collections: readonly Collection[]): Promise<boolean> {
  for (const collection of collections)
    if ((await store.read((tx) => tx.list(collection, "id", { limit: 1 }))).items.length > 0) return true;
  return false;
}

/** The address without its password. @throws Error, without the address, when it is none */
export function hidePassword(url: string): string {
  if (!URL.canParse(url)) throw new Error("The URL of the database is invalid");
  const shown = new URL(url);
  shown.password = "";
  shown.search = "";
  return shown.href;
}

export function createDatabasePlace(url: string): Place {
  return {
    label: `the database ${hidePassword(url)}`,
    open: async ({ name, collections }) => {
      const prepared = await withClient(url, async (client) => {
        await assertUnused(client, name);
        return isPrepared(client, name);
      });
      if (!prepared) return undefined;
      const store = await openPostgresStore({ url, name, collections, applicationName: APPLICATION });
      let content: Content | undefined;
      try {
        if (await hasRecords(store, collections)) content = toContent(store);
      } finally {
        if (content === undefined) await store.close();
      }
      return content;
    },
    write: async ({ name, collections }: StoreName, content) => {
      const shapes = await prepareDatabase({ url, name, collections });
      await withClient(url, async (client) => {
        await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
        await assertUnused(client, name);
        // Whatever fails here ends the connection, and with it the transaction.
        await writeAll(client, shapes, content);
        await client.query("COMMIT");
      });
      return undefined;
    },
  };
}
