import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBlobFolder } from "../../../src/shop/images/blob-folder.ts";
import type { Blobs } from "../../../src/shop/base/blobs.ts";
import { createVerifiedBlobs } from "../../../src/shop/images/verified-blobs.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createProductFiles } from "../../../src/shop/files/product-files.ts";
import { createUploads } from "../../../src/shop/files/uploads.ts";
import { fileParts, storedFiles } from "../../../src/shop/files/records.ts";
import { FaultyFiles } from "../../store/faulty-files.ts";
import { code, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import {
  CHUNK,
  type Upload,
  addFile,
  addFileProduct,
  beginUpload,
  countedBlobs,
  createFileShop,
  makeBytes,
  readAll,
  sendPart,
  sha256Of,
  uploadBytes,
} from "./files-fixture.ts";

const DAY_MS = 86_400_000;
const actor = { name: "test", clientId: "test", requestId: "test" };

/** A body that breaks off after some bytes. */
function breaking(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new Error("the line broke"));
      else controller.enqueue(bytes);
      isSent = true;
    },
  });
}

describe("uploads of files", () => {
  it("keep a file of several chunks byte by byte, with its SHA-256", async () => {
    const { app, productId } = await createFileShop();
    const bytes = makeBytes(2 * CHUNK + 12_345);
    const upload = await uploadBytes(app, productId, { bytes });
    assert.equal(upload.receivedBytes, bytes.length);
    assert.equal(upload.sha256, sha256Of(bytes));
    assert.deepEqual(await readAll(app, upload.id), Buffer.from(bytes));
  });

  it("go on where the line broke, in whole chunks, and say where that is", async () => {
    const { app, productId } = await createFileShop();
    const bytes = makeBytes(3 * CHUNK + 7);
    const { id } = await beginUpload(app, productId, { sizeBytes: bytes.length, sha256: sha256Of(bytes) });
    const broken = await sendPart(app, id, { offset: 0, body: breaking(bytes.subarray(0, CHUNK + 99)) });
    assert.ok(broken.status >= 400);
    const seen = await read<Upload>(await app.admin("GET", `/api/admin/uploads/${id}`));
    assert.equal(seen.receivedBytes, CHUNK);
    const wrong = await sendPart(app, id, { offset: CHUNK + 99, body: bytes.subarray(CHUNK + 99) });
    const problem: { code: string; receivedBytes: number } = await wrong.json();
    assert.deepEqual([wrong.status, problem.code, problem.receivedBytes], [409, "conflict", CHUNK]);
    const next = await sendPart(app, id, { offset: CHUNK, body: bytes.slice(CHUNK, 2 * CHUNK + 5) });
    assert.equal((await read<Upload>(next)).receivedBytes, 2 * CHUNK);
    const last = await sendPart(app, id, { offset: 2 * CHUNK, body: bytes.slice(2 * CHUNK) });
    assert.equal((await read<Upload>(last)).sha256, sha256Of(bytes));
    const again = await sendPart(app, id, { offset: 2 * CHUNK, body: bytes.slice(2 * CHUNK) });
    assert.equal((await read<Upload>(again)).sha256, sha256Of(bytes));
    assert.deepEqual(await readAll(app, id), Buffer.from(bytes));
  });

  it("know the hash of what another process took", async () => {
    const { app, productId } = await createFileShop();
    const bytes = makeBytes(2 * CHUNK);
    const { id } = await beginUpload(app, productId, { sizeBytes: bytes.length });
    await sendPart(app, id, { offset: 0, body: bytes.slice(0, CHUNK) });
    const other = createUploads(app.shop.deps);
    const body = new Response(bytes.slice(CHUNK)).body;
    assert.ok(body !== null);
    assert.equal((await other.receive(id, { offset: CHUNK, body })).sha256, sha256Of(bytes));
  });

  it("refuse what is not as it was announced", async () => {
    const { app, productId } = await createFileShop();
    const bytes = makeBytes(100);
    const small = await beginUpload(app, productId, { sizeBytes: 99 });
    assert.deepEqual(await code(await sendPart(app, small.id, { offset: 0, body: bytes })), [422, "invalid"]);
    const short = await beginUpload(app, productId, { sizeBytes: 101 });
    assert.deepEqual(await code(await sendPart(app, short.id, { offset: 0, body: bytes })), [422, "invalid"]);
    const other = await beginUpload(app, productId, { sizeBytes: 100, sha256: "0".repeat(64) });
    assert.deepEqual(await code(await sendPart(app, other.id, { offset: 0, body: bytes })), [422, "invalid"]);
    assert.equal((await app.admin("GET", `/api/admin/uploads/${other.id}`)).status, 404);
    const path = `/api/admin/products/${productId}/uploads`;
    for (const fileName of ["../x", "a/b", "a\\b", "..", "", "a\u0000b", "a\r\nb", "n".repeat(256)])
      assert.deepEqual(
        await code(await app.admin("POST", path, { fileName, sizeBytes: 1 })),
        [422, "invalid"],
        fileName,
      );
    for (const sizeBytes of [0, -1, 1.5, 2 ** 60])
      assert.equal((await app.admin("POST", path, { fileName: "x", sizeBytes })).status, 422);
    await app.setSite({ files: { maxFileMegabytes: 1 } });
    const large = await app.admin("POST", path, { fileName: "x", sizeBytes: CHUNK + 1 });
    assert.deepEqual(await code(large), [413, "too_large"]);
    const mug = await addProduct(app);
    const wrong = await app.admin("POST", `/api/admin/products/${mug.id}/uploads`, {
      fileName: "x",
      sizeBytes: 1,
    });
    assert.deepEqual(await code(wrong), [409, "conflict"]);
    const text = await app.admin("PUT", `/api/admin/uploads/${small.id}`, { not: "bytes" });
    assert.deepEqual(await code(text), [415, "unsupported_media_type"]);
    const stranger = await app.send("PUT", `/api/admin/uploads/${small.id}`, { headers: {} });
    assert.equal(stranger.status, 401);
  });

  it("become one file only, of their own product", async () => {
    const { app, productId } = await createFileShop();
    const other = await addFileProduct(app);
    const { id: uploadId } = await uploadBytes(app, productId, { bytes: makeBytes(10) });
    const elsewhere = await app.admin("POST", `/api/admin/products/${other.id}/files`, { uploadId });
    assert.deepEqual(await code(elsewhere), [404, "not_found"]);
    const path = `/api/admin/products/${productId}/files`;
    assert.equal((await app.admin("POST", path, { uploadId })).status, 201);
    assert.deepEqual(await code(await app.admin("POST", path, { uploadId })), [404, "not_found"]);
    const open = await beginUpload(app, productId, { sizeBytes: 10 });
    assert.deepEqual(await code(await app.admin("POST", path, { uploadId: open.id })), [409, "conflict"]);
  });
});

