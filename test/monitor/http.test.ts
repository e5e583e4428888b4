import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { TestApp } from "./app-fixture.ts";
import { ADMIN_TOKEN, createTestApp } from "./app-fixture.ts";

interface Server {
  id: string;
  name: string;
  version: number;
  agentKey: string;
}

async function code(response: Response): Promise<[number, string]> {
  const problem: { code: string } = await response.json();
  return [response.status, problem.code];
}

describe("monitor over HTTP", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  async function create(id: string, more: object = {}): Promise<Server> {
    const response = await app.admin("POST", "/api/admin/servers", { id, name: id, ...more });
    assert.equal(response.status, 201);
    return response.json();
  }
  async function list(query = ""): Promise<string[]> {
    const response = await app.fetch(`/api/servers${query}`);
    const body: { servers: Server[] } = await response.json();
    return body.servers.map((server) => server.id);
  }

  describe("public routes", () => {
    it("have an index at / and /api with the fields of the seed and every route", async () => {
      for (const path of ["/", "/api"]) {
        const body: { service: string; version: string; admin: string[]; public: string[] } = await (
          await app.fetch(path)
        ).json();
        assert.equal(typeof body.service, "string");
        assert.ok(body.admin.includes("PUT /api/admin/servers/reorder"));
        assert.ok(body.admin.includes("DELETE /api/admin/servers/:id"));
        assert.ok(body.public.includes("GET /api/servers"));
        assert.ok(body.public.some((entry) => entry.includes("gRPC") && entry.includes("GRPC_PORT")));
      }
    });

    it("list an empty fleet", async () => {
      assert.deepEqual(await (await app.fetch("/api/servers")).json(), { servers: [], now: app.clock.now() });
    });

    it("list visible servers in display order, with filters", async () => {
      await create("b", { group: "Lab", tags: ["x"] });
      await create("a", { publicNote: "Hello" });
      await create("secret", { hidden: true });
      assert.deepEqual(await list(), ["b", "a"]);
      assert.deepEqual(await list("?group=Lab"), ["b"]);
      assert.deepEqual(await list("?tag=x"), ["b"]);
      assert.deepEqual(await list("?q=hELLO"), ["a"]);
      assert.deepEqual(await list("?state=online"), []);
      assert.deepEqual(await list("?state=never"), ["b", "a"]);
    });

    it("answer 304 while nothing changed, and a new list at once when a record did", async () => {
      await create("a");
      const first = await app.fetch("/api/servers");
      const etag = first.headers.get("etag") ?? "";
      assert.equal((await app.fetch("/api/servers", { headers: { "if-none-match": etag } })).status, 304);
      await create("b");
      assert.equal((await app.fetch("/api/servers", { headers: { "if-none-match": etag } })).status, 200);
      assert.deepEqual(await list(), ["a", "b"]);
    });

    it("show nothing that is not on the allow-list", async () => {
      await create("a", { note: "rack 4, root pw in safe" });
      await app.monitor.servers.noteFacts("a", { hostname: "intern.example.org" });
      await app.monitor.servers.noteFacts("a", {
        host: { os: "linux", kernel: "6.1.0-secret", agentVersion: "9.9.9" },
      });
      const opaque = { ip: "10.1.2.3", cpu: { load: 3, host: "db.internal" } };
      app.monitor.live.reported("a", { collectedAt: 1, receivedAt: 1, sample: opaque, flags: [] });
      for (const path of ["/api/servers", "/api/servers/a"]) {
        const text = await (await app.fetch(path)).text();
        for (const secret of [
          "rack 4",
          "intern.example.org",
          "6.1.0-secret",
          "9.9.9",
          "10.1.2.3",
          "db.internal",
          "agk_",
          "hash",
        ]) {
          assert.ok(!text.includes(secret), `${path} shows ${secret}`);
        }
        assert.ok(text.includes('"load":3'));
      }
    });

    it("make a hidden server look like none", async () => {
      await create("a", { hidden: true });
      for (const path of [
        "/api/servers/a",
        "/api/servers/none",
        "/api/servers/a/history?metric=cpu.usagePercent",
      ]) {
        assert.deepEqual(await code(await app.fetch(path)), [404, "not_found"]);
      }
    });

    for (const query of [
      "",
      "?metric=nope",
      "?metric=cpu.usagePercent&points=0",
      "?metric=cpu.usagePercent&points=1001",
      "?metric=cpu.usagePercent&from=yesterday",
    ]) {
      it(`refuse a history of "${query}"`, async () => {
        await create("a");
        assert.deepEqual(await code(await app.fetch(`/api/servers/a/history${query}`)), [422, "invalid"]);
      });
    }

    it("answer 503 from health when the sample log fails, and 200 when it is back", async () => {
      app.samples.failing = true;
      assert.equal((await app.fetch("/api/health")).status, 503);
      app.samples.failing = false;
      const body: { status: string } = await (await app.fetch("/api/health")).json();
      assert.equal(body.status, "ok");
    });

    it("ask for a WebSocket handshake at the feed", async () => {
      assert.deepEqual(await code(await app.fetch("/api/ws/monitor")), [426, "upgrade_required"]);
    });

    it("refuse a feed to pages of other origins", async () => {
      const headers = { upgrade: "websocket", connection: "upgrade", origin: "https://evil.example" };
      assert.deepEqual(await code(await app.fetch("/api/ws/monitor", { headers })), [403, "origin_refused"]);
    });
  });

  describe("administration", () => {
    const routes: [string, string, unknown?][] = [
      ["GET", "/api/admin/servers"],
      ["POST", "/api/admin/servers", { name: "x" }],
      ["PUT", "/api/admin/servers/reorder", { ids: [] }],
      ["GET", "/api/admin/servers/a"],
      ["PUT", "/api/admin/servers/a", { name: "x" }],
      ["DELETE", "/api/admin/servers/a"],
      ["POST", "/api/admin/servers/a/rotate-key", {}],
      ["POST", "/api/admin/enrolments", {}],
      ["GET", "/api/admin/settings"],
      ["PUT", "/api/admin/settings", {}],
      ["GET", "/api/admin/audit"],
      ["DELETE", "/api/admin/auth"],
      ["GET", "/metrics"],
    ];

    it("tests every admin route of the index for its credential", async () => {
      const index: { admin: string[] } = await (await app.fetch("/api")).json();
      const tested = routes.map(
        ([method, path]) => `${method} ${path.replace("/a/", "/:id/").replace(/\/a$/u, "/:id")}`,
      );
      assert.deepEqual([...index.admin].sort(), tested.sort());
    });

    for (const [method, path, body] of routes) {
      it(`refuses ${method} ${path} without and with wrong credentials, and changes nothing`, async () => {
        await create("a");
        const json = body === undefined ? {} : { body: JSON.stringify(body) };
        const wrong: Record<string, string>[] = [
          {},
          { "x-admin-token": "wrong" },
          { authorization: "Bearer ses_wrong" },
          { authorization: "Basic abc" },
          { cookie: "trivet_monitor_session=ses_wrong", origin: "http://localhost" },
        ];
        for (const headers of wrong) {
          const response = await app.fetch(path, {
            method,
            headers: { "content-type": "application/json", ...headers },
            ...json,
          });
          assert.deepEqual(await code(response), [401, "unauthenticated"]);
        }
        assert.deepEqual(await list(), ["a"]);
      });
    }

    it("signs in, works with the Bearer session and the cookie, and signs out", async () => {
      const signIn = await app.fetch("/api/admin/auth", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: ADMIN_TOKEN }),
      });
      const { token }: { token: string } = await signIn.json();
      const cookie = (signIn.headers.get("set-cookie") ?? "").split(";");
      assert.ok(
        cookie.some((part) => part.trim() === "HttpOnly") &&
          cookie.some((part) => part.trim() === "SameSite=Strict"),
      );
      const bearer = { authorization: `Bearer ${token}` };
      assert.equal((await app.fetch("/api/admin/servers", { headers: bearer })).status, 200);
      const byCookie = { cookie: cookie[0] ?? "", "content-type": "application/json" };
      assert.equal((await app.fetch("/api/admin/servers", { headers: byCookie })).status, 200);
      const body = JSON.stringify({ name: "x" });
      const change = (headers: Record<string, string>): Promise<Response> =>
        app.fetch("/api/admin/servers", { method: "POST", headers, body });
      assert.deepEqual(await code(await change(byCookie)), [403, "origin_refused"]);
      assert.deepEqual(await code(await change({ ...byCookie, origin: "https://evil.example" })), [
        403,
        "origin_refused",
      ]);
      assert.equal((await change({ ...byCookie, origin: "http://localhost" })).status, 201);
      assert.equal((await app.fetch("/api/admin/auth", { method: "DELETE", headers: bearer })).status, 204);
      assert.equal((await app.fetch("/api/admin/servers", { headers: bearer })).status, 401);
    });

    it("answers 429 with Retry-After after 5 wrong tokens", async () => {
      const headers = { "x-admin-token": "wrong" };
      for (let i = 0; i < 5; i += 1)
        assert.equal((await app.fetch("/api/admin/servers", { headers })).status, 401);
      const refused = await app.fetch("/api/admin/servers", { headers });
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      assert.deepEqual(await code(refused), [429, "rate_limited"]);
      assert.equal(
        (
          await app.fetch("/api/admin/servers", {
            headers: { "x-admin-token": ADMIN_TOKEN },
            from: "192.0.2.9",
          })
        ).status,
        200,
      );
    });

    it("creates, shows the key once, and keeps it out of every later answer", async () => {
      const { agentKey } = await create("a");
      assert.match(agentKey, /^agk_/u);
      for (const path of ["/api/admin/servers", "/api/admin/servers/a", "/api/admin/audit"]) {
        assert.ok(!(await (await app.admin("GET", path)).text()).includes(agentKey));
      }
    });

    it("replaces with a version or If-Match and refuses an outdated one", async () => {
      await create("a");
      assert.equal((await app.admin("PUT", "/api/admin/servers/a", { name: "A2", version: 1 })).status, 200);
      assert.deepEqual(
        await code(await app.admin("PUT", "/api/admin/servers/a", { name: "A3", version: 1 })),
        [409, "version_conflict"],
      );
      const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json", "if-match": '"1"' };
      const body = JSON.stringify({ name: "A3" });
      assert.equal((await app.fetch("/api/admin/servers/a", { method: "PUT", headers, body })).status, 409);
      assert.equal(
        (
          await app.fetch("/api/admin/servers/a", {
            method: "PUT",
            headers: { ...headers, "if-match": "x" },
            body,
          })
        ).status,
        400,
      );
      assert.equal(
        (
          await app.fetch("/api/admin/servers/a", {
            method: "PUT",
            headers: { ...headers, "if-match": '"2"' },
            body,
          })
        ).status,
        200,
      );
    });

    it("reorders at the literal route, and moves nothing when ids are missing", async () => {
      await create("a");
      await create("b");
      assert.equal((await app.admin("PUT", "/api/admin/servers/reorder", { ids: ["b", "a"] })).status, 204);
      assert.deepEqual(await list(), ["b", "a"]);
      assert.deepEqual(await code(await app.admin("PUT", "/api/admin/servers/reorder", { ids: ["a"] })), [
        422,
        "invalid",
      ]);
      assert.deepEqual(await list(), ["b", "a"]);
    });

    it("deletes once, together with history and live state", async () => {
      await create("a");
      app.monitor.live.connected("a");
      assert.equal((await app.admin("DELETE", "/api/admin/servers/a")).status, 204);
      assert.deepEqual(await code(await app.admin("DELETE", "/api/admin/servers/a")), [404, "not_found"]);
      await create("a");
      assert.equal(app.monitor.live.get("a").state, "never");
    });

    for (const [what, body] of Object.entries({
      "no name": {},
      "an empty name": { name: "  " },
      "two lines": { name: "a\nb" },
      "an unknown field": { name: "a", status: "online" },
      "a wrong type": { name: 1 },
      "an id that is the literal route": { name: "a", id: "reorder" },
      "a bad region": { name: "a", region: "Germany" },
      "a bad time zone": { name: "a", traffic: { timeZone: "Mars/Base" } },
      "too many tags": { name: "a", tags: Array.from({ length: 17 }, String) },
    })) {
      it(`answers 422 with pointers for ${what}`, async () => {
        const response = await app.admin("POST", "/api/admin/servers", body);
        assert.equal(response.status, 422);
        const problem: { errors: { pointer: string }[] } = await response.json();
        assert.ok(problem.errors.every((error) => error.pointer === "" || error.pointer.startsWith("/")));
        assert.deepEqual(await list(), []);
      });
    }

    it("answers 400, 413 and 415 for bodies that are no JSON, too large, or of another type", async () => {
      const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
      const post = (body: string, more: Record<string, string> = {}): Promise<Response> =>
        app.fetch("/api/admin/servers", { method: "POST", headers: { ...headers, ...more }, body });
      assert.deepEqual(await code(await post("{")), [400, "bad_request"]);
      assert.deepEqual(await code(await post(`{"name":"a","name":"b"}`)), [400, "bad_request"]);
      assert.deepEqual(await code(await post(JSON.stringify({ name: "x".repeat(1_100_000) }))), [
        413,
        "too_large",
      ]);
      assert.deepEqual(
        await code(await post("name=a", { "content-type": "application/x-www-form-urlencoded" })),
        [415, "unsupported_media_type"],
      );
    });

    it("enrols a machine with a code, once", async () => {
      const made: { code: string; command: string } = await (
        await app.admin("POST", "/api/admin/enrolments", { fields: { group: "Lab" } })
      ).json();
      assert.ok(made.command.includes(made.code));
      const enrol = (): Promise<Response> =>
        app.fetch("/api/enrol", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ code: made.code, hostname: "box" }),
        });
      const first = await enrol();
      assert.equal(first.status, 201);
      const got: { id: string; key: string; server: string } = await first.json();
      assert.equal(got.server, "localhost:50051");
      assert.deepEqual(await list("?group=Lab"), [got.id]);
      assert.deepEqual(await code(await enrol()), [401, "unauthenticated"]);
    });

    it("keeps settings, with a guard against lost updates", async () => {
      const settings = {
        siteTitle: "Mine",
        theme: "dark",
        snapshotIntervalMs: 1_000,
        rawRetentionMinutes: 15,
      };
      assert.equal((await app.admin("PUT", "/api/admin/settings", { ...settings, version: 0 })).status, 200);
      assert.deepEqual(
        await code(await app.admin("PUT", "/api/admin/settings", { ...settings, version: 0 })),
        [409, "version_conflict"],
      );
      assert.deepEqual(await (await app.admin("GET", "/api/admin/settings")).json(), {
        ...settings,
        version: 1,
      });
    });

    it("pages through the audit log and refuses a cursor that is none", async () => {
      for (const id of ["a", "b", "c"]) {
        await create(id);
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

    it("renders the fleet as OpenMetrics for administrators", async () => {
      await create("a", { name: 'quote " and \\ slash' });
      const text = await (await app.admin("GET", "/metrics")).text();
      assert.ok(text.includes('trivet_server_up{server="a",name="quote \\" and \\\\ slash"} 0'));
      assert.ok(text.endsWith("# EOF\n"));
    });
  });

  it("answers 404 for unknown paths and 405 with Allow for other methods", async () => {
    assert.deepEqual(await code(await app.fetch("/api/nope")), [404, "not_found"]);
    const response = await app.fetch("/api/servers", { method: "DELETE" });
    assert.match(response.headers.get("allow") ?? "", /GET/u);
    assert.deepEqual(await code(response), [405, "method_not_allowed"]);
  });
});
