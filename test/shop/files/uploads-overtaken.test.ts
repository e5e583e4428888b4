import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Blobs } from "../../../src/shop/base/blobs.ts";
import { createUploads } from "../../../src/shop/files/uploads.ts";
import { code, read } from "../app-fixture.ts";
import {
  CHUNK,
  type Upload,
  beginUpload,
  countedBlobs,
  createFileShop,
  makeBytes,
  readAll,
  sendPart,
  sha256Of,
} from "./files-fixture.ts";

const actor = { name: "test", clientId: "test", requestId: "test" };

describe("a request whose upload another one took over", () => {
  it("mixes nothing with what the other sends at once", async () => {
    const { app, productId } = await createFileShop();
    const [one, two] = [makeBytes(2 * CHUNK, 1), makeBytes(2 * CHUNK, 2)];
    const { id } = await beginUpload(app, productId, { sizeBytes: 2 * CHUNK });
    const answers = await Promise.all([
      sendPart(app, id, { offset: 0, body: one }),
      sendPart(app, id, { offset: 0, body: two }),
    ]);
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const answer of answers) assert.ok(answer.status === 200 || answer.status === 409);
    const { sha256 } = await read<Upload>(done[0] ?? assert.fail());
    const kept = await readAll(app, id);
    assert.equal(sha256Of(kept), sha256);
    assert.ok([sha256Of(one), sha256Of(two)].includes(sha256 ?? ""));
  });

  it("takes nothing of that away, however late its bytes come", async () => {
    const { app, productId } = await createFileShop();
    const [late, whole] = [makeBytes(CHUNK, 1), makeBytes(CHUNK, 2)];
    const { id } = await beginUpload(app, productId, { sizeBytes: CHUNK });
    let begin = (): void => undefined;
    let goOn = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const over = new Promise<void>((resolve) => (goOn = resolve));
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      begin();
      await over;
      controller.enqueue(late);
      controller.close();
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const overtaken = sendPart(app, id, { offset: 0, body });
    await begun;
    assert.equal((await sendPart(app, id, { offset: 0, body: whole })).status, 200);
    goOn();
    assert.deepEqual(await code(await overtaken), [409, "conflict"]);
    assert.equal(sha256Of(await readAll(app, id)), sha256Of(whole));
  });

  it("leaves no bytes behind when that came between their name and them", async () => {
    const { blobs, names } = countedBlobs();
    const { app, productId } = await createFileShop();
    const other = createUploads({ ...app.shop.deps, fileBlobs: blobs });
    const { id } = await other.begin(productId, { fileName: "x", sizeBytes: CHUNK, actor });
    const bodyOf = (seed: number) => new Response(makeBytes(CHUNK, seed)).body ?? assert.fail();
    const put: Blobs["put"] = async (hash, bytes) => {
      await other.receive(id, { offset: 0, body: bodyOf(2) });
      await blobs.put(hash, bytes);
    };
    const slow = createUploads({ ...app.shop.deps, fileBlobs: { ...blobs, put } });
    await assert.rejects(slow.receive(id, { offset: 0, body: bodyOf(1) }), { code: "conflict" });
    assert.equal(names.size, 1);
  });
});
