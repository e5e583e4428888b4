/** What each kind of token opens at the shop, at the monitor, and at applications that use the client library. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type AuthClient, createAuthClient } from "../../src/clients/js/client.ts";
import { createTestApp as createMonitorTest } from "../monitor/app-fixture.ts";
import { FakeSocket, settle } from "../monitor/fleet/feed-fixture.ts";
import { create } from "../monitor/http/requests.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import type { AccountCenter } from "../../src/kit/outbound/account-center.ts";
import { createTestApp } from "../auth/app-fixture.ts";
import { applicationScopes } from "../../src/records/rights/application-scopes.ts";
import { createMachineCheck } from "../../src/service/center/machine-check.ts";
import { createBearerCheck } from "../../src/service/account-center.ts";
import { createBearerCheck as toUserCheck } from "../../src/shop/users/buyer-sessions.ts";
import { AUDIENCE, type Center, type Kind, mintKinds, openCenter, toInit } from "./application-tokens.ts";
import { listRoutes, toPath } from "./route-cases.ts";
import { createMonitorSubject, createShopSubject } from "./subjects.ts";

/** The scope of each entrance for people at the shop. */
const scopesAtShop: Readonly<Record<string, string>> = {
  "GET /api/wishlist": "wishlist",
  "POST /api/wishlist": "wishlist",
  "PATCH /api/wishlist/{productId}": "wishlist",
  "DELETE /api/wishlist/{productId}": "wishlist",
  "POST /api/checkout": "purchases:write",
  "POST /api/checkout/preview": "purchases:read",
  "GET /api/orders/{id}/reviews": "purchases:read",
  "POST /api/orders/{id}/reviews": "purchases:write",
  "POST /api/orders/{id}/reviews/{productId}/delete": "purchases:write",
  "GET /api/orders": "purchases:read",
  "POST /api/orders": "purchases:write",
  "GET /api/orders/{id}": "purchases:read",
  "GET /api/orders/{id}/payment-status": "purchases:read",
  "GET /api/orders/{id}/messages": "purchases:read",
  "POST /api/orders/{id}/messages": "purchases:write",
  "POST /api/orders/{id}/confirm": "purchases:write",
  "POST /api/orders/{id}/renew-token": "purchases:write",
  "POST /api/orders/{id}/shipping-address": "purchases:write",
  "POST /api/orders/{id}/cancel": "purchases:write",
  "POST /api/orders/{id}/payment": "purchases:write",
  "GET /api/orders/{id}/documents": "purchases:read",
  "GET /api/chat/attachments/{id}": "messages",
  "GET /api/chat/stream": "messages",
  "GET /api/chat/messages": "messages",
  "POST /api/chat/messages": "messages",
  "POST /api/chat/read": "messages",
  "POST /api/chat/attachments": "messages",
  "DELETE /api/chat/attachments/{id}": "messages",
};

let center: Center;
let kinds: ReadonlyMap<string, Kind>;

before(async () => {
  center = await openCenter();
  ({ kinds } = await mintKinds(center));
});

const never = (): never => assert.fail("not asked here");
/** It is not used to sign in. */
const awayCenter: Omit<AccountCenter, "checkBearer"> = {
  ask: async () => "away",
  findUrl: () => undefined,
  begin: never,
  receive: never,
  check: never,
  checkMachine: async () => undefined,
  end: never,
  readLogout: never,
  cookie: { write: never, read: async () => undefined, clear: never },
};

/** The client library as the shop uses it, in front of the center. */
function toCheck(options: { clientId?: string; clientSecret?: string; audience?: string } = {}): AuthClient {
  return createAuthClient({
    ...options,
    authUrl: "http://localhost",
    cacheMs: 0,
    fetch: (url, init) => center.app.fetch(new URL(url).pathname, init),
  });
}

