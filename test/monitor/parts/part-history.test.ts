/** Series of parts beside the sum over all values: late ones, flushes that fail, restarts, and a second node. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import {
  type PartHistory,
  createPartHistory,
  createPartTiers,
} from "../../../src/monitor/parts/part-history.ts";
import { createMemoryRollups, createMemoryTables } from "../../../src/store/series/rollups/memory-rollups.ts";
import type { RollupStore } from "../../../src/store/series/rollups/rollups.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";
import { createLocalHub } from "../../support/local-hub.ts";

const MINUTE_MS = 60_000;
const retention = retentionSchema.parse({});
const tiers = createPartTiers(retention);
const series = "web-1/mount0";

function createHistory(
  clock: FixedClock,
  rollups: RollupStore,
  more: Partial<Parameters<typeof createPartHistory>[0]> = {},
): PartHistory {
  return createPartHistory({ clock, log: silentLog, rollups, retention, createdAt: () => 0, ...more });
}

async function sumOf(history: PartHistory, clock: FixedClock): Promise<Map<number, number>> {
  const [found] = await history.query({
    seriesId: series,
    sources: [{ type: "stored", index: 0 }],
    from: clock.now() - 5 * 60 * MINUTE_MS,
    to: clock.now() + 1,
    points: 1_000,
  });
  return new Map(found?.points.map(({ at, max }) => [at, max]));
}

describe("the series of a part", () => {
  it("is what its values come to by minute, however they come and whatever is flushed", async () => {
    const step = fc.oneof(
      fc.record({ ago: fc.nat(240), value: fc.nat(1_000) }),
      fc.constantFrom("flush" as const, "restart" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = createFixedClock();
        const rollups = createMemoryRollups({ tiers, clock });
        let history = createHistory(clock, rollups);
        const expected = new Map<number, number>();
        for (const one of steps) {
          if (one === "flush") await history.flush();
          else if (one === "restart") {
            await history.flush();
            history = createHistory(clock, rollups);
          } else {
            const at = clock.now() - one.ago * 30_000;
            const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
            history.add(series, at, [one.value]);
            expected.set(minute, Math.max(expected.get(minute) ?? 0, one.value));
          }
        }
        assert.deepEqual(await sumOf(history, clock), new Map([...expected].sort(([a], [b]) => a - b)));
      }),
      { numRuns: 60 },
    );
  });

  it("keeps what a failed flush could not store, and leaves values out rather than grow without end", async () => {
    const clock = createFixedClock();
    const real = createMemoryRollups({ tiers, clock });
    let isFailing = true;
    const rollups: RollupStore = {
      ...real,
      get flushedSeq() {
        return real.flushedSeq;
      },
      flush: (batch) => (isFailing ? Promise.reject(new Error("The disk is full")) : real.flush(batch)),
    };
    const history = createHistory(clock, rollups, { maxMinutes: 3 });
    for (let minute = 0; minute < 5; minute += 1) {
      history.add(series, clock.now() + minute * MINUTE_MS, [minute + 1]);
      await history.flush();
    }
    clock.advance(5 * MINUTE_MS);
    assert.deepEqual([...(await sumOf(history, clock)).values()], [1, 2, 3]);
    isFailing = false;
    await history.flush();
    assert.deepEqual([...(await sumOf(history, clock)).values()], [1, 2, 3]);
    history.add(series, clock.now(), [9]);
    assert.deepEqual([...(await sumOf(history, clock)).values()], [1, 2, 3, 9]);
  });

  it("of a server that is deleted is gone, and one of its name begins with nothing", async () => {
    const clock = createFixedClock();
    const rollups = createMemoryRollups({ tiers, clock });
    let createdAt = 0;
    const history = createHistory(clock, rollups, { createdAt: () => createdAt });
    history.add(series, clock.now(), [1]);
    await history.flush();
    await history.drop({ id: "web-1", createdAt: 0 }, ["mount0"]);
    assert.equal((await sumOf(history, clock)).size, 0);
    createdAt = START;
    assert.equal((await sumOf(history, clock)).size, 0);
  });

  it("is shown by another node before it is flushed, and once after it", async () => {
    const clock = createFixedClock();
    const hub = createLocalHub();
    const tables = createMemoryTables(tiers);
    const names = ["a", "b"];
    const [here, there] = names.map((name) =>
      createHistory(clock, createMemoryRollups({ tiers, clock, origin: name, tables }), {
        nodes: {
          bus: hub.join(name),
          peers: () => names.filter((other) => other !== name),
          timeoutMs: 30_000,
          listServers: async () => [{ id: "web-1", createdAt: 0 }],
        },
      }),
    );
    assert.ok(here !== undefined && there !== undefined);
    here.add(series, clock.now(), [5]);
    here.add(series, clock.now(), [7]);
    assert.deepEqual([...(await sumOf(there, clock)).values()], [7]);
    await here.flush();
    assert.deepEqual([...(await sumOf(there, clock)).values()], [7]);
    await there.maintain();
    assert.deepEqual([...(await sumOf(here, clock)).values()], [7]);
  });
});
