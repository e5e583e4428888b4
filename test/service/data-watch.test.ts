/** The slow pass over stored data: limited, in the time of jobs, with visible results. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createMetrics } from "../../src/kit/observe/metrics.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { type DataWatch, createDataWatch } from "../../src/service/data-watch.ts";
import type { DataProblem } from "../../src/store/scrub.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

const MIB = 1024 * 1024;

let clock: FixedClock;
let watch: DataWatch;
/** What the next pass meets. */
let steps: (number | DataProblem)[];
let passes = 0;
beforeEach(() => {
  clock = createFixedClock();
  watch = createDataWatch({ clock, log: silentLog, everyHours: 24 });
  steps = [MIB, MIB];
  passes = 0;
});

async function* scrub(): AsyncGenerator<number | DataProblem> {
  passes += 1;
  yield* steps;
}

/** Runs the job until it rests for a day; the waits in between. */
async function pass(job: { everyMs: () => number; run: () => unknown }): Promise<number[]> {
  const waits: number[] = [];
  for (;;) {
    await job.run();
    const waitMs = job.everyMs();
    if (waitMs >= 3_600_000) return [...waits, waitMs];
    waits.push(waitMs);
  }
}

function open(): { everyMs: () => number; run: () => unknown } {
  const { job } = watch.createJob([scrub]);
  assert.ok(job !== undefined);
  return job;
}

describe("the pass over stored data", () => {
  it("reads at 4 MiB a second, begins late after a start and comes again after its hours", async () => {
    const job = open();
    assert.equal(job.everyMs(), 600_000);
    assert.deepEqual(await pass(job), [250, 250, 24 * 3_600_000]);
    assert.deepEqual(watch.report(), { damaged: 0, checkedAt: new Date(clock.now()).toISOString() });
    await pass(job);
    assert.equal(passes, 2);
  });

  it("is off with 0 hours", () => {
    watch = createDataWatch({ clock, log: silentLog, everyHours: 0 });
    assert.equal(watch.createJob([scrub]).job, undefined);
  });

  it("tells health and metrics what is damaged, until a pass finds it sound", async () => {
    const metrics = createMetrics();
    watch.addMetrics(metrics);
    const job = open();
    steps = [MIB, { path: "/data/a", problem: "is damaged" }, MIB];
    await pass(job);
    await assert.rejects(watch.check(), /"\/data\/a" is damaged/u);
    assert.equal(watch.report().damaged, 1);
    assert.match(metrics.render(), /trivet_data_damaged 1\n/u);
    steps = [MIB];
    await pass(job);
    await watch.check();
    assert.match(metrics.render(), /trivet_data_damaged 0\n/u);
  });

  it("keeps what a read noted until the next pass, and what is noted during a pass until the one after", async () => {
    const job = open();
    watch.note({ path: "/data/before", problem: "is damaged" });
    assert.equal(watch.report().damaged, 1);
    await job.run();
    watch.note({ path: "/data/meanwhile", problem: "is damaged" });
    await pass(job);
    await assert.rejects(watch.check(), /meanwhile/u);
    assert.equal(watch.report().damaged, 1);
    await pass(job);
    assert.equal(watch.report().damaged, 0);
  });

  it("starts over after a storage location was unavailable", async () => {
    const job = open();
    let isAway = true;
    const { job: broken } = watch.createJob([
      async function* away() {
        if (isAway) throw new Error("The database is away");
        yield MIB;
      },
    ]);
    await assert.rejects(async () => broken?.run());
    assert.equal(broken?.everyMs(), 3_600_000);
    isAway = false;
    assert.deepEqual(await pass(broken ?? job), [250, 24 * 3_600_000]);
  });
});
