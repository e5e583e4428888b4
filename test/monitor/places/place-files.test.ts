import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { parseCheckFile } from "../../../src/kit/check-files/check-file.ts";
import { hashChecks } from "../../../src/kit/check-files/check-hash.ts";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import { eventually } from "../../support/eventually.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { actor, fields } from "../fixtures.ts";

const http = { kind: "http", url: "https://www.example.org/" };

describe("files of checks for machines", () => {
  let app: TestApp;
  let session: AgentSession;
  let reports: number;

  beforeEach(async () => {
    app = await createTestApp();
    const { agentKey } = await app.monitor.servers.create(fields("Web 1"), { id: "web-1", actor });
    await app.monitor.servers.create(fields("Other"), { id: "other", actor });
    const from = { hostname: "box", remoteAddress: "192.0.2.1" };
    session = await app.monitor.ingest.open({ ...from, serverId: "web-1", agentKey });
    reports = 0;
  });

  async function create(body: object): Promise<string> {
    const places = { center: true, serverIds: ["web-1"] };
    const response = await app.admin("POST", "/api/admin/checks", { target: http, places, ...body });
    assert.equal(response.status, 201);
    return String((await response.json()).id);
  }
  async function read(id = "web-1", query = "") {
    const response = await app.admin("GET", `/api/admin/servers/${id}/check-file${query}`);
    assert.equal(response.status, 200);
    return response.json();
  }
  async function list(): Promise<{ serverId: string; state: string }[]> {
    return (await (await app.admin("GET", "/api/admin/check-places")).json()).items;
  }
  async function report(checks: unknown): Promise<void> {
    reports += 1;
    const payload = JSON.stringify({ v: 1, cpu: { usagePercent: 1 }, checks });
    const outcome = await session.report(payload, START + reports);
    assert.equal(outcome.accepted, true);
  }

  it("hold the checks that name the machine, as its agent takes them", async () => {
    const id = await create({ name: "Website", intervalSeconds: 30 });
    await create({ name: "Elsewhere", places: { serverIds: ["other"] } });
    await create({ name: "Paused", paused: true });
    await create({ name: "Cron job", target: { kind: "heartbeat" } });
    const icmp = { kind: "ping", host: "db.example.org", way: "icmp" };
    await create({ name: "Inverted", inverted: true, failures: 4, target: icmp });
    const file = await read();
    assert.deepEqual(
      [file.fileName, file.checks, file.leftOut, file.state],
      ["checks.json", 2, 0, "missing"],
    );
    const parsed = parseCheckFile(new TextEncoder().encode(file.text));
    assert.ok(parsed.ok);
    const [first, second] = parsed.file.checks;
    assert.deepEqual([first?.id, first?.name, first?.intervalSeconds], [id, "Website", 30]);
    assert.deepEqual([second?.inverted, second?.failures, second?.target.kind], [true, 4, "ping"]);
    assert.equal(hashChecks(parsed.file.checks), file.hash);
    assert.ok(!file.text.includes("statuses"), "what is usual stands in the file");
  });

  it("hold no values of headers, but the names of the variables that do", async () => {
    const headers = [{ name: "X-Key", value: "s3cret" }];
    const id = await create({ name: "A", target: { ...http, headers } });
    const file = await read();
    const variable = `TRIVET_CHECK_${id.slice(-6).toUpperCase()}_X_KEY`;
    assert.deepEqual(file.variables, [variable]);
    assert.ok(!file.text.includes("s3cret"));
    const parsed = parseCheckFile(new TextEncoder().encode(file.text));
    assert.ok(parsed.ok);
    assert.equal(hashChecks(parsed.file.checks), file.hash);
  });

  it("differ from those that machines run", async () => {
    await create({ name: "A" });
    assert.deepEqual(
      (await list()).map(({ serverId, state }) => [serverId, state]),
      [["web-1", "missing"]],
    );
    await report({
      hash: "0123456789abcdef",
      problem: "checks[0]: \u0007is wrong",
      allow: ["private", "root"],
    });
    const before = await read();
    assert.deepEqual(
      [before.state, before.agentHash, before.problem, before.allow],
      ["outdated", "0123456789abcdef", "checks[0]: is wrong", ["private"]],
    );
    assert.match(before.text, /"allow": \[\s*"private"\s*\]/u);
    assert.deepEqual((await read("web-1", "?allow=")).allow, []);
    assert.deepEqual((await read("web-1", "?allow=ping,private")).allow, ["private", "ping"]);
    await report({ hash: before.hash });
    assert.equal((await read()).state, "current");
    const { id } = (await (await app.admin("GET", "/api/admin/checks")).json()).items[0];
    await app.admin("DELETE", `/api/admin/checks/${id}`);
    assert.equal((await list())[0]?.state, "unneeded");
  });

  it("leave out what finds no room", async () => {
    for (let index = 0; index < 30; index += 1)
      await create({ name: `Check ${index}`, target: { ...http, method: "POST", body: "x".repeat(9_900) } });
    const file = await read();
    assert.equal(file.checks + file.leftOut, 30);
    assert.ok(file.leftOut > 0 && new TextEncoder().encode(file.text).byteLength <= 256 * 1024);
    assert.ok(parseCheckFile(new TextEncoder().encode(file.text)).ok);
  });

  it("hold nothing that the agent is too old for, and say how much that is", async () => {
    const conditions = [{ subject: "body", operator: "contains", value: "ok" }];
    await create({ name: "Old", target: { ...http, json: { path: "$.a[0]" } } });
    const auth = { auth: "basic", username: "a", password: "b" };
    for (const more of [{ conditions }, auth, { maxBodyMib: 2 }, { json: { path: "$..a" } }])
      await create({ name: `New ${JSON.stringify(more)}`, target: { ...http, ...more } });
    const tell = async (host: object): Promise<void> => {
      reports += 1;
      const payload = JSON.stringify({ v: 1, cpu: { usagePercent: 1 }, host });
      assert.equal((await session.report(payload, START + reports)).accepted, true);
    };
    const counts = async (): Promise<readonly number[]> => {
      const { checks, tooNew, text, hash } = await read();
      const parsed = parseCheckFile(new TextEncoder().encode(text));
      assert.ok(parsed.ok);
      assert.equal(hashChecks(parsed.file.checks), hash);
      return [checks, tooNew];
    };
    assert.deepEqual(await counts(), [5, 0]);
    await tell({ os: "linux", agentVersion: "0.1.0" });
    await eventually(async () => assert.deepEqual(await counts(), [1, 4]));
    assert.equal(/"level"|conditions|auth/u.test((await read()).text), false);
    await tell({ os: "linux", agentVersion: "0.1.0", checkLevel: 2 });
    await eventually(async () => assert.deepEqual(await counts(), [5, 0]));
    const { text, variables } = await read();
    assert.equal(variables.length, 1);
    assert.match(variables[0], /^TRIVET_CHECK_[0-9A-Z]+_PASSWORD$/u);
    assert.equal(JSON.parse(text).checks.filter((check: { level?: number }) => check.level === 2).length, 4);
  });

  it("take whatever a report says of checks, and never refuse it", async () => {
    for (const checks of [null, 7, "x", [], { hash: 7 }, { hash: "x".repeat(1_000), problem: 7, allow: 7 }])
      await report(checks);
    assert.deepEqual(await list(), []);
    assert.equal((await app.admin("GET", "/api/admin/servers/nobody/check-file")).status, 404);
    assert.equal((await app.admin("GET", "/api/admin/servers/web-1/check-file?allow=shell")).status, 422);
    assert.equal((await app.fetch("/api/admin/servers/web-1/check-file")).status, 401);
  });
});
