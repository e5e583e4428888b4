import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Bus } from "../../src/bus/bus.ts";
import { createLocalBus } from "../../src/bus/local.ts";
import { createLocalHub } from "../support/local-hub.ts";
import { createJoinedRateLimit } from "../../src/kit/limits/rate-limit.ts";
import { createSharedLimits } from "../../src/bus/shared-limit.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";
import { eventually } from "../support/eventually.ts";

const mac = (text: string): string => createHash("sha256").update(text).digest("base64url");
const minute = { limit: 3, windowMs: 60_000 };

/** A bus that notes what is published. */
function watch(bus: Bus): { bus: Bus; published: unknown[] } {
  const published: unknown[] = [];
  const watched: Bus = Object.create(bus, {
    isShared: { get: () => bus.isShared },
    isConnected: { get: () => bus.isConnected },
    publish: {
      value: (topic: string, message: unknown) => {
        published.push(message);
        bus.publish(topic, message);
      },
    },
    subscribe: { value: bus.subscribe.bind(bus) },
    onConnection: { value: bus.onConnection.bind(bus) },
  });
  return { bus: watched, published };
}

describe("createSharedLimits", () => {
  it("adds up what two processes counted, and lets go when the window is over", async () => {
    const hub = createLocalHub();
    const clock = createFixedClock();
    const [a, b] = ["a", "b"].map((node) =>
      createSharedLimits({ bus: hub.join(node), clock, mac }).create("tries", minute),
    );
    assert.ok(a !== undefined && b !== undefined);
    a.hit("198.51.100.7");
    a.hit("198.51.100.7");
    b.hit("198.51.100.7");
    await eventually(() => !a.check("198.51.100.7").allowed && !b.check("198.51.100.7").allowed);
    assert.equal(b.check("198.51.100.8").allowed, true);
    const { retryAfterSeconds } = b.check("198.51.100.7");
    assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 120);
    clock.advance(retryAfterSeconds * 1_000);
    assert.equal(b.hit("198.51.100.7").allowed, true);
  });

  it("needs no synchronized clocks: windows of other processes are sent with their age", async () => {
    const hub = createLocalHub();
    const clocks = [createFixedClock(), createFixedClock()];
    clocks[1]?.advance(37_000_123);
    const [a, b] = clocks.map((clock, i) =>
      createSharedLimits({ bus: hub.join(`node-${i}`), clock, mac }).create("tries", minute),
    );
    assert.ok(a !== undefined && b !== undefined);
    for (let i = 0; i < 3; i += 1) a.hit("k");
    await eventually(() => !b.check("k").allowed);
    for (const clock of clocks) clock.advance(30_000);
    assert.equal(b.check("k").allowed, false);
    for (const clock of clocks) clock.advance(90_000);
    assert.equal(b.check("k").allowed, true);
  });

  it("sends no key as text, and a flood that is refused sends nothing more", async () => {
    const hub = createLocalHub();
    const clock = createFixedClock();
    const { bus, published } = watch(hub.join("a"));
    const other = createSharedLimits({ bus: hub.join("b"), clock, mac }).create("tries", minute);
    const limit = createSharedLimits({ bus, clock, mac }).create("tries", minute);
    // The greeting of each reaches the other.
    for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
    const greetings = published.length;
    for (let i = 0; i < 1_000; i += 1) limit.hit("203.0.113.9");
    await eventually(() => !other.check("203.0.113.9").allowed);
    // One message: what is counted within its time travels together.
    assert.equal(published.length, greetings + 1);
    assert.ok(!JSON.stringify(published).includes("203.0.113"));
    for (let i = 0; i < 1_000; i += 1) limit.hit("203.0.113.9");
    limit.hit("another");
    await eventually(() => published.length > greetings + 1);
    assert.equal(published.length, greetings + 2);
    assert.equal(JSON.stringify(published.at(-1)).match(/tries/gu)?.length, 1);
  });

  it("counts alone while it is cut off, and all is added up again when they meet", async () => {
    const hub = createLocalHub();
    const clock = createFixedClock();
    const [a, b] = ["a", "b"].map((node) =>
      createSharedLimits({ bus: hub.join(node), clock, mac }).create("tries", minute),
    );
    assert.ok(a !== undefined && b !== undefined);
    hub.setConnected("a", false);
    for (let i = 0; i < 3; i += 1) assert.equal(a.hit("k").allowed, true);
    b.hit("k");
    assert.equal(a.check("k").allowed, false);
    // Longer than a message waits: nothing is kept for later.
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(b.check("k").allowed, true);
    hub.setConnected("a", true);
    await eventually(() => !b.check("k").allowed);
  });

  it("tells a process that starts later what was counted before", async () => {
    const hub = createLocalHub();
    const clock = createFixedClock();
    const first = createSharedLimits({ bus: hub.join("a"), clock, mac }).create("tries", minute);
    for (let i = 0; i < 3; i += 1) first.hit("k");
    await new Promise((resolve) => setTimeout(resolve, 60));
    const source = createSharedLimits({ bus: hub.join("b"), clock, mac });
    // A service makes its limits when it has read what it needs.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const late = source.create("tries", minute);
    await eventually(() => !late.check("k").allowed);
  });

  it("holds to its own counts when others send what cannot be read", async () => {
    const hub = createLocalHub();
    const bus = hub.join("foreign");
    const limit = createSharedLimits({ bus: hub.join("a"), clock: createFixedClock(), mac }).create(
      "tries",
      minute,
    );
    const key = mac("tries\nk").slice(0, 22);
    for (const counts of [[["tries", key, -9, 0, 0]], [["tries", key, "9", 0, 0]], [[key]], "no"])
      bus.publish("limits", { counts });
    bus.publish("limits", { counts: [["unknown", key, 9, 0, 0]] });
    bus.publish("limits", null);
    bus.publish("limits", { counts: [["tries", mac("tries\nlast").slice(0, 22), 9, 0, 0]] });
    await eventually(() => !limit.check("last").allowed);
    assert.equal(limit.check("k").allowed, true);
  });

  it("hashes and sends nothing in a process that runs alone", () => {
    const clock = createFixedClock();
    const limits = createSharedLimits({ bus: createLocalBus("a"), clock, mac: () => assert.fail() });
    const limit = limits.create("tries", minute);
    for (let i = 0; i < 3; i += 1) assert.equal(limit.hit("k").allowed, true);
    assert.equal(limit.hit("k").allowed, false);
  });

  it("refuses a second limit of the same name", () => {
    const clock = createFixedClock();
    const limits = createSharedLimits({ bus: createLocalHub().join("a"), clock, mac });
    limits.create("tries", minute);
    assert.throws(() => limits.create("tries", minute), /already/u);
  });
});

