/** What a version before readings left behind: months with counters, and a checkpoint with days. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type UsageCheckpoint, usageCheckpointSchema } from "../../../src/monitor/usage/schema.ts";
import type { Usage } from "../../../src/monitor/usage/usage.ts";
import { months } from "../../../src/monitor/usage/records.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import { START } from "../../support/fixed-clock.ts";
import { type BookWorld, createBookWorld, report } from "./usage-fixture.ts";

/** 31 January 2026, the day of START. */
const TODAY = Math.floor(START / 86_400_000);

describe("usage over older data", () => {
  let world: BookWorld;
  let record: ServerRecord;

  beforeEach(async () => {
    world = createBookWorld();
    record = await world.add("a");
    await world.store.transact((tx) =>
      tx.insert(months, {
        id: "a:2026-01",
        serverId: "a",
        month: "2026-01",
        days: [
          [30, 7, 1, 100, 200],
          [31, 50, 5, 10, 10],
        ],
        counter: { countedAt: START, rx: 150, tx: 5 },
      }),
    );
  });

  /** As it was written, with one number more in each counter. */
  function part(
    countedAt: number,
    rx: number,
    day: readonly [number, number, number, number],
  ): UsageCheckpoint {
    return usageCheckpointSchema.parse({
      counter: { countedAt, rx, tx: 5, reports: 9 },
      days: [[TODAY, ...day]],
    });
  }

  async function days(book: Usage): Promise<number[][]> {
    const found = await book.days(record, 2);
    return found.map((day) => [day.rxBytes, day.txBytes, day.upMinutes, day.knownMinutes]);
  }

  /** The same over a restart, in which the checkpoint is the old one still, and from the store alone. */
  async function assertDays(book: Usage, old: UsageCheckpoint, expected: number[][]): Promise<void> {
    assert.deepEqual(await days(book), expected);
    const snapshot = usageCheckpointSchema.parse(JSON.parse(JSON.stringify(book.snapshot("a"))));
    const again = await world.start();
    again.restore("a", snapshot);
    assert.deepEqual(await days(again), expected, "from its own checkpoint");
    await book.flush();
    assert.deepEqual(await days(book), expected, "flushed");
    const late = await world.start();
    late.restore("a", old);
    await late.flush();
    assert.deepEqual(await days(late), expected, "from the old checkpoint and the new store");
    assert.deepEqual(await days(await world.start()), expected, "from the store");
  }

  it("goes on from the months when they are later than the checkpoint", async () => {
    const old = part(START - 1_000, 120, [20, 5, 8, 9]);
    const book = await world.start();
    book.restore("a", old);
    world.clock.advance(1_000);
    book.count("a", report({ at: START - 500 }, 130, 5));
    book.count("a", report({ at: world.clock.now() }, 160, 6));
    await assertDays(book, old, [
      [7, 1, 100, 200],
      [60, 6, 10, 10],
    ]);
  });

  it("goes on from the checkpoint when it is later than the months", async () => {
    world.clock.advance(5_000);
    const old = part(START + 4_000, 20, [130, 25, 12, 13]);
    const book = await world.start();
    book.restore("a", old);
    book.count("a", report({ at: START + 3_000 }, 250, 5));
    book.count("a", report({ at: world.clock.now() }, 30, 5));
    await assertDays(book, old, [
      [7, 1, 100, 200],
      [140, 25, 12, 13],
    ]);
  });
});
