/** The shop's races on the JSON store on disk; afterward the reopened folder has the same contents. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/kit/time/clock.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import { type JournalStore, openJournalStore } from "../../src/store/journal/journal-store.ts";
import { assertConsistent } from "./race-checks.ts";
import { describeRaces } from "./races.ts";

function open(folder: string): Promise<JournalStore> {
  return openJournalStore({
    folder,
    name: "shop",
    collections: shopCollections,
    clock: systemClock,
    log: silentLog,
    // So that snapshots are made while orders come in.
    compactAtBytes: 200_000,
  });
}

describeRaces("the JSON store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trivet-shop-races-"));
  const store = await open(folder);
  return {
    stores: [store],
    close: async () => {
      await store.close();
      const again = await open(folder);
      await assertConsistent(again);
      await again.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
