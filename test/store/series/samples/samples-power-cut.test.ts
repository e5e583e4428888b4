import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createByteReader, createByteWriter } from "../../../../src/kit/text/varint.ts";
import { silentLog } from "../../../../src/kit/observe/log.ts";
import { openSampleLog } from "../../../../src/store/series/samples/file-sample-log.ts";
import type { SampleLog } from "../../../../src/store/series/samples/samples.ts";
import { type FixedClock, createFixedClock, START } from "../../../support/fixed-clock.ts";
import { eventually } from "../../../support/eventually.ts";
import { createRandom, FaultyFiles } from "../../faulty-files.ts";
import { FIRST } from "./samples-fixture.ts";

/** An owner whose whole state is the set of rows it knows to be stored, as the monitor's deduplication is. */
async function openOwner(
  files: FaultyFiles,
): Promise<{ log: SampleLog; known: Set<number>; clock: FixedClock }> {
  const known = new Set<number>();
  const clock = createFixedClock();
  const log = await openSampleLog({
    folder: "/samples",
    columns: ["whole"],
    *checkpoint() {
      const writer = createByteWriter();
      for (const at of known) writer.varint(at);
      yield { key: "known", blob: writer.take() };
    },
    clock,
    log: silentLog,
    files,
    segmentMs: 1_000,
    retainMs: 2_000,
  });
  await log.replay({
    onCheckpoint: ({ blob }) => {
      for (const reader = createByteReader(blob); reader.left > 0;) known.add(reader.varint());
    },
    onRow: (row) => known.add(row.at),
  });
  return { log, known, clock };
}

/** Appends, rolls, drops and closes, until the end or the power cut; gives what was acknowledged. */
async function live(files: FaultyFiles): Promise<ReadonlySet<number>> {
  const acknowledged = new Set<number>();
  try {
    const { log, known, clock } = await openOwner(files);
    let at = 0;
    for (let round = 0; round < 6; round += 1) {
      for (const size of [1, 5, 2]) {
        const batch = Array.from({ length: size }, async () => {
          const mine = (at += 1);
          await log.append({ key: `s${mine % 3}`, at: mine, receivedAt: START, values: [mine] });
          known.add(mine);
          acknowledged.add(mine);
        });
        await Promise.allSettled(batch);
      }
      clock.advance(1_000);
      await log.maintain();
    }
    await log.close();
  } catch {
    // The power is off: opening and closing fail too.
  }
  return acknowledged;
}

describe("SampleLog and a power cut", () => {
  it("loses no row that was there after a start whose sync failed", async () => {
    const first = new FaultyFiles();
    const put = (log: SampleLog, at: number): Promise<unknown> =>
      log.append({ key: "s", at, receivedAt: START, values: [at] });
    const { log } = await openOwner(first);
    await put(log, 1);
    first.holdSyncs();
    void put(log, 2).catch(() => undefined);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const after = first.afterKill();
    after.loseUnsynced();
    const again = await openOwner(after);
    assert.deepEqual([...again.known], [1, 2]);
    await put(again.log, 3);
    assert.deepEqual([...(await openOwner(after.afterPowerCut())).known], [1, 2, 3]);
  });

  it("loses nothing that was acknowledged, wherever the power goes", async () => {
    const whole = new FaultyFiles();
    const all = await live(whole);
    assert.equal(all.size, 48);
    for (let cut = 1; cut <= whole.operations; cut += 1) {
      for (let seed = 0; seed < 4; seed += 1) {
        const disk = new FaultyFiles();
        disk.powerCutAfter = cut;
        const acknowledged = await live(disk);
        const after = disk.afterPowerCut(createRandom(cut * 10 + seed));
        const first = await openOwner(after);
        for (const at of acknowledged)
          assert.ok(first.known.has(at), `cut ${cut}, seed ${seed}: row ${at} is lost`);
        await first.log.append({ key: "s1", at: 1_000, receivedAt: START, values: [1] });
        const second = await openOwner(after.afterPowerCut());
        for (const at of [...acknowledged, 1_000])
          assert.ok(second.known.has(at), `cut ${cut}, seed ${seed}: row ${at} is lost later`);
      }
    }
  });

  it("goes on from what a killed program left only once that is on the disk", async () => {
    const files = new FaultyFiles();
    const killed = await openOwner(files);
    const sizeOf = (): number => files.content(join("/samples", FIRST))?.byteLength ?? 0;
    const empty = sizeOf();
    files.holdSyncs();
    void killed.log.append({ key: "s1", at: 1, receivedAt: START, values: [1] });
    await eventually(() => assert.ok(sizeOf() > empty));
    const left = files.afterKill();
    assert.deepEqual([...(await openOwner(left)).known], [1]);
    assert.deepEqual([...(await openOwner(left.afterPowerCut())).known], [1]);
  });
});
