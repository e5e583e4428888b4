/**
 * Fresh databases for tests: on the server of TEST_DATABASE_URL, or on one that this process starts at the
 * first call and that ends with it.
 */
import { randomBytes } from "node:crypto";
import process from "node:process";
import pg from "pg";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let own: Promise<PostgresServer> | undefined;

async function serverUrl(): Promise<string> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return given;
  own ??= startPostgresServer({ fast: true });
  return (await own).url;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates an empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `trivet_test_${randomBytes(6).toString("hex")}`;
  await execute(server, `create database ${name} template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server, `drop database if exists ${name} with (force)`) };
}