/** The shop in front of the center, as it runs. */
async function openShop(): Promise<Awaited<ReturnType<typeof createTestShop>>> {
  const checkBearer = createBearerCheck(
    toCheck({ clientId: "shop", clientSecret: "own_shop", audience: "shop" }),
  );
  const readAddresses = async () => ({ status: "known", addresses: [] }) as const;
  return createTestShop({ userCheck: toUserCheck({ checkBearer }, readAddresses) });
}

/** The response to a token at a route: whether it has access, and the challenge. */
async function knock(
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  path: string,
  init: RequestInit,
): Promise<{ status: number; code: string; challenge: string }> {
  const response = await fetch(path, init);
  const challenge = response.headers.get("www-authenticate") ?? "";
  if (!(response.headers.get("content-type") ?? "").startsWith("application/problem+json")) {
    await response.body?.cancel();
    return { status: response.status, code: "", challenge };
  }
  const { code }: { code: string } = await response.json();
  return { status: response.status, code, challenge };
}

describe("the entrances of the shop", () => {
  it("are all named here, each with its scope", async () => {
    const listed = await listRoutes(await createShopSubject());
    const found = listed.filter(({ schemes }) => schemes.includes("bearer"));
    assert.deepEqual(
      Object.fromEntries(found.map(({ name, applicationScope }) => [name, applicationScope])),
      scopesAtShop,
    );
    for (const { name, schemes, applicationScope } of listed)
      if (!schemes.includes("bearer")) assert.equal(applicationScope, undefined, name);
  });

  it("open to first-party sign-ins, and to applications by audience and scope", async () => {
    const subject = await createShopSubject();
    const listed = (await listRoutes(subject)).filter(({ schemes }) => schemes.includes("bearer"));
    const shop = await openShop();
    for (const route of listed) {
      const { applicationScope: scope = "", name } = route;
      for (const [kind, { token, audience, scopes, isDead = false }] of kinds) {
        const seen = await knock(shop.raw, toPath(subject, route), toInit(route, token));
        const where = `${kind} at ${name}: ${seen.status} ${seen.code}`;
        const isKnown = !isDead && audience.includes("shop");
        const isOpen = scopes.includes(scope) || scopes.includes(scope.replace(/:read$/u, ":write"));
        if (!isKnown) assert.deepEqual([seen.status, seen.code], [401, "token_invalid"], where);
        else if (isOpen) assert.ok(![401, 403].includes(seen.status), where);
        else
          assert.deepEqual(
            [seen.status, seen.code, seen.challenge],
            [403, "insufficient_scope", `Bearer error="insufficient_scope", scope="${scope}"`],
            where,
          );
      }
      if (route.method !== "GET" || route.places.length > 0 || route.template.endsWith("/stream")) continue;
      const response = await shop.raw(route.template, toInit(route, center.person.accessToken));
      assert.equal(response.status, 200, route.name);
    }
  });

  it("let no application into pages and the administration", async () => {
    const shop = await openShop();
    for (const [kind, { token }] of kinds) {
      const headers = { authorization: `Bearer ${token}`, accept: "text/html" };
      for (const path of ["/orders", "/wishlist", "/chat"]) {
        const { status } = await knock(shop.raw, path, { headers });
        assert.ok(status >= 400 && status < 500, `${kind} at ${path}: ${status}`);
      }
      const { status } = await knock(shop.raw, "/api/admin/orders", { headers });
      assert.ok(status === 401 || status === 403, `${kind}: ${status}`);
    }
  });
});

/** The monitor in front of the center, with a private site that everyone with an account may see. */
async function openMonitor(
  options: Parameters<typeof createMonitorTest>[0] = {},
): Promise<Awaited<ReturnType<typeof createMonitorTest>>> {
  const checkBearer = createBearerCheck(
    toCheck({ clientId: "monitor", clientSecret: "own_monitor", audience: "monitor" }),
  );
  const monitor = await createMonitorTest({ ...options, center: { ...awayCenter, checkBearer } });
  const access = { isPrivate: true, viewers: { who: "everyone" } };
  assert.equal((await monitor.admin("PATCH", "/api/admin/settings", { access })).status, 200);
  return monitor;
}

