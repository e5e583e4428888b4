/** What every place of pictures promises. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Blobs } from "../../src/shop/base/blobs.ts";

/** Bytes and the name that they are kept under. */
export function toBlob(text: string): { hash: string; bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new TextEncoder().encode(text);
  return { bytes, hash: createHash("sha256").update(bytes).digest("hex") };
}

/** A place for one test. */
export interface BlobPlace {
  /** Two ways in, as two processes have them; the same one where there is one process. */
  readonly sides: readonly [Blobs, Blobs];
  close(): Promise<void>;
}

/** Runs the suite on one kind of place. */
export function describeBlobs(kind: string, open: () => Promise<BlobPlace>): void {
  describe(`blobs in ${kind}`, () => {
    let place: BlobPlace;
    let [a, b]: readonly [Blobs, Blobs] = [neverOpened, neverOpened];
    beforeEach(async () => {
      place = await open();
      [a, b] = place.sides;
    });
    afterEach(() => place.close());

    it("gives back what was kept, on either side, and undefined for what was not", async () => {
      const { hash, bytes } = toBlob("a picture");
      assert.equal(await b.get(hash), undefined);
      await a.put(hash, bytes);
      assert.deepEqual(await b.get(hash), bytes);
      assert.deepEqual(await a.get(hash), bytes);
      assert.equal(await a.get(toBlob("another").hash), undefined);
    });

    it("removes listed blobs, on both sides, and accepts them again", async () => {
      const { hash, bytes } = toBlob("a picture");
      await a.put(hash, bytes);
      await b.remove(hash);
      assert.deepEqual([await a.get(hash), await b.get(hash)], [undefined, undefined]);
      await a.remove(hash);
      await a.put(hash, bytes);
      assert.deepEqual(await b.get(hash), bytes);
    });

    it("keeps a part of a larger buffer, and every byte", async () => {
      const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => n % 251);
      const part = bytes.subarray(256, 200_256);
      const hash = createHash("sha256").update(part).digest("hex");
      await a.put(hash, part);
      const found = await b.get(hash);
      assert.equal(
        createHash("sha256")
          .update(found ?? new Uint8Array())
          .digest("hex"),
        hash,
      );
    });

    it("keeps the same once, however often and wherever it comes at a time", async () => {
      const { hash, bytes } = toBlob("a picture");
      await Promise.all([a.put(hash, bytes), b.put(hash, bytes), a.put(hash, bytes), b.put(hash, bytes)]);
      await a.put(hash, bytes);
      assert.deepEqual([await a.get(hash), await b.get(hash)], [bytes, bytes]);
    });
  });
}

const neverOpened: Blobs = {
  put: () => Promise.reject(new Error("not opened")),
  get: () => Promise.reject(new Error("not opened")),
  remove: () => Promise.reject(new Error("not opened")),
};
