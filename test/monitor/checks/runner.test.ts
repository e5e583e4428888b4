import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { REFUSED, createCheckBench, settle, tcp } from "./check-bench.ts";
import { actor } from "../fixtures.ts";

describe("the checks of the monitor itself", () => {
  it("are tried as soon as they are made, and then at their interval", async () => {
    const { make, targets, pass, stateOf } = await createCheckBench();
    const { id } = await make("one");
    assert.equal(stateOf(id), "up");
    // Half of 0.5 to 1 interval after the first, then each minute.
    await pass(300);
    assert.equal(targets.asked.length, 6);
  });

  it("are down after as many failures in a row as were set, with a faster retry", async () => {
    const { make, targets, pass, stateOf, centerOf } = await createCheckBench();
    const { id } = await make("one", { failures: 3, retrySeconds: 5 });
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(45);
    assert.deepEqual([stateOf(id), centerOf(id)?.failures], ["up", 1]);
    await pass(5);
    assert.deepEqual([stateOf(id), centerOf(id)?.failures], ["up", 2]);
    await pass(5);
    assert.deepEqual([stateOf(id), centerOf(id)?.failures], ["down", 3]);
    targets.answers.clear();
    await pass(60);
    assert.equal(stateOf(id), "up");
  });

  it("that fail from the beginning are never up", async () => {
    const { make, targets, pass, stateOf } = await createCheckBench();
    targets.answers.set("192.0.2.1", REFUSED);
    const { id } = await make("one", { failures: 2, retrySeconds: 5 });
    assert.equal(stateOf(id), "unknown");
    await pass(5);
    assert.equal(stateOf(id), "down");
  });

  it("are up when they are inverted and the target does not respond", async () => {
    const { make, targets, pass, stateOf } = await createCheckBench();
    targets.answers.set("192.0.2.1", REFUSED);
    const { id } = await make("one", { inverted: true, failures: 1 });
    assert.equal(stateOf(id), "up");
    targets.answers.clear();
    await pass(45);
    assert.equal(stateOf(id), "down");
  });

  it("run 50 at once at most, and each once at a time", async () => {
    const { app, make, targets, pass } = await createCheckBench();
    targets.isHolding = true;
    for (let at = 0; at < 120; at += 1) await make(`c${at}`, { intervalSeconds: 20 });
    await pass(60);
    assert.equal(targets.most, 50);
    assert.equal(targets.asked.length, 50);
    assert.equal(app.monitor.checkWatch.size.running, 50);
    targets.release();
    await settle();
    await pass(2);
    assert.equal(targets.asked.length >= 120, true);
  });

  it("leave slots for those that answer when many do not", async () => {
    const { make, targets, pass } = await createCheckBench();
    for (let at = 0; at < 60; at += 1) await make(`bad${at}`, { ...tcp("192.0.2.9"), failures: 1 });
    const good = await make("good", tcp("198.51.100.1"));
    targets.answers.set("192.0.2.9", REFUSED);
    await pass(60);
    targets.answers.set("192.0.2.9", "never");
    targets.take();
    await pass(90);
    assert.ok(targets.take().filter((host) => host === "198.51.100.1").length >= 1, good.id);
  });

  it("are given up when a probe never ends, and go on", async () => {
    const { make, targets, pass, stateOf, deferred } = await createCheckBench();
    const { id } = await make("one", { failures: 1 });
    targets.answers.set("192.0.2.1", "never");
    await pass(60);
    assert.deepEqual([stateOf(id), targets.take().length], ["up", 2]);
    for (const work of deferred) work();
    await settle();
    assert.equal(stateOf(id), "down");
    targets.answers.clear();
    await pass(61);
    assert.equal(stateOf(id), "up");
  });

  it("stop at once when they are paused, changed or deleted, and their results are discarded", async () => {
    const { app, make, targets, pass, stateOf } = await createCheckBench();
    const { checks } = app.monitor;
    const { id } = await make("one", { failures: 1 });
    targets.isHolding = true;
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(60);
    assert.equal(targets.running, 1);
    const change = { version: undefined, actor };
    await checks.change(id, { ...change, patch: { target: { kind: "tcp", host: "192.0.2.2", port: 80 } } });
    targets.isHolding = false;
    await settle();
    assert.deepEqual([stateOf(id), targets.running], ["unknown", 0]);
    await pass(1);
    assert.equal(stateOf(id), "up");
    await checks.change(id, { ...change, patch: { paused: true } });
    targets.take();
    await pass(120);
    assert.deepEqual([stateOf(id), targets.asked], ["paused", []]);
    await checks.change(id, { ...change, patch: { paused: false } });
    assert.equal(stateOf(id), "unknown");
    await pass(1);
    assert.equal(stateOf(id), "up");
    await checks.remove(id, actor);
    targets.take();
    await pass(120);
    assert.deepEqual([stateOf(id), targets.asked], [undefined, []]);
  });

  it("do not mind jumps of the clock", async () => {
    const { make, targets, pass, clock, stateOf } = await createCheckBench();
    const { id } = await make("one");
    await pass(60);
    targets.take();
    clock.jump(-86_400_000);
    await pass(60);
    clock.jump(2 * 86_400_000);
    await pass(60);
    assert.deepEqual([targets.take().length, stateOf(id)], [2, "up"]);
  });
});
