/** What the JSON store promises when the disk is full, short, slow or broken. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JournalStoreEvent } from "../../../src/store/journal/journal-store.ts";
import { items, rejectsWith } from "../../contract/store-fixtures.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type Fault, FaultyFiles } from "../faulty-files.ts";
import { idsOf, insert, open, stateOf } from "./journal-harness.ts";

const writeFaults: readonly (readonly [string, Fault])[] = [
  ["a full disk", { operation: "append", path: "journal", code: "ENOSPC" }],
  ["a short write", { operation: "append", path: "journal", code: "ENOSPC", shortBy: "half" }],
  ["an fsync error", { operation: "datasync", path: "journal" }],
];

describe("JSON store, failing disk", () => {
  for (const [what, fault] of writeFaults) {
    it(`refuses the write and those after ${what}, serves reads, heals on check, and loses nothing`, async () => {
      const files = new FaultyFiles();
      const clock = createFixedClock();
      const events: JournalStoreEvent["type"][] = [];
      const store = await open(files, { clock, onEvent: ({ type }) => events.push(type) });
      await insert(store, "before");
      files.fail(fault, { operation: "open", path: "json.tmp", times: 2 });
      const together = await Promise.allSettled([insert(store, "lost1"), insert(store, "lost2")]);
      assert.deepEqual(
        together.map(({ status }) => status),
        ["rejected", "rejected"],
      );
      await rejectsWith(insert(store, "lost3"), "store_unavailable");
      assert.deepEqual(await idsOf(store), ["before"]);
      await rejectsWith(store.check(), "store_unavailable");
      await rejectsWith(store.check(), "store_unavailable");
      clock.advance(1000);
      await rejectsWith(store.check(), "store_unavailable");
      clock.advance(1000);
      await store.check();
      await insert(store, "after");
      // The key of a lost record is free.
      await insert(store, "lost1");
      assert.deepEqual(events, ["opened", "failed", "healed"]);
      for (const disk of [files.afterPowerCut(), files.afterKill()]) {
        const again = await open(disk);
        assert.deepEqual(await idsOf(again), ["after", "before", "lost1"]);
        await again.close();
      }
      await store.close();
    });
  }

  it("does not bring back a refused write when the process dies before it heals", async () => {
    const files = new FaultyFiles();
    const store = await open(files);
    await insert(store, "before");
    files.fail({ operation: "append", path: "journal", code: "ENOSPC", shortBy: "half" });
    await rejectsWith(insert(store, "refused"), "store_unavailable");
    const again = await open(files.afterKill());
    assert.deepEqual(await idsOf(again), ["before"]);
    await again.close();
    await store.close();
  });

  it("leaves no half-written file when a snapshot fails, and goes on with the journal", async () => {
    const faults: Fault[] = [
      { operation: "append", path: "json.tmp", code: "ENOSPC", shortBy: "half" },
      { operation: "datasync", path: "json.tmp" },
      { operation: "rename", path: ".json" },
      { operation: "open", path: "json.tmp", code: "EMFILE" },
      { operation: "open", path: ".journal", code: "EMFILE" },
    ];
    for (const fault of faults) {
      const files = new FaultyFiles();
      const events: JournalStoreEvent["type"][] = [];
      const store = await open(files, { compactAtBytes: 500, onEvent: ({ type }) => events.push(type) });
      files.fail(fault);
      const ids = Array.from({ length: 12 }, (_, i) => `i${String(i).padStart(2, "0")}`);
      for (const id of ids) await insert(store, id);
      await store.idle();
      assert.ok(events.includes("compaction_failed"), `${fault.operation}: ${events.join()}`);
      assert.ok(events.includes("compacted"), `${fault.operation}: ${events.join()}`);
      assert.deepEqual(
        files.paths().filter((path) => path.endsWith(".tmp")),
        [],
      );
      const again = await open(files.afterPowerCut());
      assert.deepEqual(await idsOf(again), ids);
      await again.close();
      await store.close();
    }
  });

  it("heals by itself a second after the failure, then two, four, and at most thirty", async () => {
    const files = new FaultyFiles();
    const planned: { delayMs: number; callback: () => void }[] = [];
    let told: () => void = () => undefined;
    const store = await open(files, {
      onEvent: ({ type }) => type === "healed" && told(),
      schedule: (delayMs, callback) => {
        planned.push({ delayMs, callback });
        told();
        return () => undefined;
      },
    });
    files.fail({ operation: "datasync", path: "journal" }, { operation: "open", path: "json.tmp", times: 6 });
    await rejectsWith(insert(store, "lost"), "store_unavailable");
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const outcome = new Promise<void>((resolve) => {
        told = resolve;
      });
      planned.at(-1)?.callback();
      await outcome;
    }
    assert.deepEqual(
      planned.map(({ delayMs }) => delayMs / 1000),
      [1, 2, 4, 8, 16, 30, 30],
    );
    await insert(store, "after");
    assert.deepEqual(await idsOf(store), ["after"]);
    await store.close();
  });
});

describe("JSON store, slow disk", () => {
  it("serves reads of what is durable, and health, while a sync takes long", async () => {
    const files = new FaultyFiles();
    const store = await open(files);
    await insert(store, "a");
    files.holdSyncs();
    const slow = insert(store, "b");
    assert.equal(await stateOf(slow), "pending");
    assert.deepEqual(await idsOf(store), ["a"]);
    await store.check();
    files.releaseSyncs();
    await slow;
    assert.deepEqual(await idsOf(store), ["a", "b"]);
    await store.close();
  });

  it("gives no answer before what it saw is durable: a duplicate, a read in a transaction, an error", async () => {
    const files = new FaultyFiles();
    const store = await open(files);
    files.holdSyncs();
    const first = insert(store, "a");
    const duplicate = rejectsWith(insert(store, "a"), "unique_violation");
    const seen = store.transact((tx) => tx.get(items, "a"));
    assert.deepEqual(
      [await stateOf(first), await stateOf(duplicate), await stateOf(seen)],
      ["pending", "pending", "pending"],
    );
    // These start while the batch is being written.
    const later = rejectsWith(insert(store, "a"), "unique_violation");
    const laterSeen = store.transact((tx) => tx.get(items, "a"));
    assert.deepEqual([await stateOf(later), await stateOf(laterSeen)], ["pending", "pending"]);
    files.releaseSyncs();
    await Promise.all([first, duplicate, seen, later, laterSeen]);
    await store.close();
  });

  it("turns a duplicate into store_unavailable when what it collided with is lost", async () => {
    const files = new FaultyFiles();
    const store = await open(files);
    files.fail({ operation: "datasync", path: "journal" });
    const answers = [insert(store, "a"), insert(store, "a"), store.transact((tx) => tx.get(items, "a"))];
    await Promise.all(answers.map((answer) => rejectsWith(answer, "store_unavailable")));
    await store.close();
  });

  it("goes on from what a killed program left only once that is on the disk", async () => {
    const files = new FaultyFiles();
    await insert(await open(files), "a");
    const left = files.afterKill();
    left.fail({ operation: "datasync", path: "journal" });
    await assert.rejects(open(left), { code: "EIO" });
    const store = await open(left);
    assert.deepEqual(await idsOf(store), ["a"]);
    await store.close();
  });

  it("keeps a transaction whose work waits out of what becomes durable before it", async () => {
    const files = new FaultyFiles();
    const store = await open(files);
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const first = insert(store, "a");
    const waiting = store.transact(async (tx) => {
      await tx.insert(items, { id: "b", rank: 1 });
      await gate;
      throw new Error("changed its mind");
    });
    await first;
    assert.deepEqual(await idsOf(store), ["a"]);
    go();
    await assert.rejects(waiting, /changed its mind/u);
    await insert(store, "b");
    assert.deepEqual(await idsOf(store), ["a", "b"]);
    await store.close();
  });

  it("voids a transaction whose work was under way when the disk failed", async () => {
    const files = new FaultyFiles();
    const clock = createFixedClock();
    const store = await open(files, { clock });
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    files.fail({ operation: "datasync", path: "journal" });
    const first = rejectsWith(insert(store, "a"), "store_unavailable");
    const waiting = store.transact(async (tx) => {
      await tx.insert(items, { id: "b", rank: 1 });
      await gate;
    });
    await first;
    await store.check();
    go();
    await rejectsWith(waiting, "store_unavailable");
    assert.deepEqual(await idsOf(store), []);
    await store.close();
  });
});
