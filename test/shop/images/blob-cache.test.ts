/** The pictures that are kept in memory. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBlobCache } from "../../../src/shop/images/blob-cache.ts";
import { type Blobs, createMemoryBlobs } from "../../../src/shop/base/blobs.ts";

/** Blobs that note what is read of them. */
function createCounted(): Blobs & { readonly reads: string[] } {
  const blobs = createMemoryBlobs();
  const reads: string[] = [];
  return {
    ...blobs,
    reads,
    get: (hash) => {
      reads.push(hash);
      return blobs.get(hash);
    },
  };
}

const four = new Uint8Array([1, 2, 3, 4]);

describe("createBlobCache", () => {
  it("reads a picture once, also when many ask at a time", async () => {
    const blobs = createCounted();
    const cache = createBlobCache(blobs, { maxBytes: 8 });
    await cache.put("a", four);
    const found = await Promise.all([cache.get("a"), cache.get("a"), cache.get("a")]);
    assert.deepEqual([found, await cache.get("a"), blobs.reads], [[four, four, four], four, ["a"]]);
  });

  it("forgets the one used longest ago beyond its bound, and keeps none that is larger", async () => {
    const blobs = createCounted();
    const cache = createBlobCache(blobs, { maxBytes: 8 });
    for (const hash of ["a", "b", "c"]) await cache.put(hash, four);
    await cache.put("large", new Uint8Array(9));
    for (const hash of ["a", "b", "a", "large", "c", "a"]) await cache.get(hash);
    assert.deepEqual(blobs.reads, ["a", "b", "large", "c"]);
    await cache.get("b");
    await cache.get("large");
    assert.deepEqual(blobs.reads.slice(4), ["b", "large"]);
  });

  it("does not remember what is not there, nor a failure", async () => {
    const blobs = createCounted();
    let isAway = true;
    const get: Blobs["get"] = (hash) => (isAway ? Promise.reject(new Error("away")) : blobs.get(hash));
    const cache = createBlobCache({ ...blobs, get }, { maxBytes: 8 });
    await assert.rejects(cache.get("a"), { message: "away" });
    isAway = false;
    assert.equal(await cache.get("a"), undefined);
    await cache.put("a", four);
    assert.deepEqual(await cache.get("a"), four);
  });
});
