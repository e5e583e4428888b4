/** A database of its own for a part, on the run's PostgreSQL server or on another. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Surroundings } from "./case.ts";

/** Makes an empty database on the server that all parts share; gives its address. */
export async function createDatabase(around: Pick<Surroundings, "postgres">): Promise<string> {
  const server = await around.postgres();
  return createDatabaseOn(server.url);
}

/** Makes an empty database on this server; gives its address. It goes with the server. */
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
