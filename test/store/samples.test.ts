import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Clock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { SampleLogOptions } from "../../src/store/samples/file-sample-log.ts";
import { openSampleLog } from "../../src/store/samples/file-sample-log.ts";
import type { CheckpointEntry, ReplaySummary, SampleLog, SampleLogEvent, SampleRow } from "../../src/store/samples/samples.ts";
import { StoreError } from "../../src/store/store.ts";
import type { TestDisk } from "./samples-disk.ts";
import { createTestDisk } from "./samples-disk.ts";

const START = Date.UTC(2026, 0, 31, 12);
const FIRST = "000000000001.samples";

interface TestClock extends Clock {
  advance(ms: number): void;
}

function createTestClock(): TestClock {
  let passed = 0;
  return {
    now: () => START + passed,
    monotonic: () => 5_000 + passed,
    advance: (ms) => {
      passed += ms;
    },
  };
}

interface Opened {
  readonly log: SampleLog;
  readonly rows: SampleRow[];
  readonly entries: CheckpointEntry[];
  readonly events: SampleLogEvent[];
  readonly summary: ReplaySummary;
}

async function openLog(options: Partial<SampleLogOptions> & { disk?: TestDisk } = {}): Promise<Opened> {
  const { disk, ...rest } = options;
  const rows: SampleRow[] = [];
  const entries: CheckpointEntry[] = [];
  const events: SampleLogEvent[] = [];
  const log = await openSampleLog({
    folder: "/samples",
    columns: ["fraction", "whole", "whole"],
    checkpoint: () => [],
    clock: createTestClock(),
    log: silentLog,
    onEvent: (event) => events.push(event),
    ...(disk === undefined ? {} : { files: disk.files }),
    ...rest,
  });
  const summary = await log.replay({ onCheckpoint: (entry) => entries.push(entry), onRow: (row) => rows.push(row) });
  return { log, rows, entries, events, summary };
}

function makeRow(key: string, at: number, values: readonly number[] = [0.5, at % 1_000, 7]): SampleRow {
  return { key, at, receivedAt: START, values };
}

const unavailable = (error: unknown): boolean => error instanceof StoreError && error.code === "store_unavailable";

