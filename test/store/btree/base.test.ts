/** What is read from a snapshot's pages is what a plain map holds, however often it was compacted and opened again. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { JournalStore } from "../../../src/store/journal/journal-store.ts";
import { type Doc, compareKeys } from "../../../src/store/keys.ts";
import { StoreError } from "../../../src/store/store.ts";
import { counters, items } from "../../contract/store-fixtures.ts";
import { FaultyFiles, createRandom } from "../faulty-files.ts";
import { open } from "../journal/journal-harness.ts";

let store: JournalStore | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

const INDEX = "/data/test/test.000001.index";

/** Changes some items of store and model alike. */
async function change(one: JournalStore, model: Map<string, Doc>, random: () => number): Promise<void> {
  const pick = (n: number): number => Math.floor(random() * n);
  for (let step = 0; step < 60; step += 1) {
    // Half of them close together, so that other leaves stay as they are.
    const id = `i${String(random() < 0.5 ? 300 + pick(40) : pick(1_500)).padStart(5, "0")}`;
    const isRemoved = random() < 0.3;
    const owner = random() < 0.3 ? {} : { owner: `o${pick(7)}` };
    const rank = pick(50) - 25;
    await one.transact(async (tx) => {
      const before = await tx.get(items, id);
      assert.deepEqual(before, model.get(id));
      if (isRemoved) {
        assert.equal(await tx.remove(items, id), before !== undefined);
        model.delete(id);
        return;
      }
      const next = { id, rank, email: `${id}-${pick(3)}@x`, ...owner };
      const after =
        before === undefined
          ? await tx.insert(items, next)
          : await tx.put(items, { ...next, version: before.version });
      model.set(id, after);
    });
  }
}

function expected(model: ReadonlyMap<string, Doc>, fields: readonly string[]): Doc[] {
  const keyOf = (doc: Doc): (string | number)[] =>
    [...fields, "id"].map((field) => doc[field] as string | number);
  return [...model.values()]
    .filter((doc) => fields.every((field) => doc[field] !== undefined))
    .sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
}

