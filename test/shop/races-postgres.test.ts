/** The shop's races on PostgreSQL, through one store. */
import { shopCollections } from "../../src/shop/app/records.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { describeRaces } from "./races.ts";

describeRaces("PostgreSQL", async () => {
  const { url, drop } = await createTestDatabase();
  // No timeouts: slow machines must not cause failures.
  const store = await openPostgresStore({
    url,
    name: "shop",
    collections: shopCollections,
    patienceMs: 600_000,
  });
  return {
    stores: [store],
    close: async () => {
      await store.close();
      await drop();
    },
  };
});
