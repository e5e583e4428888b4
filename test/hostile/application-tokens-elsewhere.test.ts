/** What each kind of token opens at the shop, at the monitor, and at applications that use the client library. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type AuthClient, createAuthClient } from "../../src/auth/client/client.ts";
import { createTestApp as createMonitorTest } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { type Center, type Kind, mintKinds, openCenter, toInit } from "./application-tokens.ts";
import { listRoutes, toPath } from "./route-cases.ts";
import { createShopSubject } from "./subjects.ts";

/** Only a first-party sign-in opens these at the shop; no scope names any of it yet. */
const firstPartyAtShop: readonly string[] = [
  "GET /api/wishlist",
  "POST /api/wishlist",
  "PATCH /api/wishlist/{productId}",
  "DELETE /api/wishlist/{productId}",
  "POST /api/checkout",
  "POST /api/checkout/preview",
  "GET /api/orders",
  "POST /api/orders",
  "GET /api/orders/{id}",
  "GET /api/orders/{id}/payment-status",
  "POST /api/orders/{id}/confirm",
  "POST /api/orders/{id}/renew-token",
  "POST /api/orders/{id}/cancel",
  "POST /api/orders/{id}/payment",
  "GET /api/orders/{id}/documents",
  "GET /api/chat/attachments/{id}",
  "GET /api/chat/stream",
  "GET /api/chat/messages",
  "POST /api/chat/messages",
  "POST /api/chat/read",
  "POST /api/chat/attachments",
  "DELETE /api/chat/attachments/{id}",
];

let center: Center;
let kinds: ReadonlyMap<string, Kind>;

before(async () => {
  center = await openCenter();
  ({ kinds } = await mintKinds(center));
});

/** The client library as the shop uses it, in front of the center. */
function toCheck(options: { clientId?: string; clientSecret?: string } = {}): AuthClient {
  return createAuthClient({
    ...options,
    authUrl: "http://localhost",
    cacheMs: 0,
    fetch: (url, init) => center.app.fetch(new URL(url).pathname, init),
  });
}

describe("the entrances of the shop", () => {
  it("are all named here", async () => {
    const listed = await listRoutes(await createShopSubject());
    const found = listed.filter(({ schemes }) => schemes.includes("bearer")).map(({ name }) => name);
    assert.deepEqual(found.toSorted(), firstPartyAtShop.toSorted());
  });

  it("open to first-party sign-ins alone", async () => {
    const subject = await createShopSubject();
    const listed = (await listRoutes(subject)).filter(({ schemes }) => schemes.includes("bearer"));
    const readAddresses = async () => ({ status: "known", addresses: [] }) as const;
    const shop = await createTestShop({ userCheck: { ...toCheck(), readAddresses } });
    for (const route of listed) {
      for (const [kind, { token }] of kinds) {
        const response = await shop.raw(toPath(subject, route), toInit(route, token));
        assert.equal(response.status, 401, `${kind} at ${route.name}`);
      }
      if (route.method !== "GET" || route.places.length > 0 || route.template.endsWith("/stream")) continue;
      const response = await shop.raw(route.template, toInit(route, center.person.accessToken));
      assert.equal(response.status, 200, route.name);
    }
  });
});

describe("the entrances of the monitor", () => {
  it("open to none of these tokens", async () => {
    const monitor = await createMonitorTest();
    for (const [kind, { token }] of kinds) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await monitor.fetch("/api/admin/servers", { headers, from: `192.0.2.${kinds.size}` });
      assert.ok([401, 429].includes(response.status), kind);
    }
  });
});

describe("createAuthClient", () => {
  it("refuses without credentials what an application received, and with them what another one did", async () => {
    const secret = atob(center.basic("notes").slice("Basic ".length)).slice("notes:".length);
    const [anyone, notes] = [toCheck(), toCheck({ clientId: "notes", clientSecret: secret })];
    for (const [kind, { token, clientId }] of kinds) {
      assert.equal((await anyone.validate(token)).status, "refused", kind);
      const isOwn = clientId === "notes" && kind !== "refresh token";
      assert.equal((await notes.validate(token)).status, isOwn ? "valid" : "refused", kind);
    }
    assert.equal((await anyone.validate(center.person.accessToken)).status, "valid");
    assert.equal((await notes.validate(center.person.accessToken)).status, "refused");
  });

  it("takes wrong credentials for a fault of its own, and signs nobody out for it", async () => {
    const wrong = toCheck({ clientId: "notes", clientSecret: "wrong" });
    const token = kinds.get("openid")?.token ?? "";
    const result = await wrong.validate(token);
    assert.deepEqual(
      [result.status, "reason" in result && result.reason],
      ["auth_unavailable", "client_refused"],
    );
    assert.throws(() => toCheck({ clientId: "notes" }), /go together/u);
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
