import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, describe, it } from "node:test";
import type { Blobs } from "../../../src/shop/base/blobs.ts";
import { takeImage } from "../../../src/shop/images/images.ts";
import { StoreError } from "../../../src/store/store.ts";
import { jpeg, jpegSegment, png } from "../../auth/pictures.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/products";
let shop: TestShop;
let path: string;

interface Images {
  items: {
    hash: string;
    url: string;
    mediaType: string;
    width: number;
    height: number;
    bytes: number;
    alt: string;
  }[];
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function upload(body: Uint8Array<ArrayBuffer>, query = "", type = "image/png"): Promise<Response> {
  return shop.fetch(`${path}${query}`, {
    method: "POST",
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": type },
    body,
  });
}

beforeEach(async () => {
  shop = await createTestShop();
  const { id } = await read<{ id: string }>(await shop.admin("POST", PATH, { title: "Mug", price: 1 }), 201);
  path = `${PATH}/${id}/images`;
});

describe("/api/admin/products/{id}/images", () => {
  it("adds pictures, orders them, describes them, and takes them off", async () => {
    const [first, second] = [png(3, 4), png(5, 6)];
    await read(await upload(first, "?alt=A%20mug"), 201);
    const two = await read<Images>(await upload(second), 201);
    assert.deepEqual(two.items[0], {
      hash: hashOf(first),
      mediaType: "image/png",
      width: 3,
      height: 4,
      bytes: first.length,
      alt: "A mug",
      url: `/api/images/${hashOf(first)}`,
      srcset: `/api/images/${hashOf(first)} 3w`,
    });
    const images = [{ hash: hashOf(second), alt: "Another" }, { hash: hashOf(first) }];
    const turned = await read<Images>(await shop.admin("PUT", path, { images }));
    assert.deepEqual(
      turned.items.map(({ alt }) => alt),
      ["Another", "A mug"],
    );
    const one = await read<Images>(await shop.admin("DELETE", `${path}/${hashOf(second)}`));
    assert.deepEqual(
      one.items.map(({ hash }) => hash),
      [hashOf(first)],
    );
    assert.deepEqual(await code(await shop.admin("DELETE", `${path}/${hashOf(second)}`)), [404, "not_found"]);
    for (const wrong of [[images[0]], [images[1], images[1]]])
      assert.deepEqual(await code(await shop.admin("PUT", path, { images: wrong })), [422, "invalid"]);
  });

  it("refuses what is no picture, too large in bytes or pixels, the same again, and the 21st", async () => {
    assert.deepEqual(await code(await upload(new TextEncoder().encode("<svg/>"))), [422, "invalid"]);
    assert.equal((await upload(png(1, 1), "", "image/svg+xml")).status, 415);
    // Browsers may call a photo of a phone by the name of its renamed file.
    const heic = new Uint8Array(Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"));
    assert.match(await (await upload(heic, "", "image/jpeg")).text(), /HEIC pictures are not supported/u);
    assert.match(
      await (await upload(heic, "", "image/heic")).text(),
      /Export HEIC and other formats as JPEG/u,
    );
    for (const [width, height] of [
      [8_193, 1],
      [1, 8_193],
      [0, 1],
    ] as const)
      assert.deepEqual(await code(await upload(png(width, height))), [422, "invalid"]);
    assert.deepEqual(await code(await upload(new Uint8Array(5_242_881))), [413, "too_large"]);
    await read(await upload(png(8_192, 8_192)), 201);
    assert.deepEqual(await code(await upload(png(8_192, 8_192))), [409, "already_exists"]);
    for (let index = 1; index < 20; index += 1) await read(await upload(png(index, 1)), 201);
    assert.deepEqual(await code(await upload(png(99, 99))), [409, "conflict"]);
    path = `${PATH}/prd_none/images`;
    assert.deepEqual(await code(await upload(png(98, 98))), [404, "not_found"]);
    assert.equal(await shop.shop.deps.blobs.get(hashOf(png(98, 98))), undefined);
  });
});

describe("GET /api/images/{hash}", () => {
  it("serves a picture publicly, forever, as nothing but a picture", async () => {
    const bytes = png(3, 4);
    await read(await upload(bytes, "", "image/webp"), 201);
    const response = await shop.send("GET", `/api/images/${hashOf(bytes)}`);
    assert.equal(response.status, 200);
    assert.deepEqual(new Uint8Array(await response.clone().arrayBuffer()), bytes);
    assert.equal(response.headers.get("content-type"), "image/png");
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(response.headers.get("content-security-policy"), "default-src 'none'; sandbox");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const tag = response.headers.get("etag") ?? "";
    const headers = { "if-none-match": `"other", W/${tag}` };
    const known = await shop.send("GET", `/api/images/${hashOf(bytes)}`, { headers });
    assert.deepEqual([known.status, await known.text()], [304, ""]);
  });

  it("serves it without EXIF, under the hash of what is left", async () => {
    const given = jpeg(3, 4, 0xc0, jpegSegment(0xe1, "Exif\0\0", "GPS 47.07 N 15.44 E".repeat(2)));
    const { items } = await read<Images>(await upload(given, "", "image/jpeg"), 201);
    const response = await shop.send("GET", items[0]?.url ?? assert.fail());
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.ok(!String.fromCharCode(...bytes).includes("GPS"));
    assert.deepEqual([items[0]?.hash, items[0]?.bytes], [hashOf(bytes), bytes.length]);
  });

  it("knows no other names", async () => {
    for (const name of ["0".repeat(64), "x", "..%2f..%2fetc%2fpasswd", "%2e%2e"])
      assert.deepEqual(await code(await shop.send("GET", `/api/images/${name}`)), [404, "not_found"], name);
  });
});

describe("takeImage", () => {
  it("returns size and hash, bounds the bytes, and passes on what the disk says", async () => {
    const { blobs } = shop.shop.deps;
    const bytes = png(7, 8);
    const kept = await takeImage(blobs, bytes, bytes.length);
    assert.deepEqual(kept, {
      hash: hashOf(bytes),
      mediaType: "image/png",
      width: 7,
      height: 8,
      bytes: bytes.length,
    });
    await assert.rejects(takeImage(blobs, bytes, bytes.length - 1), { code: "too_large" });
    const full: Blobs = { ...blobs, put: () => Promise.reject(new StoreError("store_unavailable", "full")) };
    await assert.rejects(takeImage(full, bytes, bytes.length), { code: "store_unavailable" });
  });
});
