import assert from "node:assert/strict";
import { describe, it } from "node:test";
import sharp, { type Sharp } from "sharp";
import { readImageType } from "../../../src/kit/pictures/image-type.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createMemoryBlobs, type Blobs } from "../../../src/shop/base/blobs.ts";
import { takeImage } from "../../../src/shop/images/images.ts";
import { createSharpSizes, type ImageSizePlace, type Resize } from "../../../src/shop/base/resize.ts";
import { imageSizes } from "../../../src/shop/images/size-records.ts";
import { png } from "../../auth/pictures.ts";
import { type TestShop, code, createTestShop } from "../app-fixture.ts";

const WEBP = "image/avif,image/webp,*/*";
const FOR_EVER = "public, max-age=31536000, immutable";
const DAY_MS = 86_400_000;

/** Counts what is made; every job waits until `open` is called when `isHeld`. */
function createCounted(isHeld = false) {
  const resize = createSharpSizes(silentLog).resize;
  let open = (): void => undefined;
  const gate = isHeld ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
  const made: number[] = [];
  const counted: Resize = async (job) => {
    made.push(job.width);
    await gate;
    return resize(job);
  };
  return { resize: counted, made, open: () => open() };
}

async function toBytes(picture: Sharp): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await picture.toBuffer());
}

function blank(width: number, height: number, background = "crimson"): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

interface Subject {
  readonly shop: TestShop;
  readonly place: ImageSizePlace;
  readonly made: readonly number[];
  readonly open: () => void;
  readonly add: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly get: (path: string, accept?: string, headers?: Record<string, string>) => Promise<Response>;
}

async function createSubject(
  options: { isHeld?: boolean; blobs?: Blobs; maxBytes?: number; resize?: Resize } = {},
): Promise<Subject> {
  const { resize, made, open } = createCounted(options.isHeld);
  const place = {
    blobs: createMemoryBlobs(),
    resize: options.resize ?? resize,
    maxBytes: options.maxBytes ?? 1e9,
  };
  const blobs = options.blobs ?? createMemoryBlobs();
  const shop = await createTestShop({ blobs, sizes: place });
  return {
    shop,
    place,
    made,
    open,
    add: async (bytes) => (await takeImage(blobs, bytes)).hash,
    get: (path, accept = "image/*", headers = {}) => shop.fetch(path, { headers: { accept, ...headers } }),
  };
}

async function read(
  response: Response,
): Promise<[status: number, type: string | undefined, width: number | undefined]> {
  const image = readImageType(new Uint8Array(await response.arrayBuffer()));
  return [response.status, image?.mediaType, image?.width];
}

