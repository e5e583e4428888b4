/**
 * Which routes for people each kind of token opens at the auth center, from its document. A new route has to be listed
 * here, so that its access is a decision.
 */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  AUDIENCE,
  type Center,
  type Kind,
  NOTES,
  WIKI,
  mintKinds,
  openCenter,
  toInit,
} from "./application-tokens.ts";
import { type Route, type Subject, listRoutes, toPath } from "./route-cases.ts";
import { createAuthSubject, isForPeople } from "./subjects.ts";
import { applicationScopes } from "../../src/records/rights/application-scopes.ts";

/** What an application's token opens at the center, and the scopes it needs; "" where any will do. */
const openedByScope: Readonly<Record<string, string>> = {
  "GET /api/auth/me": "profile email",
  "GET /api/auth/profile": "profile",
  "GET /api/auth/emails": "email",
  "POST /api/auth/checkin": "check-in",
  "GET /api/auth/checkin": "check-in",
  "GET /api/auth/checkin/history": "check-in",
  // Both concern the token itself: see "ends its own sign-in alone" and "for its own audiences alone".
  "POST /api/auth/logout": "",
  "POST /api/auth/token/jwt": "",
};
const userinfo: readonly string[] = ["GET /oauth/userinfo", "POST /oauth/userinfo"];

/** Open to everyone: an application's token changes nothing about what they show. */
const openToEveryone: readonly string[] = ["GET /api/public/users", "GET /api/public/users/{username}"];

/** Only a first-party sign-in opens these at the center. */
const firstPartyAtCenter: readonly string[] = [
  "GET /api/auth/validate",
  "POST /api/auth/validate",
  "POST /api/auth/password/change",
  "POST /api/auth/reauth",
  "POST /api/auth/mfa/totp",
  "DELETE /api/auth/mfa/totp",
  "POST /api/auth/mfa/totp/confirm",
  "POST /api/auth/mfa/recovery-codes",
  "POST /api/auth/me/passkeys/options",
  "POST /api/auth/me/passkeys",
  "GET /api/auth/me/passkeys",
  "POST /api/auth/me/passkeys/proof/options",
  "POST /api/auth/me/passkeys/proof",
  "PATCH /api/auth/me/passkeys/{id}",
  "DELETE /api/auth/me/passkeys/{id}",
  "PATCH /api/auth/me",
  "DELETE /api/auth/me",
  "POST /api/auth/me/export",
  "GET /api/auth/security/events",
  "GET /api/auth/sessions",
  "DELETE /api/auth/sessions",
  "DELETE /api/auth/sessions/{id}",
  "GET /api/auth/applications",
  "DELETE /api/auth/applications/{clientId}",
  "POST /api/auth/emails",
  "POST /api/auth/emails/{id}/send-code",
  "POST /api/auth/emails/{id}/verify",
  "POST /api/auth/emails/{id}/primary",
  "PATCH /api/auth/emails/{id}",
  "DELETE /api/auth/emails/{id}",
  "PUT /api/auth/profile",
  "PATCH /api/auth/profile",
  "PUT /api/auth/profile/avatar",
  "DELETE /api/auth/profile/avatar",
  "PUT /api/public/users/{username}/like",
  "POST /api/public/users/{username}/like",
  "DELETE /api/public/users/{username}/like",
];

let center: Center;
let kinds: ReadonlyMap<string, Kind>;
let bank: Kind;

before(async () => {
  center = await openCenter();
  ({ kinds, bank } = await mintKinds(center));
});

/** Whether a response denies access; the code tells a rejected token from a rejected request. */
async function isClosed(response: Response): Promise<boolean> {
  if (response.status !== 401 && response.status !== 403) return false;
  const { code = "", error = "" }: { code?: string; error?: string } = await response.json();
  return (
    ["unauthenticated", "token_invalid", "forbidden", "insufficient_scope", "audience_not_allowed"].includes(
      code,
    ) || error !== ""
  );
}

