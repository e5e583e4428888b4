import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { silentLog } from "../../../../src/kit/observe/log.ts";
import { openSampleLog } from "../../../../src/store/series/samples/file-sample-log.ts";
import type { CheckpointEntry } from "../../../../src/store/series/samples/samples.ts";
import { createFixedClock, START } from "../../../support/fixed-clock.ts";
import { createTestDisk } from "./samples-disk.ts";
import { FIRST, makeRow, openLog, times } from "./samples-fixture.ts";

describe("openSampleLog", () => {
  it("gives rows back as they were, in order", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    const rows = [
      makeRow("web-1", START - 5, [12.5, 0, Number.MAX_SAFE_INTEGER]),
      makeRow("db-é", START + 86_400_000, [Number.NaN, 4_294_967_296, Number.NaN]),
      makeRow("web-1", 0, [Number.NaN, Number.NaN, Number.NaN]),
      { key: "web-1", at: START, receivedAt: START - 3_600_000, values: [-0.25] },
    ];
    await Promise.all(rows.map((row) => log.append(row)));
    await log.close();
    const again = await openLog({ disk });
    const expected = rows.map((row) => ({
      ...row,
      values: [0, 1, 2].map((index) => row.values[index] ?? Number.NaN),
    }));
    assert.deepEqual(again.rows, expected);
    assert.deepEqual(again.summary, { rows: 4, segments: 1, checkpointEntries: 0 });
  });

  it("works on real files, which only their owner can read", async () => {
    const parent = await mkdtemp(join(tmpdir(), "samples-"));
    try {
      const folder = join(parent, "monitor", "samples");
      const first = await openLog({ folder, checkpoint: () => [{ key: "a", blob: Uint8Array.of(1, 2) }] });
      await first.log.append(makeRow("a", 1));
      await first.log.roll();
      await first.log.append(makeRow("a", 2));
      await first.log.close();
      assert.deepEqual(await readdir(folder), [
        FIRST,
        "000000000002.samples",
        "checkpoint",
        "newest",
        "segments",
      ]);
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      for (const name of await readdir(folder))
        assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
      const again = await openLog({ folder });
      assert.deepEqual(times(again.rows), [1, 2]);
      assert.deepEqual(again.entries, [{ key: "a", blob: Uint8Array.of(1, 2) }]);
      await again.log.close();
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  it("refuses use before replay, and a second replay", async () => {
    const log = await openSampleLog({
      folder: "/samples",
      columns: [],
      checkpoint: () => [],
      clock: createFixedClock(),
      log: silentLog,
      files: createTestDisk().files,
    });
    assert.throws(() => log.append(makeRow("a", 1)), TypeError);
    await log.replay({ onCheckpoint: () => undefined, onRow: () => undefined });
    await assert.rejects(log.replay({ onCheckpoint: () => undefined, onRow: () => undefined }), TypeError);
  });

  it("writes many rows with one sync, and they share one promise", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    const before = { ...disk.counts };
    const promises = Array.from({ length: 1_000 }, (_, index) =>
      log.append(makeRow(`s${index % 50}`, index)),
    );
    assert.equal(new Set(promises).size, 1);
    await Promise.all(promises);
    assert.equal(disk.counts.datasync - before.datasync, 1);
    assert.equal(disk.counts.append - before.append, 1);
  });

  it("keeps a row of 24 metrics in about 100 bytes", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({
      disk,
      columns: [
        ...Array.from({ length: 8 }, () => "fraction" as const),
        ...Array.from({ length: 16 }, () => "whole" as const),
      ],
    });
    const whole = [
      8e9, 3e9, 1e9, 2e9, 0, 84e9, 34e9, 0, 4096, 12345, 2345, 1234567890, 987654321, 123, 12, 145,
    ];
    await log.append(makeRow("a", START, []));
    const before = disk.read(FIRST).length;
    for (let index = 0; index < 100; index += 1) {
      await log.append(makeRow("a", START + index, [...Array.from({ length: 8 }, () => 1.5), ...whole]));
    }
    const perRow = (disk.read(FIRST).length - before) / 100;
    assert.ok(perRow <= 104, `${perRow} bytes a row`);
  });

  it("refuses a row that it cannot keep exactly, and goes on", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    await assert.rejects(log.append(makeRow("new", 1, [1, 0.5])), RangeError);
    await assert.rejects(log.append(makeRow("new", 1, [1, -1])), RangeError);
    await assert.rejects(log.append(makeRow("k".repeat(513), 1)), RangeError);
    await assert.rejects(log.append(makeRow("new", 0.5)), RangeError);
    await log.append(makeRow("other", 2));
    await log.close();
    assert.deepEqual(times((await openLog({ disk })).rows), [2]);
  });

  it("reads segments of fewer columns than the program has now", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk, columns: ["fraction"] });
    await log.append(makeRow("a", 1, [1.5]));
    await log.close();
    const { rows } = await openLog({ disk });
    assert.deepEqual(rows[0]?.values, [1.5]);
  });
});

