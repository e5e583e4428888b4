/** What lasts: reminders, recoveries that must last or come back far enough, and rules that notify every channel. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { channels } from "../../../src/monitor/channels/records.ts";
import { actor } from "../fixtures.ts";
import { type AlertsBench, CPU, createAlertsBench, benchCollections } from "./alerts-bench.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";

const HOUR = 3_600;
/** From the end of a stream until the alert. */
const GONE = 5 + 61;
const offline = { kind: "offline", name: "Gone", graceSeconds: 60 };

let bench: AlertsBench;
beforeEach(async () => {
  bench = await createAlertsBench();
  bench.up("web-1", "web-2");
});

/** Lets hours pass in large steps: nothing happens in between. */
async function passHours(hours: number): Promise<void> {
  bench.clock.advance(hours * HOUR * 1_000 - 10_000);
  await bench.pass(10);
}

describe("reminders", () => {
  const reminded = { ...offline, severity: "critical", remindEveryHours: 4 };

  it("come every so many hours while it lasts, over a restart, and end with it", async () => {
    await bench.rule(reminded);
    bench.down("web-1");
    await bench.pass(GONE);
    await bench.takeTold();
    await passHours(3.9);
    assert.deepEqual(await bench.takeTold(), []);
    await passHours(0.2);
    const [reminder, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.match(reminder?.title ?? "", /^🔴 Reminder: web-1 offline since 12:00 \(4 h 6 min\)$/u);
    assert.equal(reminder?.kind, "reminder");
    await bench.restart();
    await passHours(1);
    assert.deepEqual(await bench.takeTold(), []);
    await passHours(3.1);
    assert.deepEqual((await bench.takeTold()).length, 1);
    bench.up("web-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1 back online"]);
    await passHours(9);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("are one message when several are due", async () => {
    await bench.rule(reminded);
    bench.down("web-1", "web-2");
    await bench.pass(GONE);
    await bench.takeTold();
    await passHours(4.1);
    assert.deepEqual(await bench.takeTitles(), ["Reminder: 2 servers offline"]);
  });

  it("are sent once by two processes on one store", async () => {
    const store = createMemoryStore({ collections: benchCollections });
    bench = await createAlertsBench(store);
    bench.up("web-1");
    await bench.rule(reminded);
    bench.down("web-1");
    await bench.pass(GONE);
    await bench.takeTold();
    const other = await createAlertsBench(store);
    other.server("web-1");
    other.live.restore("web-1", { lastSeenAt: 0, reportsStored: 1 });
    await other.alerts.load();
    other.clock.jump(bench.clock.now() - other.clock.now() + 4.1 * HOUR * 1_000);
    await other.pass(1);
    await passHours(4.1);
    assert.equal((await bench.takeTold()).filter(({ kind }) => kind === "reminder").length, 1);
  });

  it("end when someone acknowledges the alert, and wait for a mute and quiet hours", async () => {
    await bench.rule({ ...reminded, severity: "warning" });
    bench.down("web-1");
    await bench.pass(GONE);
    await bench.takeTold();
    bench.server("web-1", { mute: {} });
    await passHours(5);
    assert.deepEqual(await bench.takeTold(), []);
    bench.server("web-1", { mute: undefined });
    await bench.quietHours({ from: "17:00", to: "18:00" });
    await bench.pass(2);
    assert.deepEqual(await bench.takeTold(), []);
    await passHours(1);
    assert.equal((await bench.takeTold()).length, 1);
    const [open] = bench.alerts.firing();
    await bench.alerts.incidents.acknowledge(open?.id ?? "", actor);
    await passHours(5);
    // For channels that keep alerts, such as PagerDuty; the others drop it.
    assert.deepEqual(
      (await bench.takeTold()).map(({ kind }) => kind),
      ["acknowledged"],
    );
  });
});

describe("a recovery", () => {
  const busy = { kind: "metric", metric: CPU, op: ">", threshold: 90, forSeconds: 0 };
  const report = async (value: number, seconds = 1): Promise<void> => {
    bench.report("web-1", { "cpu.usagePercent": value });
    await bench.pass(seconds);
  };

  it("must come back behind the threshold by the margin", async () => {
    await bench.rule({ ...busy, recoverBy: 10 });
    await report(95);
    assert.deepEqual(await bench.takeTitles(), ["web-1: CPU use 95 %, limit 90 %"]);
    for (const value of [89, 91, 81]) await report(value);
    assert.deepEqual(await bench.takeTold(), []);
    await report(80);
    assert.deepEqual(await bench.takeTitles(), ["web-1: CPU use 80 %, back below 90 %"]);
    await report(89);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("must come back the other way where the threshold is a minimum", async () => {
    await bench.rule({ ...busy, op: "<", threshold: 10, recoverBy: 5 });
    await report(9);
    await bench.takeTold();
    await report(14);
    assert.deepEqual(await bench.takeTold(), []);
    await report(15);
    assert.equal((await bench.takeTold()).length, 1);
  });

  it("must last, with nothing sent while it comes and goes", async () => {
    await bench.rule({ ...busy, recoverSeconds: 60 });
    await report(95);
    await bench.takeTold();
    for (let time = 0; time < 5; time += 1) {
      await report(50, 50);
      await report(95, 5);
    }
    assert.deepEqual(await bench.takeTold(), []);
    await report(50, 59);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(3);
    assert.equal((await bench.takeTold()).length, 1);
  });

  it("of an outage must last too", async () => {
    await bench.rule({ ...offline, recoverSeconds: 120 });
    bench.down("web-1");
    await bench.pass(GONE);
    await bench.takeTold();
    bench.up("web-1");
    await bench.pass(100);
    bench.down("web-1");
    await bench.pass(30);
    bench.up("web-1");
    await bench.pass(119);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(3);
    assert.deepEqual(await bench.takeTitles(), ["web-1 back online"]);
  });
});

describe("a rule that notifies every channel", () => {
  it("also notifies those that were added later", async () => {
    const { rule } = await bench.rule({ ...offline, allChannels: true, channelIds: [] });
    assert.deepEqual([rule.allChannels, rule.channelIds], [true, []]);
    bench.down("web-1");
    await bench.pass(GONE);
    assert.deepEqual((await bench.takeTold()).map(({ channelId }) => channelId).toSorted(), ["a", "b"]);
    const settings = { type: "gotify" as const, serverUrl: "https://gotify.example" };
    await bench.store.transact((tx) =>
      tx.insert(channels, { id: "c", name: "c", settings, sealed: "", createdAt: 0, updatedAt: 0 }),
    );
    await bench.alerts.reload();
    bench.down("web-2");
    await bench.pass(GONE);
    const later = (await bench.takeTold()).filter(({ title }) => title.includes("web-2"));
    assert.deepEqual(later.map(({ channelId }) => channelId).toSorted(), ["a", "b", "c"]);
  });
});
