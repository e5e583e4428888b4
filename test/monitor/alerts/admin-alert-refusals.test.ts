/** What the routes of alerts refuse; one application for all. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
import { code } from "../http/requests.ts";

const RULES = "/api/admin/alert-rules";
const INCIDENTS = "/api/admin/incidents";
const offline = { kind: "offline", name: "Gone", graceSeconds: 30 };

describe("routes of alerts", () => {
  let app: TestApp;

  before(async () => {
    app = await createTestApp();
  });

  const bad: [name: string, body: unknown, status: number][] = [
    ["another kind", { kind: "other", name: "x" }, 422],
    ["no kind", { name: "x" }, 422],
    ["an unknown metric", { kind: "metric", name: "x", metric: "cpu.__proto__", op: ">", threshold: 1 }, 422],
    ["a field of another kind", { ...offline, threshold: 1 }, 422],
    ["an unknown field", { ...offline, status: "x" }, 422],
    ["a grace of more than a day", { ...offline, graceSeconds: 86_401 }, 422],
    ["an empty name", { ...offline, name: " " }, 422],
    ["a name of two lines", { ...offline, name: "a\nb" }, 422],
    ["another scope", { ...offline, scope: { type: "some" } }, 422],
    ["a scope without ids", { ...offline, scope: { type: "ids", ids: [] } }, 422],
    [
      "a threshold that is no number",
      { kind: "metric", name: "x", metric: "load.one", op: ">", threshold: "1" },
      422,
    ],
    ["a list", [], 422],
  ];
  for (const [name, body, status] of bad) {
    it(`refuses a rule with ${name}`, async () => {
      const [got, gotCode] = await code(await app.admin("POST", RULES, body));
      assert.deepEqual([got, gotCode], [status, "invalid"]);
    });
  }

  const routes: [method: string, path: string][] = [
    ["GET", "/api/admin/alerts"],
    ["GET", RULES],
    ["POST", RULES],
    ["GET", `${RULES}/x`],
    ["PUT", `${RULES}/x`],
    ["DELETE", `${RULES}/x`],
    ["GET", INCIDENTS],
    ["POST", `${INCIDENTS}/x/acknowledge`],
  ];
  for (const [method, path] of routes) {
    it(`lets only administrators ${method} ${path}`, async () => {
      assert.deepEqual(await code(await app.fetch(path, { method })), [401, "unauthenticated"]);
    });
  }

  it("changes some of a rule, and asks for what another kind needs", async () => {
    const { id } = await (
      await app.admin("POST", RULES, {
        ...offline,
        graceSeconds: 300,
        scope: { type: "group", group: "Lab" },
      })
    ).json();
    const change = async (body: object): Promise<[number, Record<string, unknown>]> => {
      const response = await app.admin("PATCH", `${RULES}/${id}`, body);
      return [response.status, await response.json()];
    };
    const [status, { enabled, graceSeconds, version }] = await change({ enabled: false });
    assert.deepEqual([status, enabled, graceSeconds, version], [200, false, 300, 2]);
    const [, { scope }] = await change({ scope: { type: "tag", tag: "db" } });
    assert.deepEqual(scope, { type: "tag", tag: "db" });
    const metric = { kind: "metric", metric: "cpu.usagePercent", op: ">", threshold: 90 };
    for (const [body, pointer] of [
      [{ kind: "metric" }, "/metric"],
      [{ threshold: 3 }, "threshold"],
      [{ name: null }, "/name"],
      [{ colour: "red" }, "colour"],
    ] as const) {
      const [refused, { errors }] = await change(body);
      assert.equal(refused, 422, pointer);
      assert.ok(JSON.stringify(errors).includes(pointer), JSON.stringify(errors));
    }
    const [, changed] = await change({ ...metric, version: 3 });
    assert.deepEqual(
      [changed["kind"], changed["enabled"], changed["forSeconds"], changed["graceSeconds"]],
      ["metric", false, 60, undefined],
    );
    assert.deepEqual((await change({ name: "Late", version: 3 }))[1]["code"], "version_conflict");
    await app.admin("DELETE", `${RULES}/${id}`);
  });

  it("refuses bodies that are no JSON, or too large", async () => {
    const send = (body: string, type = "application/json"): Promise<Response> =>
      app.fetch(RULES, {
        method: "POST",
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": type },
        body,
      });
    assert.deepEqual(await code(await send("{")), [400, "bad_request"]);
    assert.deepEqual(await code(await send("{}", "text/plain")), [415, "unsupported_media_type"]);
    assert.deepEqual(await code(await send(JSON.stringify({ name: "x".repeat(2 ** 20) }))), [
      413,
      "too_large",
    ]);
  });

  it("holds 200 rules at most", async () => {
    for (let count = 0; count < 200; count += 1)
      await app.monitor.alerts.rules.create(
        {
          ...offline,
          kind: "offline",
          allChannels: false,
          remindEveryHours: 0,
          escalation: [],
          recoverSeconds: 0,
          enabled: true,
          scope: { type: "all" },
          channelIds: [],
          severity: "info",
        },
        { name: "token", requestId: "r" },
      );
    assert.deepEqual(await code(await app.admin("POST", RULES, offline)), [409, "conflict"]);
  });
});
