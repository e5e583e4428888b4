import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { addressKey, createRateLimit } from "../../../src/kit/limits/rate-limit.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

describe("createRateLimit", () => {
  it("allows the limit, then refuses and tells when to come again", () => {
    const clock = createFixedClock();
    const limit = createRateLimit({ limit: 3, windowMs: 60_000, clock });
    for (let i = 0; i < 3; i += 1) assert.deepEqual(limit.hit("a"), { allowed: true, retryAfterSeconds: 0 });
    const refused = limit.hit("a");
    assert.equal(refused.allowed, false);
    assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 120);
    assert.equal(limit.hit("b").allowed, true);
    clock.advance(refused.retryAfterSeconds * 1_000);
    assert.equal(limit.hit("a").allowed, true);
  });

  it("never lets more than the limit through in a window when calls come in bursts at its edge", () => {
    const clock = createFixedClock();
    const limit = createRateLimit({ limit: 10, windowMs: 1_000, clock });
    clock.advance(990); // late in a window
    for (let i = 0; i < 10; i += 1) assert.equal(limit.hit("a").allowed, true);
    clock.advance(20); // early in the next
    assert.equal(limit.hit("a").allowed, false);
  });

  it("keeps its word about when a try is allowed, for any limit and history", () => {
    const cases = fc.record({
      limit: fc.integer({ min: 1, max: 20 }),
      steps: fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(cases, ({ limit, steps }) => {
        const clock = createFixedClock();
        const rate = createRateLimit({ limit, windowMs: 20_000, clock });
        for (const step of steps) {
          clock.advance(step);
          rate.hit("a");
        }
        const { retryAfterSeconds } = rate.check("a");
        clock.advance(retryAfterSeconds * 1_000);
        assert.equal(rate.check("a").allowed, true);
      }),
    );
  });

  it("does not count what it refuses, nor a check", () => {
    const clock = createFixedClock();
    const limit = createRateLimit({ limit: 1, windowMs: 1_000, clock });
    assert.equal(limit.check("a").allowed, true);
    assert.equal(limit.check("a").allowed, true);
    limit.hit("a");
    for (let i = 0; i < 100; i += 1) limit.hit("a");
    clock.advance(2_000);
    assert.equal(limit.hit("a").allowed, true);
  });

  it("refuses all at limit 0, and ignores jumps of wall time", () => {
    const clock = createFixedClock();
    const limit = createRateLimit({ limit: 1, windowMs: 60_000, clock });
    limit.hit("a");
    clock.jump(10 * 365 * 86_400_000);
    assert.equal(limit.hit("a").allowed, false);
    assert.equal(createRateLimit({ limit: 0, windowMs: 1_000, clock }).hit("a").allowed, false);
  });

  it("remembers a bounded number of keys and drops the one counted longest ago", () => {
    const clock = createFixedClock();
    const limit = createRateLimit({ limit: 1, windowMs: 60_000, clock, maxKeys: 3 });
    for (const key of ["a", "b", "c"]) limit.hit(key);
    limit.hit("__proto__");
    assert.equal(limit.check("a").allowed, true);
    assert.equal(limit.check("b").allowed, false);
    assert.equal(limit.check("__proto__").allowed, false);
  });
});

describe("addressKey", () => {
  it("keeps IPv4 and groups IPv6 by /64", () => {
    assert.equal(addressKey("203.0.113.9"), "203.0.113.9");
    assert.equal(addressKey("::ffff:203.0.113.9"), "203.0.113.9");
    assert.equal(addressKey("::ffff:cb00:7109"), "203.0.113.9");
    assert.equal(addressKey("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    assert.equal(addressKey("2001:db8:1:2::1"), "2001:db8:1:2::/64");
    assert.equal(addressKey("fe80::1%eth0"), "fe80:0:0:0::/64");
    assert.equal(addressKey(""), "");
    assert.equal(addressKey("not:an:address"), "not:an:address");
  });
});
