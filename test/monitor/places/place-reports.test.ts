import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { AgentSession, ReportOutcome } from "../../../src/monitor/ingest/agent-session.ts";
import { definitionOf } from "../../../src/monitor/places/place-intake.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { actor, fields } from "../fixtures.ts";

describe("results of checks in reports", () => {
  let app: TestApp;
  let session: AgentSession;
  let id: string;
  let hash: string;

  beforeEach(async () => {
    app = await createTestApp();
    const { agentKey } = await app.monitor.servers.create(fields("Web 1"), { id: "web-1", actor });
    const from = { hostname: "box", remoteAddress: "192.0.2.1" };
    session = await app.monitor.ingest.open({ ...from, serverId: "web-1", agentKey });
    const response = await app.admin("POST", "/api/admin/checks", {
      name: "Website",
      failures: 3,
      target: { kind: "http", url: "https://www.example.org/" },
      places: { center: false, serverIds: ["web-1"] },
    });
    id = String((await response.json()).id);
    const record = app.monitor.checkDirectory.findRecord(id);
    assert.ok(record !== undefined);
    hash = definitionOf(record);
    await app.monitor.checkWatch.tick();
  });

  function report(at: number, result: object = {}): Promise<ReportOutcome> {
    const results = [{ id, at, hash, fault: "timeout", detail: "No answer", ...result }];
    const payload = { v: 1, cpu: { usagePercent: 1 }, checks: { hash: "0123456789abcdef", results } };
    return session.report(JSON.stringify(payload), at);
  }
  const failures = (): number | undefined =>
    app.monitor.checkDirectory.findStanding(id)?.places.find(({ place }) => place === "web-1")?.failures;
  const rows = (): number => app.samples.rows.filter(({ key }) => key.startsWith(`${id}~web-1.`)).length;

  it("count once, however often the report comes", async () => {
    const [first, second] = await Promise.all([report(START), report(START)]);
    await report(START);
    assert.deepEqual([first.accepted, second.accepted], [true, true]);
    assert.deepEqual([failures(), rows()], [1, 1]);
    app.clock.advance(20_000);
    await report(START + 20_000);
    assert.deepEqual([failures(), rows()], [2, 2]);
  });

  it("are not acknowledged before they are durable, and come again then", async () => {
    app.samples.failing = true;
    await assert.rejects(report(START), { code: "store_unavailable" });
    app.samples.failing = false;
    assert.equal((await report(START)).accepted, true);
    assert.equal(rows(), 1);
  });

  it("say nothing where the owner of the machine does not allow the target", async () => {
    for (const at of [START, START + 20_000, START + 40_000]) {
      await report(at, { fault: "forbidden", detail: "A private address" });
      app.clock.advance(20_000);
    }
    const standing = app.monitor.checkDirectory.findStanding(id);
    assert.deepEqual([standing?.state, standing?.places[0]?.fault, rows()], ["unknown", "forbidden", 0]);
  });

  it("are history where they come late, and say nothing of now", async () => {
    app.clock.advance(3_600_000);
    await report(START);
    assert.deepEqual([failures(), rows()], [undefined, 1]);
  });
});
