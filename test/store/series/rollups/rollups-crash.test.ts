/** Rollups on files under power cuts, kills and failures at every single operation of the disk. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openFileRollups } from "../../../../src/store/series/rollups/file-rollups.ts";
import type { RollupStore } from "../../../../src/store/series/rollups/rollups.ts";
import { type Row, assertSame, readAll, rollUp, tiers, toBatch } from "../../../contract/rollups-contract.ts";
import { createFixedClock, START } from "../../../support/fixed-clock.ts";
import { type FileOperation, createRandom, FaultyFiles } from "../../faulty-files.ts";

const FLUSHES = 11;
const FOLDER = "/history";

/** The rows of one mark: two keys, one of them also late. */
function rowsOf(seq: number): Row[] {
  return [
    { key: "a", at: START + seq * 1_000, values: [seq] },
    { key: "b", at: START - seq * 3_600_000, values: [seq] },
  ];
}

function collectRows(fromSeq: number, toSeq: number): Row[] {
  return Array.from({ length: toSeq - fromSeq }, (_, index) => rowsOf(fromSeq + index)).flat();
}

function open(files: FaultyFiles): Promise<RollupStore> {
  return openFileRollups({ folder: FOLDER, tiers, clock: createFixedClock(START + 60_000), files });
}

function flushUpTo(rollups: RollupStore, nextSeq: number): Promise<void> {
  return rollups.flush({ nextSeq, collect: (fromSeq) => toBatch(collectRows(fromSeq, nextSeq)) });
}

async function assertHolds(rollups: RollupStore, toSeq: number, why: string): Promise<void> {
  for (const tier of tiers) {
    for (const key of ["a", "b"]) {
      const rows = collectRows(0, toSeq).filter((row) => row.key === key);
      try {
        assertSame(await readAll(rollups, tier.name, key), rollUp(tier, rows));
      } catch (error) {
        throw new Error(`${why}: ${key} in ${tier.name} up to ${toSeq}`, { cause: error });
      }
    }
  }
}

/** Flushes and merges until the end; gives the last mark that was acknowledged. A failed flush is tried with the next. */
async function live(
  files: FaultyFiles,
  rollups?: RollupStore,
): Promise<{ acknowledged: number; rollups?: RollupStore }> {
  let acknowledged = 0;
  let store: RollupStore;
  try {
    store = rollups ?? (await open(files));
  } catch {
    return { acknowledged };
  }
  for (let seq = 1; seq <= FLUSHES; seq += 1) {
    await flushUpTo(store, seq).then(
      () => (acknowledged = seq),
      () => undefined,
    );
    if (seq % 2 === 0) await store.maintain().catch(() => undefined);
  }
  return { acknowledged, rollups: store };
}

async function assertAfter(files: FaultyFiles, acknowledged: number, why: string): Promise<void> {
  const again = await open(files);
  assert.ok(again.flushedSeq >= acknowledged, `${why}: the mark ${acknowledged} is lost`);
  await assertHolds(again, again.flushedSeq, why);
  // And life goes on.
  const next = again.flushedSeq + 1;
  await flushUpTo(again, next);
  await again.maintain();
  await assertHolds(again, next, `${why}, later`);
  await again.close();
  const last = await open(files.afterPowerCut());
  assert.equal(last.flushedSeq, next);
  await assertHolds(last, next, `${why}, after another power cut`);
  await last.close();
}

describe("rollups on files", () => {
  it("merge runs, so that a segment has few of them", async () => {
    const files = new FaultyFiles();
    const { acknowledged, rollups } = await live(files);
    assert.equal(acknowledged, FLUSHES);
    const runs = files.paths().filter((path) => /\/1h\.\d+\.\d+-\d+\.run$/u.test(path));
    assert.ok(runs.length <= 8, runs.join("\n"));
    assert.ok(rollups !== undefined);
    await assertHolds(rollups, FLUSHES, "at the end");
  });

  it("hold all or nothing of a flush, wherever the power goes", async () => {
    const whole = new FaultyFiles();
    await live(whole);
    for (let cut = 1; cut <= whole.operations; cut += 1) {
      const disk = new FaultyFiles();
      disk.powerCutAfter = cut;
      const { acknowledged } = await live(disk);
      for (let seed = 0; seed < 3; seed += 1) {
        const after = disk.afterPowerCut(seed === 0 ? () => 0 : createRandom(cut * 10 + seed));
        await assertAfter(after, acknowledged, `cut ${cut}, seed ${seed}`);
      }
      await assertAfter(disk.afterKill(), acknowledged, `kill ${cut}`);
    }
  });

  for (const operation of ["open", "append", "datasync", "rename", "remove", "syncFolder"] as const) {
    it(`count everything once after a failed ${operation}`, async () => {
      let count = 0;
      for (let failing = 0; ; failing += 1) {
        const files = new CountingFiles(operation, failing);
        const { acknowledged, rollups } = await live(files);
        if (files.seen <= failing) break;
        count += 1;
        const why = `${operation} ${failing}`;
        if (rollups !== undefined) {
          await flushUpTo(rollups, FLUSHES + 1);
          await assertHolds(rollups, FLUSHES + 1, why);
          await assertAfter(files.afterPowerCut(), FLUSHES + 1, why);
        } else await assertAfter(files.afterKill(), acknowledged, why);
      }
      assert.ok(count > 3, `${operation} was seen ${count} times`);
    });

    it(`count everything once after a failed ${operation} and a kill right behind it`, async () => {
      for (let failing = 0; ; failing += 1) {
        const files = new CountingFiles(operation, failing, { cutPower: true });
        const { acknowledged } = await live(files);
        if (files.seen <= failing) break;
        await assertAfter(files.afterKill(), acknowledged, `${operation} ${failing}, kill`);
        await assertAfter(files.afterPowerCut(), acknowledged, `${operation} ${failing}, power cut`);
      }
    });
  }
});

/** A disk on which one operation of a kind fails; with `cutPower` everything does that changes it a little later. */
class CountingFiles extends FaultyFiles {
  seen = 0;
  readonly #operation: FileOperation;
  readonly #failing: number;
  readonly #cutPower: boolean;

  constructor(operation: FileOperation, failing: number, options: { cutPower?: boolean } = {}) {
    super();
    this.#operation = operation;
    this.#failing = failing;
    this.#cutPower = options.cutPower === true;
  }

  protected override onOperation(operation: FileOperation): void {
    if (operation !== this.#operation) return;
    if (this.seen === this.#failing) {
      this.fail({ operation });
      // Far enough that the next flush writes its runs over those of the failed one.
      if (this.#cutPower) this.powerCutAfter = this.operations + 12;
    }
    this.seen += 1;
  }
}
