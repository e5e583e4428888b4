/** Rules that watch checks: what is told of one that fails, and when. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { CENTER } from "../../../src/monitor/checks/schema.ts";
import { actor } from "../fixtures.ts";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";
import { found } from "./fake-checks.ts";

const rule = { kind: "check", name: "A check is down", severity: "critical" };
const DAY_MS = 86_400_000;

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
  it("is told of at once, with what a person wants to know, and its end with how long it was down", async () => {
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
      "Found: ECONNREFUSED 192.0.2.7:5432",
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
    assert.deepEqual(up.text.split("\n").slice(1, 3), [
      "From 2026-01-31 12:00 until 2026-01-31 12:03 UTC (3 min 7 s)",
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

  it("is unknown to nobody's harm: that neither fires nor resolves", async () => {
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

  it("closes with a reason of its own when somebody pauses or deletes it", async () => {
    await bench.rule(rule);
    bench.checks.down("chk_1");
    await bench.pass(1);
    await bench.takeTold();
    bench.checks.add("chk_1", { paused: true });
    bench.checks.stand("chk_1", "paused");
    await bench.pass(1);
    const [paused] = await bench.takeTold();
    assert.equal(paused?.title, '⚪ Shop: "A check is down" closed, the check was paused');
    assert.match(paused.text, /^Someone paused the check\. Resume it to watch it again\.\n/u);
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

  it("is told of by rules in whose scope it is, and never by those about servers", async () => {
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
      'Shop: "A check is down" closed, the rule covers other checks now',
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

  it("is told of once over restarts, and its end although nobody was there", async () => {
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

  it("is repeated until somebody acknowledges it", async () => {
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
    assert.deepEqual(await bench.takeTold(), []);
  });
});

describe("a check of several places", () => {
  const [timeout, refused] = [
    { fault: "timeout", detail: "ETIMEDOUT" } as const,
    { fault: "refused" } as const,
  ];

  it("is told of from some of them only where the rule says so", async () => {
    bench.server("fra-1", { name: "Frankfurt" });
    await bench.rule(rule);
    await bench.rule({ ...rule, countsPartial: true, channelIds: ["b"] });
    const places = [
      found({ latencyMs: 20 }),
      found({ place: "fra-1", ...timeout }),
      found({ place: "tyo-1" }),
    ];
    bench.checks.stand("chk_1", "partial", { places });
    await bench.pass(1);
    const [partial, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(partial?.channelId, "b");
    assert.equal(partial.title, "🔴 Shop down from 1 of 3 places: no answer in time since 12:00 (1 s)");
    assert.match(partial.text, /^Down from: Frankfurt \(1 of 3 places\)$/mu);
    bench.checks.stand("chk_1", "up", { places: places.map(({ place }) => found({ place })) });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["b: Shop up again"]);
  });

  it("names the places, those that are gone by their id, and what most of them found", async () => {
    bench.server("fra-1", { name: "Frankfurt" });
    await bench.rule(rule);
    const places = [
      found({ ...refused, detail: "ECONNREFUSED" }),
      found({ place: "fra-1", ...timeout }),
      found({ place: "gone-1", ...timeout }),
      found({ place: "tyo-1" }),
    ];
    bench.checks.stand("chk_1", "down", { places });
    await bench.pass(1);
    const [down] = await bench.takeTold();
    assert.equal(down?.title, "🔴 Shop down: no answer in time since 12:00 (1 s)");
    assert.match(
      down.text,
      /^Found: ETIMEDOUT\nDown from: this monitor, Frankfurt, gone-1 \(3 of 4 places\)$/mu,
    );
    const one = places.map((place, index) => (index === 1 ? place : found({ place: place.place })));
    bench.checks.stand("chk_1", "partial", { places: one });
    await bench.pass(1);
    const [up] = await bench.takeTold();
    assert.equal(up?.title, "🟢 Shop up again after 2 s");
    assert.match(up.text, /^Down from: Frankfurt \(1 of 4 places\)$/mu);
  });
});

describe("a certificate", () => {
  const toCertificate = (validTo: number) => ({
    certificate: {
      ...{ subject: "CN=shop.example", issuer: "Let's Encrypt R11", names: ["shop.example"] },
      ...{ validFrom: 0, validTo, isTrusted: true },
    },
  });
  const ends = { kind: "certificate", name: "Certificate", daysAhead: 14 };

  it("is told of once for each end, with the days that are left", async () => {
    await bench.rule(ends);
    const first = bench.clock.now() + 6.5 * DAY_MS;
    bench.checks.stand("chk_1", "up", toCertificate(first));
    await bench.pass(61);
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(told?.title, "🟠 Shop: certificate ends in 6 days (2026-02-07)");
    assert.match(told.text, /^Found: shop\.example · Let's Encrypt R11$/mu);
    assert.deepEqual([told.kind, told.url], ["reminder", "https://status.example/admin/checks/chk_1"]);
    await bench.restart();
    bench.checks.stand("chk_1", "down", toCertificate(first));
    await bench.pass(600);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "up", toCertificate(first + 90 * DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["Shop: certificate now valid until 2026-05-08"]);
    // One of two machines still shows the old one.
    bench.checks.stand("chk_1", "up", toCertificate(first));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "up", toCertificate(bench.clock.now() + 2 * DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["Shop: certificate ends in 1 day (2026-02-02)"]);
  });

  it("says when it is over, and nothing of what nobody knows", async () => {
    await bench.rule(ends);
    bench.checks.stand("chk_1", "unknown", toCertificate(bench.clock.now() - DAY_MS));
    await bench.pass(61);
    bench.checks.stand("chk_1", "down");
    await bench.pass(61);
    bench.checks.stand("chk_1", "up");
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "down", toCertificate(bench.clock.now() - DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["Shop: certificate ended on 2026-01-30"]);
  });
});

describe("1,000 checks that fail at once", () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `chk_${index}`);

  it("are one message for each channel, and so is their end", async () => {
    await bench.rule({ ...rule, channelIds: ["a", "b"] });
    for (const id of ids) bench.checks.add(id);
    bench.checks.up(...ids);
    await bench.pass(1);
    bench.checks.down(...ids);
    await bench.pass(40);
    const told = await bench.takeTold();
    assert.deepEqual(
      told.map(({ channelId, title }) => [channelId, title]),
      [
        ["a", "🔴 1000 checks down"],
        ["b", "🔴 1000 checks down"],
      ],
    );
    const lines = told[0]?.text.split("\n") ?? [];
    assert.match(lines[1] ?? "", /^- 🔴 \S+ down: connection refused since 12:00 \(\d+ s\)$/u);
    assert.equal(lines.at(-1), "and 950 more");
    bench.checks.up(...ids);
    await bench.pass(40);
    assert.deepEqual(await bench.takeTitles(), ["1000 checks up again", "b: 1000 checks up again"]);
    assert.equal(bench.alerts.firing().length, 0);
  });
});
