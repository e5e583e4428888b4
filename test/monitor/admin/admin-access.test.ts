/** Who may use the routes of administration, and how one signs in. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
import { code, create, list } from "../http/requests.ts";

describe("administrators' access", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  it("refuses every admin route without and with wrong credentials, and changes nothing", async () => {
    await create(app, "a");
    const index: { admin: string[] } = await (await app.fetch("/api")).json();
    // Signing in is listed with the rest, and takes no credential.
    const routes = index.admin.filter((route) => route !== "POST /api/admin/auth");
    assert.equal(routes.length, index.admin.length - 1);
    assert.ok(routes.length > 80, String(routes.length));
    const wrong: Record<string, string>[] = [
      {},
      { "x-admin-token": "wrong" },
      { authorization: "Bearer ses_wrong" },
      { authorization: "Basic abc" },
      { cookie: "trivet_monitor_session=ses_wrong", origin: "http://localhost" },
    ];
    for (const [number, route] of routes.entries())
      for (const headers of wrong) {
        const [method = "", path = ""] = route.split(" ");
        const response = await app.fetch(path.replaceAll(/:\w+/gu, "a"), {
          // After too many failures, requests are rejected.
          from: `198.51.100.${number}`,
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(method === "GET" ? {} : { body: "{}" }),
        });
        assert.deepEqual([route, ...(await code(response))], [route, 401, "unauthenticated"]);
      }
    assert.deepEqual(await list(app), ["a"]);
  });

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

  it("names the cookie so that no other host can have set it, where people come by https", async () => {
    const publicUrl = "https://status.example";
    const https = await createTestApp({ publicUrl });
    const signIn = await https.fetch("/api/admin/auth", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: ADMIN_TOKEN }),
    });
    const [pair = "", ...attributes] = (signIn.headers.get("set-cookie") ?? "").split("; ");
    assert.match(pair, /^__Host-trivet_monitor_session=/u);
    assert.deepEqual(attributes.toSorted().slice(-3), ["Path=/", "SameSite=Strict", "Secure"]);
    assert.ok(!attributes.some((attribute) => attribute.startsWith("Domain")));
    const read = (cookie: string): Promise<Response> =>
      https.fetch("/api/admin/servers", { headers: { cookie } });
    assert.equal((await read(pair)).status, 200);
    assert.equal((await read(pair.replace("__Host-", ""))).status, 401);
    const headers = { cookie: pair, origin: publicUrl };
    const out = await https.fetch("/api/admin/auth", { method: "DELETE", headers });
    assert.match(
      out.headers.get("set-cookie") ?? "",
      /^__Host-trivet_monitor_session=; Max-Age=0; .*Secure/u,
    );
  });

  it("says where a path of the public URL is set, which the settings do not take", async () => {
    const publicUrl = "https://status.example/status";
    const refused = await app.admin("PATCH", "/api/admin/settings", { publicUrl });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /without a path, .*PUBLIC_URL sets a path/u);
  });

  it("takes the public address of the settings before that of the environment, at once and everywhere", async () => {
    const site = await createTestApp({
      publicUrl: "http://old.example",
      install: { listDownloads: async () => ({ items: [] }), script: "@URL@" },
    });
    const script = async (): Promise<string> => (await site.fetch("/install.sh")).text();
    assert.equal(await script(), "http://old.example");
    const publicUrl = "https://status.example";
    assert.equal((await site.admin("PATCH", "/api/admin/settings", { publicUrl })).status, 200);
    assert.equal(await script(), publicUrl);
    const signIn = await site.fetch("/api/admin/auth", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: ADMIN_TOKEN }),
    });
    assert.match(signIn.headers.get("strict-transport-security") ?? "", /^max-age=/u);
    const [cookie = ""] = (signIn.headers.get("set-cookie") ?? "").split("; ");
    assert.match(cookie, /^__Host-trivet_monitor_session=/u);
    const create = (origin: string): Promise<Response> =>
      site.fetch("/api/admin/servers", {
        method: "POST",
        headers: { cookie, origin, "content-type": "application/json" },
        body: JSON.stringify({ name: "a" }),
      });
    assert.equal((await create("http://old.example")).status, 403);
    const made = await create(publicUrl);
    assert.equal(made.status, 201);
    assert.match((await made.json()).command, /^curl -fsSLO https:\/\/status\.example\/download/u);
    await site.admin("PATCH", "/api/admin/settings", { publicUrl: "" });
    assert.equal(await script(), "http://old.example");
  });

  it("tells a session's name and end, and of the administrator token only that it counts", async () => {
    const signIn = await app.fetch("/api/admin/auth", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: ADMIN_TOKEN }),
    });
    const { token, expiresAt }: { token: string; expiresAt: string } = await signIn.json();
    const ask = (headers: Record<string, string>): Promise<Response> =>
      app.fetch("/api/admin/auth", { headers });
    const session = await ask({ cookie: `trivet_monitor_session=${token}` });
    assert.equal(session.headers.get("cache-control"), "no-store");
    assert.deepEqual(await session.json(), {
      name: `session ${token.slice(4, 10)}`,
      expiresAt,
      consoles: [],
    });
    assert.deepEqual(await (await ask({ "x-admin-token": ADMIN_TOKEN })).json(), {
      name: "token",
      consoles: [],
    });
    app.clock.advance(Date.parse(expiresAt) - app.clock.now());
    assert.deepEqual(await code(await ask({ authorization: `Bearer ${token}` })), [401, "unauthenticated"]);
  });

  it("takes the administrator token as Bearer, which is all that Prometheus can send, under the same throttle", async () => {
    const ask = (token: string): Promise<Response> =>
      app.fetch("/metrics", { headers: { authorization: `Bearer ${token}` } });
    const answer = await ask(ADMIN_TOKEN);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /# EOF\n$/u);
    for (let i = 0; i < 5; i += 1)
      assert.deepEqual(await code(await ask("adm_wrong")), [401, "unauthenticated"]);
    assert.deepEqual(await code(await ask("adm_wrong")), [429, "rate_limited"]);
    assert.equal((await ask(ADMIN_TOKEN)).status, 200, "a right token is never a guess");
    // Who has a session that ended is no attacker.
    for (let i = 0; i < 6; i += 1)
      assert.deepEqual(await code(await ask("ses_ended")), [401, "unauthenticated"]);
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
});
