/** The store contract on PostgreSQL, plain and with every transaction run twice. */
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { describeStoreContract } from "./store-contract.ts";

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
        dispose: async () => {
          await store.close();
          await database.drop();
        },
      };
    },
  });
}
