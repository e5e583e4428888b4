import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { actor } from "../fixtures.ts";
import { type AlertsBench, createAlertsBench, CPU } from "./alerts-bench.ts";

const offline = { kind: "offline", name: "Gone", graceSeconds: 60 };
/** From the end of a stream until the server counts as offline, seconds. */
const CLOSED = 5;

describe("alerts", () => {
  let bench: AlertsBench;

  beforeEach(async () => {
    bench = await createAlertsBench();
    bench.up("web-1", "web-2");
  });

  it("send nothing without a rule", async () => {
    bench.down("web-1");
    await bench.pass(300);
    assert.deepEqual(await bench.takeTold(), []);
    assert.deepEqual(await bench.listIncidents(), []);
  });

  it("announce an outage after its grace, with what a person wants to know, and its end", async () => {
    await bench.rule({ ...offline, severity: "critical" });
    await bench.pass(10);
    bench.down("web-1");
    await bench.pass(CLOSED + 54);
    assert.deepEqual(await bench.takeTold(), []);
    assert.equal(bench.alerts.pending().length, 1);
    // What it takes to count as offline adds nothing.
    await bench.pass(1);
    const [down, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(down?.title, "🔴 web-1 offline since 12:00 (1 min)");
    assert.equal(down.kind, "firing");
    assert.equal(down.severity, "critical");
    assert.equal(down.url, "https://status.example/servers/web-1");
    assert.match(down.text, /^Rule: Gone \(critical\)$/mu);
    assert.match(down.text, /^Since: 2026-01-31 12:00 UTC \(1 min\)$/mu);
    assert.deepEqual(
      bench.alerts.firing().map(({ serverId }) => serverId),
      ["web-1"],
    );
    bench.up("web-1");
    await bench.pass(1);
    const [up] = await bench.takeTold();
    assert.equal(up?.title, "🟢 web-1 back online after 1 min 1 s");
    assert.equal(up.kind, "resolved");
    assert.match(up.text, /^From 2026-01-31 12:00 until 2026-01-31 12:01 UTC \(1 min 1 s\)$/mu);
    assert.equal(up.thread, down.thread);
    const [incident] = await bench.listIncidents();
    assert.equal(incident?.closedBy, "recovered");
    assert.deepEqual(incident.told, { down: true, up: true });
    assert.equal(incident.openKey, undefined);
    assert.equal(bench.wakes, 2);
  });

  it("send nothing of an outage that is shorter than the grace, however often", async () => {
    await bench.rule(offline);
    for (let time = 0; time < 3; time += 1) {
      bench.down("web-1");
      await bench.pass(CLOSED + 54);
      bench.up("web-1");
      await bench.pass(5);
    }
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("count no silence in which the monitor itself was suspended", async () => {
    await bench.rule(offline);
    await bench.pass(10);
    bench.clock.advance(600_000);
    bench.live.tick();
    await bench.alerts.tick();
    assert.equal(bench.live.get("web-1").state, "offline");
    await bench.pass(60);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("do not take a server that never reported, or is disabled, for offline", async () => {
    await bench.rule(offline);
    bench.server("new");
    bench.server("web-2", { disabled: true });
    bench.down("web-2");
    await bench.pass(300);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("watch only their scope, and count neither clock that jumps", async () => {
    bench.server("web-2", { group: "Lab", tags: ["db"] });
    await bench.rule({ ...offline, name: "group", scope: { type: "group", group: "Lab" } });
    await bench.rule({ ...offline, name: "tag", scope: { type: "tag", tag: "db" } });
    await bench.rule({ ...offline, name: "ids", scope: { type: "ids", ids: ["web-1"] }, channelIds: ["b"] });
    bench.down("web-1", "web-2");
    await bench.pass(30);
    bench.clock.jump(10 * 365 * 86_400_000);
    await bench.pass(10);
    assert.deepEqual(await bench.takeTold(), []);
    bench.clock.jump(-11 * 365 * 86_400_000);
    await bench.pass(40);
    assert.deepEqual(await bench.takeTitles(), ["b: web-1 offline", "web-2 offline", "web-2 offline"]);
  });

  it("fire on a number that holds for its time, and not on a gap", async () => {
    await bench.rule({ kind: "metric", metric: CPU, op: ">", threshold: 90, forSeconds: 60 });
    const report = async (value: number, seconds: number): Promise<void> => {
      bench.report("web-1", { "cpu.usagePercent": value });
      await bench.pass(seconds);
    };
    await report(95, 50);
    await report(90, 5);
    await report(97.345, 40);
    bench.report("web-1", { "load.one": 1 });
    await bench.pass(5);
    await report(97.345, 59);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), ["web-1: CPU use 97.35 %, limit 90 %"]);
    bench.down("web-1");
    await bench.pass(300);
    assert.deepEqual(await bench.takeTold(), []);
    bench.up("web-1");
    await report(40, 1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: CPU use 40 %, back below 90 %"]);
  });

  it("read metrics that are derived, and fire at once when nothing must last", async () => {
    await bench.rule({
      kind: "metric",
      metric: "memory.usedPercent",
      op: ">=",
      threshold: 80,
      forSeconds: 0,
    });
    bench.report("web-1", { "memory.usedBytes": 80, "memory.totalBytes": 100 });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: Memory used 80 %, limit 80 %"]);
  });

  it("remind of an end of paid time once, and again of another", async () => {
    await bench.rule({ kind: "expiry", name: "Paid", daysAhead: 7 });
    const day = 86_400_000;
    bench.facts.set("web-1", { expiresAt: bench.clock.now() + 8 * day });
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.clock.advance(2 * day);
    bench.up("web-1", "web-2");
    await bench.pass(61);
    const [reminder] = await bench.takeTold();
    assert.equal(reminder?.kind, "reminder");
    assert.equal(reminder.title, "🟠 web-1: expires on 2026-02-08");
    await bench.restart();
    await bench.pass(120);
    bench.server("web-1", { disabled: true });
    await bench.pass(61);
    bench.server("web-1", { disabled: false });
    await bench.pass(120);
    assert.deepEqual(await bench.takeTitles(), ['web-1: "Paid" closed, the server was paused']);
    bench.facts.set("web-1", { expiresAt: bench.clock.now() + 3 * day });
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["web-1: expires on 2026-02-05"]);
    bench.facts.set("web-1", { expiresAt: bench.clock.now() + 300 * day });
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["web-1: renewed until 2026-11-29"]);
  });

  it("fire on traffic once a cycle; a new one ends it", async () => {
    await bench.rule({ kind: "traffic", percentOfLimit: 80 });
    bench.facts.set("web-1", { percent: 79.9, cycleFrom: 1 });
    await bench.pass(61);
    bench.facts.set("web-1", { percent: 83.21, cycleFrom: 1 });
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["web-1: 83.21% of the traffic limit used"]);
    bench.facts.set("web-1", { percent: 70, cycleFrom: 1 });
    await bench.pass(61);
    bench.facts.set("web-1", { percent: 90, cycleFrom: 1 });
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["web-1: back below 80% of the traffic limit"]);
    bench.facts.set("web-1", { percent: 85, cycleFrom: 2 });
    await bench.pass(61);
    bench.facts.set("web-1", { percent: 85, cycleFrom: 3 });
    await bench.pass(122);
    const titles = await bench.takeTitles();
    assert.deepEqual(
      titles.map((title) => title.includes("below")),
      [false, true, false],
    );
  });
});

describe("what ends alerts without a recovery", () => {
  const ends: [
    name: string,
    reason: string,
    end: (bench: AlertsBench, ruleId: string) => unknown,
    again: boolean,
  ][] = [
    [
      "another condition",
      "rule_changed",
      (b, id) => b.replaceRule(id, { ...offline, graceSeconds: 90 }),
      true,
    ],
    [
      "a rule that is switched off",
      "rule_disabled",
      (b, id) => b.replaceRule(id, { ...offline, enabled: false }),
      false,
    ],
    ["a rule that is deleted", "rule_deleted", (b, id) => b.alerts.rules.remove(id, actor), false],
    ["a server that is deleted", "server_gone", (b) => b.remove("web-1"), false],
    ["a server that is disabled", "server_disabled", (b) => b.server("web-1", { disabled: true }), false],
    [
      "a server outside the scope",
      "left_scope",
      (b, id) => b.replaceRule(id, { ...offline, scope: { type: "tag", tag: "x" } }),
      false,
    ],
  ];
  for (const [name, reason, end, again] of ends) {
    it(`${name} is announced as one end: ${reason}`, async () => {
      const bench = await createAlertsBench();
      bench.up("web-1");
      const { id } = await bench.rule(offline);
      bench.down("web-1");
      await bench.pass(70);
      assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
      await end(bench, id);
      await bench.pass(1);
      const [up, ...more] = await bench.takeTold();
      assert.deepEqual(more, []);
      assert.equal(up?.title.startsWith('⚪ web-1: "Gone" closed, the '), true);
      assert.equal(up.kind, "resolved");
      const [incident] = await bench.listIncidents();
      assert.equal(incident?.closedBy, reason);
      await bench.pass(200);
      assert.deepEqual(await bench.takeTitles(), again ? ["web-1 offline"] : []);
    });
  }

  it("goes on when only name, severity or channels change, and notifies the same channels of the end", async () => {
    const bench = await createAlertsBench();
    bench.up("web-1");
    const { id } = await bench.rule(offline);
    bench.down("web-1");
    await bench.pass(70);
    await bench.takeTold();
    await bench.replaceRule(id, { ...offline, name: "New", severity: "info", channelIds: ["b"] });
    await bench.pass(100);
    assert.deepEqual(await bench.takeTold(), []);
    bench.up("web-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1 back online"]);
  });

  it("knows a server that was deleted and made again under the same id for another one", async () => {
    const bench = await createAlertsBench();
    bench.up("web-1");
    await bench.rule(offline);
    bench.down("web-1");
    await bench.pass(70);
    await bench.takeTold();
    bench.remove("web-1");
    bench.server("web-1");
    await bench.pass(100);
    assert.deepEqual(await bench.takeTitles(), ['web-1: "Gone" closed, the server was deleted']);
  });
});
