import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPace } from "../../../src/monitor/ingest/pace.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

describe("createPace", () => {
  it("lets a burst through, then asks for the wait that pays back what was taken", () => {
    const clock = createFixedClock();
    const pace = createPace({ perSecond: 10, burst: 2, clock });
    assert.equal(pace.take(), 0);
    assert.equal(pace.take(), 0);
    assert.equal(pace.take(), 100);
    assert.equal(pace.take(), 200);
    clock.advance(300);
    assert.equal(pace.take(), 0);
    assert.equal(pace.take(), 100);
  });

  it("never gathers more than the burst, whatever the wall clock does", () => {
    const clock = createFixedClock();
    const pace = createPace({ perSecond: 10, burst: 2, clock });
    clock.advance(3_600_000);
    assert.deepEqual([pace.take(), pace.take(), pace.take()], [0, 0, 100]);
    clock.jump(3_600_000);
    assert.equal(pace.take(), 200);
  });

  it("never waits without a limit", () => {
    const pace = createPace({ perSecond: Number.POSITIVE_INFINITY, burst: 1, clock: createFixedClock() });
    assert.deepEqual([pace.take(), pace.take()], [0, 0]);
  });
});
