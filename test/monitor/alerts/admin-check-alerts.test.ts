/** Alerts about checks over HTTP: rules that come with the first check, incidents, maintenance. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type {
  AlertRuleView,
  AlertSummary,
  IncidentView,
} from "../../../src/monitor/alerts/http/alert-view.ts";
import type { Directory } from "../../../src/monitor/checks/directory.ts";
import type { CheckState } from "../../../src/monitor/checks/schema.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { found } from "./fake-checks.ts";

const RULES = "/api/admin/alert-rules";
const CHECKS = "/api/admin/checks";
const tcp = { kind: "tcp", host: "db.example.org", port: 5_432 };

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
  // From now on this process judges; nothing is tried, since nothing ticks again.
  await app.monitor.checkWatch.tick();
});

async function make(name: string, more: object = {}): Promise<string> {
  const response = await app.admin("POST", CHECKS, { name, target: tcp, ...more });
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as { id: string }).id;
}

async function listRules(): Promise<readonly AlertRuleView[]> {
  return ((await (await app.admin("GET", RULES)).json()) as { items: AlertRuleView[] }).items;
}

function stand(id: string, state: CheckState): void {
  // `as`: what fills the directory knows it whole.
  const directory = app.monitor.checkDirectory as Directory;
  const places = state === "down" ? [found({ fault: "timeout", detail: "ETIMEDOUT" })] : [found()];
  directory.take({ id, version: 1, revision: 1, state, since: app.clock.now(), places });
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    app.clock.advance(1_000);
    app.monitor.tick();
    await app.monitor.alerts.tick();
  }
}

async function listIncidents(query = ""): Promise<readonly IncidentView[]> {
  const response = await app.admin("GET", `/api/admin/incidents${query}`);
  return ((await response.json()) as { items: IncidentView[] }).items;
}

describe("the first check", () => {
  it("comes with rules for every channel, in the language of notifications", async () => {
    await app.admin("PATCH", "/api/admin/settings", { language: "de" });
    await make("Shop");
    const rules = await listRules();
    assert.deepEqual(
      rules.map(({ kind, name, severity, allChannels }) => ({ kind, name, severity, allChannels })),
      [
        { kind: "check", name: "Prüfung ausgefallen", severity: "critical", allChannels: true },
        { kind: "certificate", name: "Zertifikat endet in 14 Tagen", severity: "warning", allChannels: true },
      ],
    );
    for (const { id } of rules) await app.admin("DELETE", `${RULES}/${id}`);
    await make("Blog");
    assert.deepEqual(await listRules(), []);
  });

  it("leaves rules about checks as they are, and comes without any when there is no room", async () => {
    const own = { kind: "check", name: "Mine", scope: { type: "tag", tag: "web" } };
    assert.equal((await app.admin("POST", RULES, own)).status, 201);
    await make("Shop");
    assert.deepEqual(
      (await listRules()).map(({ name }) => name),
      ["Mine"],
    );
  });

  it("sends a notification at once when it is down", async () => {
    const id = await make("Shop");
    await app.admin("POST", "/api/admin/channels", { type: "ntfy", name: "Phone", topic: "fleet" });
    stand(id, "down");
    await pass(1);
    const notices = (await (await app.admin("GET", "/api/admin/notices")).json()) as {
      items: { title: string; url: string }[];
    };
    assert.deepEqual(
      notices.items.map(({ title }) => title),
      ["🔴 Shop down: no answer in time since 12:00 (1 s)"],
    );
  });
});

describe("incidents of checks", () => {
  it("name the check and no server, and are found by it", async () => {
    const [shop, blog] = [await make("Shop"), await make("Blog")];
    stand(shop, "down");
    stand(blog, "down");
    await pass(1);
    const [incident, ...more] = await listIncidents(`?checkId=${shop}`);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [
        incident?.checkId,
        incident?.checkName,
        incident?.serverId,
        incident?.serverName,
        incident?.condition.kind,
      ],
      [shop, "Shop", undefined, undefined, "check"],
    );
    assert.deepEqual(incident?.found?.fault, "timeout");
    assert.equal("checkCreatedAt" in { ...incident }, false);
    assert.equal((await listIncidents()).length, 2);
    assert.equal((await listIncidents(`?checkId=${shop}&state=closed`)).length, 0);
    assert.equal((await listIncidents("?serverId=web-1")).length, 0);
    const acknowledged = await app.admin("POST", `/api/admin/incidents/${incident?.id}/acknowledge`);
    assert.equal(((await acknowledged.json()) as IncidentView).checkId, shop);
  });

  it("wait while planned maintenance covers the check: by id, group or tag", async () => {
    const [rule] = [{ kind: "check", name: "Soon", graceSeconds: 30 }];
    assert.equal((await app.admin("POST", RULES, rule)).status, 201);
    const shop = await make("Shop", { group: "Public", tags: ["web"] });
    const other = await make("Other");
    const scopes = [
      { type: "ids", ids: [shop] },
      { type: "group", group: "Public" },
      { type: "tag", tag: "web" },
    ];
    const until = new Date(app.clock.now() + 600_000).toISOString();
    const schedule = { type: "once", from: new Date(app.clock.now()).toISOString(), to: until };
    stand(shop, "down");
    stand(other, "down");
    for (const scope of scopes) {
      const planned = await app.admin("POST", "/api/admin/maintenances", {
        name: "Updates",
        scope,
        schedule,
      });
      assert.equal(planned.status, 201);
      await pass(1);
      const summary = (await (await app.admin("GET", "/api/admin/alerts")).json()) as AlertSummary;
      const covered = summary.pending.filter(({ maintenanceUntil }) => maintenanceUntil !== undefined);
      assert.equal(summary.pending.length, 2);
      assert.deepEqual(
        covered.map(({ checkName }) => checkName),
        ["Shop"],
        scope.type,
      );
      const { id } = (await planned.json()) as { id: string };
      await app.admin("DELETE", `/api/admin/maintenances/${id}`);
    }
  });
});
