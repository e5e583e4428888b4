/** Bits that turn over below a running store: never served, never copied under a new checksum, and nothing else is lost. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { JournalStore, JournalStoreEvent } from "../../../src/store/journal/journal-store.ts";
import { StoreError } from "../../../src/store/store.ts";
import { items } from "../../contract/store-fixtures.ts";
import { FaultyFiles, createRandom } from "../faulty-files.ts";
import { open } from "../journal/journal-harness.ts";

const SNAPSHOT = "/data/test/test.json";
const RECORDS = 400;
const idOf = (n: number): string => `i${String(n).padStart(4, "0")}`;

let store: JournalStore | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

/** A disk whose store has everything in its snapshot. */
async function fill(): Promise<FaultyFiles> {
  const files = new FaultyFiles();
  const first = await open(files);
  await first.transact(async (tx) => {
    for (let n = 0; n < RECORDS; n += 1)
      await tx.insert(items, { id: idOf(n), rank: n, email: `${idOf(n)}@x`, note: `note ${n} `.repeat(20) });
  });
  await first.close();
  return files;
}

function flip(files: FaultyFiles, path: string, bit: number): void {
  const bytes = files.content(path);
  assert.ok(bytes !== undefined);
  const at = bit >> 3;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
}

/** Reads every record by its id and by an index; how many reads were refused. What is served must be what was stored. */
async function readAll(one: JournalStore): Promise<number> {
  let refused = 0;
  for (let n = 0; n < RECORDS; n += 1) {
    const reads = [
      () => one.read((tx) => tx.get(items, idOf(n))),
      () => one.read((tx) => tx.by(items, "byEmail", [`${idOf(n)}@x`])),
      () => one.transact((tx) => tx.get(items, idOf(n))),
    ];
    for (const read of reads)
      try {
        const record = await read();
        assert.deepEqual([record?.id, record?.rank, record?.note], [idOf(n), n, `note ${n} `.repeat(20)]);
      } catch (error) {
        assert.ok(error instanceof StoreError && error.code === "store_unavailable", String(error));
        refused += 1;
      }
  }
  return refused;
}

function findPath(files: FaultyFiles, kind: "snapshot" | "index"): string {
  if (kind === "snapshot") return SNAPSHOT;
  return files.paths().find((path) => path.endsWith(".index")) ?? "";
}

describe("a store whose files rot while it runs", () => {
  for (const kind of ["snapshot", "index"] as const)
    it(`serves what is sound and nothing else: bits of the ${kind}`, async () => {
      const random = createRandom(7);
      let refused = 0;
      for (let round = 0; round < 12; round += 1) {
        const files = await fill();
        const events: JournalStoreEvent[] = [];
        const one = await open(files, { onEvent: (event) => events.push(event) });
        store = one;
        const path = findPath(files, kind);
        const bit = Math.floor(random() * 8 * (files.content(path)?.byteLength ?? 0));
        flip(files, path, bit);
        const count = await readAll(one);
        if (kind === "snapshot") assert.ok(count < RECORDS, "one bit takes a part, not all");
        refused += count;
        // Told once for each damaged part, with the file and what to do.
        const told = events.filter(({ type }) => type === "damaged");
        assert.equal(told.length, Math.min(count, 1));
        const isStored = await one
          .transact((tx) => tx.insert(items, { id: "new", rank: 1, email: "new@x" }))
          .then(() => true)
          // The page that finds its place in the index may be the damaged one.
          .catch((error: unknown) => {
            assert.ok(kind === "index" && error instanceof StoreError, String(error));
            return false;
          });
        await one.close();
        const after = files.afterKill();
        if (kind === "snapshot") {
          // The stop left the damaged bytes with the checksum that tells of them.
          await assert.rejects(open(after), /test\.json" does not match its checksum/u);
          flip(after, path, bit);
        }
        const next = await open(after);
        store = next;
        assert.equal(await readAll(next), 0);
        const added = await next.read((tx) => tx.get(items, "new"));
        assert.equal(added !== undefined, isStored, "the journal has the rest");
        await next.close();
      }
      assert.ok(refused > 0);
    });

  it("is not compacted over damage: the journal goes on, and the old files stay", async () => {
    const files = await fill();
    const events: JournalStoreEvent[] = [];
    const one = await open(files, { compactAtBytes: 2_000, onEvent: (event) => events.push(event) });
    store = one;
    const before = Buffer.from(files.content(SNAPSHOT) ?? []);
    const bit = 8 * (before.indexOf('"note 300 ') + 1);
    flip(files, SNAPSHOT, bit);
    const note = "n".repeat(4_000);
    for (let n = 0; n < 60; n += 1)
      await one.transact((tx) => tx.insert(items, { id: `new${n}`, rank: n, email: `new${n}@x`, note }));
    await one.idle();
    const types = events.map(({ type }) => type);
    assert.ok(types.includes("compaction_failed") && types.includes("damaged"), types.join());
    assert.ok(!types.includes("compacted"));
    await one.close();
    const after = files.afterKill();
    flip(after, SNAPSHOT, bit);
    assert.deepEqual(after.content(SNAPSHOT), before);
    const next = await open(after);
    store = next;
    assert.equal(await next.read((tx) => tx.count(items)), RECORDS + 60);
    assert.equal(await readAll(next), 0);
  });

  it("is written by a stop when only its index rotted and nothing of it is needed again", async () => {
    const files = await fill();
    const one = await open(files);
    store = one;
    await one.close();
    flip(files, findPath(files, "index"), 80);
    const next = await open(files.afterKill());
    store = next;
    assert.equal(await readAll(next), 0);
  });
});
