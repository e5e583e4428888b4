/** The races on PostgreSQL. */
import { authCollections } from "../../src/auth/app/records.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { describeRaces } from "./races.ts";

describeRaces("PostgreSQL", async () => {
  const database = await createTestDatabase();
  const store = await openPostgresStore({ url: database.url, name: "auth", collections: authCollections });
  return {
    store,
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
});
