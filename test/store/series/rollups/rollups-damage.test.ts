/** Damaged files of rollups: refused, with the file and what to do, never passed over. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { beforeEach, describe, it } from "node:test";
import { openFileRollups } from "../../../../src/store/series/rollups/file-rollups.ts";
import type { RollupStore } from "../../../../src/store/series/rollups/rollups.ts";
import { StoreError } from "../../../../src/store/store.ts";
import { flushRows, readAll, tiers } from "../../../contract/rollups-contract.ts";
import { createFixedClock, START } from "../../../support/fixed-clock.ts";
import { FaultyFiles } from "../../faulty-files.ts";

describe("damaged rollups", () => {
  let files: FaultyFiles;

  beforeEach(async () => {
    files = new FaultyFiles();
    const rollups = await open();
    for (let flush = 0; flush < 2; flush += 1)
      await flushRows(rollups, [{ key: "a", at: START, values: [1] }]);
    await rollups.close();
  });

  function open(): Promise<RollupStore> {
    return openFileRollups({ folder: "/history", tiers, clock: createFixedClock(), files });
  }

  function findPath(pattern: RegExp): string {
    return files.paths().find((path) => pattern.test(path)) ?? "";
  }

  function damage(path: string, change: (bytes: Buffer) => Buffer): void {
    files.place(path, change(Buffer.from(files.content(path) ?? [])));
  }

  const refusal =
    (path: string) =>
    (error: unknown): boolean =>
      error instanceof StoreError &&
      error.code === "store_unavailable" &&
      error.message.includes(path) &&
      /Restore the folder from a backup, or .*move/u.test(error.message);

  const flip = (place: (length: number) => number) => (bytes: Buffer) => {
    const at = place(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    return bytes;
  };

  it("refuse the start when a run is cut short or its trailer is wrong", async () => {
    const path = findPath(/1m.*\.run$/u);
    const whole = Buffer.from(files.content(path) ?? []);
    for (const change of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 1),
      (bytes: Buffer) => bytes.subarray(0, 5),
      flip((length) => length - 10),
    ]) {
      files.place(path, Buffer.from(whole));
      damage(path, change);
      await assert.rejects(open(), refusal(path));
    }
  });

  it("refuse a read of a damaged block or index, and give other tiers", async () => {
    const path = findPath(/1m.*\.run$/u);
    const whole = Buffer.from(files.content(path) ?? []);
    for (const change of [flip(() => 9), flip((length) => length - 36)]) {
      files.place(path, Buffer.from(whole));
      damage(path, change);
      const rollups = await open();
      await assert.rejects(readAll(rollups, "1m", "a"), refusal(path));
      assert.equal((await readAll(rollups, "1h", "a"))[0]?.stats[0], 2);
      await rollups.close();
    }
  });

  it("refuse the start when the commit is damaged or gone", async () => {
    damage(
      "/history/commit",
      flip(() => 20),
    );
    await assert.rejects(open(), refusal("/history/commit"));
    await files.remove("/history/commit");
    await assert.rejects(open(), refusal("/history/commit"));
  });

  it("prevent the start when the very first commit is gone, and keep its data", async () => {
    files = new FaultyFiles();
    const rollups = await open();
    await flushRows(rollups, [{ key: "a", at: START, values: [1] }]);
    await rollups.close();
    const commit = files.content("/history/commit");
    assert.ok(commit !== undefined);
    await files.remove("/history/commit");
    await assert.rejects(open(), refusal("/history/commit"));
    files.place("/history/commit", commit);
    assert.equal((await readAll(await open(), "1m", "a"))[0]?.stats[0], 1);
  });

  it("start without a run that is gone, and say what charts lack", async () => {
    const path = findPath(/1h.*\.run$/u);
    await files.remove(path);
    const lost: { path: string; problem: string }[] = [];
    const options = { folder: "/history", tiers, clock: createFixedClock(), files };
    const rollups = await openFileRollups({ ...options, onLost: (one) => lost.push(one) });
    assert.deepEqual(
      lost.map((one) => one.path),
      [path],
    );
    assert.match(lost[0]?.problem ?? "", /is missing: charts have gaps from 20\d\d-.*Z to 20\d\d-.*Z/u);
    // Told once: the next flush notes what is there.
    await flushRows(rollups, [{ key: "a", at: START, values: [1] }]);
    await rollups.close();
    lost.length = 0;
    await (await openFileRollups({ ...options, onLost: (one) => lost.push(one) })).close();
    assert.deepEqual(lost, []);
  });

  it("do not miss runs that were merged or have passed", async () => {
    const lost: string[] = [];
    const clock = createFixedClock();
    for (let life = 0; life < 6; life += 1) {
      const rollups = await openFileRollups({
        folder: "/history",
        tiers,
        clock,
        files,
        onLost: ({ path }) => lost.push(path),
      });
      await flushRows(rollups, [{ key: "a", at: START, values: [1] }]);
      // What was merged since is in no commit yet when the life ends.
      await rollups.maintain();
      files = files.afterKill();
      clock.advance(40 * 86_400_000);
    }
    assert.deepEqual(lost, []);
  });

  it("are found by a pass over them while they are open", async () => {
    const path = findPath(/1m.*\.run$/u);
    damage(
      path,
      flip(() => 9),
    );
    const rollups = await openFileRollups({ folder: "/history", tiers, clock: createFixedClock(), files });
    const found: string[] = [];
    let sizeBytes = 0;
    for await (const step of rollups.scrub()) {
      if (typeof step === "number") sizeBytes += step;
      else found.push(step.path);
    }
    assert.deepEqual(found, [path]);
    assert.ok(sizeBytes > 0);
    await rollups.close();
  });

  it("keep what they had when the disk is full, and heal", async () => {
    const rollups = await open();
    files.fail({ operation: "append", code: "ENOSPC", shortBy: "half", times: 3 });
    for (let flush = 0; flush < 3; flush += 1)
      await assert.rejects(flushRows(rollups, [{ key: "a", at: START, values: [1] }]), {
        code: "store_unavailable",
      });
    assert.equal(rollups.flushedSeq, 2);
    await flushRows(rollups, [{ key: "a", at: START, values: [1] }]);
    assert.equal((await readAll(rollups, "1m", "a"))[0]?.stats[0], 3);
    assert.deepEqual(
      files.paths().filter((path) => path.endsWith(".tmp")),
      [],
    );
    await rollups.close();
  });
});