describe("the entrances of the auth center", () => {
  let listed: Route[];
  let subject: Subject;
  before(async () => {
    subject = await createAuthSubject();
    listed = await listRoutes(subject);
  });

  it("are all named here, with who comes in", () => {
    const opened = Object.keys(openedByScope);
    const named = [...opened, ...userinfo, ...openToEveryone, ...firstPartyAtCenter];
    const found = listed.filter(isForPeople).map(({ name }) => name);
    assert.deepEqual(found.toSorted(), named.toSorted());
    for (const { name, applicationScope } of listed)
      assert.equal(applicationScope, openedByScope[name], name);
  });

  /** Whether a token opens a route, by what the route declares. */
  function opens(kind: Kind, { name, scope, applicationScope }: Route): boolean {
    const { scopes, audience, isDead, machineScopes = [] } = kind;
    if (scope !== undefined) return machineScopes.length > 0 && [...machineScopes, "any"].includes(scope);
    if (isDead === true) return false;
    if (userinfo.includes(name)) return scopes.includes("openid");
    if (applicationScope === undefined) return false;
    if (applicationScope === "") return true;
    return audience.includes("auth") && applicationScope.split(" ").every((scope) => scopes.includes(scope));
  }

  it("open to an application's token what its audience and scopes name, and nothing else", async () => {
    for (const [kind, held] of kinds)
      for (const route of listed) {
        if (!route.schemes.includes("bearer") || openToEveryone.includes(route.name)) continue;
        if (openedByScope[route.name] === "") continue;
        // A token that is none counts for nothing there: guests may like.
        if (route.template.endsWith("/like") && held.isDead === true) continue;
        const response = await center.app.raw(toPath(subject, route), toInit(route, held.token));
        const where = `${kind} at ${route.name}: ${response.status}`;
        // What administers may lead to something that there is not.
        const isOpen = response.status < 300 || (route.scope !== undefined && response.status === 404);
        if (opens(held, route)) assert.ok(isOpen, where);
        else assert.equal(await isClosed(response), true, where);
      }
  });

  it("say what is missing in a way that programs read", async () => {
    const token = kinds.get("profile and email")?.token ?? "";
    const response = await center.app.send("GET", "/api/auth/me", { token });
    assert.equal(response.status, 403);
    const challenge = 'Bearer error="insufficient_scope", scope="profile email"';
    assert.equal(response.headers.get("www-authenticate"), challenge);
    const { code, detail }: { code: string; detail: string } = await response.json();
    assert.equal(code, "insufficient_scope");
    assert.match(detail, /request resource=auth with that scope/u);
  });

  it("open to a first-party sign-in", async () => {
    for (const route of listed) {
      if (!isForPeople(route) || route.method !== "GET" || route.places.length > 0) continue;
      if (route.template === "/oauth/userinfo") continue;
      const response = await center.app.raw(toPath(subject, route), toInit(route, center.person.accessToken));
      assert.equal(response.status, 200, route.name);
    }
  });

  it("treat an application as a visitor on public routes", async () => {
    const { app, person } = center;
    const bob = await app.signUp("bob");
    await app.auth.profiles.patch(bob.user.id, { fields: { visibility: "public" }, version: undefined });
    await app.send("PUT", "/api/public/users/bob/like", { token: person.accessToken });
    const ask = async (token: string): Promise<unknown> =>
      (await (await app.send("GET", "/api/public/users/bob", { token })).json()).likedByMe;
    assert.equal(await ask(person.accessToken), true);
    for (const [kind, { token }] of kinds) assert.equal(await ask(token), undefined, kind);
  });

  it("tell an application of its own tokens and those for a resource that it is, with its credentials", async () => {
    const owned: Readonly<Record<string, string>> = { bank: AUDIENCE, shop: "shop", monitor: "monitor" };
    for (const [kind, { token, clientId, audience, isDead = false, isOpaque }] of kinds) {
      for (const asking of ["notes", "wiki", "jot", "bank", "shop", "monitor"]) {
        const isMeant = asking === clientId || audience.includes(owned[asking] ?? "");
        const validated = await center.post("/api/auth/validate", { token }, asking);
        assert.equal(validated.status, isMeant && !isDead ? 200 : 401, `${kind} validated by ${asking}`);
        const told = await (await center.post("/api/auth/introspect", { token }, asking)).json();
        const isRefresh = kind === "refresh token" && asking === clientId;
        // Its scopes belong to all three services.
        const isMachine = kind === "machine token" && (asking === "shop" || asking === "monitor");
        const isTold = isDead ? isRefresh || isMachine : isMeant;
        assert.equal(told.active, isTold, `${kind} introspected by ${asking}`);
      }
      const bare = await center.post("/api/auth/validate", { token });
      assert.equal(bare.status, 401, `${kind} without credentials`);
      const named = await center.post("/api/auth/validate", { token, client_id: clientId });
      assert.deepEqual(
        [named.status, named.headers.get("www-authenticate")?.slice(0, 12)],
        [401, "Basic realm="],
      );
      if (!isOpaque) continue;
      const headers = { authorization: `Bearer ${token}`, "x-auth-client": clientId };
      assert.equal((await center.app.send("GET", "/api/auth/validate", { headers })).status, 401, kind);
    }
    const first = await center.post("/api/auth/validate", { token: center.person.accessToken }, "notes");
    assert.equal(first.status, 401, "a first-party token is not one of the application's");
  });

  it("tell a resource of the scopes that count there, and a service of the install who the person is", async () => {
    const token = kinds.get("for all three")?.token ?? "";
    const ask = async (asking: string): Promise<Record<string, unknown>> =>
      (await center.post("/api/auth/validate", { token }, asking)).json();
    const shop = await ask("shop");
    const { scope, audience, administers } = shop;
    assert.equal(scope, `openid profile email ${applicationScopes.shop.join(" ")}`);
    assert.deepEqual(audience, ["auth", "shop", "monitor"]);
    assert.equal(administers, undefined);
    const { id } = center.person.user;
    const plain = await center.post(
      "/api/auth/validate",
      { token: kinds.get("for shop with wishlist")?.token ?? "" },
      "shop",
    );
    const { user } = await plain.json();
    assert.deepEqual(user, { id, username: "ann", displayName: "ann", emailVerified: true });
  });

  it("give an application JWTs for its own audiences alone", async () => {
    const ask = async (token: string): Promise<number> =>
      (await center.app.send("POST", "/api/auth/token/jwt", { token, body: { audience: AUDIENCE } })).status;
    for (const [kind, { token }] of kinds) assert.notEqual(await ask(token), 200, kind);
    assert.equal(await ask(bank.token), 200);
    assert.equal(await ask(center.person.accessToken), 200);
  });

  it("let an application's token into its own site behind a proxy, and into no other", async () => {
    const sites = [
      ["notes", NOTES],
      ["wiki", WIKI],
    ] as const;
    const ask = async (site: string, origin: string, token: string): Promise<number> => {
      const headers = { "x-forwarded-proto": "https", "x-forwarded-host": new URL(origin).host };
      return (await center.app.send("GET", `/api/auth/forward/${site}`, { token, headers })).status;
    };
    for (const [kind, { token, clientId, isOpaque, isDead = false }] of kinds)
      for (const [site, origin] of sites)
        assert.equal(
          await ask(site, origin, token),
          isOpaque && !isDead && site === clientId ? 204 : 401,
          `${kind} at ${site}`,
        );
    for (const [site, origin] of sites) assert.equal(await ask(site, origin, center.person.accessToken), 204);
  });

  it("take no application's token for the cookie of a browser", async () => {
    const own = center.browser.cookies.get("trivet_session") ?? assert.fail("the browser is signed in");
    const ask = async (path: string, value: string): Promise<Response> => {
      const headers = { cookie: `trivet_session=${value}`, "sec-fetch-site": "same-origin" };
      return center.app.raw(path, { headers });
    };
    assert.equal((await ask("/account", own)).status, 200);
    assert.equal((await ask("/api/admin/users", own)).status, 200);
    for (const [kind, { token }] of kinds) {
      assert.equal((await ask("/account", token)).status, 303, kind);
      assert.equal((await ask("/api/admin/users", token)).status, 401, kind);
      const { status } = await (await ask("/api/console/session", token)).json();
      assert.equal(status, "signed_out", kind);
    }
  });

  it("renew no application's token as a first-party one", async () => {
    for (const [kind, { token }] of kinds) {
      const body = { refreshToken: token.slice(0, 200) };
      assert.equal((await center.app.send("POST", "/api/auth/refresh", { body })).status, 401, kind);
    }
  });

  it("let an application end its own sign-in alone", async () => {
    const { access_token: token } = await center.grant("notes", "openid profile");
    const everywhere = await center.app.send("POST", "/api/auth/logout?everywhere=true", { token });
    assert.equal(everywhere.status, 403);
    assert.equal((await center.app.send("POST", "/api/auth/logout", { token })).status, 204);
    assert.equal((await center.app.send("GET", "/oauth/userinfo", { token })).status, 401);
    assert.equal((await center.browser.get("/account")).status, 200);
    for (const [kind, { token: other, isDead, scopes }] of kinds)
      if (isDead !== true && scopes.includes("openid"))
        assert.equal((await center.app.send("GET", "/oauth/userinfo", { token: other })).status, 200, kind);
  });
});
