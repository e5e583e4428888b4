/** The shop's races on PostgreSQL, through two stores on one database, as two processes have it. */
import { shopCollections } from "../../src/shop/app/records.ts";
import type { Store } from "../../src/store/store.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { describeRaces } from "./races.ts";

describeRaces("PostgreSQL with two processes", async () => {
  const { url, drop } = await createTestDatabase();
  // No timeouts: slow machines must not cause failures.
  const open = (): Promise<Store> =>
    openPostgresStore({ url, name: "shop", collections: shopCollections, patienceMs: 600_000 });
  const stores = [await open(), await open()] as const;
  return {
    stores,
    close: async () => {
      for (const store of stores) await store.close();
      await drop();
    },
  };
});