describe("the entrances of the monitor", () => {
  it("to a private site open to first-party sign-ins, and to applications by audience and scope", async () => {
    const monitor = await openMonitor();
    const subject = await createMonitorSubject();
    const listed = (await listRoutes(subject)).filter(({ schemes }) => schemes.includes("accountToken"));
    assert.ok(listed.length >= 8, `${listed.length} routes`);
    // One says what the caller may do, and status pages say themselves who may look.
    const told = listed.filter(({ template }) => !/^\/(?:api\/access$|status\/)/u.test(template));
    for (const route of told) {
      assert.equal(route.applicationScope, "status:read", route.name);
      for (const [kind, { token, audience, scopes, isDead = false }] of kinds) {
        const seen = await knock(monitor.fetch, toPath(subject, route), toInit(route, token));
        const where = `${kind} at ${route.name}: ${seen.status} ${seen.code}`;
        const isKnown = !isDead && audience.includes("monitor");
        if (!isKnown) assert.deepEqual([seen.status, seen.code], [401, "unauthenticated"], where);
        else if (scopes.includes("status:read")) assert.ok(![401, 403].includes(seen.status), where);
        else
          assert.deepEqual(
            [seen.status, seen.code, seen.challenge],
            [403, "insufficient_scope", 'Bearer error="insufficient_scope", scope="status:read"'],
            where,
          );
      }
      const { status } = await knock(
        monitor.fetch,
        toPath(subject, route),
        toInit(route, center.person.accessToken),
      );
      assert.ok(status !== 401 && status !== 403, `first-party at ${route.name}: ${status}`);
    }
  });

  it("to the feed's socket open alike, until the token ends", async () => {
    const monitor = await openMonitor();
    const kind = (name: string): string => kinds.get(name)?.token ?? assert.fail(name);
    const rightOf = (token: string): Promise<string> =>
      monitor.monitor.rightOf({ kind: "account-token", id: token, token });
    assert.equal(await rightOf(kind("for monitor with status:read")), "view");
    assert.equal(await rightOf(kind("for shop with wishlist")), "nothing");
    assert.equal(await rightOf(kind("revoked")), "nothing");
    // Requests without access are rejected before a handshake.
    for (const [name, status] of [
      ["for monitor with status:read", 426],
      ["for monitor without scope", 403],
      ["for shop with wishlist", 401],
    ] as const) {
      const headers = { authorization: `Bearer ${kind(name)}` };
      assert.equal((await monitor.fetch("/api/ws/monitor", { headers })).status, status, name);
    }
  });

  it("keep a socket open as long as its token looks, and give strangers no frame", async () => {
    const opened: FakeSocket[] = [];
    const monitor = await openMonitor({
      upgradeWebSocket: () => {
        const socket = new FakeSocket();
        opened.push(socket);
        return { socket, response: new Response(null) };
      },
    });
    await create(monitor, "very-secret");
    const knockAs = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, upgrade: "websocket", connection: "Upgrade" };
      return (await monitor.raw("/api/ws/monitor", { headers })).status;
    };
    for (const name of [
      "for monitor without scope",
      "for shop with wishlist",
      "openid",
      "revoked",
      "ID token",
    ]) {
      const { token } = kinds.get(name) ?? assert.fail(name);
      assert.notEqual(await knockAs(token), 200, name);
    }
    assert.equal(opened.length, 0, "a handshake without a right");
    const scope = { resources: ["monitor"] };
    const { access_token: token } = await center.grant("notes", "openid status:read", scope);
    const { accessToken: own } = await center.app.signIn(center.person.user);
    for (const shown of [token, own]) assert.equal(await knockAs(shown), 200);
    for (const socket of opened) socket.open();
    await settle();
    assert.deepEqual(
      opened.map((socket) => socket.last().servers?.map(({ id }) => id)),
      [["very-secret"], ["very-secret"]],
    );
    await monitor.feed.review(monitor.monitor.rightOf);
    assert.deepEqual(
      opened.map(({ closed }) => closed),
      [undefined, undefined],
    );
    assert.equal((await center.post("/oauth/revoke", { token }, "notes")).status, 200);
    await monitor.feed.review(monitor.monitor.rightOf);
    assert.deepEqual(
      opened.map(({ closed }) => closed?.code),
      [1008, undefined],
    );
    await center.app.send("POST", "/api/auth/logout", { token: own });
    await monitor.feed.review(monitor.monitor.rightOf);
    assert.deepEqual(
      opened.map(({ closed }) => closed?.code),
      [1008, 1008],
    );
  });

  it("to the administration open to none of these tokens", async () => {
    const monitor = await createMonitorTest();
    let address = 0;
    for (const [kind, { token }] of kinds) {
      address += 1;
      const headers = { authorization: `Bearer ${token}` };
      const response = await monitor.fetch("/api/admin/servers", { headers, from: `192.0.2.${address}` });
      assert.ok([401, 429].includes(response.status), kind);
    }
  });

  it("say that the center is unavailable, and continue without it where access is public", async () => {
    const checkBearer = async () => ({ status: "auth_unavailable", retryAfterSeconds: 1 }) as const;
    const monitor = await createMonitorTest({ center: { ...awayCenter, checkBearer } });
    const headers = { authorization: "Bearer acc_x" };
    assert.equal((await monitor.fetch("/api/servers", { headers })).status, 200);
    await monitor.admin("PATCH", "/api/admin/settings", { access: { isPrivate: true } });
    const away = await monitor.fetch("/api/servers", { headers });
    assert.deepEqual([away.status, away.headers.get("retry-after")], [503, "1"]);
  });
});

