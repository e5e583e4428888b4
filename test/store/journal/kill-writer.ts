/**
 * A program for the SIGKILL test: opens the store in the folder given as argument, writes without pause
 * from eight callers, and prints the number of each transaction once it is acknowledged.
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { codeOf } from "../../../src/kit/thrown.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { counters, items } from "../../contract/store-fixtures.ts";

const folder = process.argv[2] ?? "";
const store = await openJournalStore({
  folder,
  name: "killed",
  collections: [items, counters],
  compactAtBytes: 30_000,
});

/** The pipe is full while its reader is busy. */
function say(text: string): void {
  for (;;) {
    try {
      writeSync(1, text);
      return;
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") throw error;
    }
  }
}

async function writeOn(): Promise<never> {
  for (;;) {
    const rank = await store.transact(async (tx) => {
      const counter = await tx.get(counters, "n");
      const value = (counter?.value ?? 0) + 1;
      if (counter === undefined) await tx.insert(counters, { id: "n", value });
      else await tx.put(counters, { ...counter, value });
      await tx.insert(items, { id: `i${value}`, rank: value, note: "x".repeat(200) });
      return value;
    });
    // Synchronous, so that an acknowledgement is never ahead of what was printed by much, and never lost.
    say(`${rank}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, writeOn));
