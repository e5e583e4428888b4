/** A private site: nothing for strangers, everything for viewers and administrators. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { AccessTokenView } from "../../../src/monitor/access/view-schema.ts";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
import { accessTokens } from "../../../src/monitor/access/records.ts";
import { code, create } from "../http/requests.ts";

/** Routes of the index that a private site leaves open to all: none of them is about a server. */
const open = new Set([
  "GET /",
  "GET /api",
  "GET /openapi.json",
  "GET /swagger/index.html",
  "GET /swagger/:file",
  "GET /.well-known/oauth-protected-resource",
  "GET /api/health",
  "GET /api/access",
  "POST /api/access/session",
  "DELETE /api/access/session",
  "GET /favicon.ico",
  "GET /site.css",
  "GET /site.webmanifest",
  "GET /site-logo/:version",
  "GET /view/:token",
  "GET /assets/:file",
  "POST /api/enrol",
  // The agent key is the credential.
  "POST /api/agent/report",
  "GET /install.sh",
  "GET /download",
  "GET /download/SHA256SUMS",
  "GET /download/SHA256SUMS.minisig",
  "GET /download/:name",
  // The key is the only credential of heartbeats.
  ...["GET", "POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
    ["/ping/:key", "/ping/:key/:signal", "/ping/:key/:slug/:signal", "/api/push/:key"].map(
      (path) => `${method} ${path}`,
    ),
  ),
  // A status page says itself who may look.
  ...["summary.json", "api/v2/:file", "badge.svg", "badge.json"].map((file) => `GET /status/:slug/${file}`),
  ...["svg", "json"].map((type) => `GET /status/:slug/components/:id/badge.${type}`),
]);

type Made = AccessTokenView & { readonly token: string; readonly url?: string };

async function makeToken(app: TestApp, fields: object): Promise<Made> {
  const response = await app.admin("POST", "/api/admin/access-tokens", fields);
  assert.equal(response.status, 201);
  return response.json();
}

async function setPrivate(app: TestApp, isPrivate = true): Promise<void> {
  const response = await app.admin("PATCH", "/api/admin/settings", { access: { isPrivate } });
  assert.equal(response.status, 200);
}

async function statusOf(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<number> {
  return (await app.fetch(path, { headers })).status;
}

/** "name=value" of what an answer sets. */
function cookieOf(response: Response): string {
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

describe("a private site", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
    await create(app, "very-secret", { name: "Very secret" });
    await create(app, "hidden-one", { hidden: true });
  });

  it("answers 401 to strangers on every public route but those that show nothing", async () => {
    await app.admin("PATCH", "/api/admin/settings", { siteTitle: "The title of the owner" });
    await setPrivate(app);
    const index: { public: string[] } = await (await app.fetch("/api")).json();
    const routes = index.public.filter((route) => !route.startsWith("gRPC"));
    assert.ok(routes.length > 15);
    for (const route of routes) {
      const [method = "", path = ""] = route.split(" ");
      const response = await app.fetch(path.replaceAll(/:\w+/gu, "very-secret"), { method });
      if (open.has(route)) assert.notEqual(`${route} ${response.status}`, `${route} 401`);
      else assert.deepEqual([route, ...(await code(response))], [route, 401, "unauthenticated"]);
    }
    assert.deepEqual(
      [...open].filter((route) => !routes.includes(route)),
      [],
    );
  });

  it("leaks no name: neither in pages nor in documents", async () => {
    await app.admin("PATCH", "/api/admin/settings", { siteTitle: "The title of the owner" });
    await setPrivate(app);
    const html = { headers: { accept: "text/html" } };
    // Pages below have the same shell as "/".
    for (const path of ["/", "/api", "/openapi.json", "/api/access", "/site.webmanifest", "/site.css"]) {
      const response = await app.fetch(path, html);
      assert.equal(response.status, 200, path);
      assert.doesNotMatch(await response.text(), /very.secret|hidden-one|title of the owner/iu, path);
    }
    const page = await app.fetch("/", html);
    assert.match(await page.text(), /<title>Sign in<\/title>/u);
    assert.equal(page.headers.get("x-robots-tag"), "noindex");
  });

  it("shows itself to administrators as before, and says that it is private", async () => {
    await setPrivate(app);
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const list = await app.fetch("/api/servers", { headers });
    assert.equal(list.headers.get("cache-control"), "private, no-cache");
    const { items }: { items: unknown[] } = await list.json();
    assert.equal(items.length, 2);
    const site: { isPrivate?: boolean } = await (await app.fetch("/api/site", { headers })).json();
    assert.equal(site.isPrivate, true);
    const page = await app.fetch("/", { headers: { ...headers, accept: "text/html" } });
    assert.match(await page.text(), /<title>Trivet monitor<\/title>/u);
  });

  it("stays private when a change of settings does not name it, and opens on purpose", async () => {
    await setPrivate(app);
    for (const [method, body] of [
      ["PUT", { siteTitle: "x" }],
      ["PUT", { access: {} }],
      ["PATCH", { access: { viewers: { who: "everyone" } } }],
    ] as const) {
      await app.admin(method, "/api/admin/settings", body);
      assert.equal(await statusOf(app, "/api/servers"), 401);
    }
    await setPrivate(app, false);
    assert.equal(await statusOf(app, "/api/servers"), 200);
    const site = await (await app.fetch("/api/site")).text();
    assert.doesNotMatch(site, /isPrivate/u);
  });

  it("gives no metrics to strangers where they are public otherwise", async () => {
    const exposed = await createTestApp({ metricsPublic: true });
    await create(exposed, "very-secret");
    assert.match(await (await exposed.fetch("/metrics")).text(), /very-secret/u);
    await setPrivate(exposed);
    assert.equal(await statusOf(exposed, "/metrics"), 401);
    assert.match(await (await exposed.admin("GET", "/metrics")).text(), /very-secret/u);
  });
});

