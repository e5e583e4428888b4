import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Report, createReportQueue } from "../../../src/agent/queue/report-queue.ts";
import { type Ring, openRing } from "../../../src/agent/queue/ring.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { type FileLayer, nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { type ManualTime, createManualTime } from "../support/manual-time.ts";

const start = 1_800_000_000_000;
const none = new Set<number>();
let folder: string;
let path: string;
let time: ManualTime;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-ring-"));
  path = join(folder, "ring.jsonl");
  time = createManualTime();
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(options: { limit?: number; files?: FileLayer } = {}): Promise<Ring> {
  const log = createLog({ level: "info", write: (line) => lines.push(line) });
  return openRing({ files: nodeFileLayer, limit: 100, ...options, path, clock: time.clock, log });
}

function report(at: number): Report {
  return { collectedAtUnixMs: start + at, payloadJson: `{"v":1,"at":${at}}` };
}

function drain(ring: Ring): number[] {
  const seen = new Set<number>();
  for (let next = ring.next(seen); next !== undefined; next = ring.next(seen))
    seen.add(next.collectedAtUnixMs);
  return [...seen].map((at) => at - start);
}

async function exists(): Promise<boolean> {
  return (await nodeFileLayer.sizeBytes(path)) !== undefined;
}

describe("createReportQueue", () => {
  it("drops the oldest beyond its limit", () => {
    const queue = createReportQueue({ limit: 2 });
    assert.deepEqual(
      [1, 2, 3].flatMap((at) => queue.add(report(at))),
      [report(1)],
    );
    assert.deepEqual(queue.all(), [report(2), report(3)]);
  });

  it("keeps one a minute of what is older than a minute, and all of the last minute", () => {
    const queue = createReportQueue({ limit: 1000 });
    for (let at = 0; at <= 300_000; at += 3000) queue.add(report(at));
    queue.thin();
    const kept = queue.all().map(({ collectedAtUnixMs }) => collectedAtUnixMs - start);
    assert.deepEqual(
      kept.filter((at) => at <= 240_000),
      [0, 60_000, 120_000, 180_000, 240_000],
    );
    assert.equal(kept.filter((at) => at > 240_000).length, 20);
    assert.deepEqual(queue.thin(), []);
  });
});

describe("the ring", () => {
  it("writes nothing while reports are acknowledged promptly", async () => {
    const ring = await open();
    for (let at = 0; at < 10; at += 1) {
      ring.add(report(at));
      await time.advance(1000);
      ring.remove(start + at);
      await ring.spill();
    }
    assert.equal(await exists(), false);
  });

  it("spills what waits for seconds, so that a kill loses no more than that", async () => {
    const ring = await open();
    ring.add(report(1));
    await time.advance(4999);
    await ring.spill();
    assert.equal(await exists(), false);
    ring.add(report(2));
    await time.advance(1);
    await ring.spill();
    // No close: the process was killed.
    const after = await open();
    assert.deepEqual(drain(after), [1]);
    assert.equal(after.last, start + 1);
    assert.equal(after.next(none)?.payloadJson, report(1).payloadJson);
  });

  it("keeps its file to this user", async () => {
    const ring = await open();
    ring.add(report(1));
    await ring.close();
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it("keeps everything at shutdown, in order, and the time of the last one", async () => {
    const ring = await open();
    for (const at of [1, 2, 3]) ring.add(report(at));
    ring.remove(start + 3);
    ring.remove(start + 1);
    await ring.close();
    const after = await open();
    assert.deepEqual(drain(after), [2]);
    assert.equal(after.last, start + 3);
  });

  it("forgets on disk what was acknowledged, and removes the file when nothing is left", async () => {
    const ring = await open();
    for (const at of [1, 2]) ring.add(report(at));
    await time.advance(5000);
    await ring.spill();
    ring.remove(start + 1);
    await ring.spill();
    assert.deepEqual(drain(await open()), [2]);
    ring.remove(start + 2);
    await ring.spill();
    assert.equal(await exists(), false);
  });

  it("rewrites its file instead of growing without end", async () => {
    const ring = await open({ limit: 10 });
    let largest = 0;
    for (let at = 0; at < 2000; at += 1) {
      ring.add(report(at));
      await time.advance(5000);
      await ring.spill();
      largest = Math.max(largest, (await nodeFileLayer.sizeBytes(path)) ?? 0);
    }
    assert.ok(largest < 40_000, `grew to ${largest} bytes`);
    assert.deepEqual(drain(await open({ limit: 10 })).at(-1), 1999);
  });

  it("passes over a torn end and bad lines, and writes cleanly after them", async () => {
    await writeFile(path, `${JSON.stringify({ t: start + 1, p: "{}" })}\n{"t":"x"}\nnoise\n`);
    await appendFile(path, new Uint8Array([0xff, 0xfe, 0x0a]));
    await appendFile(path, `{"t":${start + 2},"p":"{}`);
    const ring = await open();
    assert.deepEqual(drain(ring), [1]);
    ring.add(report(3));
    await time.advance(5000);
    await ring.spill();
    assert.deepEqual(drain(await open()), [1, 3]);
    for (const line of (await readFile(path, "utf8")).trim().split("\n")) JSON.parse(line);
  });

  it("starts from old data of a ring with a larger limit", async () => {
    const ring = await open({ limit: 50 });
    for (let at = 0; at < 50; at += 1) ring.add(report(at * 60_000));
    await ring.close();
    assert.deepEqual(drain(await open({ limit: 2 })), [48 * 60_000, 49 * 60_000]);
  });

  it("goes on in memory when the disk is full, says so once, and writes again when it can", async () => {
    let full = true;
    const files: FileLayer = {
      ...nodeFileLayer,
      openAppend: async (...args) => {
        const file = await nodeFileLayer.openAppend(...args);
        return {
          ...file,
          append: async (bytes) => {
            if (!full) return file.append(bytes);
            await file.append(bytes.subarray(0, 5));
            throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
          },
        };
      },
    };
    const ring = await open({ files });
    for (let at = 1; at <= 40; at += 1) {
      ring.add(report(at));
      await time.advance(6000);
      await ring.spill();
    }
    assert.equal(lines.filter((line) => line.includes('"warn"')).length, 1);
    assert.equal(ring.size, 40);
    full = false;
    await time.advance(60_000);
    await ring.spill();
    assert.equal(lines.filter((line) => line.includes('"info"')).length, 1);
    assert.equal(drain(await open()).length, 40);
  });
});
