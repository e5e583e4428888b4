import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { coalesce } from "../../../src/kit/limits/coalesce.ts";

/** Work that ends when the test says so. */
function createWork(): {
  run: () => Promise<void>;
  ends: ((error?: Error) => void)[];
  atOnce: number;
  most: number;
} {
  const work = {
    ends: [] as ((error?: Error) => void)[],
    atOnce: 0,
    most: 0,
    run: async (): Promise<void> => {
      work.atOnce += 1;
      work.most = Math.max(work.most, work.atOnce);
      try {
        await new Promise<void>((resolve, reject) => {
          work.ends.push((error) => (error === undefined ? resolve() : reject(error)));
        });
      } finally {
        work.atOnce -= 1;
      }
    },
  };
  return work;
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

describe("coalesce", () => {
  it("joins calls that come before the run has started, and starts one more for those that come during it", async () => {
    const work = createWork();
    const call = coalesce(work.run);
    const first = [call(), call()];
    await settle();
    assert.equal(work.ends.length, 1);
    let isDone = false;
    const later = Promise.all([call(), call()]).then(() => (isDone = true));
    work.ends[0]?.();
    await Promise.all(first);
    await settle();
    assert.equal(work.ends.length, 2);
    assert.equal(isDone, false);
    work.ends[1]?.();
    await later;
    assert.equal(work.most, 1);
  });

  it("rejects the calls of a failed run only, and runs again", async () => {
    const work = createWork();
    const call = coalesce(work.run);
    const failing = call();
    await settle();
    const next = call();
    work.ends[0]?.(new Error("no"));
    await assert.rejects(failing, /no/u);
    await settle();
    work.ends[1]?.();
    await next;
  });
});
