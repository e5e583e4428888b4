/** Imports that are cut off: a process that dies in the middle, two processes at once, many failing pictures, large files. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memoryUsage } from "node:process";
import { openCsv } from "../../../src/kit/files/csv.ts";
import type { ImportPictureView, ImportView } from "../../../src/shop/imports/answer-schema.ts";
import { createMemoryBlobs } from "../../../src/shop/base/blobs.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestShop, read } from "../app-fixture.ts";
import { PATH, createPictureServer, createRoom, toRoom } from "./import-room.ts";

function toCsv(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `p-${at},Product ${at},${at + 1}.50,S${at},https://cdn.example.com/${at}.png\n`,
  );
  return `Handle,Title,Variant Price,Variant SKU,Image Src\n${rows.join("")}`;
}

/** Lets so many transactions through, and then behaves like a process that was killed. */
function createDyingStore(store: Store): { store: Store; dieAfter: (count: number) => void } {
  let left = Number.POSITIVE_INFINITY;
  const transact: Store["transact"] = async (work) => {
    left -= 1;
    if (left < 0) throw new Error("killed");
    return store.transact(work);
  };
  return {
    store: {
      read: (work) => store.read(work),
      check: () => store.check(),
      close: () => store.close(),
      transact,
    },
    dieAfter: (count) => {
      left = count;
    },
  };
}

describe("an import whose process dies", () => {
  for (const at of [1, 2, 4, 9, 60, 170])
    it(`continues after ${at} more transactions, and makes nothing twice`, async () => {
      const kept = createMemoryStore({ collections: shopCollections });
      const dying = createDyingStore(kept);
      const blobs = createMemoryBlobs();
      const server = createPictureServer();
      const first = toRoom(
        await createTestShop({ store: dying.store, blobs, pictureOutbound: server.outbound }),
      );
      const { id } = await first.check(toCsv(120));
      await first.move(id, "start");
      dying.dieAfter(at);
      await first.run().catch((error: unknown) => assert.match(String(error), /killed/u));
      const second = toRoom(await createTestShop({ store: kept, blobs, pictureOutbound: server.outbound }));
      await second.run();
      const done = await second.get(id);
      assert.deepEqual(
        [done.state, done.counts.items, done.counts.created, done.counts.picturesDone, done.counts.failed],
        ["done", 120, 120, 120, 0],
      );
      assert.equal(await kept.read((tx) => tx.count(products)), 120);
      const { items } = await kept.read((tx) => tx.list(products, "id", { limit: 200 }));
      assert.ok(items.every(({ images }) => images.length === 1));
    });

  for (const at of [1, 3, 5])
    it(`goes on with its undo after ${at} more transactions, and keeps a product that someone changed`, async () => {
      const kept = createMemoryStore({ collections: shopCollections });
      const dying = createDyingStore(kept);
      const first = toRoom(
        await createTestShop({ store: dying.store, pictureOutbound: createPictureServer().outbound }),
      );
      const done = await first.take(
        "Handle,Title,Variant Price\n" + Array.from({ length: 100 }, (_, n) => `p-${n},P ${n},5\n`).join(""),
      );
      const { items } = await kept.read((tx) => tx.list(products, "id", { limit: 1 }));
      const edited = items[0]?.id ?? "";
      await read(await first.shop.admin("PATCH", `/api/admin/products/${edited}`, { price: 900 }));
      await first.move(done.id, "undo");
      dying.dieAfter(at);
      await first.run().catch((error: unknown) => assert.match(String(error), /killed/u));
      const second = toRoom(await createTestShop({ store: kept }));
      await second.run();
      const undone = await second.get(done.id);
      assert.deepEqual([undone.state, undone.undone, undone.kept], ["undone", 99, 1]);
      const left = await kept.read((tx) => tx.list(products, "id", { limit: 10 }));
      assert.deepEqual(
        left.items.map(({ id, price }) => [id, price]),
        [[edited, 900]],
      );
    });

  it("is shared by two processes without making anything twice", async () => {
    const store = createMemoryStore({ collections: shopCollections });
    const blobs = createMemoryBlobs();
    const options = { store, blobs, isShared: true, pictureOutbound: createPictureServer().outbound };
    const [one, two] = [toRoom(await createTestShop(options)), toRoom(await createTestShop(options))];
    const { id } = await one.check(toCsv(120));
    await one.move(id, "start");
    await Promise.all([one.run(), two.run()]);
    await one.run();
    const done = await two.get(id);
    assert.deepEqual([done.state, done.counts.created, done.counts.picturesDone], ["done", 120, 120]);
    assert.equal(await store.read((tx) => tx.count(products)), 120);
  });

  it("stops between batches, and continues", async () => {
    const room = await createRoom();
    const { id } = await room.check(toCsv(10));
    await room.move(id, "start");
    await room.move(id, "stop");
    await room.run();
    assert.deepEqual([(await room.get(id)).state, (await room.get(id)).counts.created], ["stopped", 0]);
    await room.move(id, "start");
    await room.run();
    assert.deepEqual([(await room.get(id)).state, (await room.get(id)).counts.created], ["done", 10]);
  });
});

