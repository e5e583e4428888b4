/** A backup is one cut of records and blobs: whatever its records need is in it, or it is not called complete. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { hashBytes } from "../../src/kit/secrets/hash-bytes.ts";
import { type BackupStep, createBackup } from "../../src/service/backup/backup.ts";
import { openBackupFolder } from "../../src/service/backup/backup-folder.ts";
import { findMissing } from "../../src/service/backup/references.ts";
import { restoreBackup } from "../../src/service/backup/restore.ts";
import { toChunkBlob } from "../../src/shop/files/chunks.ts";
import { createBlobFolder } from "../../src/shop/images/blob-folder.ts";
import type { Blobs } from "../../src/shop/base/blobs.ts";
import { holdBlobs, isHeld, sweepHeldBlobs } from "../../src/shop/images/held-blobs.ts";
import { attachments } from "../../src/shop/chat/records.ts";
import { categories } from "../../src/shop/categories/records.ts";
import { fileParts, storedFiles } from "../../src/shop/files/records.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createFixedClock } from "../support/fixed-clock.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const SHOP = { folder: "shop", name: "shop" };

let home: string;
let data: string;
let store: Store;
let blobs: Blobs;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "trivet-backup-blobs-"));
  data = join(home, "data");
  store = await openJournalStore({ folder: join(data, "shop"), name: "shop", collections: shopCollections });
  blobs = createBlobFolder(nodeFileLayer, join(data, "shop", "blobs"));
});
afterEach(async () => {
  await store.close();
  await rm(home, { recursive: true });
});

const to = (): string => join(home, "trivet-2026-01-02T03-04-05-000Z");

async function keep(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = await hashBytes(bytes);
  await blobs.put(hash, bytes);
  return hash;
}

const picture = { mediaType: "image/png", width: 1, height: 1, bytes: 1 } as const;

/** A picture of the chat that a message names, with its bytes. */
async function addAttachment(id: string): Promise<string> {
  const hash = await keep(`picture ${id}`);
  const record = { id, uploader: "usr_1", conversationId: "usr_1", createdAt: NOW, hash, ...picture };
  await store.transact((tx) => tx.insert(attachments, record));
  return hash;
}

/** As an administrator removes it: the record first, then the bytes. */
async function removeAttachment(id: string): Promise<void> {
  const hash = await store.transact(async (tx) => {
    const record = await tx.get(attachments, id);
    assert.ok(record !== undefined);
    await tx.put(attachments, { ...record, removedAt: NOW, unusedUntil: NOW });
    return record.hash;
  });
  await blobs.remove(hash);
}

async function addCategory(id: string): Promise<string> {
  const hash = await keep(`category ${id}`);
  const shown = { title: id, description: "", translations: {}, sortOrder: 0, status: "published" } as const;
  const image = { ...picture, hash, alt: "" };
  await store.transact((tx) =>
    tx.insert(categories, { id, ...shown, image, createdAt: NOW, updatedAt: NOW }),
  );
  return hash;
}

/** A file of two chunks that is on its way, or whole. */
async function addFile(id: string, keptChunks: number): Promise<string[]> {
  const names: string[] = [];
  for (let index = 0; index < 2; index += 1) {
    const chunk = await toChunkBlob({ storedId: id, index, writer: "w" }, new Uint8Array(10));
    if (index < keptChunks) await blobs.put(chunk.hash, chunk.bytes);
    names.push(chunk.hash);
  }
  await store.transact(async (tx) => {
    await tx.insert(fileParts, { id: `${id}:000000`, storedId: id, chunks: names });
    await tx.insert(storedFiles, {
      id,
      productId: "prd_1",
      fileName: "a.zip",
      sizeBytes: 1_048_576 + 10,
      keptChunks,
      state: keptChunks === 2 ? "named" : "sending",
      createdAt: NOW,
    });
  });
  return names;
}

const backUp = (steps: Partial<Record<BackupStep, () => Promise<unknown>>> = {}) =>
  createBackup({ data, to: to(), now: NOW, onStep: async (step) => void (await steps[step]?.()) });

const has = (folder: string, hash: string): Promise<boolean> =>
  readFile(join(folder, "shop", "blobs", hash.slice(0, 2), hash)).then(
    () => true,
    () => false,
  );

