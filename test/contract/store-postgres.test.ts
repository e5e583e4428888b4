/** The store contract on PostgreSQL, plain and with every transaction run twice. */
import pg from "pg";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { describeStoreContract } from "./store-contract.ts";

async function cutConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

for (const forceReruns of [false, true]) {
  describeStoreContract({
    name: forceReruns ? "PostgreSQL with forced re-runs" : "PostgreSQL",
    open: async (collections) => {
      const database = await createTestDatabase();
      const store = await openPostgresStore({
        url: database.url,
        name: "contract",
        collections,
        forceReruns,
      });
      return {
        store,
        cutOff: () => cutConnections(database.url),
        dispose: async () => {
          await store.close();
          await database.drop();
        },
      };
    },
  });
}
