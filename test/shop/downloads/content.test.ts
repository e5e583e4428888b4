import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { code } from "../app-fixture.ts";
import { CHUNK, download, seeLink, sha256Of } from "../files/files-fixture.ts";
import { countOf, sell } from "./downloads-fixture.ts";

describe("GET /api/downloads/{token}", () => {
  it("sends the file byte by byte, under its name, without caching", async () => {
    const sold = await sell();
    const response = await sold.app.fetch(await seeLink(sold.app, sold));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-length"), String(sold.bytes.length));
    assert.equal(response.headers.get("etag"), `"${sha256Of(sold.bytes)}"`);
    assert.equal(response.headers.get("content-disposition"), 'attachment; filename="guide.pdf"');
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("referrer-policy"), "same-origin");
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), sold.bytes);
    assert.equal(sold.app.shop.downloads.openStreams(), 0);
  });

  it("sends ranges exactly, across chunks and at the ends", async () => {
    const sold = await sell();
    const { app, bytes } = sold;
    const url = await seeLink(app, sold);
    const size = bytes.length;
    const cases: [range: string, first: number, last: number][] = [
      ["bytes=0-0", 0, 0],
      [`bytes=${CHUNK - 1}-${CHUNK}`, CHUNK - 1, CHUNK],
      [`bytes=${CHUNK}-${2 * CHUNK - 1}`, CHUNK, 2 * CHUNK - 1],
      [`bytes=${CHUNK + 5}-`, CHUNK + 5, size - 1],
      ["bytes=-7", size - 7, size - 1],
      [`bytes=-${size + 5}`, 0, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
    ];
    for (const [range, first, last] of cases) {
      const response = await app.fetch(url, { headers: { range } });
      assert.equal(response.status, 206, range);
      assert.equal(response.headers.get("content-range"), `bytes ${first}-${last}/${size}`, range);
      assert.equal(response.headers.get("content-length"), String(last - first + 1));
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes.slice(first, last + 1), range);
    }
    for (const range of ["bytes=5-4", "bytes=", "bytes=a-b", "lines=1-2", "bytes=0-1,3-4"])
      assert.deepEqual(await download(app, url, { range }), bytes, range);
    const behind = await app.fetch(url, { headers: { range: `bytes=${size}-` } });
    assert.equal(behind.status, 416);
    assert.equal(behind.headers.get("content-range"), `bytes */${size}`);
    assert.equal(await countOf(app), 1);
  });

  it("heeds If-Range and If-None-Match", async () => {
    const sold = await sell();
    const { app, bytes } = sold;
    const url = await seeLink(app, sold);
    const etag = `"${sha256Of(bytes)}"`;
    const known = await app.fetch(url, { headers: { "if-none-match": etag } });
    assert.equal(known.status, 304);
    assert.equal(await countOf(app), 0);
    const same = await app.fetch(url, { headers: { range: "bytes=1-2", "if-range": etag } });
    assert.equal(same.status, 206);
    await same.arrayBuffer();
    for (const other of ['"other"', `W/${etag}`, "Mon, 23 Nov 2026 05:00:00 GMT"])
      assert.deepEqual(await download(app, url, { range: "bytes=1-2", "if-range": other }), bytes);
  });

  it("answers HEAD with all headers, no bytes, and no count", async () => {
    const sold = await sell({ maxDownloads: 1 });
    const { app, bytes } = sold;
    const url = await seeLink(app, sold);
    const response = await app.raw(url, { method: "HEAD", headers: { range: "bytes=0-1" } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-length"), String(bytes.length));
    assert.equal((await response.arrayBuffer()).byteLength, 0);
    assert.equal(await countOf(app), 0);
    assert.equal(app.shop.downloads.openStreams(), 0);
  });

  it("says any name as RFC 8187 has it", async () => {
    const names: [name: string, plain: string, whole: string | undefined][] = [
      ['a "b" c.pdf', "a _b_ c.pdf", "a%20%22b%22%20c.pdf"],
      ["Anleitung für 你好.zip", "Anleitung f_r __.zip", "Anleitung%20f%C3%BCr%20%E4%BD%A0%E5%A5%BD.zip"],
      ["50%(1)'*.txt", "50_(1)'_.txt", "50%25%281%29%27%2A.txt"],
      [`${"長".repeat(251)}.pdf`, `${"_".repeat(251)}.pdf`, `${"%E9%95%B7".repeat(251)}.pdf`],
    ];
    for (const [fileName, plain, whole] of names) {
      const sold = await sell({}, { size: 10, fileName });
      const response = await sold.app.fetch(await seeLink(sold.app, sold));
      const expected = `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
      assert.equal(response.headers.get("content-disposition"), expected);
    }
  });

  it("bounds what one purchase downloads at once, and gives places back when readers go", async () => {
    const sold = await sell();
    const { app } = sold;
    const url = await seeLink(app, sold);
    const open = await Promise.all(Array.from({ length: 16 }, () => app.raw(url)));
    assert.deepEqual(await code(await app.raw(url)), [429, "rate_limited"]);
    await open[0]?.body?.cancel();
    const next = await app.raw(url);
    assert.equal(next.status, 200);
    for (const response of [...open.slice(1), next]) await response.body?.cancel();
    assert.equal(app.shop.downloads.openStreams(), 0);
  });
});
