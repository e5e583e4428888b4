/** The shop's races on the JSON store in memory, with every transaction run twice. */
import { shopCollections } from "../../src/shop/app/records.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { describeRaces } from "./races.ts";

describeRaces("a store in memory that runs each transaction twice", async () => {
  const store = createMemoryStore({ collections: shopCollections, forceReruns: true });
  return { stores: [store], close: () => store.close() };
});
