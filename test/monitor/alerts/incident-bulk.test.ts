/** One action on many alerts: each has its own result, and what is refused is named. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { AlertSummary } from "../../../src/monitor/alerts/http/alert-view.ts";
import type { IncidentBulkResults } from "../../../src/monitor/alerts/bulk-schema.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

const BULK = "/api/admin/incidents/bulk";

describe("bulk actions on incidents", () => {
  let app: TestApp;

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      app.clock.advance(1_000);
      app.monitor.tick();
      await app.monitor.alerts.tick();
    }
  }
  async function summary(): Promise<AlertSummary> {
    return (await app.admin("GET", "/api/admin/alerts")).json();
  }
  /** IDs of the open incidents by server. */
  async function idsOf(...servers: string[]): Promise<string[]> {
    const { firing } = await summary();
    return servers.map((server) => firing.find(({ serverId }) => serverId === server)?.id ?? "");
  }
  async function bulk(body: object): Promise<IncidentBulkResults["items"]> {
    const response = await app.admin("POST", BULK, body);
    assert.equal(response.status, 200);
    const { items }: IncidentBulkResults = await response.json();
    return items;
  }
  async function readAudit(): Promise<string[]> {
    const audit: { items: { action: string }[] } = await (await app.admin("GET", "/api/admin/audit")).json();
    return audit.items.map(({ action }) => action);
  }

  beforeEach(async () => {
    app = await createTestApp();
    await app.admin("POST", "/api/admin/alert-rules", { kind: "offline", name: "Gone", graceSeconds: 30 });
    for (const id of ["web-1", "web-2", "web-3"]) {
      await create(app, id);
      app.monitor.live.connected(id);
      app.monitor.live.disconnected(id);
    }
    await pass(40);
  });

  it("acknowledge what is open, and name what is over or unknown", async () => {
    const [first = "", second = "", third = ""] = await idsOf("web-1", "web-2", "web-3");
    app.monitor.live.connected("web-3");
    await pass(1);
    const results = await bulk({ action: "acknowledge", ids: [first, third, "inc_none", second] });
    assert.deepEqual(
      results.map(({ id, result, code: why }) => [id, result, why]),
      [
        [first, "done", undefined],
        [third, "refused", "conflict"],
        ["inc_none", "refused", "not_found"],
        [second, "done", undefined],
      ],
    );
    const { firing } = await summary();
    assert.deepEqual(
      firing.map(({ acknowledgedBy }) => acknowledgedBy),
      ["token", "token"],
    );
    // The first one counts.
    const at = firing.map(({ acknowledgedAt }) => acknowledgedAt);
    await pass(5);
    assert.deepEqual(
      (await bulk({ action: "acknowledge", ids: [first, second] })).map(({ result }) => result),
      ["done", "done"],
    );
    assert.deepEqual(
      (await summary()).firing.map(({ acknowledgedAt }) => acknowledgedAt),
      at,
    );
    assert.equal((await readAudit()).filter((action) => action === "incident.acknowledge").length, 2);
  });

  it("write a note, also on what is over, and remove it", async () => {
    const [first = "", third = ""] = await idsOf("web-1", "web-3");
    app.monitor.live.connected("web-3");
    await pass(1);
    await bulk({ action: "note", ids: [first, third], note: " The power supply of rack 4 \n" });
    const listed: { items: { id: string; note?: string; notedBy?: string }[] } = await (
      await app.admin("GET", "/api/admin/incidents")
    ).json();
    const noteOf = (id: string) => listed.items.find((one) => one.id === id);
    assert.equal(noteOf(third)?.note, "The power supply of rack 4");
    assert.deepEqual([noteOf(first)?.note, noteOf(first)?.notedBy], ["The power supply of rack 4", "token"]);
    // It stays when the alert ends.
    app.monitor.live.connected("web-1");
    await pass(1);
    await bulk({ action: "note", ids: [third], note: "" });
    const after: typeof listed = await (await app.admin("GET", "/api/admin/incidents")).json();
    assert.deepEqual(
      [first, third].map((id) => after.items.find((one) => one.id === id)?.note),
      ["The power supply of rack 4", undefined],
    );
  });

  it("mute the servers for a time, and unmute them", async () => {
    const ids = await idsOf("web-1", "web-2");
    assert.deepEqual(
      (await bulk({ action: "mute", ids, minutes: 60 })).map(({ result }) => result),
      ["done", "done"],
    );
    const mutes = async () =>
      Object.fromEntries(
        (await summary()).firing.map(({ serverId = "", mute }) => [serverId, mute?.until !== undefined]),
      );
    assert.deepEqual(await mutes(), { "web-1": true, "web-2": true, "web-3": false });
    await bulk({ action: "unmute", ids: [ids[0]] });
    assert.equal((await mutes())["web-1"], false);
    await pass(3_601);
    assert.equal((await mutes())["web-2"], false);
    const server: { mute?: object } = await (await app.admin("GET", "/api/admin/servers/web-1")).json();
    assert.equal(server.mute, undefined);
  });

  it("mute only with the scope of servers, and say which one is missing", async () => {
    const [id = ""] = await idsOf("web-1");
    const made: { key: string } = await (
      await app.admin("POST", "/api/admin/api-keys", { name: "pager", scopes: ["alerts:write"] })
    ).json();
    const ask = async (action: string): Promise<IncidentBulkResults["items"][number] | undefined> => {
      const response = await app.fetch(BULK, {
        method: "POST",
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
        body: JSON.stringify({ action, ids: [id] }),
      });
      const { items }: IncidentBulkResults = await response.json();
      return items[0];
    };
    const refused = await ask("mute");
    assert.deepEqual([refused?.result, refused?.code], ["refused", "insufficient_scope"]);
    assert.match(refused?.detail ?? "", /servers:write/u);
    assert.equal((await ask("acknowledge"))?.result, "done");
  });

  it("refuse requests that say too little or too much", async () => {
    const [id = ""] = await idsOf("web-1");
    for (const body of [
      { action: "acknowledge", ids: [] },
      { action: "acknowledge", ids: [id, id] },
      { action: "acknowledge", ids: [id], note: "x" },
      { action: "note", ids: [id] },
      { action: "note", ids: [id], note: "x".repeat(1_001) },
      { action: "mute", ids: [id], minutes: 0 },
      { action: "unmute", ids: [id], minutes: 5 },
      { action: "close", ids: [id] },
      { action: "acknowledge", ids: Array.from({ length: 201 }, (_, at) => `inc_${at}`) },
    ])
      assert.deepEqual(await code(await app.admin("POST", BULK, body)), [422, "invalid"]);
  });
});
