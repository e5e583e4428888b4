/** The store contract on the JSON store: in memory, on disk, and with every transaction run twice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { describeStoreContract } from "./store-contract.ts";

describeStoreContract({
  name: "memory",
  open: async (collections) => {
    const store = createMemoryStore({ collections });
    return { store, dispose: () => store.close() };
  },
});

describeStoreContract({
  name: "memory with forced re-runs",
  open: async (collections) => {
    const store = createMemoryStore({ collections, forceReruns: true });
    return { store, dispose: () => store.close() };
  },
});

for (const forceReruns of [false, true]) {
  describeStoreContract({
    name: forceReruns ? "JSON with forced re-runs" : "JSON",
    open: async (collections) => {
      const folder = await mkdtemp(join(tmpdir(), "trivet-store-"));
      const store = await openJournalStore({ folder, name: "contract", collections, forceReruns });
      return {
        store,
        dispose: async () => {
          await store.close();
          await rm(folder, { recursive: true });
        },
      };
    },
  });
}
