/** One event, one notification: what a parent that is down does to the alerts of what depends on it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";

const rule = { kind: "check", name: "A check is down", severity: "critical" };
const offline = { kind: "offline", name: "A server is offline", graceSeconds: 0 };
/** Longer than a child ever waits with the intervals of these checks. */
const LONG = 200;

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
  bench.checks.add("router-1");
  bench.checks.add("switch", { dependsOn: ["router-1"] });
  bench.checks.add("shop", { dependsOn: ["switch"] });
  bench.checks.up("router-1", "switch", "shop");
  await bench.rule(rule);
  await bench.pass(LONG);
});

/** What every check of a healthy or broken network says once a minute. */
async function live(seconds: number, states: Readonly<Record<string, "up" | "down">>): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 20) {
    for (const [id, state] of Object.entries(states)) bench.checks[state](id);
    await bench.pass(20);
  }
}

describe("a check whose parent is down", () => {
  it("opens no incident, while the parent's notification says how much is behind it", async () => {
    bench.checks.down("router-1");
    await bench.pass(1);
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.match(told?.title ?? "", /router-1 down/u);
    assert.ok(told?.text.split("\n").includes("2 checks behind it"), told?.text);
    await live(LONG, { "router-1": "down", switch: "down", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), []);
    assert.equal((await bench.listIncidents()).length, 1);
    assert.deepEqual(
      bench.alerts.pending().map(({ watched }) => watched.record.id),
      ["switch", "shop"],
      "what is suppressed is still evaluated and shown",
    );
    const causes = (id: string): readonly string[] =>
      bench.alerts.dependencies.findCausesOf({ checkId: id }).map(({ record }) => record.id);
    assert.deepEqual([causes("router-1"), causes("switch"), causes("shop")], [[], ["router-1"], ["switch"]]);
    await live(LONG, { "router-1": "up", switch: "up", shop: "up" });
    assert.deepEqual(await bench.takeTitles(), ["router-1 up again"]);
    assert.deepEqual(bench.alerts.pending(), []);
  });

  it("tells of itself when it stays down after the parent is up, one interval later", async () => {
    await live(LONG, { "router-1": "down", switch: "down", shop: "down" });
    await bench.takeTold();
    await live(80, { "router-1": "up", switch: "up", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), ["router-1 up again"]);
    await live(60, { "router-1": "up", switch: "up", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), ["shop down: connection refused"]);
  });

  it("closes its incident whatever its parent does", async () => {
    await live(LONG, { "router-1": "up", switch: "up", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), ["shop down: connection refused"]);
    bench.checks.down("switch", "router-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["router-1 down: connection refused"]);
    bench.checks.up("shop");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["shop up again"]);
  });

  it("sends no reminder of its own while its parent is down", async () => {
    const other = await createAlertsBench();
    other.checks.add("router-1");
    other.checks.add("switch", { dependsOn: ["router-1"] });
    other.checks.up("router-1", "switch");
    await other.rule({ ...rule, remindEveryHours: 1 });
    await other.pass(LONG);
    other.checks.down("switch");
    await other.pass(LONG);
    assert.deepEqual(await other.takeTitles(), ["switch down: connection refused"]);
    other.checks.down("router-1");
    await other.pass(3_700);
    assert.deepEqual(await other.takeTitles(), [
      "router-1 down: connection refused",
      "Reminder: router-1 down: connection refused",
    ]);
  });

  it("follows its direct parents alone", async () => {
    await live(LONG, { "router-1": "down", switch: "up", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), [
      "router-1 down: connection refused",
      "shop down: connection refused",
    ]);
  });

  it("waits for a parent that is found down later", async () => {
    bench.checks.down("switch", "shop");
    await bench.pass(30);
    bench.checks.down("router-1");
    await live(LONG, { "router-1": "down", switch: "down", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), ["router-1 down: connection refused"]);
  });

  it("waits no longer than an interval for a parent that says nothing new", async () => {
    bench.checks.add("switch", { dependsOn: ["router-1"], intervalSeconds: 3_600, timeoutSeconds: 60 });
    bench.checks.add("router-1", { intervalSeconds: 86_400 });
    bench.checks.up("router-1", "switch");
    bench.checks.down("switch");
    await bench.pass(379);
    assert.deepEqual(await bench.takeTitles(), []);
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), ["switch down: connection refused"]);
  });

  it("tells at once when the parent was found up after it, and it failed again", async () => {
    bench.checks.down("switch");
    await bench.pass(10);
    bench.checks.up("router-1");
    await bench.pass(10);
    assert.deepEqual(await bench.takeTitles(), []);
    bench.checks.down("switch");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["switch down: connection refused"]);
  });

  it("does not wait for a parent that is paused, unknown to every rule, or deleted", async () => {
    bench.checks.add("router-1", { paused: true });
    bench.checks.stand("router-1", "paused");
    await bench.pass(LONG);
    bench.checks.down("switch");
    await bench.pass(5);
    assert.deepEqual(await bench.takeTitles(), ["switch down: connection refused"]);
    bench.checks.up("switch");
    bench.checks.remove("router-1");
    await bench.pass(5);
    bench.checks.down("switch");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["switch up again", "switch down: connection refused"]);
  });

  it("is not silenced by a parent without a rule for outages", async () => {
    const other = await createAlertsBench();
    other.checks.add("router-1");
    other.checks.add("switch", { dependsOn: ["router-1"] });
    await other.rule({ ...rule, scope: { type: "ids", ids: ["switch"] } });
    other.checks.down("router-1", "switch");
    await other.pass(LONG);
    assert.deepEqual(await other.takeTitles(), ["switch down: connection refused"]);
  });

  it("stays silent while its parent is muted or in maintenance", async () => {
    bench.checks.add("router-1", { mute: {} });
    await live(LONG, { "router-1": "down", switch: "down", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), []);
  });

  it("still tells of what its parent has no part in", async () => {
    await bench.rule({ kind: "certificate", name: "Certificate", daysAhead: 14 });
    const certificate = {
      subject: "shop.example",
      issuer: "CA",
      names: [],
      validFrom: 0,
      validTo: bench.clock.now() + 86_400_000,
      isTrusted: true,
    };
    bench.checks.stand("router-1", "down");
    bench.checks.stand("switch", "down", { certificate });
    await bench.pass(70);
    const titles = await bench.takeTitles();
    assert.equal(
      titles.filter((title) => title.startsWith("switch: certificate expires")).length,
      1,
      titles.join(),
    );
  });
});

