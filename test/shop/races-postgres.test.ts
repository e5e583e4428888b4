/** The shop's races on PostgreSQL, through one store. */
import { shopCollections } from "../../src/shop/app/records.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { describeRaces } from "./races.ts";

describeRaces("PostgreSQL", async () => {
  const { url, drop } = await createTestDatabase();
  // Patience without end: what a slow machine takes longer for is refused nobody here.
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