describe("an import of many pictures of which some fail", () => {
  it("ends, names the failed ones, and tries them again", async () => {
    const failing = new Map<number, true>();
    for (let at = 0; at < 1_000; at += 10) failing.set(at, true);
    const gone = { kind: "answered", status: 404, text: "" } as const;
    const answers = Object.fromEntries(
      [...failing.keys()].map((at) => [`https://cdn.example.com/${at}.png`, gone]),
    );
    const server = createPictureServer(answers);
    const room = await createRoom({ pictureOutbound: server.outbound });
    const done = await room.take(toCsv(1_000));
    assert.deepEqual([done.state, done.counts.picturesDone, done.counts.picturesFailed], ["done", 900, 100]);
    const page = await read<{ items: ImportPictureView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/pictures?limit=200`),
    );
    assert.equal(page.items.length, 100);
    for (const at of failing.keys()) delete answers[`https://cdn.example.com/${at}.png`];
    await room.move(done.id, "retry-pictures");
    await room.run();
    const after: ImportView = await room.get(done.id);
    assert.deepEqual(
      [after.state, after.counts.picturesDone, after.counts.picturesFailed],
      ["done", 1_000, 0],
    );
  });
});

describe("openCsv", () => {
  it("reads a file of 50 MB in parts, without holding it", async () => {
    const line = new TextEncoder().encode(`handle,"${"Grüße, ".repeat(120)}",12.50\n`);
    const part = new Uint8Array(line.length * 1_000);
    for (let at = 0; at < 1_000; at += 1) part.set(line, at * line.length);
    const parts = Math.ceil(50_000_000 / part.length);
    async function* open(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < parts; at += 1) yield part;
    }
    const csv = await openCsv(open, {});
    let rows = 0;
    let most = 0;
    const before = memoryUsage().heapUsed;
    for await (const { cells } of csv.rows()) {
      rows += cells.length === 3 ? 1 : 0;
      if (rows % 5_000 === 0) most = Math.max(most, memoryUsage().heapUsed - before);
    }
    assert.deepEqual([csv.encoding, csv.separator, rows], ["utf-8", ",", parts * 1_000]);
    assert.ok(most < 100_000_000, `${most} bytes`);
  });

  it("finds an encoding whose first letter beyond ASCII comes late", async () => {
    const head = new TextEncoder().encode(`title,price\n${"mug,5\n".repeat(50_000)}`);
    const tail = new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x2c, 0x35, 0x0a]);
    async function* open(): AsyncGenerator<Uint8Array> {
      yield head;
      yield tail;
    }
    const csv = await openCsv(open, {});
    let last: readonly string[] = [];
    for await (const { cells } of csv.rows()) last = cells;
    assert.deepEqual([csv.encoding, last], ["windows-1252", ["Größe", "5"]]);
  });

  it("fails with its file, also in the middle, and closes it when no more is read", async () => {
    let opened = 0;
    let isClosed = false;
    let isBroken = true;
    async function* open(): AsyncGenerator<Uint8Array> {
      opened += 1;
      try {
        for (let at = 0; at < 20; at += 1) {
          // The head and the encoding were read before.
          if (isBroken && opened > 3 && at === 5) throw new Error("The database does not respond");
          yield new TextEncoder().encode("mug,5\n".repeat(10_000));
        }
      } finally {
        isClosed = true;
      }
    }
    const csv = await openCsv(open, {});
    opened = 3;
    let rows = 0;
    const read = async (most: number): Promise<void> => {
      for await (const { cells } of csv.rows()) {
        rows += cells.length / 2;
        if (rows === most) break;
      }
    };
    await assert.rejects(read(Infinity), /The database does not respond/u);
    assert.ok(rows > 0);
    isBroken = false;
    rows = 0;
    isClosed = false;
    await read(100);
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual([rows, isClosed], [100, true]);
  });
});