describe("the metadata of each service as a resource", () => {
  const PATH = "/.well-known/oauth-protected-resource";

  it("says which center gives tokens and with which scopes, and refusals say where it is", async () => {
    const findUrl = (): string => "https://accounts.example.org";
    const stub: AccountCenter = { ...awayCenter, checkBearer: async () => ({ status: "refused" }), findUrl };
    const shop = await createTestShop({ center: stub });
    const monitor = await createMonitorTest({ center: stub, publicUrl: "https://status.example.org" });
    const auth = await createTestApp({ publicUrl: "https://accounts.example.org" });
    for (const [name, fetch, personal, url] of [
      ["shop", shop.raw, "/api/wishlist", "https://shop.example.org"],
      ["monitor", monitor.raw, "/api/admin/servers", "https://status.example.org"],
      ["auth", auth.raw, "/api/auth/me", "https://accounts.example.org"],
    ] as const) {
      const told: { resource: string; authorization_servers: string[]; scopes_supported: string[] } = await (
        await fetch(PATH)
      ).json();
      assert.deepEqual([told.resource, told.authorization_servers], [url, ["https://accounts.example.org"]]);
      for (const scope of applicationScopes[name]) assert.ok(told.scopes_supported.includes(scope), scope);
      const refused = await fetch(personal);
      const challenge = `Bearer resource_metadata="${url}${PATH}"`;
      assert.deepEqual([refused.status, refused.headers.get("www-authenticate")], [401, challenge], name);
    }
    const alone = await createMonitorTest();
    assert.equal((await alone.fetch(PATH)).status, 404);
  });
});