describe("uploads that come to nothing", () => {
  it("go after a day, with every chunk, also one whose name was written and nothing more", async () => {
    const { blobs, names } = countedBlobs();
    const app = await createTestShop();
    const { id: productId } = await addFileProduct(app);
    // The process dies while a chunk is written: what is stored is all that is left of it.
    let puts = 0;
    const dying: Blobs = {
      ...blobs,
      put: async (hash, bytes) => {
        await blobs.put(hash, bytes);
        puts += 1;
        if (puts === 3) await new Promise(() => undefined);
      },
    };
    const deps = { ...app.shop.deps, fileBlobs: dying };
    const uploads = createUploads(deps);
    const bytes = makeBytes(4 * CHUNK);
    const upload = await uploads.begin(productId, { fileName: "x", sizeBytes: bytes.length, actor });
    const body = new Response(bytes).body;
    assert.ok(body !== null);
    void uploads.receive(upload.id, { offset: 0, body });
    while (puts < 3) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(names.size, 3);

    const next = createUploads({ ...app.shop.deps, fileBlobs: blobs });
    assert.equal((await next.get(upload.id)).keptChunks, 2);
    assert.equal(await next.sweep(), 0);
    app.clock.advance(DAY_MS + 61_000);
    assert.equal(await next.sweep(), 1);
    assert.equal(names.size, 0);
    assert.equal(await app.store.read((tx) => tx.count(fileParts)), 0);
    assert.equal(await app.store.read((tx) => tx.count(storedFiles)), 0);
    assert.equal(await next.sweep(), 0);
  });

  it("go at once when they are taken back", async () => {
    const { app, productId } = await createFileShop();
    const { id } = await beginUpload(app, productId, { sizeBytes: 2 * CHUNK });
    await sendPart(app, id, { offset: 0, body: makeBytes(CHUNK) });
    assert.equal((await app.admin("DELETE", `/api/admin/uploads/${id}`)).status, 204);
    assert.equal((await app.admin("DELETE", `/api/admin/uploads/${id}`)).status, 404);
    app.clock.advance(61_000);
    await app.shop.uploads.sweep();
    assert.equal(await app.store.read((tx) => tx.count(storedFiles)), 0);
  });

  it("never take a file that is on sale", async () => {
    const { app, productId } = await createFileShop();
    await addFile(app, productId, { bytes: makeBytes(CHUNK + 1) });
    app.clock.advance(400 * DAY_MS);
    await app.shop.uploads.sweep();
    const { items } = await app.store.read((tx) => tx.list(storedFiles, "id", { limit: 10 }));
    assert.equal(items.length, 1);
  });

  it("leave no half file on a full disk, and go on when there is room", async () => {
    const app = await createTestShop();
    const { id: productId } = await addFileProduct(app);
    const files = new FaultyFiles();
    const fileBlobs = createVerifiedBlobs(createBlobFolder(files, "/data/shop/blobs"), silentLog);
    const deps = { ...app.shop.deps, fileBlobs };
    const uploads = createUploads(deps);
    const bytes = makeBytes(3 * CHUNK);
    const { id } = await uploads.begin(productId, { fileName: "x", sizeBytes: bytes.length, actor });
    const send = (offset: number): Promise<unknown> => {
      const body = new Response(bytes.slice(offset)).body;
      assert.ok(body !== null);
      return uploads.receive(id, { offset, body });
    };
    files.fail({ operation: "append", code: "ENOSPC", shortBy: "half", times: 1 });
    await assert.rejects(send(0), { code: "store_unavailable" });
    assert.equal((await uploads.get(id)).keptChunks, 0);
    const left: string[] = [];
    for (let first = 0; first < 256; first += 1)
      left.push(...(await files.list(`/data/shop/blobs/${first.toString(16).padStart(2, "0")}`)));
    assert.deepEqual(left, []);
    await send(0);
    const stored = await uploads.get(id);
    assert.equal(stored.sha256, sha256Of(bytes));
    const productFiles = createProductFiles(deps);
    assert.equal((await productFiles.add(productId, { uploadId: id, label: "", actor })).versions.length, 1);
  });
});
