/** A database of its own for a part, on the run's PostgreSQL server or on another. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Surroundings } from "./case.ts";

/** Creates an empty database on the shared server; returns its URL. */
export async function createDatabase(around: Pick<Surroundings, "postgres">): Promise<string> {
  const server = await around.postgres();
  return createDatabaseOn(server.url);
}

/** Creates an empty database on this server; returns its URL. It is removed with the server. */
export async function createDatabaseOn(serverUrl: string): Promise<string> {
  const name = `chaos_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${name} template template0`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
