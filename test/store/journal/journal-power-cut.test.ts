/** Power cuts and kills after every single file operation: the JSON store loses nothing acknowledged. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { counters, items } from "../../contract/store-fixtures.ts";
import { createRandom, FaultyFiles } from "../faulty-files.ts";
import { idsOf, insert, open } from "./journal-harness.ts";

/** One life of a store until the power fails: counts in two places at once and notes what was acknowledged. */
async function live(files: FaultyFiles): Promise<number> {
  let acknowledged = 0;
  try {
    const store = await open(files, { compactAtBytes: 700 });
    for (let round = 0; round < 8; round += 1) {
      const writes = [0, 1, 2].map(async (n) => {
        const id = `r${round}n${n}`;
        await store.transact(async (tx) => {
          const counter = await tx.get(counters, "n");
          if (counter === undefined) await tx.insert(counters, { id: "n", value: 1 });
          else await tx.put(counters, { ...counter, value: counter.value + 1 });
          await tx.insert(items, { id, rank: (counter?.value ?? 0) + 1, email: id });
        });
        acknowledged += 1;
      });
      await Promise.allSettled(writes);
      if (round === 4) await store.idle();
    }
    await store.close();
  } catch {
    // The power may fail while it opens or closes, too.
  }
  return acknowledged;
}

async function assertWhole(files: FaultyFiles, acknowledged: number, context: string): Promise<void> {
  const store = await open(files);
  const count = await store.read((tx) => tx.count(items));
  const counter = await store.read((tx) => tx.get(counters, "n"));
  assert.equal(counter?.value ?? 0, count, `${context}: half a transaction`);
  assert.ok(count >= acknowledged, `${context}: ${acknowledged} acknowledged, ${count} found`);
  const ranks = await store.read((tx) => tx.list(items, "byRank", { limit: 1000 }));
  assert.deepEqual(
    ranks.items.map(({ rank }) => rank),
    Array.from({ length: count }, (_, i) => i + 1),
    context,
  );
  await insert(store, "still-writable");
  await store.close();
}

describe("JSON store, power cut", () => {
  it("recovers everything acknowledged from a cut after any file operation", async () => {
    const trial = new FaultyFiles();
    assert.equal(await live(trial), 24);
    const { operations } = trial;
    for (let cut = 0; cut <= operations; cut += 1) {
      const files = new FaultyFiles();
      files.powerCutAfter = cut;
      const acknowledged = await live(files);
      await assertWhole(files.afterPowerCut(), acknowledged, `cut ${cut}, nothing unsynced left`);
      await assertWhole(files.afterKill(), acknowledged, `killed ${cut}`);
      for (let seed = 1; seed <= 3; seed += 1) {
        const random = createRandom(cut * 10 + seed);
        await assertWhole(files.afterPowerCut(random), acknowledged, `cut ${cut}, seed ${seed}`);
      }
    }
  });

  it("loses nothing that was there after a start whose sync failed", async () => {
    const first = new FaultyFiles();
    const killed = await open(first, { compactAtBytes: 1e6 });
    await insert(killed, "synced");
    first.holdSyncs();
    void insert(killed, "unsynced").catch(() => undefined);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const after = first.afterKill();
    after.loseUnsynced();
    const full = after.afterKill();
    full.fail({ operation: "append", path: ".journal.tmp", code: "ENOSPC" });
    assert.deepEqual(await idsOf(await open(full)), ["synced", "unsynced"], "on a full disk");
    assert.deepEqual(
      full.paths().filter((path) => path.endsWith(".tmp")),
      [],
    );
    const again = await open(after);
    assert.deepEqual(await idsOf(again), ["synced", "unsynced"]);
    // A failed write lets the store begin its next journal, and the power goes before there is a snapshot.
    after.fail({ operation: "append", path: ".journal" }, { operation: "rename", times: 9 });
    await assert.rejects(insert(again, "failed"));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const last = await open(after.afterPowerCut());
    assert.deepEqual(await idsOf(last), ["synced", "unsynced"]);
  });

  it("recovers from a second cut while it recovers from the first", async () => {
    const files = new FaultyFiles();
    files.powerCutAfter = 70;
    const acknowledged = await live(files);
    for (let cut = 0; cut < 30; cut += 1) {
      const second = files.afterPowerCut(createRandom(cut));
      second.powerCutAfter = cut;
      await open(second).catch(() => undefined);
      await assertWhole(second.afterPowerCut(createRandom(cut + 1)), acknowledged, `second cut ${cut}`);
    }
  });
});
