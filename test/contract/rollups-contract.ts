/** What every store of rollups promises. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import fc from "fast-check";
import { addValues, createStats, mergeBuckets } from "../../src/store/series/rollups/bucket.ts";
import type {
  RollupBatch,
  RollupBucket,
  RollupStore,
  RollupTier,
} from "../../src/store/series/rollups/rollups.ts";
import { type FixedClock, createFixedClock, START } from "../support/fixed-clock.ts";

const HOUR = 3_600_000;
export const COLUMNS = 3;

export const tiers: readonly RollupTier[] = [
  { name: "1m", stepMs: 60_000, segmentMs: HOUR, keepMs: 24 * HOUR },
  { name: "1h", stepMs: HOUR, segmentMs: 24 * HOUR, keepMs: 10 * 24 * HOUR },
];

export interface Row {
  readonly key: string;
  readonly at: number;
  readonly values: readonly number[];
}

/** What an adapter gives to be put to the test. */
export interface RollupsSubject {
  readonly name: string;
  open(clock: FixedClock): Promise<{
    readonly rollups: RollupStore;
    /** Opens what is kept once more, as after a restart; undefined when nothing is kept. */
    readonly reopen: (() => Promise<RollupStore>) | undefined;
    readonly dispose: () => Promise<void>;
  }>;
}

/** The spans of rows in a tier. */
export function rollUp(tier: RollupTier, rows: readonly Row[]): RollupBucket[] {
  const single = rows.map(({ at, values }) => {
    const stats = createStats(COLUMNS);
    addValues(stats, values);
    return { at, stats };
  });
  return mergeBuckets(single, { stepMs: tier.stepMs });
}

/** A batch of rows. */
export function toBatch(rows: readonly Row[]): RollupBatch {
  return {
    keys: [...new Set(rows.map(({ key }) => key))],
    newestAt: Math.max(-Infinity, ...rows.map(({ at }) => at)),
    read: (tier, key) =>
      rollUp(
        tier,
        rows.filter((row) => row.key === key),
      ),
  };
}

/** Flushes rows that came since the mark. */
export function flushRows(rollups: RollupStore, rows: readonly Row[]): Promise<void> {
  return rollups.flush({ nextSeq: rollups.flushedSeq + 1, collect: () => toBatch(rows) });
}

/** Everything of a key in a tier. */
export async function readAll(rollups: RollupStore, tier: string, key: string): Promise<RollupBucket[]> {
  const { buckets } = await rollups.read({ tier, key, from: 0, to: Number.MAX_SAFE_INTEGER });
  return [...buckets];
}

/** Compares spans; fractions are kept as float32. */
export function assertSame(found: readonly RollupBucket[], expected: readonly RollupBucket[]): void {
  assert.deepEqual(
    found.map(({ at }) => at),
    expected.map(({ at }) => at),
  );
  for (const [index, { stats }] of expected.entries()) {
    for (const [place, value] of stats.entries()) {
      const got = found[index]?.stats[place] ?? Number.NaN;
      const isClose = Math.abs(got - value) <= 1e-5 * Math.max(1, Math.abs(value));
      assert.ok(isClose, `number ${place} of span ${index}: ${got}, not ${value}`);
    }
  }
}

const row = (key: string, at: number, ...values: number[]): Row => ({ key, at, values });

const rowArbitrary = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  // In any order, and late by up to five hours.
  at: fc.integer({ min: START - 5 * HOUR, max: START }),
  values: fc.tuple(
    fc.oneof(fc.constant(Number.NaN), fc.integer({ min: 0, max: 2 ** 40 })),
    fc.oneof(fc.constant(7), fc.float({ min: 0, max: 100, noNaN: true })),
    fc.constantFrom(0, 1, 8_345_231_360, Number.NaN),
  ),
});

