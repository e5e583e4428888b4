/** Files in PostgreSQL, where two processes take parts of one upload and hand out one right. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { type BlobTable, openBlobTable } from "../../../src/store/postgres/blobs.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import {
  CHUNK,
  type Upload,
  addFileProduct,
  beginUpload,
  buy,
  download,
  makeBytes,
  seeLink,
  sendPart,
  sha256Of,
} from "./files-fixture.ts";

async function withTwo(
  work: (first: TestShop, second: TestShop, table: BlobTable) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase();
  const { url } = database;
  const open = async () => {
    const store = await openPostgresStore({ url, name: "shop", collections: shopCollections });
    const blobs = await openBlobTable({ url, table: "shop_blobs", applicationName: "trivet-test" });
    return { store, blobs, app: await createTestShop({ store, blobs, isShared: true }) };
  };
  const sides = [await open(), await open()] as const;
  try {
    await work(sides[0].app, sides[1].app, sides[0].blobs);
  } finally {
    for (const { app, store, blobs } of sides) {
      app.shop.chat.close();
      await store.close();
      await blobs.close();
    }
    await database.drop();
  }
}

it("are sent to either process, come out of either, and count once for both", async () => {
  await withTwo(async (first, second, table) => {
    const { id: productId } = await addFileProduct(first);
    await first.admin("PUT", `/api/admin/products/${productId}/download-terms`, { maxDownloads: 3 });
    const bytes = makeBytes(2 * CHUNK + 77);
    const upload = await beginUpload(first, productId, { sizeBytes: bytes.length });
    await read(await sendPart(first, upload.id, { offset: 0, body: bytes.slice(0, CHUNK) }));
    const done = await sendPart(second, upload.id, { offset: CHUNK, body: bytes.slice(CHUNK) });
    assert.equal((await read<Upload>(done)).sha256, sha256Of(bytes));
    assert.equal((await table.list("")).length, 3);
    const path = `/api/admin/products/${productId}/files`;
    await read(await second.admin("POST", path, { uploadId: upload.id }), 201);
    await first.shop.catalogue.follow();

    const bought = await buy(first, [{ productId }]);
    const apps = [first, second] as const;
    const urls = await Promise.all(
      Array.from({ length: 50 }, (_, n) => seeLink(apps[n % 2] === first ? first : second, bought)),
    );
    const range = { headers: { range: `bytes=${CHUNK - 2}-${CHUNK + 1}` } };
    const answers = await Promise.all(urls.map((url, n) => (n % 2 === 0 ? first : second).fetch(url, range)));
    const good = answers.filter(({ status }) => status === 206);
    assert.equal(good.length, 3, answers.map(({ status }) => status).join());
    for (const answer of good)
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes.slice(CHUNK - 2, CHUNK + 2));
    for (const answer of answers.filter(({ status }) => status !== 206))
      assert.deepEqual(await code(answer), [403, "download_ended"]);
    const used = urls[answers.findIndex(({ status }) => status === 206)] ?? "";
    for (const app of apps) assert.deepEqual(await download(app, used), bytes);

    const [file] = (await read<{ items: { id: string }[] }>(await first.admin("GET", path))).items;
    assert.deepEqual(await read(await first.admin("DELETE", `${path}/${file?.id}`)), { kept: true });
    assert.equal((await table.list("")).length, 3);
  });
});