describe("GET /api/images/{hash}?w=", () => {
  it("scales a picture down, as WebP for clients that support it, and caches it", async () => {
    const { add, get, made } = await createSubject();
    const path = `/api/images/${await add(await toBytes(blank(1_000, 500).jpeg()))}`;
    const first = await get(`${path}?w=320`, WEBP);
    assert.deepEqual(
      ["cache-control", "vary", "content-type"].map((name) => first.headers.get(name)),
      [FOR_EVER, "Accept", "image/webp"],
    );
    assert.match(first.headers.get("content-security-policy") ?? "", /sandbox/u);
    const etag = first.headers.get("etag") ?? "";
    assert.deepEqual(await read(first), [200, "image/webp", 320]);
    assert.deepEqual(await read(await get(`${path}?w=320`)), [200, "image/jpeg", 320]);
    assert.deepEqual(await read(await get(`${path}?w=320`, WEBP)), [200, "image/webp", 320]);
    assert.deepEqual(made, [320, 320]);
    assert.equal((await get(`${path}?w=320`, WEBP, { "if-none-match": etag })).status, 304);
    assert.equal((await get(`${path}?w=320`, "image/*", { "if-none-match": etag })).status, 200);
    const whole = await get(path, WEBP);
    assert.deepEqual([whole.headers.get("vary"), whole.headers.get("etag") === etag], [null, false]);
    assert.deepEqual(await read(whole), [200, "image/jpeg", 1_000]);
  });

  it("knows no other width, and no picture that is not there", async () => {
    const { add, get } = await createSubject();
    const path = `/api/images/${await add(png(400, 300))}`;
    for (const query of ["?w=321", "?w=", "?w=0320", "?width=320"])
      assert.deepEqual(await code(await get(`${path}${query}`)), [422, "invalid"]);
    for (const name of ["0".repeat(64), "..%2F..%2Fetc", "x"])
      assert.deepEqual(await code(await get(`/api/images/${name}?w=320`)), [404, "not_found"]);
  });

  it("never makes one larger", async () => {
    const { add, get, made } = await createSubject();
    const bytes = await toBytes(blank(300, 100).png());
    const response = await get(`/api/images/${await add(bytes)}?w=320`, WEBP);
    assert.deepEqual([response.headers.get("cache-control"), made.length], [FOR_EVER, 0]);
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
  });

  it("turns a picture as its camera said, and leaves out what it said of itself", async () => {
    const { add, get } = await createSubject();
    const lying = blank(800, 400).withMetadata({ orientation: 6 }).jpeg();
    const response = await get(`/api/images/${await add(await toBytes(lying))}?w=160`);
    const { width, height, exif, icc, orientation } = await sharp(await response.arrayBuffer()).metadata();
    assert.deepEqual([width, height, exif, icc, orientation], [160, 320, undefined, undefined, undefined]);
  });

  it("creates a size once for concurrent requests", async () => {
    const { add, get, made, open } = await createSubject({ isHeld: true });
    const path = `/api/images/${await add(await toBytes(blank(1_000, 500).png()))}?w=640`;
    const asked = Promise.all(Array.from({ length: 20 }, () => get(path, WEBP)));
    open();
    for (const response of await asked) assert.deepEqual(await read(response), [200, "image/webp", 640]);
    assert.deepEqual(made, [640]);
  });

  it("serves the original when too many wait, and where nothing makes pictures, for a while", async () => {
    const { add, get, open, made } = await createSubject({ isHeld: true });
    const hashes: string[] = [];
    for (let n = 0; n < 36; n += 1) hashes.push(await add(await toBytes(blank(400 + n, 10).png())));
    const responses = hashes.map((hash) => get(`/api/images/${hash}?w=160`));
    // Two are being made and 32 wait: two more are answered at once.
    await new Promise<void>((resolve) => {
      let count = 0;
      for (const response of responses) void response.then(() => (count += 1) === 2 && resolve());
    });
    assert.equal(made.length, 2);
    open();
    const widths = (await Promise.all((await Promise.all(responses)).map(read))).map(([, , width]) => width);
    assert.equal(widths.filter((width) => width === 160).length, 34);
    const none = await createSubject({ resize: async () => undefined });
    const response = await none.get(
      `/api/images/${await none.add(await toBytes(blank(400, 10).png()))}?w=160`,
    );
    assert.equal(response.headers.get("cache-control"), "public, max-age=300");
    assert.deepEqual(await read(response), [200, "image/png", 400]);
  });

  it("serves the original of what cannot be made smaller: a fake, and one that moves", async () => {
    const { add, get } = await createSubject();
    const frames = [blank(400, 20), blank(400, 20, "teal")].map((frame) => frame.png().toBuffer());
    const moving = sharp(await Promise.all(frames), { join: { animated: true } }).webp();
    for (const bytes of [png(8_192, 8_192), await toBytes(moving)]) {
      const response = await get(`/api/images/${await add(bytes)}?w=160`, WEBP);
      assert.equal(response.headers.get("cache-control"), "public, max-age=300");
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
    }
  });

  it("is the same on another node, and makes again what is lost", async () => {
    const blobs = createMemoryBlobs();
    const { shop, add, get, place, made } = await createSubject({ blobs });
    const path = `/api/images/${await add(await toBytes(blank(1_000, 500).jpeg()))}?w=160`;
    const first = await get(path, WEBP);
    const other = await createTestShop({
      store: shop.store,
      clock: shop.clock,
      isShared: true,
      blobs,
      sizes: place,
    });
    const second = await other.fetch(path, { headers: { accept: WEBP } });
    assert.equal(second.headers.get("etag"), first.headers.get("etag"));
    assert.deepEqual(made, [160]);
    const { items } = await shop.store.read((tx) => tx.list(imageSizes, "id", { limit: 10 }));
    for (const { hash } of items) await place.blobs.remove(hash);
    assert.deepEqual(await read(await get(path, WEBP)), [200, "image/webp", 160]);
    assert.deepEqual(made, [160, 160]);
  });
});

describe("the sweep of sizes", () => {
  it("removes sizes without requests for 60 days", async () => {
    const { shop, add, get, made } = await createSubject();
    const path = `/api/images/${await add(await toBytes(blank(1_000, 500).jpeg()))}`;
    await get(`${path}?w=160`);
    await get(`${path}?w=320`);
    shop.clock.advance(59 * DAY_MS);
    await get(`${path}?w=320`);
    assert.equal(await shop.shop.imageSizes.sweep(), 0);
    shop.clock.advance(2 * DAY_MS);
    assert.equal(await shop.shop.imageSizes.sweep(), 1);
    assert.deepEqual(await read(await get(`${path}?w=160`)), [200, "image/jpeg", 160]);
    assert.deepEqual(made, [160, 320, 160]);
  });

  it("keeps the bound: the oldest go first, and no bytes that another one names", async () => {
    const { shop, add, get, place } = await createSubject({ maxBytes: 0 });
    const path = `/api/images/${await add(await toBytes(blank(1_000, 500).jpeg()))}`;
    await get(`${path}?w=160`);
    const { items } = await shop.store.read((tx) => tx.list(imageSizes, "id", { limit: 10 }));
    const [record] = items;
    assert.ok(record);
    assert.equal(await shop.shop.imageSizes.sweep(), 1);
    assert.equal(await place.blobs.get(record.hash), undefined);
    assert.equal(await shop.store.read((tx) => tx.count(imageSizes)), 0);
  });
});
