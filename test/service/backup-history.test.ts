import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createBackup } from "../../src/service/backup/backup.ts";
import { openFileRollups } from "../../src/store/series/rollups/file-rollups.ts";
import { assertSame, readAll, rollUp, tiers, toBatch, type Row } from "../contract/rollups-contract.ts";
import { createFixedClock, START } from "../support/fixed-clock.ts";

describe("a backup of the history", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-backup-history-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const kind of ["history", "parts"])
    it(`of ${kind} holds everything up to its mark, also while it is written and merged`, async () => {
      const clock = createFixedClock(START + 60_000);
      const rowsTo = (seq: number): Row[] =>
        Array.from({ length: seq }, (_, index) => ({ key: "a", at: START + index, values: [index] }));
      const place = (root: string): string => join(root, "monitor", kind);
      const rollups = await openFileRollups({ folder: place(join(folder, "data")), tiers, clock });
      const flushNext = async (): Promise<void> => {
        const nextSeq = rollups.flushedSeq + 1;
        await rollups.flush({ nextSeq, collect: (fromSeq) => toBatch(rowsTo(nextSeq).slice(fromSeq)) });
      };
      for (let flush = 0; flush < 3; flush += 1) await flushNext();
      const to = join(folder, "backup");
      const backup = createBackup({ data: join(folder, "data"), to, now: START });
      // A few flushes and a merge fall into the copying.
      for (let flush = 0; flush < 5; flush += 1) await flushNext();
      await rollups.maintain();
      const manifest = await backup;
      await rollups.close();
      assert.ok(manifest.files.some(({ path }) => path.endsWith(`${kind}/commit`)));
      const copy = await openFileRollups({ folder: place(to), tiers, clock });
      assert.ok(copy.flushedSeq >= 3);
      for (const tier of tiers)
        assertSame(await readAll(copy, tier.name, "a"), rollUp(tier, rowsTo(copy.flushedSeq)));
      await copy.close();
    });
});
