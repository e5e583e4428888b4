import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";

const offline = { kind: "offline", name: "Gone", graceSeconds: 60 };
/** The rule's wait, from the last sign of life, and a second more. */
const GONE = 61;
const HOUR = 3_600;
const fleet = Array.from({ length: 13 }, (_, index) => `s${index}`);

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
});

describe("a mute", () => {
  it("records, sends nothing, and announces what still lasts when it ends", async () => {
    await bench.rule(offline);
    bench.up("web-1", "web-2");
    const until = new Date(bench.clock.now() + 600_000).toISOString();
    bench.server("web-1", { mute: { until } });
    bench.server("web-2", { mute: {} });
    bench.down("web-1", "web-2");
    await bench.pass(500);
    assert.deepEqual(await bench.takeTold(), []);
    assert.equal(bench.alerts.firing().length, 2);
    await bench.restart();
    await bench.pass(150);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    bench.up("web-1", "web-2");
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), ["web-1 back online"]);
    const muted = (await bench.listIncidents()).find(({ serverId }) => serverId === "web-2");
    assert.deepEqual([muted?.told, muted?.owed], [{ down: false, up: false }, undefined]);
  });

  it("does not hold back the recovery of what was announced before", async () => {
    await bench.rule(offline);
    bench.up("web-1");
    bench.down("web-1");
    await bench.pass(GONE);
    bench.server("web-1", { mute: {} });
    bench.up("web-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline", "web-1 back online"]);
  });

  it("holds back its server's part of a mass", async () => {
    await bench.rule(offline);
    bench.up(...fleet);
    bench.down(...fleet);
    await bench.pass(GONE + 5);
    bench.server("s0", { mute: {} });
    await bench.pass(25);
    assert.deepEqual(await bench.takeTitles(), ["12 servers offline"]);
    bench.server("s0", { mute: undefined });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["s0 offline"]);
  });
});

describe("quiet hours", () => {
  // The clock starts at 12:00 UTC.
  const quiet = { from: "12:10", to: "13:00", timeZone: "UTC" };

  it("end in one digest a channel: what fires, what came and went, what is over", async () => {
    await bench.quietHours(quiet);
    await bench.rule(offline);
    bench.up("before", "still", "short");
    bench.down("before");
    await bench.pass(600);
    assert.deepEqual(await bench.takeTitles(), ["before offline"]);
    bench.down("still", "short");
    await bench.pass(300);
    bench.up("before", "short");
    await bench.pass(HOUR / 2);
    await bench.restart();
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(HOUR / 4);
    const [digest, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(digest?.kind, "digest");
    assert.equal(digest.title, "🟠 Quiet hours have ended: 1 still firing, 1 fired and resolved, 1 resolved");
    assert.match(
      digest.text,
      /^Still firing:\n- 🟠 still offline since \d\d:\d\d \(.+\)\nFired and resolved:\n- 🟠 short offline since \d\d:\d\d \(5 min 1 s\)\nResolved:\n- 🟢 before back online after 15 min 1 s$/u,
    );
    bench.up("still");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["still back online"]);
  });

  it("let critical alerts pass, unless set otherwise", async () => {
    await bench.quietHours({ ...quiet, from: "11:00" });
    await bench.rule({ ...offline, severity: "critical" });
    await bench.rule({ ...offline, severity: "warning", channelIds: ["b"] });
    bench.up("web-1");
    bench.down("web-1");
    await bench.pass(GONE);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    await bench.quietHours({ ...quiet, from: "11:00", exceptCritical: false });
    bench.up("web-1");
    await bench.pass(10);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(HOUR);
    assert.deepEqual((await bench.takeTitles()).toSorted(), [
      "Quiet hours have ended: 1 resolved",
      "b: Quiet hours have ended: 1 fired and resolved",
    ]);
  });

  it("that are switched off send at once what they held", async () => {
    await bench.quietHours({ ...quiet, from: "11:00" });
    await bench.rule(offline);
    bench.up("web-1");
    bench.down("web-1");
    await bench.pass(GONE);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.quietHours({ enabled: false });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["Quiet hours have ended: 1 still firing"]);
  });

  it("send recoveries before what begins again in the second of their end", async () => {
    await bench.rule({ ...offline, graceSeconds: 10 });
    bench.up("web-1");
    bench.down("web-1");
    await bench.pass(GONE);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    await bench.quietHours({ from: "12:00", to: "14:00" });
    bench.up("web-1");
    await bench.pass(3);
    bench.down("web-1");
    while (bench.alerts.pending().length === 0) await bench.pass(1);
    await bench.pass(4);
    await bench.quietHours({ enabled: false });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["Quiet hours have ended: 1 resolved", "web-1 offline"]);
  });

  it("of each night have a digest of their own", async () => {
    await bench.quietHours({ from: "12:00", to: "12:30" });
    await bench.rule(offline);
    bench.up("web-1");
    for (let night = 0; night < 2; night += 1) {
      bench.down("web-1");
      await bench.pass(GONE);
      bench.up("web-1");
      await bench.pass(HOUR / 2);
      assert.deepEqual(await bench.takeTitles(), ["Quiet hours have ended: 1 fired and resolved"]);
      bench.clock.advance(24 * HOUR * 1_000 - (GONE + HOUR / 2) * 1_000);
      bench.up("web-1");
    }
  });
});