describe("createJoinedRateLimit", () => {
  const WINDOW = 1_000;

  it("never exceeds the limit in a window, by any process, when all counts are shared at once", () => {
    const step = fc.record({
      node: fc.integer({ min: 0, max: 2 }),
      waitMs: fc.integer({ min: 0, max: 1_500 }),
      tries: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.array(fc.nat(5_000)), (steps, offsets) => {
        const limit = 5;
        const clocks = [0, 1, 2].map(() => createFixedClock());
        clocks.forEach((clock, i) => clock.advance(offsets[i] ?? 0));
        const nodes = clocks.map((clock) => createJoinedRateLimit({ limit, windowMs: WINDOW, clock }));
        let nowMs = 0;
        const allowed: number[] = [];
        for (const { node, waitMs, tries } of steps) {
          nowMs += waitMs;
          for (const clock of clocks) clock.advance(waitMs);
          const one = nodes[node];
          for (let i = 0; i < tries; i += 1) if (one?.hit("k").allowed === true) allowed.push(nowMs);
          const count = one?.find("k");
          for (const other of nodes)
            if (other !== one && count !== undefined) other.take("k", `node-${node}`, count);
        }
        // Exact to within the spread inside one window: any window has at most twice the limit, and the long run the limit.
        for (const from of allowed) {
          const inWindow = allowed.filter((at) => at >= from && at < from + WINDOW).length;
          assert.ok(inWindow <= 2 * limit, `${inWindow} in a window`);
          const inMany = allowed.filter((at) => at >= from && at < from + 10 * WINDOW).length;
          assert.ok(inMany <= 11 * limit, `${inMany} in ten windows`);
        }
      }),
    );
  });

  it("keeps its word about when a try is allowed, whatever others counted", () => {
    const told = fc.record({
      current: fc.nat(20),
      previous: fc.nat(20),
      ageMs: fc.nat(3 * WINDOW),
    });
    fc.assert(
      fc.property(fc.array(told, { maxLength: 4 }), fc.nat(8), (others, own) => {
        const clock: FixedClock = createFixedClock();
        const limit = createJoinedRateLimit({ limit: 5, windowMs: WINDOW, clock });
        for (let i = 0; i < own; i += 1) limit.hit("k");
        others.forEach((count, i) => limit.take("k", `node-${i}`, count));
        clock.advance(limit.check("k").retryAfterSeconds * 1_000);
        assert.equal(limit.check("k").allowed, true);
      }),
    );
  });

  it("takes a later state in place of an earlier one, and remembers a bounded number of processes and keys", () => {
    const clock = createFixedClock();
    const limit = createJoinedRateLimit({ limit: 5, windowMs: WINDOW, clock, maxKeys: 2 });
    limit.take("k", "a", { current: 4, previous: 0, ageMs: 0 });
    limit.take("k", "a", { current: 4, previous: 0, ageMs: 0 });
    assert.equal(limit.check("k").allowed, true);
    for (let i = 0; i < 40; i += 1) limit.take("m", `node-${i}`, { current: 1, previous: 0, ageMs: 0 });
    assert.equal(limit.check("m").allowed, false);
    limit.hit("n");
    assert.equal(limit.hit("k").allowed, true);
    assert.deepEqual(limit.keys(), ["n", "k"]);
    clock.advance(2 * WINDOW);
    assert.deepEqual(limit.keys(), []);
  });
});
