/** Backup and restore: of a store at work, of all files beside it, and what they refuse. */
import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createBackup } from "../../src/service/backup/backup.ts";
import { restoreBackup } from "../../src/service/backup/restore.ts";
import {
  type JournalStore,
  type JournalStoreOptions,
  openJournalStore,
} from "../../src/store/journal/journal-store.ts";
import { counters, items } from "../contract/store-fixtures.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

let home: string;
let data: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "trivet-backup-"));
  data = join(home, "data");
});
afterEach(() => rm(home, { recursive: true }));

const to = (): string => join(home, "backup");

function open(service: string, options: Partial<JournalStoreOptions> = {}): Promise<JournalStore> {
  const folder = join(data, service);
  return openJournalStore({ folder, name: service, collections: [items, counters], ...options });
}

async function add(store: JournalStore, id: string): Promise<void> {
  await store.transact(async (tx) => {
    const counter = await tx.get(counters, "n");
    if (counter === undefined) await tx.insert(counters, { id: "n", value: 1 });
    else await tx.put(counters, { ...counter, value: counter.value + 1 });
    await tx.insert(items, { id, rank: (counter?.value ?? 0) + 1, note: "x".repeat(100) });
  });
}

async function countOf(store: JournalStore): Promise<number> {
  const count = await store.read((tx) => tx.count(items));
  const counter = await store.read((tx) => tx.get(counters, "n"));
  assert.equal(counter?.value ?? 0, count, "half a transaction");
  return count;
}

describe("createBackup", () => {
  it("copies stores that are being written and compacted, whole, with at least what was acknowledged before", async () => {
    const store = await open("shop", { compactAtBytes: 10_000 });
    const other = await open("auth");
    await add(other, "user");
    let acknowledged = 0;
    let stopped = false;
    const writer = async (name: number): Promise<void> => {
      for (let i = 0; !stopped; i += 1) {
        await add(store, `w${name}-${i}`);
        acknowledged += 1;
      }
    };
    const writers = [1, 2, 3, 4].map(writer);
    try {
      for (let round = 1; round <= 5; round += 1) {
        while (acknowledged < round * 100) await new Promise<void>((resolve) => void setImmediate(resolve));
        const before = acknowledged;
        const folder = `${to()}-${round}`;
        const manifest = await createBackup({ data, to: folder, now: NOW });
        const shop = manifest.stores.find(({ name }) => name === "shop");
        assert.ok((shop?.collections["items"]?.count ?? 0) >= before);
        await restoreBackup({ backup: folder, data: `${folder}-data`, now: NOW });
        const copy = await openJournalStore({
          folder: join(`${folder}-data`, "shop"),
          name: "shop",
          collections: [items, counters],
        });
        assert.equal(await countOf(copy), shop?.collections["items"]?.count);
        await copy.close();
      }
    } finally {
      stopped = true;
      await Promise.all(writers);
    }
    await Promise.all([store.close(), other.close()]);
  });

  it("takes every other file along, and no lock or temporary file", async () => {
    const store = await open("monitor");
    await mkdir(join(data, "monitor", "samples"));
    await writeFile(join(data, "monitor", "samples", "2026-01-01.log"), "rows");
    await writeFile(join(data, "admin-token.json"), "{}");
    await writeFile(join(data, "monitor", "left.json.tmp"), "half");
    await createBackup({ data, to: to(), now: NOW });
    await store.close();
    assert.deepEqual((await readdir(to(), { recursive: true })).sort(), [
      "admin-token.json",
      "backup.json",
      "monitor",
      "monitor/monitor.000001.journal",
      "monitor/monitor.json",
      "monitor/samples",
      "monitor/samples/2026-01-01.log",
    ]);
    assert.equal((await stat(to())).mode & 0o777, 0o700);
    assert.equal((await stat(join(to(), "admin-token.json"))).mode & 0o777, 0o600);
  });

  it("refuses an existing folder, one inside the data, and a damaged store", async () => {
    await (await open("shop")).close();
    await assert.rejects(createBackup({ data, to: home, now: NOW }), /already exists/u);
    await assert.rejects(createBackup({ data, to: join(data, "copy"), now: NOW }), /data folder itself/u);
    await appendFile(join(data, "shop", "shop.json"), "x");
    await assert.rejects(createBackup({ data, to: to(), now: NOW }), /shop\.json"/u);
    // Nor is anything left of what was begun.
    assert.deepEqual(await readdir(home), ["data"]);
  });
});

describe("restoreBackup", () => {
  it("brings back what was backed up, and keeps what was there", async () => {
    const store = await open("shop");
    await add(store, "one");
    await createBackup({ data, to: to(), now: NOW });
    await add(store, "two");
    await store.close();
    const { keptIn } = await restoreBackup({ backup: to(), data, now: NOW });
    assert.equal(keptIn, join(data, ".before-restore-2026-01-02T03-04-05-000Z"));
    const restored = await open("shop");
    assert.equal(await countOf(restored), 1);
    await restored.close();
    const kept = await openJournalStore({
      folder: join(keptIn, "shop"),
      name: "shop",
      collections: [items, counters],
    });
    assert.equal(await countOf(kept), 2);
    await kept.close();
    // A later backup takes neither what was kept nor the work of the restore.
    const again = await createBackup({ data, to: `${to()}-2`, now: NOW });
    assert.deepEqual(
      again.files.map(({ path }) => path),
      ["shop/shop.000002.journal", "shop/shop.json"],
    );
  });

  it("refuses a folder in use and leaves it alone", async () => {
    const store = await open("shop");
    await add(store, "one");
    await createBackup({ data, to: to(), now: NOW });
    await assert.rejects(restoreBackup({ backup: to(), data, now: NOW }), /is in use by process/u);
    await add(store, "two");
    assert.equal(await countOf(store), 2);
    await store.close();
    assert.deepEqual(await readdir(data), ["shop"]);
  });

  it("refuses a damaged or incomplete backup before it touches anything", async () => {
    const store = await open("shop");
    await add(store, "one");
    await store.close();
    await createBackup({ data, to: to(), now: NOW });
    const before = await readFile(join(data, "shop", "shop.json"));
    const manifest = await readFile(join(to(), "backup.json"), "utf8");
    const damages: (() => Promise<void>)[] = [
      () => appendFile(join(to(), "shop", "shop.json"), " "),
      () => writeFile(join(to(), "backup.json"), manifest.replace('"shop/shop.json"', '"../shop.json"')),
      () => rm(join(to(), "backup.json")),
    ];
    for (const damage of damages) {
      await damage();
      await assert.rejects(restoreBackup({ backup: to(), data, now: NOW }));
      assert.deepEqual(await readFile(join(data, "shop", "shop.json")), before);
      assert.deepEqual(await readdir(data), ["shop"]);
    }
  });
});
