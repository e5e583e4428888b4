import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createKeyedQueue } from "../../../src/kit/limits/keyed-queue.ts";

/** Work that ends on request. */
function createWork(): {
  run: () => Promise<void>;
  end: () => void;
  fail: () => void;
  started: () => boolean;
} {
  let isStarted = false;
  let end = (): void => undefined;
  let fail = (): void => undefined;
  const done = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error("it failed"));
  });
  return {
    run: () => {
      isStarted = true;
      return done;
    },
    end: () => end(),
    fail: () => fail(),
    started: () => isStarted,
  };
}

/** Lets everything run that is ready to. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createKeyedQueue", () => {
  it("runs work of one key in the order it came, one at a time", async () => {
    const queue = createKeyedQueue();
    const works = [createWork(), createWork(), createWork()] as const;
    const runs = works.map(({ run }) => queue("ann", run));
    for (const [index, work] of works.entries()) {
      await settle();
      assert.deepEqual(
        works.map(({ started }) => started()),
        works.map((_work, other) => other <= index),
      );
      work.end();
    }
    await Promise.all(runs);
  });

  it("runs work of different keys side by side", async () => {
    const queue = createKeyedQueue();
    const slow = createWork();
    const first = queue("ann", slow.run);
    assert.equal(await queue("bob", async () => "done"), "done");
    slow.end();
    await first;
  });

  it("hands a failure to its caller alone and goes on", async () => {
    const queue = createKeyedQueue();
    const bad = createWork();
    const first = queue("ann", bad.run);
    const second = queue("ann", async () => 2);
    bad.fail();
    await assert.rejects(first, /it failed/u);
    assert.equal(await second, 2);
    await assert.rejects(
      queue("ann", () => {
        throw new Error("at once");
      }),
      /at once/u,
    );
    assert.equal(await queue("ann", async () => 3), 3);
  });

  it("takes keys that are names of an object's members", async () => {
    const queue = createKeyedQueue();
    for (const key of ["__proto__", "constructor", ""]) assert.equal(await queue(key, async () => key), key);
  });

  it("refuses what is more than may queue for a key, and takes it again when there is room", async () => {
    const queue = createKeyedQueue({ maxQueued: 3 });
    const works = [createWork(), createWork(), createWork()];
    const runs = works.map(({ run }) => queue("ann", run));
    await assert.rejects(
      queue("ann", async () => 4),
      { code: "unavailable", retryAfterSeconds: 1 },
    );
    assert.equal(await queue("bob", async () => "done"), "done");
    for (const { end } of works) end();
    await Promise.all(runs);
    await settle();
    const again = [1, 2, 3].map((number) => queue("ann", async () => number));
    assert.deepEqual(await Promise.all(again), [1, 2, 3]);
  });
});
