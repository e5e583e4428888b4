import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { createTestDisk } from "./samples-disk.ts";
import { makeRow, openLog, times, unavailable } from "./samples-fixture.ts";

describe("SampleLog after a failure", () => {
  for (const operation of ["append", "datasync"] as const) {
    it(`acknowledges nothing after a failed ${operation}, and heals in a new segment`, async () => {
      const disk = createTestDisk();
      const clock = createFixedClock();
      const { log, events } = await openLog({ disk, clock });
      await log.append(makeRow("a", 1));
      disk.fail((failing) => failing === operation);
      await assert.rejects(
        Promise.all([log.append(makeRow("a", 2)), log.append(makeRow("b", 3))]),
        unavailable,
      );
      disk.fail(undefined);
      await assert.rejects(log.append(makeRow("a", 4)), unavailable);
      await assert.rejects(log.check(), unavailable);
      clock.advance(1_000);
      await log.append(makeRow("a", 5));
      await log.check();
      assert.deepEqual(
        events.map(({ type }) => type),
        ["failed", "healed"],
      );
      await log.close();
      assert.deepEqual(times((await openLog({ disk })).rows), [1, 5]);
    });
  }

  it("tries again ever later, up to 30 s", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    const { log, events } = await openLog({ disk, clock });
    disk.fail(() => true);
    await assert.rejects(log.append(makeRow("a", 0)), unavailable);
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      clock.advance(wait - 1);
      await assert.rejects(log.check(), unavailable);
      clock.advance(1);
      await assert.rejects(log.check(), unavailable);
    }
    const delays = events.map((event) => (event.type === "failed" ? event.retryInMs : 0));
    assert.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    disk.fail(undefined);
    clock.advance(30_000);
    await Promise.all([log.append(makeRow("a", 1)), log.append(makeRow("a", 2)), log.check()]);
    await log.close();
    assert.deepEqual(new Set(times((await openLog({ disk })).rows)), new Set([1, 2]));
  });

  it("heals after the next segment could not be made", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    const { log } = await openLog({ disk, clock });
    await log.append(makeRow("a", 1));
    disk.fail((operation) => operation === "open");
    let release = (): void => undefined;
    disk.holdSync(new Promise((resolve) => (release = () => resolve(undefined))));
    const beforeRoll = log.append(makeRow("a", 2));
    const rolled = log.roll();
    await new Promise((resolve) => setImmediate(resolve));
    const duringRoll = log.append(makeRow("a", 3));
    release();
    await beforeRoll;
    await assert.rejects(rolled, unavailable);
    await assert.rejects(duringRoll, unavailable);
    disk.fail(undefined);
    clock.advance(1_000);
    await log.maintain();
    await log.append(makeRow("a", 4));
    await log.close();
    assert.deepEqual(times((await openLog({ disk })).rows), [1, 2, 4]);
  });

  it("resolves only when a slow sync is done", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    let release = (): void => undefined;
    disk.holdSync(new Promise((resolve) => (release = () => resolve(undefined))));
    let isDone = false;
    const done = log.append(makeRow("a", 1)).then(() => (isDone = true));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    release();
    await done;
  });

  it("refuses rows after close, and close makes the last ones durable", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    const last = log.append(makeRow("a", 1));
    await log.close();
    await last;
    await assert.rejects(log.append(makeRow("a", 2)), unavailable);
    assert.deepEqual(times((await openLog({ disk: disk.cutPower(() => false) })).rows), [1]);
  });
});
