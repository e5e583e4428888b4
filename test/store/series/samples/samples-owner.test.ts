/** What a sample log does for an owner that counts rows by segment. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLog } from "../../../../src/kit/observe/log.ts";
import { openSampleLog } from "../../../../src/store/series/samples/file-sample-log.ts";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { createTestDisk } from "./samples-disk.ts";
import { FIRST, makeRow, openLog } from "./samples-fixture.ts";

describe("SampleLog and its owner", () => {
  it("tells the segment of each row, when it is written and when it is read back", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    assert.deepEqual(await Promise.all([log.append(makeRow("a", 1)), log.append(makeRow("b", 2))]), [1, 1]);
    await log.roll();
    assert.equal(await log.append(makeRow("a", 3)), 2);
    const seen: [number, number][] = [];
    const third = await openSampleLog({
      folder: "/samples",
      columns: ["fraction", "whole", "whole"],
      checkpoint: () => [],
      clock: createFixedClock(),
      log: silentLog,
      files: disk.files,
    });
    await third.replay({ onCheckpoint: () => undefined, onRow: ({ at }, seq) => seen.push([at, seq]) });
    assert.deepEqual(seen, [
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
  });

  it("calls onRolled once the rows before are known to be stored, and before the checkpoint", async () => {
    const disk = createTestDisk();
    const known: number[] = [];
    const seen: unknown[] = [];
    const { log } = await openLog({
      disk,
      onRolled: async (firstSeq) => {
        seen.push({ firstSeq, known: [...known], checkpoint: disk.names().includes("checkpoint") });
      },
    });
    const stored = log.append(makeRow("a", 1)).then((seq) => known.push(seq));
    await log.roll();
    await stored;
    assert.deepEqual(seen, [{ firstSeq: 2, known: [1], checkpoint: false }]);
    await log.append(makeRow("a", 2));
    await log.close();
    assert.deepEqual(seen.length, 2);
  });

  it("keeps segments from keepFrom on, however old, and never gives a number below it", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    let keepFrom = 0;
    const { log } = await openLog({ disk, clock, retainMs: 1_000, keepFrom: () => keepFrom });
    await log.append(makeRow("a", 1));
    await log.roll();
    clock.advance(3_600_000);
    await log.maintain();
    assert.ok(disk.names().includes(FIRST));
    keepFrom = 2;
    await log.maintain();
    assert.ok(!disk.names().includes(FIRST));
    await log.close();
    const { log: later } = await openLog({ disk: createTestDisk(), keepFrom: () => 40 });
    assert.equal(await later.append(makeRow("a", 1)), 41);
  });

  it("starts a new segment before its time when the owner wants one", async () => {
    let wanted = false;
    const rolled: number[] = [];
    const { log } = await openLog({
      disk: createTestDisk(),
      wantsRoll: () => wanted,
      onRolled: async (firstSeq) => {
        wanted = false;
        rolled.push(firstSeq);
      },
    });
    await log.append(makeRow("a", 1));
    await log.maintain();
    assert.deepEqual(rolled, []);
    wanted = true;
    await log.maintain();
    assert.deepEqual(rolled, [2]);
  });
});