function times(rows: readonly SampleRow[]): number[] {
  return rows.map(({ at }) => at);
}

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
    const expected = rows.map((row) => ({ ...row, values: [0, 1, 2].map((index) => row.values[index] ?? Number.NaN) }));
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
      assert.deepEqual(await readdir(folder), [FIRST, "000000000002.samples", "checkpoint"]);
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      for (const name of await readdir(folder)) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
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
      clock: createTestClock(),
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
    const promises = Array.from({ length: 1_000 }, (_, index) => log.append(makeRow(`s${index % 50}`, index)));
    assert.equal(new Set(promises).size, 1);
    await Promise.all(promises);
    assert.equal(disk.counts.datasync - before.datasync, 1);
    assert.equal(disk.counts.append - before.append, 1);
  });

  it("keeps a row of 24 metrics in about 100 bytes", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({
      disk,
      columns: [...Array.from({ length: 8 }, () => "fraction" as const), ...Array.from({ length: 16 }, () => "whole" as const)],
    });
    const whole = [8e9, 3e9, 1e9, 2e9, 0, 84e9, 34e9, 0, 4096, 12345, 2345, 1234567890, 987654321, 123, 12, 145];
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
    const clock = createTestClock();
    const { log, events } = await openLog({ disk, clock, segmentMs: 300_000, retainMs: 900_000 });
    await log.append(makeRow("a", 1));
    await log.maintain();
    assert.deepEqual(disk.names(), [FIRST]);
    clock.advance(300_000);
    await log.maintain();
    assert.deepEqual(disk.names(), [FIRST, "000000000002.samples", "checkpoint"]);
    clock.advance(899_999);
    await log.maintain();
    assert.ok(disk.names().includes(FIRST));
    clock.advance(1);
    await log.maintain();
    assert.deepEqual(disk.names(), ["000000000002.samples", "checkpoint"]);
    assert.deepEqual(events.map(({ type }) => type), ["rolled", "dropped"]);
  });

  it("rolls at its size while rows come, and loses none", async () => {
    const disk = createTestDisk();
    const { log, events } = await openLog({ disk, segmentBytes: 2_000 });
    const waiting: Promise<void>[] = [];
    for (let index = 0; index < 500; index += 1) {
      waiting.push(log.append(makeRow(`s${index % 7}`, index)));
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(waiting);
    await log.close();
    assert.ok(events.filter(({ type }) => type === "rolled").length >= 2);
    const { rows } = await openLog({ disk });
    assert.deepEqual(times(rows).sort((a, b) => a - b), Array.from({ length: 500 }, (_, index) => index));
  });

  it("writes a checkpoint that counts the rows before it, and gives it back", async () => {
    const disk = createTestDisk();
    const clock = createTestClock();
    let stored = 0;
    const { log } = await openLog({ disk, clock, checkpoint: () => [{ key: "a", blob: Uint8Array.of(stored) }] });
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
      for (let index = 0; index < 1_000; index += 1) yield { key: `s${index}`, blob: new Uint8Array(4_000).fill(index % 256) };
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
    const clock = createTestClock();
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
    const clock = createTestClock();
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

describe("SampleLog after a failure", () => {
  for (const operation of ["append", "datasync"] as const) {
    it(`acknowledges nothing after a failed ${operation}, and heals in a new segment`, async () => {
      const disk = createTestDisk();
      const clock = createTestClock();
      const { log, events } = await openLog({ disk, clock });
      await log.append(makeRow("a", 1));
      disk.fail((failing) => failing === operation);
      await assert.rejects(Promise.all([log.append(makeRow("a", 2)), log.append(makeRow("b", 3))]), unavailable);
      disk.fail(undefined);
      await assert.rejects(log.append(makeRow("a", 4)), unavailable);
      await assert.rejects(log.check(), unavailable);
      clock.advance(1_000);
      await log.append(makeRow("a", 5));
      await log.check();
      assert.deepEqual(events.map(({ type }) => type), ["failed", "healed"]);
      await log.close();
      assert.deepEqual(times((await openLog({ disk })).rows), [1, 5]);
    });
  }

  it("tries again ever later, up to 30 s", async () => {
    const disk = createTestDisk();
    const clock = createTestClock();
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
    const clock = createTestClock();
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

describe("SampleLog replay", () => {
  async function writeRows(disk: TestDisk, count: number): Promise<void> {
    const { log } = await openLog({ disk });
    for (let index = 0; index < count; index += 1) await log.append(makeRow("a", index));
  }

  it("drops a torn end and cuts the file, so that the next start is clean", async () => {
    const disk = createTestDisk();
    await writeRows(disk, 3);
    const whole = disk.read(FIRST);
    disk.write(FIRST, whole.slice(0, whole.length - 2));
    const { rows, events, log } = await openLog({ disk });
    assert.deepEqual(times(rows), [0, 1]);
    assert.equal(events[0]?.type, "torn");
    await log.append(makeRow("a", 9));
    const again = await openLog({ disk });
    assert.deepEqual(times(again.rows), [0, 1, 9]);
    assert.deepEqual(again.events, []);
  });

  it("refuses damage before rows that were acknowledged, naming file, offset and remedy", async () => {
    const disk = createTestDisk();
    await writeRows(disk, 10);
    const bytes = disk.read(FIRST).slice();
    const broken = 60;
    bytes[broken] = (bytes[broken] ?? 0) ^ 0x10;
    disk.write(FIRST, bytes);
    await assert.rejects(openLog({ disk }), (error: unknown) => {
      assert.ok(unavailable(error) && error instanceof Error);
      assert.match(error.message, /^"\/samples\/000000000001\.samples" is damaged at byte \d+, .*backup, or move this file away/u);
      assert.ok(Number(/byte (\d+)/u.exec(error.message)?.[1]) <= broken);
      return true;
    });
    assert.deepEqual(disk.read(FIRST), bytes);
  });

  it("refuses a segment whose end is gone though the next one knows of it", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    await log.append(makeRow("a", 1));
    await log.append(makeRow("a", 2));
    await log.roll();
    await log.append(makeRow("a", 3));
    disk.write(FIRST, disk.read(FIRST).slice(0, -1));
    await assert.rejects(openLog({ disk }), /is damaged at byte/u);
  });

  it("starts without a segment that was moved away, and says so", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    for (let index = 0; index < 3; index += 1) {
      await log.append(makeRow("a", index));
      await log.roll();
    }
    await disk.files.remove("/samples/000000000002.samples");
    const { rows, events } = await openLog({ disk });
    assert.deepEqual(times(rows), [0, 2]);
    assert.deepEqual(events, [{ type: "gap", missing: "/samples/000000000002.samples" }]);
  });

  it("refuses a damaged checkpoint and one cut short", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk, checkpoint: () => [{ key: "a", blob: new Uint8Array(100) }] });
    await log.close();
    const bytes = disk.read("checkpoint");
    disk.write("checkpoint", bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)));
    await assert.rejects(openLog({ disk }), /checkpoint" is damaged at byte \d+.*backup/u);
    disk.write("checkpoint", bytes.slice(0, -6));
    await assert.rejects(openLog({ disk }), /checkpoint" is damaged/u);
  });

  it("keeps every acknowledged row through power cuts that leave any part of what was not synced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom("roll", "fail", "cut", "wait")), { maxLength: 25 }),
        fc.infiniteStream(fc.boolean()),
        async (steps, sectors) => {
          const clock = createTestClock();
          const nextSector = (): boolean => sectors.next().value === true;
          let disk = createTestDisk();
          let current = await openLog({ disk, clock, segmentBytes: 3_000 });
          const acknowledged = new Set<number>();
          let at = 0;
          for (const step of [...steps, "cut"]) {
            if (step === "roll") await current.log.roll().catch(() => undefined);
            else if (step === "fail") disk.fail((operation) => operation === "datasync" || operation === "append");
            else if (step === "wait") {
              disk.fail(undefined);
              clock.advance(30_000);
            } else if (step === "cut") {
              // Rows under way, at any point of being written.
              for (let index = 0; index < 20; index += 1) current.log.append(makeRow(`s${index}`, (at += 1))).catch(() => undefined);
              await Promise.resolve();
              await Promise.resolve();
              await Promise.resolve();
              disk = disk.cutPower(nextSector);
              current = await openLog({ disk, clock, segmentBytes: 3_000 });
              const found = new Set(times(current.rows));
              for (const known of acknowledged) assert.ok(found.has(known), `row ${known} was acknowledged and is lost`);
            } else {
              const batch = Array.from({ length: Number(step) }, () => (at += 1));
              await Promise.allSettled(
                batch.map(async (mine) => {
                  await current.log.append(makeRow(`s${mine % 5}`, mine));
                  acknowledged.add(mine);
                }),
              );
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
