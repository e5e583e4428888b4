import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createDedupe } from "../../../src/monitor/ingest/dedupe.ts";

const START = Date.UTC(2026, 0, 31, 12);
const stored = Promise.resolve();

function defer(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve = (): void => undefined;
  let reject = (_: Error): void => undefined;
  const promise = new Promise<void>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

describe("createDedupe", () => {
  it("knows each time once, in any order of arrival", async () => {
    const dedupe = createDedupe();
    for (const at of [START, START + 3_000, START - 3_600_000, START + 1]) {
      assert.equal(dedupe.claim(at), "new");
      dedupe.record(at, stored);
      await stored;
    }
    for (const at of [START + 1, START - 3_600_000, START + 3_000, START])
      assert.equal(dedupe.claim(at), "stored");
    assert.equal(dedupe.claim(START + 2), "new");
  });

  it("makes a duplicate wait for the first one in flight", async () => {
    const dedupe = createDedupe();
    const { promise, resolve } = defer();
    dedupe.record(START, promise);
    const claim = dedupe.claim(START);
    assert.ok(claim instanceof Promise);
    let isDone = false;
    const waiting = claim.then(() => (isDone = true));
    await Promise.resolve();
    assert.equal(isDone, false);
    resolve();
    await waiting;
    assert.equal(dedupe.claim(START), "stored");
  });

  it("forgets a time whose row could not be stored, and its duplicate fails too", async () => {
    const dedupe = createDedupe();
    const { promise, reject } = defer();
    dedupe.record(START, promise);
    const claim = dedupe.claim(START);
    assert.ok(claim instanceof Promise);
    reject(new Error("ENOSPC"));
    await assert.rejects(claim, /ENOSPC/u);
    assert.equal(dedupe.claim(START), "new");
  });

  it("keeps out of its serialised form what is in flight", async () => {
    const dedupe = createDedupe();
    dedupe.remember(START);
    dedupe.record(START + 1, defer().promise);
    const again = createDedupe({ from: dedupe.serialise() });
    assert.equal(again.claim(START), "stored");
    assert.equal(again.claim(START + 1), "new");
  });

  it("remembers the last arrivals, however old their times are", () => {
    const dedupe = createDedupe({ capacity: 100 });
    for (let index = 0; index < 150; index += 1) dedupe.remember(START + index);
    for (let index = 0; index < 50; index += 1) dedupe.remember(START - 86_400_000 + index);
    const isStored = (at: number): boolean => dedupe.claim(at) === "stored";
    assert.ok(isStored(START - 86_400_000) && isStored(START + 149) && isStored(START + 100));
    assert.ok(!isStored(START + 99));
  });

  it("remembers 2,048 arrivals in about as many bytes at a steady cadence", () => {
    const dedupe = createDedupe();
    for (let index = 0; index < 3_000; index += 1)
      dedupe.remember(START + 3_000 * index + ((index * 7) % 21));
    const bytes = dedupe.serialise();
    assert.ok(bytes.length <= 2_048 * 1.1, `${bytes.length} bytes`);
    assert.equal(createDedupe({ from: bytes }).claim(START + 3_000 * 952 + ((952 * 7) % 21)), "stored");
    assert.equal(createDedupe({ from: bytes }).claim(START + 3_000 * 951 + ((951 * 7) % 21)), "new");
  });

  it("does not mistake times that lie months apart", () => {
    const dedupe = createDedupe();
    const span = 2 ** 32;
    for (const at of [START, START - span, 0, START + span]) dedupe.remember(at);
    for (const at of [START, START - span, 0, START + span]) assert.equal(dedupe.claim(at), "stored");
    for (const at of [START + 1, START - 2 * span, span]) assert.equal(dedupe.claim(at), "new");
  });

  it("refuses bytes of another version or cut short", () => {
    assert.throws(() => createDedupe({ from: Uint8Array.of(9) }), RangeError);
    assert.throws(() => createDedupe({ from: Uint8Array.of(1, 5, 2) }), RangeError);
  });

  it("behaves as a list of the last arrivals does, also across a restart", () => {
    const time = fc.oneof(
      fc.integer({ min: START, max: START + 60 }),
      fc.integer({ min: 0, max: 2 * START }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(time, fc.constant("restart")), { maxLength: 200 }),
        fc.integer({ min: 1, max: 90 }),
        (steps, capacity) => {
          let dedupe = createDedupe({ capacity });
          let model: number[] = [];
          for (const step of steps) {
            if (typeof step === "string") {
              dedupe = createDedupe({ capacity, from: dedupe.serialise() });
            } else {
              assert.equal(dedupe.claim(step), model.includes(step) ? "stored" : "new");
              if (!model.includes(step)) model = [...model, step].slice(-capacity);
              dedupe.remember(step);
            }
          }
        },
      ),
    );
  });
});
