import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBackoff } from "../../../src/agent/connection/backoff.ts";
import { createCollectionTimes } from "../../../src/agent/collection-times.ts";

describe("createBackoff", () => {
  it("waits 1 s, then 1.6 times longer each time, up to 60 s", () => {
    const backoff = createBackoff({ random: () => 0.5 });
    const waits = Array.from({ length: 12 }, () => backoff.next());
    assert.deepEqual(waits, [1000, 1600, 2560, 4096, 6554, 10486, 16777, 26844, 42950, 60000, 60000, 60000]);
  });

  it("spreads by a fifth to both sides", () => {
    assert.equal(createBackoff({ random: () => 0 }).next(), 800);
    assert.equal(createBackoff({ random: () => 0.999999 }).next(), 1200);
    assert.equal(createBackoff({ random: () => 0 }).longest(), 48_000);
  });

  it("starts small again after a success", () => {
    const backoff = createBackoff({ random: () => 0.5 });
    backoff.longest();
    assert.equal(backoff.next(), 60_000);
    backoff.reset();
    assert.equal(backoff.next(), 1000);
  });
});

describe("createCollectionTimes", () => {
  it("only grows, also after a restart and with a clock that was set back", () => {
    const times = createCollectionTimes(5000);
    assert.deepEqual(
      [4000, 4500, 6000, 6000, 100].map((now) => times.next(now)),
      [5001, 5002, 6000, 6001, 6002],
    );
    assert.equal(times.last, 6002);
  });

  it("follows a clock that was years ahead, for the service would refuse the future", () => {
    const now = 1_800_000_000_000;
    const times = createCollectionTimes(now + 10 * 365 * 86_400_000);
    assert.equal(times.next(now), now);
  });
});
