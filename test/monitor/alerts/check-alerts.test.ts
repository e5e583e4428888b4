/** Rules that watch checks: which notifications a failure sends, and when. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { CENTER } from "../../../src/monitor/checks/schema.ts";
import { actor } from "../fixtures.ts";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";
import { found } from "./fake-checks.ts";

const rule = { kind: "check", name: "A check is down", severity: "critical" };

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
  bench.checks.add("chk_1", { name: "Shop", group: "Public", tags: ["web"] });
  bench.checks.up("chk_1");
});

async function closedBy(): Promise<string | undefined> {
  return (await bench.listIncidents()).at(-1)?.closedBy;
}

describe("a check that is down", () => {
  it("alerts at once, with what a person wants to know, and at its end says how long it was down", async () => {
    await bench.rule(rule);
    await bench.pass(10);
    bench.checks.down("chk_1");
    await bench.pass(1);
    const [down, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(down?.title, "🔴 Shop down: connection refused since 12:00 (1 s)");
    assert.deepEqual(down.text.split("\n"), [
      "Public · #web",
      "Since: 2026-01-31 12:00 UTC (1 s)",
      "Target: db.example:5432",
      "Details: ECONNREFUSED 192.0.2.7:5432",
      "Rule: A check is down (critical)",
      "Condition: down",
    ]);
    assert.equal(down.url, "https://status.example/admin/checks/chk_1");
    assert.deepEqual([down.kind, down.severity], ["firing", "critical"]);
    await bench.pass(185);
    bench.checks.up("chk_1");
    await bench.pass(1);
    const [up] = await bench.takeTold();
    assert.equal(up?.title, "🟢 Shop up again after 3 min 7 s");
    assert.deepEqual(up.text.split("\n").slice(1, 4), [
      "From 2026-01-31 12:00 until 2026-01-31 12:03 UTC (3 min 7 s)",
      "Target: db.example:5432",
      "Response time: 84 ms",
    ]);
    assert.deepEqual([up.kind, up.thread], ["resolved", down.thread]);
    const [incident] = await bench.listIncidents();
    assert.deepEqual(
      [incident?.serverId, incident?.checkId, incident?.checkName, incident?.closedBy],
      [undefined, "chk_1", "Shop", "recovered"],
    );
    assert.deepEqual(incident?.found, {
      fault: "refused",
      detail: "ECONNREFUSED 192.0.2.7:5432",
      places: [CENTER],
      reported: 1,
      isPartial: false,
    });
  });

  it("says when a sign of life was due, once, on the clock of the message", async () => {
    await bench.rule(rule);
    await bench.speak({ language: "de", timeZone: "Europe/Berlin" });
    const late = found({ fault: "late", dueAt: bench.clock.now() - 60_000 });
    bench.checks.stand("chk_1", "down", { places: [late] });
    await bench.pass(1);
    const [down] = await bench.takeTold();
    assert.match(down?.title ?? "", /Shop ausgefallen: kein rechtzeitiger Ping/u);
    const lines = down?.text.split("\n").filter((line) => /Befund|Fällig|Due|due/u.test(line));
    assert.deepEqual(lines, ["Fällig: 2026-01-31 12:59 Europe/Berlin"]);
  });

  it("waits and recovers for as long as the rule says", async () => {
    await bench.rule({ ...rule, graceSeconds: 60, recoverSeconds: 30 });
    bench.checks.down("chk_1");
    await bench.pass(59);
    bench.checks.up("chk_1");
    await bench.pass(1);
    bench.checks.down("chk_1");
    await bench.pass(60);
    assert.deepEqual(await bench.takeTold(), []);
    assert.equal(bench.alerts.pending().length, 1);
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["Shop down: connection refused"]);
    bench.checks.up("chk_1");
    await bench.pass(20);
    bench.checks.down("chk_1");
    await bench.pass(5);
    bench.checks.up("chk_1");
    await bench.pass(30);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["Shop up again"]);
  });

  it("does no harm while unknown: that neither fires nor resolves", async () => {
    await bench.rule(rule);
    bench.checks.add("chk_new");
    bench.checks.stand("chk_1", "unknown");
    await bench.pass(300);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.down("chk_1");
    await bench.pass(1);
    assert.equal((await bench.takeTold()).length, 1);
    bench.checks.stand("chk_1", "unknown");
    await bench.pass(300);
    assert.deepEqual(await bench.takeTold(), []);
    assert.equal(bench.alerts.firing().length, 1);
    bench.checks.up("chk_1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["Shop up again"]);
  });

  it("is nothing to judge by what was found under another definition", async () => {
    await bench.rule(rule);
    bench.checks.stand("chk_1", "down", { revision: 0 });
    await bench.pass(10);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("closes with a separate reason when someone pauses or deletes it", async () => {
    await bench.rule(rule);
    bench.checks.down("chk_1");
    await bench.pass(1);
    await bench.takeTold();
    bench.checks.add("chk_1", { paused: true });
    bench.checks.stand("chk_1", "paused");
    await bench.pass(1);
    const [paused] = await bench.takeTold();
    assert.equal(paused?.title, '⚪ Shop: "A check is down" closed, the check was paused');
    assert.match(paused.text, /^Someone paused the check\. Resume it to get alerts again\.\n/u);
    assert.equal(await closedBy(), "check_paused");
    bench.checks.add("chk_1", { paused: false });
    bench.checks.down("chk_1");
    await bench.pass(1);
    bench.checks.remove("chk_1");
    await bench.pass(1);
    assert.deepEqual(
      (await bench.takeTitles()).at(-1),
      'Shop: "A check is down" closed, the check was deleted',
    );
    assert.equal(await closedBy(), "check_gone");
  });

  it("alerts by rules in whose scope it is, and never by those about servers", async () => {
    bench.checks.add("web-1", { name: "Other" });
    bench.up("web-1");
    bench.server("web-1", { group: "Public", tags: ["web"] });
    const offline = { kind: "offline", graceSeconds: 0 };
    await bench.rule({ ...offline, scope: { type: "group", group: "Public" } });
    const group = await bench.rule({ ...rule, scope: { type: "group", group: "Public" } });
    await bench.rule({ ...rule, scope: { type: "tag", tag: "web" }, channelIds: ["b"] });
    await bench.rule({ ...rule, scope: { type: "ids", ids: ["web-1"] }, channelIds: ["b"] });
    await bench.pass(1);
    bench.checks.down("chk_1", "web-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), [
      "Shop down: connection refused",
      "b: Shop down: connection refused",
      "b: Other down: connection refused",
    ]);
    bench.down("web-1");
    await bench.pass(6);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    await bench.replaceRule(group.id, { ...rule, scope: { type: "group", group: "Lab" } });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), [
      'Shop: "A check is down" closed, the rule now covers other checks',
    ]);
  });

  it("sends nothing while it is muted or in maintenance", async () => {
    await bench.rule(rule);
    bench.checks.add("chk_1", { mute: { until: new Date(bench.clock.now() + 60_000).toISOString() } });
    bench.checks.down("chk_1");
    await bench.pass(59);
    assert.deepEqual(await bench.takeTold(), []);
    assert.equal(bench.alerts.firing().length, 1);
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), ["Shop down: connection refused"]);
    let isOpen = true;
    const kept = await createAlertsBench(undefined, {
      isInMaintenance: ({ group }) => isOpen && group === "Db",
    });
    kept.checks.add("chk_2", { name: "Database", group: "Db" });
    await kept.rule(rule);
    kept.checks.down("chk_2");
    await kept.pass(60);
    assert.deepEqual(await kept.takeTold(), []);
    isOpen = false;
    await kept.pass(1);
    assert.deepEqual(await kept.takeTitles(), ["Database down: connection refused"]);
  });

  it("alerts once across restarts, and resolves although the monitor was down", async () => {
    await bench.rule(rule);
    bench.checks.down("chk_1");
    await bench.pass(1);
    assert.equal((await bench.takeTold()).length, 1);
    await bench.restart();
    bench.checks.stand("chk_1", "unknown");
    await bench.pass(10);
    bench.checks.down("chk_1");
    await bench.pass(10);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.restart();
    bench.checks.up("chk_1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["Shop up again"]);
  });

  it("is repeated until someone acknowledges it", async () => {
    await bench.rule({ ...rule, remindEveryHours: 1 });
    bench.checks.down("chk_1");
    await bench.pass(1);
    await bench.takeTold();
    await bench.pass(3_600);
    const [reminder] = await bench.takeTold();
    assert.equal(reminder?.title, "🔴 Reminder: Shop down: connection refused since 12:00 (1 h)");
    assert.equal(reminder.url, "https://status.example/admin/checks/chk_1");
    const [incident] = await bench.listIncidents();
    await bench.alerts.incidents.acknowledge(incident?.id ?? "", actor);
    await bench.pass(3_600);
    // For channels that keep alerts, such as PagerDuty; the others drop it.
    assert.deepEqual(
      (await bench.takeTold()).map(({ kind }) => kind),
      ["acknowledged"],
    );
  });
});
