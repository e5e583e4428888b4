/** Uploads of administrators: large ones are made smaller, AVIF becomes what every browser shows, the rest is explained. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import sharp, { type Sharp } from "sharp";
import { createMemoryBlobs } from "../../../src/shop/base/blobs.ts";
import { createSharpSizes } from "../../../src/shop/base/resize.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { ADMIN_TOKEN, type TestShop, createTestShop, read } from "../app-fixture.ts";

interface Picture {
  readonly url: string;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

let app: TestShop;

beforeEach(async () => {
  const sizes = { blobs: createMemoryBlobs(), ...createSharpSizes(silentLog) };
  app = await createTestShop({ sizes });
});

function send(bytes: Uint8Array, type: string, path = "/api/admin/site/pictures"): Promise<Response> {
  return app.raw(path, {
    method: "POST",
    headers: { "content-type": type, "x-admin-token": ADMIN_TOKEN },
    body: new Uint8Array(bytes),
  });
}

const draw = (width: number, height: number, background: object | string = "#336699"): Sharp =>
  sharp({ create: { width, height, channels: 4, background }, limitInputPixels: false });

async function readDetail(response: Response, status: number): Promise<string> {
  return (await read<{ detail: string }>(response, status)).detail;
}

describe("an upload of a picture", () => {
  it("of 54 megapixels is made smaller, and turned as it is shown", async () => {
    const photo = await draw(9_000, 6_000).flatten().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const kept = await read<Picture>(await send(photo, "image/jpeg"), 201);
    assert.deepEqual([kept.mediaType, kept.width, kept.height], ["image/jpeg", 2_731, 4_096]);
    const bytes = Buffer.from(await (await app.raw(kept.url)).arrayBuffer());
    const { orientation, width } = await sharp(bytes).metadata();
    assert.deepEqual([orientation, width], [undefined, 2_731]);
  });

  it("of more than 5 MiB is kept in less, also for products and collections", async () => {
    const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
    const large = await sharp({
      create: { width: 2_400, height: 2_000, channels: 3, background: "#000", noise },
    })
      .png()
      .toBuffer();
    assert.ok(large.length > 5_242_880, String(large.length));
    const { id } = await read<{ id: string }>(
      await app.admin("POST", "/api/admin/products", { title: "Mug", price: 1 }),
      201,
    );
    const { items } = await read<{ items: Picture[] }>(
      await send(large, "image/png", `/api/admin/products/${id}/images`),
      201,
    );
    assert.ok(items[0] !== undefined && items[0].bytes <= 5_242_880);
    assert.equal(items[0].width, 2_400);
  });

  it("in AVIF becomes a JPEG, and a transparent one a WebP", async () => {
    const plain = await draw(120, 80).flatten().avif({ effort: 0 }).toBuffer();
    const kept = await read<Picture>(await send(plain, "image/avif"), 201);
    assert.deepEqual([kept.mediaType, kept.width, kept.height], ["image/jpeg", 120, 80]);
    const clear = await draw(120, 80, { r: 1, g: 2, b: 3, alpha: 0.4 }).avif({ effort: 0 }).toBuffer();
    assert.equal((await read<Picture>(await send(clear, "image/avif"), 201)).mediaType, "image/webp");
  });

  it("that fits is kept as it came", async () => {
    const small = await draw(60, 40).png().toBuffer();
    const { width, mediaType } = await read<Picture>(await send(small, "image/png"), 201);
    assert.deepEqual([width, mediaType], [60, "image/png"]);
  });

  it("is refused beyond 80 megapixels and 40 MiB, broken, and in HEIC, with what to do", async () => {
    const huge = await draw(10_000, 8_100).png({ compressionLevel: 1 }).toBuffer();
    assert.match(await readDetail(await send(huge, "image/png"), 422), /10000 × 8100 pixels.*80 megapixels/u);
    const heavy = await send(new Uint8Array(41_943_041), "image/png");
    assert.equal(heavy.status, 413);
    const photo = await draw(9_000, 100).flatten().jpeg().toBuffer();
    const torn = await send(photo.subarray(0, photo.length / 2), "image/jpeg");
    assert.match(await readDetail(torn, 422), /cannot be decoded. Export it as JPEG/u);
    const heic = new Uint8Array([0, 0, 0, 24, ...Buffer.from("ftypheic"), 0, 0, 0, 0]);
    assert.match(
      await readDetail(await send(heic, "image/jpeg"), 422),
      /HEIC.*export it as JPEG.*Most Compatible/u,
    );
    assert.match(await readDetail(await send(heic, "image/heic"), 415), /image\/avif. Export HEIC/u);
  });

  it("is explained where nothing can make it smaller", async () => {
    app = await createTestShop();
    const wide = await draw(9_000, 10).png().toBuffer();
    assert.match(await readDetail(await send(wide, "image/png"), 422), /9000 × 10 pixels/u);
    const avif = await draw(20, 20).avif({ effort: 0 }).toBuffer();
    assert.match(await readDetail(await send(avif, "image/avif"), 422), /AVIF.*export it as JPEG/u);
  });
});
