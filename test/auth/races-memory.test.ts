/** The races on the JSON store: in memory, with every transaction run twice, and on disk. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authCollections } from "../../src/auth/app/records.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { describeRaces } from "./races.ts";

describeRaces("a store in memory that runs each transaction twice", async () => {
  const store = createMemoryStore({ collections: authCollections, forceReruns: true });
  return { store, close: () => store.close() };
});

describeRaces("the JSON store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trivet-races-"));
  const store = await openJournalStore({
    folder,
    name: "auth",
    collections: authCollections,
    clock: systemClock,
    log: silentLog,
  });
  return {
    store,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