async function listAll(
  one: JournalStore,
  index: "id" | "byRank" | "byOwner",
  options: { reverse: boolean; limit: number },
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await one.read((tx) => tx.list(items, index, { ...options, cursor }));
    found.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

async function assertSame(
  one: JournalStore,
  model: ReadonlyMap<string, Doc>,
  random: () => number,
): Promise<void> {
  const byRank = expected(model, ["rank"]);
  const orders = { id: expected(model, []), byRank, byOwner: expected(model, ["owner", "rank"]) } as const;
  for (const [index, docs] of Object.entries(orders) as [keyof typeof orders, Doc[]][]) {
    assert.deepEqual(await listAll(one, index, { reverse: false, limit: 37 }), docs);
    assert.deepEqual(await listAll(one, index, { reverse: true, limit: 41 }), docs.toReversed());
    assert.equal(await one.read((tx) => tx.count(items, index)), docs.length);
  }
  const [from, to] = [-25 + Math.floor(random() * 20), Math.floor(random() * 25)];
  const within = byRank.filter((doc) => Number(doc["rank"]) >= from && Number(doc["rank"]) < to);
  await one.read(async (tx) => {
    assert.equal(await tx.count(items, "byRank", { from: [from], to: [to] }), within.length);
    assert.deepEqual(
      (await tx.list(items, "byRank", { from: [from], to: [to], limit: 1_000 })).items,
      within,
    );
    for (const doc of byRank.slice(0, 20)) {
      assert.deepEqual(await tx.by(items, "byEmail", [String(doc["email"])]), doc);
      assert.deepEqual(await tx.get(items, doc.id), doc);
    }
  });
}

describe("a store over the pages of its snapshot", () => {
  it("holds what a plain map holds through changes, compactions and starts", async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const random = createRandom(seed);
      let files = new FaultyFiles();
      const model = new Map<string, Doc>();
      for (let life = 0; life < 5; life += 1) {
        let compacted = 0;
        const one = await open(files, {
          compactAtBytes: 4_000,
          onEvent: ({ type }) => {
            compacted += type === "compacted" ? 1 : 0;
          },
        });
        store = one;
        for (let round = 0; round < 6; round += 1) {
          await change(one, model, random);
          await assertSame(one, model, random);
        }
        await one.idle();
        assert.notEqual(compacted, 0);
        // Half of the lives end with a kill.
        if (life % 2 === 0) files = files.afterKill();
        else await one.close();
        assert.equal(files.openReads, 0);
      }
      store = undefined;
    }
  });

  it("reads a collection of thousands over several levels of pages", async () => {
    const files = new FaultyFiles();
    const first = await open(files);
    const ids = Array.from(
      { length: 9_000 },
      (_, n) => `item-with-a-long-name-${String(n).padStart(7, "0")}`,
    );
    for (let start = 0; start < ids.length; start += 500)
      await first.transact(async (tx) => {
        for (const id of ids.slice(start, start + 500))
          await tx.insert(items, { id, rank: id.length % 3, email: `${id}@x` });
      });
    await first.close();
    store = await open(files);
    await store.read(async (tx) => {
      for (const id of ids) assert.equal((await tx.get(items, id))?.email, `${id}@x`);
      for (const id of ids.filter((_, n) => n % 50 === 0))
        assert.equal((await tx.by(items, "byEmail", [`${id}@x`]))?.id, id);
      assert.equal(await tx.get(items, "item"), undefined);
      assert.equal(await tx.count(items, "id", { from: [ids[100] ?? ""], to: [ids[8_100] ?? ""] }), 8_000);
    });
  });

  it("rebuilds the index file when it is missing, damaged, of another snapshot or of other indexes", async () => {
    for (const spoil of [
      (disk: FaultyFiles) => void disk.remove(INDEX),
      (disk: FaultyFiles) =>
        disk.place(
          INDEX,
          Buffer.from(
            (disk.content(INDEX) ?? Buffer.alloc(0)).map((byte, n) => (n === 40 ? byte ^ 1 : byte)),
          ),
        ),
      (disk: FaultyFiles) => disk.place(INDEX, (disk.content(INDEX) ?? Buffer.alloc(0)).subarray(0, 60)),
      (disk: FaultyFiles) => {
        // An older snapshot was copied there, with its own end.
        const text = String(disk.content("/data/test/test.json"));
        disk.place("/data/test/test.json", Buffer.from(text.replace(/\n,"checksum".*\n/u, "\n")));
      },
    ]) {
      const files = new FaultyFiles();
      const first = await open(files);
      await first.transact((tx) => tx.insert(items, { id: "a", rank: 1, email: "a@x" }));
      await first.transact((tx) => tx.insert(counters, { id: "c", value: 1 }));
      await first.close();
      const disk = files.afterKill();
      const name = disk.paths().find((path) => path.endsWith(".index")) ?? "";
      disk.place(INDEX, disk.content(name) ?? Buffer.alloc(0));
      if (name !== INDEX) await disk.remove(name);
      spoil(disk);
      store = await open(disk);
      assert.equal((await store.read((tx) => tx.get(items, "a")))?.rank, 1);
      await store.close();
      const again = await open(disk);
      store = again;
      assert.equal((await again.read((tx) => tx.list(items, "byRank", { limit: 10 }))).items.length, 1);
      await again.close();
    }
  });

  it("reads nothing of files that it has closed", async () => {
    const first = await open(new FaultyFiles());
    await first.transact((tx) => tx.insert(items, { id: "a", rank: 1, email: "a@x" }));
    await first.close();
    await assert.rejects(
      first.read((tx) => tx.get(items, "a")),
      (error) => error instanceof StoreError && error.code === "store_unavailable",
    );
  });

  it("says that the store cannot be read when the disk fails, and goes on when it works again", async () => {
    const files = new FaultyFiles();
    const first = await open(files);
    await first.transact((tx) => tx.insert(items, { id: "a", rank: 1, email: "a@x" }));
    await first.close();
    const one = await open(files);
    store = one;
    files.failReads = true;
    await assert.rejects(
      one.read((tx) => tx.get(items, "a")),
      (error) =>
        error instanceof StoreError &&
        error.code === "store_unavailable" &&
        /test\.000\d+\.index/u.test(error.message),
    );
    files.failReads = false;
    assert.equal((await one.read((tx) => tx.get(items, "a")))?.rank, 1);
  });
});