describe("a machine's token", () => {
  const scopes = ["orders:read", "servers:read", "users:read"];

  /** A center for requests of the service `id`. */
  function toCenter(id: string): AccountCenter {
    const checkMachine = createMachineCheck({
      authUrl: "http://localhost",
      basic: btoa(`${id}:own_${id}`),
      timeoutMs: 1_000,
      clock: center.app.clock,
      fetch: (url, init) => center.app.fetch(new URL(url).pathname, init),
    });
    return { ...awayCenter, checkBearer: async () => ({ status: "refused" }), checkMachine };
  }

  it("opens what its scopes name at the administration of each service, and says what is missing", async () => {
    const { token } = kinds.get("machine token") ?? assert.fail("there is one");
    const [shop, monitor] = [
      await createTestShop({ center: toCenter("shop") }),
      await createMonitorTest({ center: toCenter("monitor") }),
    ];
    const services = [
      [await createShopSubject(), shop.raw],
      [await createMonitorSubject(), monitor.fetch],
    ] as const;
    for (const [subject, fetch] of services)
      for (const route of await listRoutes(subject)) {
        if (route.scope === undefined || !route.template.startsWith("/api/admin/")) continue;
        const seen = await knock(fetch, toPath(subject, route), toInit(route, token));
        const where = `${subject.name} ${route.name}: ${seen.status} ${seen.code}`;
        if (route.scope === "any" || scopes.includes(route.scope))
          assert.ok(![401, 403].includes(seen.status), where);
        else assert.deepEqual([seen.status, seen.code], [403, "insufficient_scope"], where);
      }
  });

  it("opens nothing while the center is away", async () => {
    const checkMachine = async () => "auth_unavailable" as const;
    const monitor = await createMonitorTest({ center: { ...toCenter("monitor"), checkMachine } });
    const headers = { authorization: `Bearer mac_${"x".repeat(43)}` };
    assert.equal((await monitor.fetch("/api/admin/servers", { headers })).status, 503);
  });
});

describe("createAuthClient", () => {
  it("refuses without credentials what an application received, and with them what another one did", async () => {
    const secret = atob(center.basic("notes").slice("Basic ".length)).slice("notes:".length);
    const [anyone, notes] = [toCheck(), toCheck({ clientId: "notes", clientSecret: secret })];
    for (const [kind, { token, clientId, isDead }] of kinds) {
      assert.equal((await anyone.validate(token)).status, "refused", kind);
      const isOwn = clientId === "notes" && isDead !== true;
      assert.equal((await notes.validate(token)).status, isOwn ? "valid" : "refused", kind);
    }
    assert.equal((await anyone.validate(center.person.accessToken)).status, "valid");
    assert.equal((await notes.validate(center.person.accessToken)).status, "refused");
  });

  it("takes first-party sign-ins and tokens for its resource, and refuses all others", async () => {
    const clientSecret = atob(center.basic("bank").slice("Basic ".length)).slice("bank:".length);
    const bank = toCheck({ clientId: "bank", clientSecret, audience: AUDIENCE });
    for (const [kind, { token, audience, isDead, scopes }] of kinds) {
      const result = await bank.validate(token);
      const isFor = isDead !== true && audience.includes(AUDIENCE);
      assert.equal(result.status, isFor ? "valid" : "refused", kind);
      if (result.status === "valid") assert.deepEqual(result.scopes, scopes, kind);
    }
    const first = await bank.validate(center.person.accessToken);
    assert.deepEqual([first.status, "scopes" in first && first.scopes], ["valid", undefined]);
    assert.throws(() => toCheck({ audience: AUDIENCE }), /requires clientId/u);
  });

  it("treats wrong client credentials as its own fault, and ends no sessions", async () => {
    const wrong = toCheck({ clientId: "notes", clientSecret: "wrong" });
    const token = kinds.get("openid")?.token ?? "";
    const result = await wrong.validate(token);
    assert.deepEqual(
      [result.status, "reason" in result && result.reason],
      ["auth_unavailable", "client_refused"],
    );
    assert.throws(() => toCheck({ clientId: "notes" }), /must be used together/u);
  });

  it("refuses another application's token even when a center says that it is valid", async () => {
    const liar = createAuthClient({
      clientId: "notes",
      clientSecret: "s",
      authUrl: "http://localhost",
      fetch: async () =>
        center.post("/api/auth/validate", { token: kinds.get("another application's")?.token ?? "" }, "wiki"),
    });
    assert.equal((await liar.validate("acc_x")).status, "refused");
  });
});