describe("a backup beside a shop that takes and removes pictures and files", () => {
  it("has what its records name, whatever came and went meanwhile", async () => {
    const early = await addAttachment("att_early");
    const gone = await addAttachment("att_gone");
    const late: string[] = [];
    await backUp({
      // What comes before the records are copied is named by them.
      begun: async () => late.push(await addAttachment("att_late"), await addCategory("late")),
      // What goes after that is named by them still.
      stores: async () => {
        await removeAttachment("att_gone");
        await addFile("upl_later", 2);
      },
      files: () => removeAttachment("att_early"),
    });
    for (const hash of [early, gone, ...late]) assert.ok(await has(to(), hash), hash);
    assert.deepEqual(await findMissing(to(), SHOP), { blobs: [], broken: [] });
    await restoreBackup({ backup: to(), data: join(home, "restored"), now: NOW });
    // Where the shop runs, what was removed is gone for good once the backup has ended.
    assert.ok(!(await has(data, early)) && !(await has(data, gone)));
    const names = await readdir(join(data, "shop"), { recursive: true });
    assert.deepEqual(
      names.filter((name) => /held|hold/u.test(name)),
      [],
    );
  });

  it("serves nothing that was removed while a backup holds its bytes", async () => {
    const hash = await addAttachment("att_1");
    await backUp({
      stores: async () => {
        await removeAttachment("att_1");
        assert.equal(await blobs.get(hash), undefined);
      },
    });
    assert.ok(await has(to(), hash));
  });

  it("takes a file on its way as far as it came, and no half of a whole one", async () => {
    await addFile("upl_half", 1);
    await addFile("upl_whole", 2);
    await backUp();
    assert.deepEqual(await findMissing(to(), SHOP), { blobs: [], broken: [] });
  });
});

describe("a backup whose records need what is not there", () => {
  const damages: readonly [name: string, damage: (path: string) => Promise<void>][] = [
    ["missing", (path) => rm(path)],
    ["damaged", (path) => writeFile(path, "rotten")],
  ];
  for (const [name, damage] of damages)
    it(`fails, says what it needs, and is not taken for a whole one: ${name}`, async () => {
      await addCategory("sound");
      const hash = await addCategory("bad");
      await damage(join(data, "shop", "blobs", hash.slice(0, 2), hash));
      await assert.rejects(backUp(), (error: unknown) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, new RegExp(hash, "u"));
        assert.match(error.message, /trivet-2026-01-02T03-04-05-000Z\.incomplete"/u);
        return true;
      });
      assert.deepEqual(await openBackupFolder(home).list(), []);
      const backup = `${to()}.incomplete`;
      const restored = join(home, "restored");
      if (name === "missing") {
        await assert.rejects(
          restoreBackup({ backup, data: restored, now: NOW }),
          /category "bad".*--incomplete/u,
        );
        assert.deepEqual(await readdir(home), ["data", "trivet-2026-01-02T03-04-05-000Z.incomplete"]);
      }
      await restoreBackup({ backup, data: restored, now: NOW, takesIncomplete: true });
      const copy = await openJournalStore({
        folder: join(restored, "shop"),
        name: "shop",
        collections: shopCollections,
      });
      assert.equal(await copy.read((tx) => tx.count(categories)), 2);
      await copy.close();
    });

  it("fails for a download whose chunks have no names", async () => {
    await addFile("upl_1", 2);
    await store.transact((tx) => tx.remove(fileParts, "upl_1:000000"));
    await assert.rejects(backUp(), /file "a\.zip" \(upl_1\) lacks names of its chunks/u);
  });

  it("keeps the newest of incomplete ones, and none after a whole one", async () => {
    const folder = openBackupFolder(home);
    for (const day of ["01", "02", "03"])
      await writeFile(join(home, `trivet-2026-01-${day}T00-00-00-000Z.incomplete`), "");
    await folder.removeIncomplete(1);
    assert.deepEqual(await readdir(home), ["data", "trivet-2026-01-03T00-00-00-000Z.incomplete"]);
    await folder.removeIncomplete(0);
    assert.deepEqual(await readdir(home), ["data"]);
  });
});

describe("a hold of a backup that was killed", () => {
  it("ends by itself", async () => {
    const clock = createFixedClock();
    const folder = join(data, "shop", "blobs");
    const held = createBlobFolder(nodeFileLayer, folder, clock);
    const hash = await addCategory("one");
    const hold = await holdBlobs(nodeFileLayer, folder, clock);
    await held.remove(hash);
    assert.equal(await sweepHeldBlobs(nodeFileLayer, folder, clock), 0);
    clock.advance(200_000);
    assert.equal(await isHeld(nodeFileLayer, folder, clock), false);
    assert.equal(await sweepHeldBlobs(nodeFileLayer, folder, clock), 1);
    await hold.release();
  });
});
