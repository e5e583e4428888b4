import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type LatestSample, type Live, createLive } from "../../../src/monitor/fleet/live.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";

describe("live state", () => {
  let clock: FixedClock;
  let live: Live;

  beforeEach(() => {
    clock = createFixedClock();
    live = createLive({ clock });
  });

  function sample(
    collectedAt: number,
    { intervalMs, ...extra }: Record<string, unknown> & { intervalMs?: number } = {},
  ): LatestSample {
    return { collectedAt, receivedAt: clock.now(), sample: { v: 1, ...extra }, intervalMs, flags: [] };
  }
  function pass(ms: number): void {
    clock.advance(ms);
    live.tick();
  }

  it("starts as never, and is online with the first stream", () => {
    assert.equal(live.get("a").state, "never");
    live.connected("a");
    assert.equal(live.get("a").state, "online");
    assert.equal(live.get("a").lastSeenAt, START);
  });

  it("is offline 5 s after the stream closed, not before", () => {
    live.connected("a");
    live.disconnected("a");
    pass(4_999);
    assert.equal(live.get("a").state, "online");
    pass(1);
    assert.equal(live.get("a").state, "offline");
    assert.equal(live.get("a").stateSince, START);
  });

  it("stays online over a short reconnect", () => {
    live.connected("a");
    live.disconnected("a");
    clock.advance(3_000);
    live.connected("a");
    pass(10_000);
    assert.equal(live.get("a").state, "online");
    assert.equal(live.get("a").stateSince, START);
  });

  /** A minute of signs of life, and nothing else. */
  function beat(seconds: number): void {
    for (let second = 0; second < seconds; second += 10) {
      live.heard("a");
      pass(10_000);
    }
  }

  it("says that reports are missing after a minute of nothing but signs of life, until one comes", () => {
    live.connected("a");
    beat(50);
    assert.equal(live.get("a").silence, undefined);
    beat(20);
    assert.deepEqual([live.get("a").state, live.get("a").silence], ["online", { kind: "missing" }]);
    live.reported("a", sample(clock.now()));
    assert.equal(live.get("a").silence, undefined);
    beat(70);
    assert.deepEqual(live.get("a").silence, { kind: "missing" });
    pass(40_000);
    assert.deepEqual([live.get("a").state, live.get("a").silence], ["offline", undefined]);
  });

  it("waits three intervals of an agent that reports seldom", () => {
    live.connected("a");
    live.reported("a", sample(START, { intervalMs: 300_000 }));
    beat(890);
    assert.equal(live.get("a").silence, undefined);
    beat(20);
    assert.deepEqual(live.get("a").silence, { kind: "missing" });
  });

  it("says at once that reports are rejected, and why, and that again when the reason changed", () => {
    const changed: string[] = [];
    live.connected("a");
    live.onChange((id) => changed.push(id));
    live.rejected("a", "cpu must be an object");
    assert.deepEqual(live.get("a").silence, { kind: "rejected", reason: "cpu must be an object" });
    beat(120);
    live.rejected("a", "disk must be an object");
    assert.deepEqual(live.get("a").silence, { kind: "rejected", reason: "disk must be an object" });
    assert.ok(changed.length > 0);
    live.reported("a", sample(clock.now()));
    assert.equal(live.get("a").silence, undefined);
  });

  it("forgets it when the agent reconnects", () => {
    live.connected("a");
    beat(70);
    live.disconnected("a");
    pass(10_000);
    live.connected("a");
    assert.equal(live.get("a").silence, undefined);
  });

  it("is offline after 30 s of silence on an open stream", () => {
    live.connected("a");
    live.reported("a", sample(START));
    pass(29_999);
    assert.equal(live.get("a").state, "online");
    pass(1);
    assert.equal(live.get("a").state, "offline");
  });

  it("waits three intervals when the agent reports slowly", () => {
    live.connected("a");
    live.reported("a", sample(START, { intervalMs: 60_000 }));
    pass(179_999);
    assert.equal(live.get("a").state, "online");
    pass(1);
    assert.equal(live.get("a").state, "offline");
  });

  it("counts a heartbeat as a sign of life", () => {
    live.connected("a");
    clock.advance(20_000);
    live.heard("a");
    pass(20_000);
    assert.equal(live.get("a").state, "online");
  });

  it("does not move when the wall clock jumps", () => {
    live.connected("a");
    clock.jump(10 * 365 * 86_400_000);
    live.tick();
    assert.equal(live.get("a").state, "online");
    clock.jump(-13 * 365 * 86_400_000);
    pass(30_000);
    assert.equal(live.get("a").state, "offline");
  });

  it("never moves the latest sample backwards", () => {
    live.reported("a", sample(START, { n: 2 }));
    live.reported("a", sample(START - 60_000, { n: 1 }));
    assert.equal(live.get("a").latest?.sample["n"], 2);
    assert.equal(live.get("a").reportsStored, 2);
  });

  it("follows an agent whose clock was hours ahead and is set right", () => {
    live.reported("a", sample(START + 20 * 3_600_000, { n: 1 }));
    assert.equal(live.get("a").clockSkewMs, 20 * 3_600_000);
    clock.advance(3_000);
    live.reported("a", sample(START + 3_000, { n: 2 }));
    assert.equal(live.get("a").latest?.sample["n"], 2);
    assert.equal(live.get("a").clockSkewMs, 0);
  });

  it("after a restart keeps a server online until its time-out has passed", () => {
    live.restore("a", {
      lastSeenAt: START - 10_000,
      latest: sample(START - 10_000),
      stateSince: START - 99_000,
      reportsStored: 7,
    });
    live.tick();
    assert.equal(live.get("a").state, "online");
    assert.equal(live.get("a").stateSince, START - 99_000);
    assert.equal(live.get("a").reportsStored, 7);
    pass(20_000);
    assert.equal(live.get("a").state, "offline");
  });

  it("after a restart shows a server that was long gone as offline since then", () => {
    live.restore("a", { lastSeenAt: START - 600_000, reportsStored: 1 });
    assert.equal(live.get("a").state, "offline");
    assert.equal(live.get("a").stateSince, START - 600_000);
    assert.equal(live.get("a").lastSeenAt, START - 600_000);
  });

  it("tells of each change", () => {
    const changed: string[] = [];
    live.onChange((id) => changed.push(id));
    live.connected("a");
    live.reported("b", sample(START));
    assert.deepEqual(changed, ["a", "b"]);
  });
});
