/** Enrolment, settings, audit log and figures over HTTP. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create, list } from "../http/requests.ts";

describe("administration of the site", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  it("enrols a machine with a code, once", async () => {
    const made: { code: string; command: string; serverId: string } = await (
      await app.admin("POST", "/api/admin/enrolments", { fields: { group: "Lab" } })
    ).json();
    assert.ok(made.command.includes(made.code));
    const enrol = (): Promise<Response> =>
      app.fetch("/api/enrol", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code: made.code, hostname: "box" }),
      });
    assert.deepEqual(await list(app), []);
    const first = await enrol();
    assert.equal(first.status, 201);
    const got: { id: string; key: string; server: string; tls: boolean } = await first.json();
    assert.deepEqual([got.server, got.tls], ["localhost:50051", false]);
    assert.equal(got.id, made.serverId);
    assert.deepEqual(await list(app, "?group=Lab"), [got.id]);
    assert.deepEqual(await code(await enrol()), [401, "unauthenticated"]);
  });

  const endpoints = [
    ["the port's own TLS", { grpcTls: true }, "localhost:50051", true],
    [
      "the host of the public address",
      { publicUrl: "https://status.example/base" },
      "status.example:50051",
      false,
    ],
    [
      "a proxy's address before all",
      {
        publicUrl: "https://status.example",
        publicGrpc: { address: "agents.example:443", tls: true },
      },
      "agents.example:443",
      true,
    ],
    [
      "a proxy that takes agents in the clear, whatever the port does",
      { grpcTls: true, publicGrpc: { address: "10.0.0.1:80", tls: false } },
      "10.0.0.1:80",
      false,
    ],
  ] as const;
  for (const [name, options, server, tls] of endpoints) {
    it(`tells a machine that enrols where to connect: ${name}`, async () => {
      const behind = await createTestApp(options);
      const made: { code: string } = await (await behind.admin("POST", "/api/admin/enrolments", {})).json();
      const answer = await behind.fetch("/api/enrol", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code: made.code, hostname: "box" }),
      });
      const got: { server: string; tls: boolean } = await answer.json();
      assert.deepEqual([got.server, got.tls], [server, tls]);
    });
  }

  it("leaves settings alone that a PATCH or a PUT does not name", async () => {
    const path = "/api/admin/settings";
    await app.admin("PUT", path, { siteTitle: "Mine", retention: { dayDays: 30 } });
    for (const method of ["PATCH", "PUT"]) {
      const changed = await app.admin(method, path, { theme: "dark", retention: { hourDays: 20 } });
      const view: { siteTitle: string; theme: string; retention: object } = await changed.json();
      assert.deepEqual([view.siteTitle, view.theme], ["Mine", "dark"]);
      assert.deepEqual(view.retention, { minuteHours: 24, tenMinuteDays: 14, hourDays: 20, dayDays: 30 });
    }
    assert.deepEqual(await code(await app.admin("PATCH", path, { id: "other" })), [422, "invalid"]);
  });

  it("keeps settings, with a guard against lost updates", async () => {
    const settings = {
      siteTitle: "Mine",
      theme: "dark",
      snapshotIntervalMs: 1_000,
      rawRetentionMinutes: 15,
    };
    assert.equal((await app.admin("PUT", "/api/admin/settings", { ...settings, version: 0 })).status, 200);
    assert.deepEqual(await code(await app.admin("PUT", "/api/admin/settings", { ...settings, version: 0 })), [
      409,
      "version_conflict",
    ]);
    const stored: Record<string, unknown> = await (await app.admin("GET", "/api/admin/settings")).json();
    for (const [name, value] of Object.entries({ ...settings, version: 1 }))
      assert.deepEqual(stored[name], value, name);
  });

  it("pages through the audit log and refuses a cursor that is none", async () => {
    for (const id of ["a", "b", "c"]) {
      await create(app, id);
      app.clock.advance(1_000);
    }
    const page: { items: { target: string }[]; nextCursor: string } = await (
      await app.admin("GET", "/api/admin/audit?limit=2")
    ).json();
    assert.equal(page.items.length, 2);
    const rest: { items: { target: string }[] } = await (
      await app.admin("GET", `/api/admin/audit?limit=2&cursor=${encodeURIComponent(page.nextCursor)}`)
    ).json();
    const targets = [...page.items, ...rest.items].map((entry) => entry.target);
    assert.deepEqual(targets.sort(), ["a", "b", "c"]);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/audit?cursor=nonsense")), [
      400,
      "bad_request",
    ]);
  });

  it("filters the audit log by the beginning of an action and by target, page after page", async () => {
    for (const id of ["a", "b", "c", "d", "e"]) {
      await create(app, id);
      app.clock.advance(1_000);
      await app.admin("POST", "/api/admin/enrolments", { serverId: id });
      app.clock.advance(1_000);
    }
    const collect = async (query: string, limit: number): Promise<string[]> => {
      const found: string[] = [];
      let cursor = "";
      do {
        const response = await app.admin("GET", `/api/admin/audit?limit=${limit}&${query}${cursor}`);
        const page: { items: { action: string; target: string }[]; nextCursor?: string } =
          await response.json();
        assert.ok(page.items.length <= limit);
        found.push(...page.items.map(({ action, target }) => `${action} ${target}`));
        cursor = page.nextCursor === undefined ? "" : `&cursor=${encodeURIComponent(page.nextCursor)}`;
      } while (cursor !== "");
      return found;
    };
    for (const limit of [1, 2, 3, 200]) {
      assert.deepEqual(
        await collect("action=server.", limit),
        ["e", "d", "c", "b", "a"].map((id) => `server.create ${id}`),
      );
      assert.deepEqual(await collect("target=c", limit), ["enrolment.create c", "server.create c"]);
      assert.deepEqual(await collect("action=server.&target=nobody", limit), []);
    }
  });

  it("renders the fleet as OpenMetrics for administrators", async () => {
    await create(app, "a", { name: 'quote " and \\ slash' });
    const text = await (await app.admin("GET", "/metrics")).text();
    assert.ok(text.includes('trivet_server_up{server="a",name="quote \\" and \\\\ slash"} 0'));
    assert.ok(text.endsWith("# EOF\n"));
  });

  it("shows a site title with $ patterns in the page as it is", async () => {
    const siteTitle = "$& $` $' $$";
    assert.equal((await app.admin("PATCH", "/api/admin/settings", { siteTitle })).status, 200);
    const page = await (await app.fetch("/", { headers: { accept: "text/html" } })).text();
    assert.equal(
      /<title>(.*)<\/title>/u.exec(page)?.[1],
      siteTitle.replace("&", () => "&amp;").replace("'", () => "&#39;"),
    );
  });
});
