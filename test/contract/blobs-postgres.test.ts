/** Pictures in PostgreSQL, with and without a data folder that has some of before; and their migration. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { movePictures, openPictureFolder, openPictureTable } from "../../src/service/migration/pictures.ts";
import { createBlobFolder } from "../../src/shop/images/blob-folder.ts";
import { createBlobFallback, listBlobFolder, takeOverBlobs } from "../../src/shop/images/blob-takeover.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import type { Blobs } from "../../src/shop/base/blobs.ts";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { type BlobTable, openBlobTable } from "../../src/store/postgres/blobs.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";
import { describeBlobs, toBlob } from "./blobs-contract.ts";

let database: TestDatabase;
let root: string;
before(async () => {
  database = await createTestDatabase();
  root = await mkdtemp(join(tmpdir(), "blobs-"));
});
after(async () => {
  await rm(root, { recursive: true, force: true });
  await database.drop();
});

let made = 0;
/** A table that no other test has; `open` gives another way in. */
function newTable(): () => Promise<BlobTable> {
  made += 1;
  const table = `blobs_${made}`;
  return () => openBlobTable({ url: database.url, table, applicationName: "trivet-test" });
}

interface Folder {
  readonly path: string;
  readonly blobs: Blobs;
  readonly data: string;
}
function newFolder(): Folder {
  made += 1;
  const data = join(root, `data-${made}`);
  const path = join(data, "shop", "blobs");
  return { path, data, blobs: createBlobFolder(nodeFileLayer, path) };
}

async function fill(blobs: Pick<Blobs, "put">, count: number): Promise<string[]> {
  const all = Array.from({ length: count }, (_, n) => toBlob(`picture ${n}`));
  for (const { hash, bytes } of all) await blobs.put(hash, bytes);
  return all.map(({ hash }) => hash).sort();
}

describeBlobs("PostgreSQL", async () => {
  const open = newTable();
  // At the same moment, as two processes that start together.
  const tables = await Promise.all([open(), open()] as const);
  return {
    sides: tables,
    close: async () => {
      for (const table of tables) await table.close();
    },
  };
});

describeBlobs("PostgreSQL in front of a folder", async () => {
  const open = newTable();
  const [a, b] = await Promise.all([open(), open()] as const);
  const sides = [createBlobFallback(a, newFolder().blobs), createBlobFallback(b, newFolder().blobs)] as const;
  return {
    sides,
    close: async () => {
      await a.close();
      await b.close();
    },
  };
});

describe("pictures of before in a data folder", () => {
  it("are found, and are in the table from then on", async () => {
    const table = await newTable()();
    const folder = newFolder();
    const { hash, bytes } = toBlob("of before");
    await folder.blobs.put(hash, bytes);
    const blobs = createBlobFallback(table, folder.blobs);
    assert.equal(await table.get(hash), undefined);
    assert.deepEqual(await blobs.get(hash), bytes);
    assert.deepEqual(await table.get(hash), bytes);
    await table.close();
  });

  it("are served from the folder while the table takes nothing", async () => {
    const { blobs: folder } = newFolder();
    const { hash, bytes } = toBlob("of before");
    await folder.put(hash, bytes);
    const fail = (): Promise<never> => Promise.reject(new Error("The disk is full"));
    const full = { get: async () => undefined, put: fail, remove: fail };
    assert.deepEqual(await createBlobFallback(full, folder).get(hash), bytes);
  });

  it("are all taken over in the end, each once, and files that are no pictures are left alone", async () => {
    const table = await newTable()();
    const folder = newFolder();
    const hashes = await fill(folder.blobs, 20);
    await writeFile(join(folder.path, (hashes[0] ?? "").slice(0, 2), "new_half"), "half of a picture");
    const take = (isOver = false): Promise<number> =>
      takeOverBlobs(
        { table, folder: folder.blobs, log: silentLog },
        { hashes: listBlobFolder(nodeFileLayer, folder.path), isOver: () => isOver },
      );
    assert.equal(await take(true), 0);
    assert.equal(await take(), 20);
    assert.equal(await take(), 0);
    assert.deepEqual(await table.list(""), hashes);
    assert.deepEqual(await table.list(hashes[17] ?? ""), hashes.slice(18));
    await table.close();
  });
});

describe("movePictures", () => {
  it("moves pictures to a database and back, and adds only what is missing", async () => {
    const [from, back] = [newFolder(), newFolder()];
    const hashes = await fill(from.blobs, 5);
    const toTable = (isSource: boolean): ReturnType<typeof openPictureTable> =>
      openPictureTable(database.url, { label: "the database", isSource });
    const none = await toTable(true);
    assert.deepEqual(await movePictures(none, openPictureFolder(back.data)), { pictures: 0, added: 0 });
    await none.close();
    assert.equal(await countTables("shop_blobs"), 0);
    const target = await toTable(false);
    assert.deepEqual(await movePictures(openPictureFolder(from.data), target), { pictures: 5, added: 5 });
    assert.deepEqual(await movePictures(openPictureFolder(from.data), target), { pictures: 5, added: 0 });
    await target.close();
    const source = await toTable(true);
    assert.deepEqual(await movePictures(source, openPictureFolder(back.data)), { pictures: 5, added: 5 });
    await source.close();
    const below = await readdir(back.path, { recursive: true });
    assert.deepEqual(below.flatMap((name) => name.split("/")[1] ?? []).sort(), hashes);
  });

  it("refuses a picture that is damaged, by its name", async () => {
    const [from, to] = [newFolder(), newFolder()];
    const [hash = ""] = await fill(from.blobs, 1);
    await writeFile(join(from.path, hash.slice(0, 2), hash), "something else");
    await assert.rejects(movePictures(openPictureFolder(from.data), openPictureFolder(to.data)), {
      message: `The image ${hash} in the folder "${from.path}" is damaged`,
    });
  });
});

async function countTables(name: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const text = "select 1 from information_schema.tables where table_name = $1";
  const { rowCount } = await client.query(text, [name]);
  await client.end();
  return rowCount ?? 0;
}
