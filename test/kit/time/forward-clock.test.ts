import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createForwardClock } from "../../../src/kit/time/forward-clock.ts";
import { createFixedClock, START } from "../../support/fixed-clock.ts";

const DAY = 86_400_000;

describe("createForwardClock", () => {
  it("tells wall time while the wall clock does what it should", () => {
    const clock = createFixedClock();
    const forward = createForwardClock(clock);
    assert.equal(forward.now(), START);
    clock.advance(1_234);
    assert.equal(forward.now(), START + 1_234);
    assert.equal(forward.monotonic(), clock.monotonic());
  });

  it("goes on when the wall clock jumps back three days, and is no later when it comes back", () => {
    const clock = createFixedClock();
    const forward = createForwardClock(clock);
    clock.jump(-3 * DAY);
    assert.equal(forward.now(), START);
    clock.advance(60_000);
    assert.equal(forward.now(), START + 60_000);
    clock.jump(3 * DAY);
    assert.equal(forward.now(), START + 60_000);
  });

  it("follows a jump forward and never goes back from it", () => {
    const clock = createFixedClock();
    const forward = createForwardClock(clock);
    clock.jump(3_650 * DAY);
    assert.equal(forward.now(), START + 3_650 * DAY);
    clock.jump(-3_650 * DAY);
    clock.advance(5);
    assert.equal(forward.now(), START + 3_650 * DAY + 5);
  });

  it("loses nothing of many steps shorter than a millisecond", () => {
    let monotonic = 0;
    const forward = createForwardClock({ now: () => START, monotonic: () => monotonic });
    for (let step = 0; step < 1_000; step += 1) {
      monotonic += 0.25;
      forward.now();
    }
    assert.equal(forward.now(), START + 250);
  });

  it("stops when even the monotonic time goes back", () => {
    let monotonic = 1_000;
    const forward = createForwardClock({ now: () => START, monotonic: () => monotonic });
    monotonic = 0;
    assert.equal(forward.now(), START);
  });
});