describe("a viewer's link", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
    await create(app, "a");
    await create(app, "b", { hidden: true });
    await setPrivate(app);
  });

  it("sets a cookie and goes on to the dashboard; who has it sees what strangers would", async () => {
    const { url = "", token } = await makeToken(app, { scope: "view", name: "Wall" });
    assert.equal(url, `http://localhost/view/${token}`);
    const opened = await app.fetch(new URL(url).pathname);
    assert.deepEqual([opened.status, opened.headers.get("location")], [303, "/"]);
    assert.match(
      opened.headers.get("set-cookie") ?? "",
      /^trivet_monitor_viewer=view_.*HttpOnly; SameSite=Lax$/u,
    );
    const ways: Record<string, string>[] = [
      { cookie: cookieOf(opened) },
      { authorization: `Bearer ${token}` },
    ];
    for (const headers of ways) {
      const list: { items: { id: string }[] } = await (await app.fetch("/api/servers", { headers })).json();
      assert.deepEqual(
        list.items.map(({ id }) => id),
        ["a"],
      );
      assert.equal(await statusOf(app, "/api/servers/b", headers), 404);
      assert.equal(await statusOf(app, "/api/admin/servers", headers), 401);
      assert.equal(await statusOf(app, "/metrics", headers), 401);
      const right: { right: string } = await (await app.fetch("/api/access", { headers })).json();
      assert.equal(right.right, "view");
    }
    assert.doesNotMatch(
      JSON.stringify(await app.store.read((tx) => tx.list(accessTokens, "id", { limit: 9 }))),
      new RegExp(token, "u"),
    );
  });

  it("has a name that no other host can set, and Secure, where people come by https", async () => {
    const https = await createTestApp({ publicUrl: "https://status.example" });
    const { url = "" } = await makeToken(https, { scope: "view", name: "Wall" });
    assert.match(url, /^https:\/\/status\.example\/view\//u);
    const cookie = (await https.fetch(new URL(url).pathname)).headers.get("set-cookie") ?? "";
    assert.match(cookie, /^__Host-trivet_monitor_viewer=.*; Secure; SameSite=Lax$/u);
  });

  it("ends when it is deleted, at its end, and never was one of another scope", async () => {
    const soon = new Date(app.clock.now() + 60_000).toISOString();
    const [kept, deleted, ending, metrics] = [
      await makeToken(app, { scope: "view", name: "Kept" }),
      await makeToken(app, { scope: "view", name: "Deleted" }),
      await makeToken(app, { scope: "view", name: "Ending", expiresAt: soon }),
      await makeToken(app, { scope: "metrics", name: "Prometheus" }),
    ];
    const look = ({ token }: Made): Promise<number> =>
      statusOf(app, "/api/servers", { cookie: `trivet_monitor_viewer=${token}` });
    assert.deepEqual(
      [await look(kept), await look(deleted), await look(ending), await look(metrics)],
      [200, 200, 200, 401],
    );
    assert.equal((await app.admin("DELETE", `/api/admin/access-tokens/${deleted.id}`)).status, 204);
    app.clock.advance(60_000);
    assert.deepEqual([await look(kept), await look(deleted), await look(ending)], [200, 401, 401]);
    const refused = await app.fetch(`/view/${deleted.token}`);
    assert.deepEqual(
      [refused.headers.get("location"), refused.headers.get("set-cookie")],
      ["/?link=ended", null],
    );
    assert.deepEqual(await code(await app.admin("DELETE", `/api/admin/access-tokens/${deleted.id}`)), [
      404,
      "not_found",
    ]);
    const late = { scope: "view", name: "Late", expiresAt: soon };
    assert.deepEqual(await code(await app.admin("POST", "/api/admin/access-tokens", late)), [422, "invalid"]);
  });

  it("is listed with its last use, which is written down now and then", async () => {
    const { token } = await makeToken(app, { scope: "view", name: "Wall" });
    const read = async (): Promise<string | undefined> => {
      const body: { items: AccessTokenView[] } = await (
        await app.admin("GET", "/api/admin/access-tokens")
      ).json();
      return body.items[0]?.lastUsedAt;
    };
    const look = (): Promise<number> => statusOf(app, "/api/servers", { authorization: `Bearer ${token}` });
    assert.equal(await read(), undefined);
    await look();
    await app.monitor.sweep();
    const first = await read();
    assert.equal(Date.parse(first ?? ""), app.clock.now());
    app.clock.advance(60_000);
    await look();
    await app.monitor.sweep();
    assert.equal(await read(), first);
    app.clock.advance(300_000);
    await look();
    await app.monitor.sweep();
    assert.equal(Date.parse((await read()) ?? ""), app.clock.now());
  });

  it("is forgotten by the browser that asks for it, from a page of this site", async () => {
    const { token } = await makeToken(app, { scope: "view", name: "Wall" });
    const cookie = `trivet_monitor_viewer=${token}`;
    const leave = (headers: Record<string, string>): Promise<Response> =>
      app.fetch("/api/access/session", { method: "DELETE", headers: { cookie, ...headers } });
    assert.deepEqual(await code(await leave({ origin: "https://evil.example" })), [403, "origin_refused"]);
    const left = await leave({ origin: "http://localhost" });
    assert.equal(left.status, 204);
    assert.match(left.headers.get("set-cookie") ?? "", /trivet_monitor_viewer=; Max-Age=0/u);
  });
});

describe("a token for /metrics", () => {
  it("opens /metrics with everything in it, and nothing else", async () => {
    const app = await createTestApp();
    await create(app, "b", { hidden: true });
    const { id, token, url } = await makeToken(app, { scope: "metrics", name: "Prometheus" });
    assert.equal(url, undefined);
    const headers = { authorization: `Bearer ${token}` };
    assert.match(await (await app.fetch("/metrics", { headers })).text(), /server="b"/u);
    for (const path of ["/api/admin/servers", "/api/admin/settings", "/api/admin/auth"])
      assert.equal(await statusOf(app, path, headers), 401);
    await setPrivate(app);
    assert.equal(await statusOf(app, "/metrics", headers), 200);
    assert.equal(await statusOf(app, "/api/servers", headers), 401);
    await app.admin("DELETE", `/api/admin/access-tokens/${id}`);
    assert.equal(await statusOf(app, "/metrics", headers), 401);
    assert.equal(await statusOf(app, "/metrics", { authorization: "Bearer met_wrong" }), 401);
    assert.equal((await app.admin("GET", "/metrics")).status, 200);
  });
});