describe("a restart just after a parent came back", () => {
  it("lets its children wait as long as without the restart", async () => {
    await live(LONG, { "router-1": "down", switch: "down", shop: "down" });
    bench.checks.up("router-1");
    await bench.pass(1);
    await bench.restart();
    await bench.pass(1);
    bench.checks.up("router-1");
    await bench.pass(5);
    bench.checks.down("switch");
    await bench.pass(5);
    assert.deepEqual(await bench.takeTitles(), ["router-1 down: connection refused", "router-1 up again"]);
    await live(LONG, { "router-1": "up", switch: "down", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), ["switch down: connection refused"]);
  });
});

describe("a server behind a router", () => {
  it("is silent with the router, and checks behind the server with the server", async () => {
    await bench.rule(offline);
    bench.server("web-1", { dependsOn: ["router-1"] });
    bench.up("web-1");
    bench.checks.add("shop", { dependsOn: ["web-1"] });
    await live(LONG, { "router-1": "up", shop: "up" });
    bench.down("web-1");
    await bench.pass(30);
    await live(LONG, { "router-1": "down", shop: "down" });
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.ok(told?.text.includes("2 checks and 1 server behind it"), told?.text);
    bench.up("web-1");
    await live(LONG, { "router-1": "up", switch: "up", shop: "up" });
    assert.deepEqual(await bench.takeTitles(), ["router-1 up again"]);
    bench.down("web-1");
    await live(LONG, { "router-1": "up", switch: "up", shop: "down" });
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
  });
});

describe("200 checks behind one router", () => {
  it("make one notification, and one when it is over, also across a restart and flaps", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `behind-${index}`);
    for (const id of ids) bench.checks.add(id, { dependsOn: ["router-1"] });
    bench.checks.up("router-1", ...ids);
    await bench.pass(LONG);
    const states = (state: "up" | "down"): Record<string, "up" | "down"> =>
      Object.fromEntries(["router-1", "switch", "shop", ...ids].map((id) => [id, state]));
    // The checks find out before the router's own check does.
    for (const id of ids) bench.checks.down(id);
    await bench.pass(25);
    await live(60, states("down"));
    await bench.restart();
    await live(LONG, states("down"));
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.ok(told?.text.includes("202 checks behind it"), told?.text);
    bench.checks.up("router-1");
    await bench.pass(50);
    await bench.restart();
    await bench.pass(50);
    await live(LONG, states("up"));
    assert.deepEqual(await bench.takeTitles(), ["router-1 up again"]);
  });
});