/** Runs the contract on an adapter. */
export function describeRollupsContract(subject: RollupsSubject): void {
  describe(`rollups: ${subject.name}`, () => {
    let clock: FixedClock;
    let rollups: RollupStore;
    let opened: Awaited<ReturnType<RollupsSubject["open"]>>;

    beforeEach(async () => {
      clock = createFixedClock();
      opened = await subject.open(clock);
      ({ rollups } = opened);
    });
    afterEach(() => opened.dispose());

    it("begins empty, with the mark 0", async () => {
      assert.equal(rollups.flushedSeq, 0);
      const { buckets, flushedSeq, marks } = await rollups.read({ tier: "1m", key: "a", from: 0, to: START });
      assert.deepEqual([buckets, flushedSeq, marks.get(rollups.origin) ?? 0], [[], 0, 0]);
    });

    it("adds up what several flushes bring to one span, and moves the mark", async () => {
      const first = [row("a", START, 1, 10), row("a", START + 1, 5, 20)];
      const second = [row("a", START + 59_999, 3, 60, 9), row("b", START, 100)];
      await flushRows(rollups, first);
      await flushRows(rollups, second);
      assert.equal(rollups.flushedSeq, 2);
      const [bucket] = await readAll(rollups, "1m", "a");
      assert.deepEqual([...(bucket?.stats ?? [])], [3, 1, 5, 9, 3, 10, 60, 90, 1, 9, 9, 9]);
      assert.equal((await readAll(rollups, "1h", "b"))[0]?.stats[3], 100);
    });

    it("passes the stored mark to the collector, and collects nothing for a mark that it passed", async () => {
      await rollups.flush({ nextSeq: 7, collect: () => toBatch([row("a", START, 1)]) });
      const asked: number[] = [];
      const collect = (fromSeq: number): RollupBatch => {
        asked.push(fromSeq);
        return toBatch([row("a", START, 1)]);
      };
      await rollups.flush({ nextSeq: 7, collect: () => assert.fail("collected twice") });
      await rollups.flush({ nextSeq: 9, collect });
      assert.deepEqual([...new Set(asked)], [7]);
      const view = await rollups.read({ tier: "1m", key: "a", from: 0, to: Number.MAX_SAFE_INTEGER });
      assert.deepEqual([view.flushedSeq, view.buckets[0]?.stats[0]], [9, 2]);
    });

    it("moves the mark for an empty batch", async () => {
      await flushRows(rollups, []);
      assert.equal(rollups.flushedSeq, 1);
    });

    it("gives spans from `from` on and before `to`", async () => {
      const rows = [0, 1, 2, 3].map((minute) => row("a", START + minute * 60_000, minute));
      await flushRows(rollups, rows);
      clock.advance(HOUR);
      const { buckets } = await rollups.read({
        tier: "1m",
        key: "a",
        from: START + 60_000,
        to: START + 180_000,
      });
      assert.deepEqual(
        buckets.map(({ at }) => at - START),
        [60_000, 120_000],
      );
    });

    it("keeps whole numbers exactly, up to 2^53 − 1", async () => {
      const values = [Number.MAX_SAFE_INTEGER, 2 ** 52 + 1, 0];
      await flushRows(rollups, [row("a", START, ...values)]);
      await flushRows(rollups, [row("a", START + HOUR, 1, 2, 3), row("a", START + 2 * HOUR, ...values)]);
      const found = await readAll(rollups, "1h", "a");
      assert.deepEqual(
        found.map(({ stats }) => [stats[1], stats[6], stats[9]]),
        [values, [1, 2, 3], values],
      );
    });

    it("leaves out what is older than a tier keeps, and deletes it by whole segments", async () => {
      await flushRows(rollups, [row("a", START - 25 * HOUR, 1), row("a", START, 2)]);
      assert.equal((await readAll(rollups, "1m", "a")).length, 1);
      assert.equal((await readAll(rollups, "1h", "a")).length, 2);
      clock.advance(11 * 24 * HOUR);
      await flushRows(rollups, [row("b", clock.now(), 1)]);
      for (const tier of ["1m", "1h"]) assert.deepEqual(await readAll(rollups, tier, "a"), []);
      await rollups.maintain();
      assert.equal((await readAll(rollups, "1m", "b")).length, 1);
    });

    it("keeps everything when the clock alone jumps ahead by years", async () => {
      await flushRows(rollups, [row("a", START, 1)]);
      clock.jump(10 * 365 * 24 * HOUR);
      await rollups.maintain();
      await flushRows(rollups, [row("a", START + 60_000, 1)]);
      assert.equal((await readAll(rollups, "1m", "a")).length, 2);
    });

    it("follows a changed retention", async () => {
      await flushRows(rollups, [row("a", START - 5 * HOUR, 1), row("a", START, 1)]);
      rollups.retain("1m", 2 * HOUR);
      assert.equal((await readAll(rollups, "1m", "a")).length, 1);
      assert.equal((await readAll(rollups, "1h", "a")).length, 2);
    });

    it("forgets a dropped key, which may start again", async () => {
      await flushRows(rollups, [row("a", START, 1), row("b", START, 1)]);
      await rollups.drop("a");
      assert.deepEqual(await readAll(rollups, "1m", "a"), []);
      await flushRows(rollups, [row("a", START, 5)]);
      assert.deepEqual([...((await readAll(rollups, "1m", "a"))[0]?.stats.slice(0, 4) ?? [])], [1, 5, 5, 5]);
      assert.equal((await readAll(rollups, "1m", "b")).length, 1);
    });

    it("says what each tier takes", async () => {
      await flushRows(rollups, [row("a", START, 1)]);
      const sizes = await rollups.sizes();
      assert.deepEqual([...sizes.keys()], ["1m", "1h"]);
      for (const { bytes } of sizes.values()) assert.ok(bytes > 0);
    });

    it("leaves everything as it was when collecting fails", async () => {
      await flushRows(rollups, [row("a", START, 1)]);
      const broken: RollupBatch = {
        ...toBatch([row("a", START, 1), row("b", START, 1)]),
        read: (tier, key) => {
          if (key === "b") throw new RangeError("broken");
          return rollUp(tier, [row("a", START, 1)]);
        },
      };
      await assert.rejects(rollups.flush({ nextSeq: 2, collect: () => broken }));
      assert.equal(rollups.flushedSeq, 1);
      assert.equal((await readAll(rollups, "1m", "a"))[0]?.stats[0], 1);
      await flushRows(rollups, [row("a", START, 1)]);
      assert.equal((await readAll(rollups, "1m", "a"))[0]?.stats[0], 2);
    });

    it("equals the sum of all rows, in whatever order and flushes they come, before and after a restart", async () => {
      const batches = fc.array(fc.array(rowArbitrary, { maxLength: 12 }), { minLength: 1, maxLength: 9 });
      await fc.assert(
        fc.asyncProperty(batches, async (all) => {
          const own = await subject.open(createFixedClock());
          try {
            for (const [index, rows] of all.entries()) {
              await flushRows(own.rollups, rows);
              if (index % 4 === 3) await own.rollups.maintain();
            }
            const stores = [own.rollups];
            if (own.reopen !== undefined) stores.push(await own.reopen());
            for (const store of stores) {
              for (const tier of tiers) {
                for (const key of ["a", "b", "c"]) {
                  const rows = all.flat().filter((one) => one.key === key);
                  assertSame(await readAll(store, tier.name, key), rollUp(tier, rows));
                }
              }
            }
          } finally {
            await own.dispose();
          }
        }),
        { numRuns: subject.name === "PostgreSQL" ? 8 : 60 },
      );
    });
  });
}
