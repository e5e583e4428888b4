/** Downloads on a real port: they go no faster than they are read, and readers that leave give their place back. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { type Blobs, createMemoryBlobs } from "../../../src/shop/base/blobs.ts";
import { serveHttp } from "../../../src/runtime/http/http.ts";
import { connectRaw } from "../../runtime/http/raw-client.ts";
import { until } from "../../support/eventually.ts";
import { createTestShop } from "../app-fixture.ts";
import { CHUNK, addFile, addFileProduct, buy, makeBytes, seeLink } from "../files/files-fixture.ts";

const SIZE = 48 * CHUNK + 1;

it("wait for a slow reader, and end when it leaves", async () => {
  const memory = createMemoryBlobs();
  let reads = 0;
  const blobs: Blobs = {
    ...memory,
    get: (hash) => {
      reads += 1;
      return memory.get(hash);
    },
  };
  const app = await createTestShop({ blobs });
  const listener = await serveHttp({ hostname: "127.0.0.1", port: 0, handler: app.handle });
  const { id: productId } = await addFileProduct(app);
  const bytes = makeBytes(SIZE);
  await addFile(app, productId, { bytes });
  const bought = await buy(app, [{ productId }]);
  const path = await seeLink(app, bought);
  const url = `http://127.0.0.1:${listener.port}${path}`;

  reads = 0;
  const client = await connectRaw(listener.port);
  client.socket.pause();
  client.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(() => reads > 0);
  // Others are served meanwhile, whole and byte by byte.
  const whole = await fetch(url);
  assert.equal(whole.headers.get("content-length"), String(SIZE));
  const got = new Uint8Array(await whole.arrayBuffer());
  assert.equal(got.length, SIZE);
  assert.ok(Buffer.compare(got, bytes) === 0);
  // The one that reads nothing got what the connection holds, and not the file.
  assert.ok(reads - 49 < 40, `${reads - 49} chunks for a reader that takes nothing`);
  assert.equal(app.shop.downloads.openStreams(), 1);
  client.socket.destroy();
  await until(() => app.shop.downloads.openStreams() === 0);

  const head = await fetch(url, { method: "HEAD" });
  assert.equal(head.headers.get("content-length"), String(SIZE));
  assert.equal((await head.arrayBuffer()).byteLength, 0);
  const part = await fetch(url, { headers: { range: "bytes=-10" } });
  assert.equal(part.status, 206);
  assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(-10));
  await listener.close({ graceMs: 1_000 });
});