describe("SampleLog rolling", () => {
  it("starts a new segment after its time, and drops old ones when their window has passed", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    const { log, events } = await openLog({ disk, clock, segmentMs: 300_000, retainMs: 900_000 });
    await log.append(makeRow("a", 1));
    await log.maintain();
    assert.deepEqual(disk.names(), [FIRST, "newest", "segments"]);
    clock.advance(300_000);
    await log.maintain();
    assert.deepEqual(disk.names(), [FIRST, "000000000002.samples", "checkpoint", "newest", "segments"]);
    clock.advance(899_999);
    await log.maintain();
    assert.ok(disk.names().includes(FIRST));
    clock.advance(1);
    await log.maintain();
    assert.deepEqual(disk.names(), ["000000000002.samples", "checkpoint", "newest", "segments"]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["rolled", "dropped"],
    );
  });

  it("rolls at its size while rows come, and loses none", async () => {
    const disk = createTestDisk();
    const { log, events } = await openLog({ disk, segmentBytes: 2_000 });
    const waiting: Promise<number>[] = [];
    for (let index = 0; index < 500; index += 1) {
      waiting.push(log.append(makeRow(`s${index % 7}`, index)));
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(waiting);
    await log.close();
    assert.ok(events.filter(({ type }) => type === "rolled").length >= 2);
    const { rows } = await openLog({ disk });
    assert.deepEqual(
      times(rows).sort((a, b) => a - b),
      Array.from({ length: 500 }, (_, index) => index),
    );
  });

  it("writes a checkpoint that counts the rows before it, and gives it back", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    let stored = 0;
    const { log } = await openLog({
      disk,
      clock,
      checkpoint: () => [{ key: "a", blob: Uint8Array.of(stored) }],
    });
    const first = log.append(makeRow("a", 1)).then(() => {
      stored += 1;
    });
    await Promise.all([first, log.roll()]);
    const { entries, rows } = await openLog({ disk: disk.cutPower(() => false), clock });
    assert.deepEqual(entries, [{ key: "a", blob: Uint8Array.of(1) }]);
    assert.deepEqual(times(rows), [1]);
  });

  it("writes large checkpoints in pieces", async () => {
    const disk = createTestDisk();
    function* checkpoint(): Generator<CheckpointEntry> {
      for (let index = 0; index < 1_000; index += 1)
        yield { key: `s${index}`, blob: new Uint8Array(4_000).fill(index % 256) };
    }
    const { log } = await openLog({ disk, checkpoint });
    const before = disk.counts.append;
    await log.close();
    assert.ok(disk.counts.append - before >= 10);
    const { entries, summary } = await openLog({ disk });
    assert.equal(summary.checkpointEntries, 1_000);
    assert.deepEqual(entries[999], { key: "s999", blob: new Uint8Array(4_000).fill(231) });
  });

  it("keeps segments that no checkpoint covers", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    const { log, events } = await openLog({ disk, clock, retainMs: 1_000 });
    await log.append(makeRow("a", 1));
    disk.fail((operation, path) => operation === "rename" && path.endsWith("checkpoint.tmp"));
    await log.roll();
    clock.advance(2_000);
    await log.maintain();
    assert.ok(disk.names().includes(FIRST));
    assert.ok(events.some(({ type }) => type === "checkpoint_failed"));
    disk.fail(undefined);
    await log.append(makeRow("a", 2));
    await log.roll();
    assert.ok(!disk.names().includes(FIRST));
  });

  it("is not misled by a wall clock that jumps", async () => {
    const disk = createTestDisk();
    const clock = createFixedClock();
    let jump = 0;
    const jumping = { ...clock, now: () => clock.now() + jump };
    const { log } = await openLog({ disk, clock: jumping, segmentMs: 1_000, retainMs: 10_000 });
    await log.append(makeRow("a", 1));
    jump = 10 * 365 * 86_400_000;
    clock.advance(1_000);
    await log.maintain();
    assert.ok(disk.names().includes(FIRST));
    jump = -3 * 86_400_000;
    clock.advance(10_000);
    await log.maintain();
    assert.ok(!disk.names().includes(FIRST));
  });
});
