/** Late and out-of-order reports, flushes, failures, kills and power cuts against a sum over all reports. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { History } from "../../../src/monitor/history/history.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { openFileRollups } from "../../../src/store/series/rollups/file-rollups.ts";
import type { RollupStore } from "../../../src/store/series/rollups/rollups.ts";
import { createRandom, FaultyFiles } from "../../store/faulty-files.ts";
import { createFixedClock, START } from "../../support/fixed-clock.ts";
import { createTestHistory, makeRow } from "./history-fixture.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SERVERS = ["a", "b", "c"] as const;
const tiers = createTiers(retentionSchema.parse({}));
/** From how far back a query is answered by each tier. */
const reaches: Readonly<Record<string, number>> = {
  "1m": 23 * HOUR,
  "10m": 13 * DAY,
  "1h": 80 * DAY,
  "1d": 700 * DAY,
};

interface Logged {
  readonly server: string;
  readonly at: number;
  readonly value: number;
  readonly seq: number;
}

type Step =
  | { readonly type: "report"; readonly server: string; readonly ago: number; readonly value: number }
  | { readonly type: "flush" }
  | { readonly type: "maintain" | "kill" | "powerCut" }
  | {
      readonly type: "fault";
      readonly operation: "append" | "datasync" | "rename" | "syncFolder" | "remove";
    };

const calm = [{ type: "maintain" }, { type: "kill" }, { type: "powerCut" }] as const;

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant("report" as const),
      server: fc.constantFrom(...SERVERS),
      // Late by up to 20 hours, in any order; the same time may come again.
      ago: fc.integer({ min: 0, max: 400 }).map((count) => count * 180_000),
      value: fc.integer({ min: 0, max: 1_000 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ type: "flush" } as const) },
  { weight: 2, arbitrary: fc.constantFrom(...calm) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("fault" as const),
      operation: fc.constantFrom("append" as const, "datasync", "rename", "syncFolder", "remove"),
    }),
  },
);

/** The history of a monitor whose sample log loses nothing, on a disk that may. */
async function openTrial(): Promise<{
  run(step: Step, seed: number): Promise<void>;
  check(): Promise<void>;
}> {
  const clock = createFixedClock();
  const logged: Logged[] = [];
  let files = new FaultyFiles();
  let seq = 1;
  let rollups: RollupStore;
  let history: History;

  async function start(): Promise<void> {
    rollups = await openFileRollups({ folder: "/history", tiers, clock, files });
    history = createTestHistory({ clock, rollups });
    for (const { server, at, value, seq: from } of logged)
      history.restore(server, { at, values: makeRow({ processes: value }), seq: from });
    history.restored();
    seq = Math.max(seq, rollups.flushedSeq) + 1;
  }

  async function restart(disk: FaultyFiles): Promise<void> {
    await rollups.close();
    files = disk;
    await start();
  }

  function report(server: string, at: number, value: number): void {
    // The deduplication lets each time through once.
    if (logged.some((row) => row.server === server && row.at === at)) return;
    logged.push({ server, at, value, seq });
    history.insert(server, { at, values: makeRow({ processes: value }), seq });
  }

  async function run(step: Step, seed: number): Promise<void> {
    switch (step.type) {
      case "report":
        return report(step.server, START - step.ago, step.value);
      case "flush":
        return history.flush((seq += 1));
      case "maintain":
        return history.maintain().catch(() => undefined);
      case "kill":
        return restart(files.afterKill());
      case "powerCut":
        return restart(files.afterPowerCut(createRandom(seed)));
      case "fault":
        return files.fail({ operation: step.operation });
    }
  }

  async function checkSeries(server: string, tier: { name: string; stepMs: number }): Promise<void> {
    const from = START - (reaches[tier.name] ?? 0);
    const request = { serverId: server, metrics: ["processes"] as const, from, to: START + 1, points: 1_000 };
    const [series] = await history.query(request);
    const sums = new Map<number, number[]>();
    for (const row of logged) {
      const at = Math.floor(row.at / tier.stepMs) * tier.stepMs;
      if (row.server === server) sums.set(at, [...(sums.get(at) ?? []), row.value]);
    }
    const expected = [...sums]
      .sort(([left], [right]) => left - right)
      .map(([at, values]) => {
        const avg = values.reduce((sum, value) => sum + value, 0) / values.length;
        const rounded = Math.round(avg * 1_000) / 1_000;
        return { at, min: Math.min(...values), avg: rounded, max: Math.max(...values) };
      });
    assert.deepEqual(series, { metric: "processes", tier: tier.name, stepMs: tier.stepMs, points: expected });
  }

  await start();
  return {
    run,
    check: async () => {
      for (const server of SERVERS) for (const tier of tiers) await checkSeries(server, tier);
    },
  };
}

describe("the history", () => {
  it("equals a sum over all reports, whatever comes between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 60 }), async (steps) => {
        const trial = await openTrial();
        for (const [index, step] of steps.entries()) await trial.run(step, index);
        await trial.check();
        await trial.run({ type: "kill" }, 0);
        await trial.check();
      }),
      { numRuns: 150 },
    );
  });
});
