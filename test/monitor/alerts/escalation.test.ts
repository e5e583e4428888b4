/** Escalation: which channels are notified of an alert without acknowledgement, and when. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createTestApp } from "../app-fixture.ts";
import { actor } from "../fixtures.ts";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";

const rule = {
  kind: "check",
  name: "A check is down",
  escalation: [
    { afterMinutes: 10, channelIds: ["b"] },
    { afterMinutes: 30, channelIds: ["a", "b"] },
  ],
};
const DOWN = "shop down: connection refused";
const ESCALATED = `Escalated: ${DOWN}`;

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
  bench.checks.add("shop");
  bench.checks.up("shop");
});

async function fail(): Promise<void> {
  bench.checks.down("shop");
  await bench.pass(1);
  assert.deepEqual(await bench.takeTitles(), [DOWN]);
}

async function acknowledge(): Promise<void> {
  for (const { id } of bench.alerts.firing()) await bench.alerts.incidents.acknowledge(id, actor);
}

describe("an alert without acknowledgement", () => {
  it("goes to further channels step by step, and its end to all of them", async () => {
    await bench.rule(rule);
    await fail();
    await bench.pass(599);
    assert.deepEqual(await bench.takeTitles(), []);
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), [`b: ${ESCALATED}`]);
    await bench.pass(1_199);
    assert.deepEqual(await bench.takeTitles(), []);
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), [ESCALATED, `b: ${ESCALATED}`]);
    await bench.pass(7_200);
    assert.deepEqual(await bench.takeTitles(), []);
    bench.checks.up("shop");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["shop up again", "b: shop up again"]);
  });

  it("stops at the acknowledgement", async () => {
    await bench.rule(rule);
    await fail();
    await bench.pass(600);
    await acknowledge();
    await bench.takeTold();
    await bench.pass(3_600);
    assert.deepEqual(await bench.takeTitles(), []);
  });

  it("stops at its end, which further channels that heard nothing do not hear of", async () => {
    await bench.rule(rule);
    await fail();
    bench.checks.up("shop");
    await bench.pass(3_600);
    assert.deepEqual(await bench.takeTitles(), ["shop up again"]);
  });

  it("repeats no step after a restart, and makes up for those that were due meanwhile", async () => {
    await bench.rule(rule);
    await fail();
    await bench.pass(600);
    await bench.takeTold();
    await bench.restart();
    await bench.pass(60);
    assert.deepEqual(await bench.takeTitles(), []);
    bench.clock.advance(3_600_000);
    await bench.restart();
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), [ESCALATED, `b: ${ESCALATED}`]);
    await bench.restart();
    await bench.pass(600);
    assert.deepEqual(await bench.takeTitles(), []);
  });

  it("loses no step and sends none twice when the store fails", async () => {
    await bench.rule(rule);
    await fail();
    await bench.pass(599);
    bench.failing = true;
    bench.clock.advance(1_000);
    await assert.rejects(bench.alerts.tick());
    bench.failing = false;
    await bench.pass(60);
    assert.deepEqual(await bench.takeTitles(), [`b: ${ESCALATED}`]);
  });

  it("waits for the end of a mute, of quiet hours, and of a parent's outage", async () => {
    bench.checks.add("router");
    bench.checks.add("shop", { dependsOn: ["router"] });
    bench.checks.up("router");
    await bench.rule(rule);
    await bench.pass(200);
    bench.checks.down("shop");
    await bench.pass(200);
    await bench.takeTold();
    bench.checks.add("shop", { mute: {} });
    await bench.pass(600);
    assert.deepEqual(await bench.takeTitles(), []);
    bench.checks.stand("router", "down");
    bench.checks.add("shop", { mute: undefined });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["router down"]);
    bench.checks.up("router");
    await bench.quietHours({ from: "00:00", to: "23:59" });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), []);
    await bench.quietHours({ enabled: false });
    await bench.pass(1);
    const titles = await bench.takeTitles();
    assert.equal(titles.filter((title) => title === `b: ${ESCALATED}`).length, 1, titles.join());
  });

  it("counts from the first notification, not from one that reminds", async () => {
    await bench.rule({ ...rule, remindEveryHours: 1, escalation: [{ afterMinutes: 90, channelIds: ["b"] }] });
    await fail();
    await bench.pass(90 * 60);
    assert.deepEqual(await bench.takeTitles(), [`Reminder: ${DOWN}`, `b: ${ESCALATED}`]);
  });

  it("is one message where many are due at once", async () => {
    await bench.rule(rule);
    const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
    for (const id of ids) bench.checks.add(id);
    bench.checks.down(...ids);
    await bench.pass(60);
    await bench.takeTold();
    await bench.pass(600);
    assert.deepEqual(await bench.takeTitles(), ["b: Escalated: 30 checks down"]);
  });
});

describe("the steps of a rule", () => {
  const offline = { kind: "offline", name: "Gone" };
  const ntfy = { type: "ntfy", name: "Phone", topic: "servers" };

  it("name channels that exist, and keep these from being deleted", async () => {
    const app = await createTestApp();
    const made = await app.admin("POST", "/api/admin/channels", ntfy);
    assert.equal(made.status, 201, await made.clone().text());
    const { id } = await made.json();
    const steps = (...all: readonly (readonly [number, string])[]): object => ({
      ...offline,
      escalation: all.map(([afterMinutes, channelId]) => ({ afterMinutes, channelIds: [channelId] })),
    });
    const unknown = await app.admin("POST", "/api/admin/alert-rules", steps([5, "chn_none"]));
    assert.equal(unknown.status, 422);
    assert.equal((await unknown.json()).errors[0].pointer, "/escalation/0/channelIds/0");
    for (const [first, second] of [
      [5, 5],
      [10, 5],
      [0, 5],
    ] as const)
      assert.equal(
        (await app.admin("POST", "/api/admin/alert-rules", steps([first, id], [second, id]))).status,
        422,
      );
    const rules = await app.admin("POST", "/api/admin/alert-rules", steps([5, id], [10, id]));
    assert.equal(rules.status, 201, await rules.clone().text());
    assert.equal((await app.admin("DELETE", `/api/admin/channels/${id}`)).status, 409);
  });
});
