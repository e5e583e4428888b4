/** Alert rules, incidents and present alerts over HTTP. */
import assert from "node:assert/strict";
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import { beforeEach, describe, it } from "node:test";
import type {
  AlertRuleView,
  AlertSummary,
  IncidentView,
} from "../../../src/monitor/alerts/http/alert-view.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

const RULES = "/api/admin/alert-rules";
const INCIDENTS = "/api/admin/incidents";
const offline = { kind: "offline", name: "Gone", graceSeconds: 30 };

describe("administration of alerts", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  async function addRule(rule: object = offline): Promise<AlertRuleView> {
    const response = await app.admin("POST", RULES, rule);
    assert.equal(response.status, 201);
    return response.json();
  }
  async function addChannel(): Promise<string> {
    const channel = { type: "ntfy", name: "Phone", topic: "fleet" };
    const response = await app.admin("POST", "/api/admin/channels", channel);
    assert.equal(response.status, 201);
    const { id }: { id: string } = await response.json();
    return id;
  }
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      app.clock.advance(1_000);
      app.monitor.tick();
      await app.monitor.alerts.tick();
    }
  }
  async function goOffline(id: string): Promise<void> {
    await create(app, id);
    app.monitor.live.connected(id);
    app.monitor.live.disconnected(id);
    await pass(40);
  }
  async function listIncidents(query = ""): Promise<{ items: IncidentView[]; nextCursor?: string }> {
    const response = await app.admin("GET", `${INCIDENTS}${query}`);
    assert.equal(response.status, 200);
    return response.json();
  }
  async function readAudit(): Promise<string[]> {
    const audit: { items: { action: string }[] } = await (await app.admin("GET", "/api/admin/audit")).json();
    return audit.items.map(({ action }) => action);
  }

  it("keeps rules of each kind, with defaults", async () => {
    const channelIds = [await addChannel()];
    const rules = [
      { ...offline, channelIds, scope: { type: "tag", tag: "web" }, severity: "critical" },
      { kind: "metric", name: "Hot", metric: "cpu.usagePercent", op: ">", threshold: 90.5 },
      { kind: "expiry", name: "Paid", daysAhead: 14, scope: { type: "ids", ids: ["a", "b"] } },
      { kind: "traffic", name: "Much", percentOfLimit: 90, scope: { type: "group", group: "" } },
    ];
    for (const rule of rules) {
      await addRule(rule);
      app.clock.advance(1);
    }
    const listed: { items: AlertRuleView[] } = await (await app.admin("GET", RULES)).json();
    const [first, second] = listed.items;
    assert.equal(listed.items.length, 4);
    assert.deepEqual(
      { ...first },
      {
        ...rules[0],
        enabled: true,
        allChannels: false,
        remindEveryHours: 0,
        escalation: [],
        recoverSeconds: 0,
        id: first?.id,
        version: 1,
        createdAt: toIsoTime(START),
        updatedAt: toIsoTime(START),
      },
    );
    assert.ok(second?.kind === "metric");
    assert.deepEqual(
      [second.forSeconds, second.severity, second.scope, second.channelIds, second.enabled],
      [60, "warning", { type: "all" }, [], true],
    );
    const one = await app.admin("GET", `${RULES}/${second.id}`);
    assert.equal(one.headers.get("etag"), '"1"');
    assert.deepEqual(await one.json(), second);
  });

  it("replaces rules with a guard against lost updates", async () => {
    const { id } = await addRule();
    const put = (body: object): Promise<Response> => app.admin("PUT", `${RULES}/${id}`, body);
    const changed = await put({ kind: "expiry", name: "Paid", version: 1 });
    assert.equal(changed.status, 200);
    const rule: AlertRuleView = await changed.json();
    assert.deepEqual([rule.kind, rule.version], ["expiry", 2]);
    assert.deepEqual(await code(await put({ ...offline, version: 1 })), [409, "version_conflict"]);
    const stale = await app.fetch(`${RULES}/${id}`, {
      method: "PUT",
      headers: {
        "x-admin-token": "adm_test-token-of-the-suite",
        "content-type": "application/json",
        "if-match": '"1"',
      },
      body: JSON.stringify(offline),
    });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
    assert.equal((await put(offline)).status, 200);
  });

  it("deletes rules, and writes each change into the audit", async () => {
    const { id } = await addRule();
    await app.admin("PUT", `${RULES}/${id}`, offline);
    assert.equal((await app.admin("DELETE", `${RULES}/${id}`)).status, 204);
    for (const method of ["GET", "DELETE"])
      assert.deepEqual(await code(await app.admin(method, `${RULES}/${id}`)), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("PUT", `${RULES}/${id}`, offline)), [404, "not_found"]);
    assert.deepEqual((await readAudit()).slice(0, 3), [
      "alert-rule.delete",
      "alert-rule.replace",
      "alert-rule.create",
    ]);
  });

  it("refuses a channel that does not exist, and keeps one that a rule uses", async () => {
    const wrong = await app.admin("POST", RULES, { ...offline, channelIds: ["chn_none"] });
    assert.equal(wrong.status, 422);
    const problem: { errors: { pointer: string }[] } = await wrong.json();
    assert.deepEqual(
      problem.errors.map(({ pointer }) => pointer),
      ["/channelIds/0"],
    );
    const channelId = await addChannel();
    const { id } = await addRule({ ...offline, channelIds: [channelId] });
    const remove = (): Promise<Response> => app.admin("DELETE", `/api/admin/channels/${channelId}`);
    assert.deepEqual(await code(await remove()), [409, "conflict"]);
    await app.admin("DELETE", `${RULES}/${id}`);
    assert.equal((await remove()).status, 204);
  });

  it("shows what is pending and firing, and counts it in the metrics", async () => {
    await addRule({ ...offline, severity: "critical" });
    await addRule({ ...offline, graceSeconds: 300 });
    await goOffline("web-1");
    const summary: AlertSummary = await (await app.admin("GET", "/api/admin/alerts")).json();
    assert.deepEqual(summary.counts, { pending: 1, info: 0, warning: 0, critical: 1 });
    assert.equal(summary.firing[0]?.serverId, "web-1");
    assert.equal(summary.pending[0]?.firesInSeconds, 261);
    const text = await (await app.admin("GET", "/metrics")).text();
    assert.match(text, /^trivet_alerts_firing\{severity="critical"\} 1$/mu);
    assert.match(text, /^trivet_alerts_pending 1$/mu);
  });

  it("hands notifications to the channels, once", async () => {
    const channelId = await addChannel();
    await addRule({ ...offline, channelIds: [channelId] });
    await goOffline("web-1");
    const notices: { items: { channelId: string; title: string }[] } = await (
      await app.admin("GET", "/api/admin/notices")
    ).json();
    assert.deepEqual(
      notices.items.map((notice) => [notice.channelId, notice.title]),
      [[channelId, "🟠 web-1 offline since 12:00 (31 s)"]],
    );
  });

  it("says which disk is full", async () => {
    const channelIds = [await addChannel()];
    const metric = "disk.fullestPercent";
    await addRule({
      kind: "metric",
      name: "Full",
      metric,
      op: ">",
      threshold: 90,
      forSeconds: 0,
      channelIds,
    });
    await create(app, "web-1");
    const mounts = [
      { path: "/", totalBytes: 100, usedBytes: 20 },
      { path: "/data", totalBytes: 100, usedBytes: 96 },
    ];
    const now = app.clock.now();
    const sample = { v: 1, cpu: { usagePercent: 1 }, disk: { mounts } };
    app.monitor.live.connected("web-1");
    app.monitor.live.reported("web-1", { collectedAt: now, receivedAt: now, sample, flags: [] });
    await pass(2);
    const [incident] = (await listIncidents()).items;
    assert.deepEqual([incident?.firedValue, incident?.subject], [96, "/data"]);
    const notices: { items: { title: string }[] } = await (
      await app.admin("GET", "/api/admin/notices")
    ).json();
    assert.equal(notices.items[0]?.title, "🟠 web-1: Fullest disk 96 %, limit 90 % (/data)");
  });

  it("lists incidents, the newest first, by state, server and rule", async () => {
    const { id: ruleId } = await addRule();
    for (const id of ["web-1", "web-2", "web-3"]) await goOffline(id);
    app.monitor.live.connected("web-1");
    await pass(1);
    const idsOf = async (query: string): Promise<(string | undefined)[]> =>
      (await listIncidents(query)).items.map(({ serverId }) => serverId);
    assert.deepEqual(await idsOf(""), ["web-3", "web-2", "web-1"]);
    assert.deepEqual(await idsOf("?state=open"), ["web-3", "web-2"]);
    assert.deepEqual(await idsOf("?state=closed"), ["web-1"]);
    assert.deepEqual(await idsOf(`?serverId=web-2&ruleId=${ruleId}&state=open`), ["web-2"]);
    assert.deepEqual(await idsOf("?ruleId=other"), []);
    assert.deepEqual(await idsOf(`?ruleId=${ruleId}&state=closed&limit=1`), ["web-1"]);
    const first = await listIncidents("?limit=2");
    assert.equal(first.items.length, 2);
    const second = await listIncidents(`?limit=2&cursor=${first.nextCursor ?? ""}`);
    assert.deepEqual(
      [second.items.map(({ serverId }) => serverId), second.nextCursor],
      [["web-1"], undefined],
    );
    const [closed] = second.items;
    assert.equal(closed?.closedBy, "recovered");
    assert.equal(closed.durationSeconds, 121);
    assert.deepEqual(await code(await app.admin("GET", `${INCIDENTS}?cursor=x`)), [400, "bad_request"]);
    for (const query of ["?state=other", "?limit=0", "?limit=201", "?serverId=%20"])
      assert.deepEqual(await code(await app.admin("GET", `${INCIDENTS}${query}`)), [422, "invalid"]);
  });

  it("notes who has seen an incident first, and goes on notifying", async () => {
    await addRule();
    await goOffline("web-1");
    const [incident] = (await listIncidents()).items;
    const acknowledge = (id: string): Promise<Response> =>
      app.admin("POST", `${INCIDENTS}/${id}/acknowledge`);
    const seenAt = toIsoTime(app.clock.now());
    const seen: IncidentView = await (await acknowledge(incident?.id ?? "")).json();
    assert.deepEqual([seen.acknowledgedAt, seen.acknowledgedBy], [seenAt, "token"]);
    await pass(5);
    const again: IncidentView = await (await acknowledge(seen.id)).json();
    assert.equal(again.acknowledgedAt, seenAt);
    const summary: AlertSummary = await (await app.admin("GET", "/api/admin/alerts")).json();
    assert.equal(summary.firing[0]?.acknowledgedBy, "token");
    app.monitor.live.connected("web-1");
    await pass(1);
    assert.equal((await listIncidents()).items[0]?.acknowledgedAt, seenAt);
    assert.deepEqual(await code(await acknowledge("inc_none")), [404, "not_found"]);
    assert.equal((await readAudit()).filter((action) => action === "incident.acknowledge").length, 1);
  });

  it("drops incidents that were closed 400 days ago, and no open ones", async () => {
    await addRule();
    await goOffline("web-1");
    await goOffline("web-2");
    app.monitor.live.connected("web-1");
    await pass(1);
    app.clock.advance(400 * 86_400_000 - 1_000);
    await app.monitor.sweep();
    assert.equal((await listIncidents()).items.length, 2);
    app.clock.advance(2_000);
    await app.monitor.sweep();
    assert.deepEqual(
      (await listIncidents()).items.map(({ serverId }) => serverId),
      ["web-2"],
    );
  });

  it("takes a mute with the server's fields, and quiet hours with the settings", async () => {
    const { version } = await create(app, "web-1", { mute: { until: "2026-02-01T00:00:00+01:00" } });
    const muted: { mute?: object } = await (await app.admin("GET", "/api/admin/servers/web-1")).json();
    assert.deepEqual(muted.mute, { until: "2026-02-01T00:00:00+01:00" });
    const put = await app.admin("PUT", "/api/admin/servers/web-1", { name: "web-1", version });
    const unmuted: { mute?: object } = await put.json();
    assert.equal(unmuted.mute, undefined);
    const shown = await (await app.fetch("/api/servers/web-1")).text();
    assert.equal(shown.includes("mute"), false);
    const quietHours = {
      enabled: true,
      from: "23:00",
      to: "06:30",
      timeZone: "Europe/Berlin",
      exceptCritical: false,
    };
    const saved: { quietHours: object } = await (
      await app.admin("PUT", "/api/admin/settings", { quietHours })
    ).json();
    assert.deepEqual(saved.quietHours, quietHours);
    const wrong = await app.admin("PUT", "/api/admin/settings", { quietHours: { from: "7:00" } });
    assert.deepEqual(await code(wrong), [422, "invalid"]);
  });
});
