/** Refusals that every route has in common, generated over the OpenAPI document, so that no route can be forgotten. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { users } from "../../../src/auth/accounts/records.ts";
import { type SignedIn, type TestApp, ADMIN_TOKEN, code, createTestApp, PASSWORD } from "../app-fixture.ts";

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly security?: readonly Record<string, unknown>[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  readonly responses: Record<string, unknown>;
}

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly schemes: readonly string[];
  readonly mediaType: string | undefined;
  readonly example: unknown;
  readonly isList: boolean;
}

/** Of the right form; nothing has these ids. */
const NOBODY = "0".repeat(26);
const idPrefixes: Readonly<Record<string, string>> = {
  users: "usr",
  invites: "inv",
  outbox: "mail",
  sessions: "ses",
  emails: "eml",
  passkeys: "pky",
  resources: "rsc",
};

function toPath(template: string): string {
  return template
    .replace("{username}", "nobody")
    .replace("{clientId}", "no-app")
    .replace("{kind}", "no-app")
    .replace("{sessionId}", `ses_${NOBODY}`)
    .replace("{userId}", `usr_${NOBODY}`)
    .replace("{passkeyId}", `pky_${NOBODY}`)
    .replace("{emailId}", `eml_${NOBODY}`)
    .replace("{linkId}", `upl_${NOBODY}`)
    .replaceAll(/(\w+)\/\{id\}/gu, (_all, noun: string) => {
      const prefix = idPrefixes[noun];
      return `${noun}/${prefix === undefined ? "no-app" : `${prefix}_${NOBODY}`}`;
    });
}

async function listRoutes(app: TestApp): Promise<Route[]> {
  const document = (await app.document()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => {
      const content = Object.entries(operation.requestBody?.content ?? {})[0];
      return {
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        path: toPath(template),
        // An empty one among them: the credential is optional.
        schemes: (operation.security ?? []).some((scheme) => Object.keys(scheme).length === 0)
          ? []
          : (operation.security ?? []).flatMap((scheme) => Object.keys(scheme)),
        mediaType: content?.[0],
        example: content?.[1].example,
        isList: (operation.parameters ?? []).some(({ name }) => name === "cursor"),
      };
    }),
  );
}

/** More than any route takes; made once, since it is 20 MB. */
const tooLarge = new TextEncoder().encode(JSON.stringify({ x: "a".repeat(20_000_000) }));

const app = await createTestApp();
/** Refused in the words of OAuth (RFC 6749 section 5.2): test/auth/oidc. */
const isOauth = (path: string): boolean => path.startsWith("/oauth/");
const routes = (await listRoutes(app)).filter(({ path }) => !isOauth(path));
const isUser = ({ schemes }: Route): boolean => schemes.length === 1 && schemes[0] === "bearer";
const isAdmin = ({ schemes }: Route): boolean =>
  schemes.includes("adminToken") && !schemes.includes("clientSecret");
const takesJson = ({ mediaType }: Route): boolean => mediaType === "application/json";

/** Valid in form, so that the refusal is about the credential. */
function validBody(route: Route): RequestInit {
  if (route.mediaType === undefined) return {};
  const body = takesJson(route) ? JSON.stringify(route.example) : "token=acc_x";
  return { headers: { "content-type": route.mediaType }, body };
}

function request(route: Route, init: RequestInit & { from?: string } = {}): Promise<Response> {
  return app.fetch(route.path, { method: route.method, ...init });
}

function withHeaders(init: RequestInit, headers: Record<string, string>): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...headers } };
}

describe("every route of the auth center", () => {
  let ann: SignedIn;
  let credentials: (route: Route) => Record<string, string>;

  before(async () => {
    ann = await app.signUp("ann");
    credentials = (route): Record<string, string> => {
      if (isUser(route)) return { authorization: `Bearer ${ann.accessToken}` };
      return route.schemes.length === 0 ? {} : { "x-admin-token": ADMIN_TOKEN };
    };
  });

  it("is of a kind that these tests know", () => {
    assert.ok(routes.filter(isUser).length >= 35, String(routes.filter(isUser).length));
    assert.ok(routes.filter(isAdmin).length >= 35, String(routes.filter(isAdmin).length));
    const others = routes.filter((route) => !isUser(route) && !isAdmin(route) && route.schemes.length > 0);
    assert.deepEqual(
      others.map(({ name }) => name),
      ["POST /api/auth/validate", "POST /api/auth/introspect"],
    );
  });

  for (const route of routes.filter((each) => each.schemes.length > 0)) {
    it(`${route.name} refuses who shows no credential or a wrong one`, async () => {
      const init = validBody(route);
      assert.deepEqual(await code(await request(route, init)), [401, "unauthenticated"]);
      const challengeId = "mfa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
      const wrong: Record<string, string>[] = [
        { authorization: "Bearer acc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
        { authorization: `Bearer ${challengeId}` },
        { authorization: `Bearer ${ann.refreshToken}` },
        { authorization: "Basic YTpi" },
        { authorization: "Bearer" },
        { authorization: `Bearer ${"a".repeat(2_000)}` },
      ];
      for (const headers of wrong) {
        const response = await request(route, withHeaders(init, headers));
        assert.equal(response.status, 401, JSON.stringify(headers).slice(0, 60));
        const expected = route.schemes.includes("clientSecret") ? /^(?:Bearer|Basic realm=)/u : /^Bearer/u;
        assert.match(response.headers.get("www-authenticate") ?? "", expected);
      }
    });
  }

  for (const [number, route] of routes.filter(isAdmin).entries()) {
    it(`${route.name} refuses a wrong administrator token, in the header and in the query`, async () => {
      const from = `198.51.100.${number + 1}`;
      const init = { ...validBody(route), from };
      const byHeader = await request(route, { ...withHeaders(init, { "x-admin-token": "wrong" }), from });
      assert.deepEqual(await code(byHeader), [401, "unauthenticated"]);
      const byQuery = await app.fetch(`${route.path}?token=wrong`, { method: route.method, ...init });
      assert.deepEqual(await code(byQuery), [401, "unauthenticated"]);
    });

    it(`${route.name} refuses a person who is no administrator`, async () => {
      const headers = { authorization: `Bearer ${ann.accessToken}` };
      const response = await request(route, withHeaders(validBody(route), headers));
      assert.deepEqual(await code(response), [403, "forbidden"]);
    });
  }

  for (const route of routes.filter(takesJson)) {
    it(`${route.name} refuses what is no JSON, of another type, too large or nested too deep`, async () => {
      const headers = credentials(route);
      const send = (body: string | Uint8Array<ArrayBuffer>, type = "application/json"): Promise<Response> =>
        request(route, { headers: { ...headers, "content-type": type }, body });
      for (const body of ["{", '{"a":1,}', "[".repeat(30_000), '{"n":1e400}', "\u0000"])
        assert.equal((await send(body)).status, 400, body.slice(0, 20));
      assert.deepEqual(await code(await send("a=1", "application/x-www-form-urlencoded")), [
        415,
        "unsupported_media_type",
      ]);
      assert.deepEqual(await code(await send(tooLarge)), [413, "too_large"]);
      const invalid = await send('["not an object"]');
      assert.deepEqual(await code(invalid), [422, "invalid"]);
    });
  }

  for (const route of routes.filter((each) => each.name.includes("{") && each.schemes.length > 0)) {
    it(`${route.name} knows no such thing`, async () => {
      const init = withHeaders(validBody(route), credentials(route));
      assert.deepEqual(await code(await request(route, init)), [404, "not_found"]);
    });
  }

  for (const route of routes.filter((each) => isAdmin(each) && takesJson(each))) {
    it(`${route.name} takes the example of its document, and no member that it does not know`, async () => {
      const fresh = await createTestApp();
      const unknown = await fresh.admin(route.method, route.path, { noSuchField: 1 });
      assert.deepEqual(await code(unknown), [422, "invalid"]);
      const response = await fresh.admin(route.method, route.path, route.example);
      // No server is set for a test email; unchanged settings have version 0; IDs are unknown.
      const allowed = route.path.endsWith("/mail/test")
        ? [503]
        : route.name.includes("{")
          ? [404]
          : [200, 201, ...(route.path.includes("/settings/") ? [409] : [])];
      assert.ok(allowed.includes(response.status), `${response.status} ${await response.text()}`);
    });
  }

  for (const route of routes.filter((each) => isAdmin(each) && each.name.includes("{"))) {
    it(`${route.name} takes no id that cannot be one`, async () => {
      for (const id of ["__proto__", "%00"]) {
        const path = route.path.replace(/\/(?:[a-z]+_0{26}|no-app)/u, `/${id}`);
        assert.notEqual(path, route.path);
        const response = await app.admin(route.method, path, route.example);
        assert.deepEqual(await code(response), [422, "invalid"]);
      }
    });
  }

  for (const route of routes.filter(
    ({ method, isList, name }) => method === "GET" && isList && !name.includes("{"),
  )) {
    it(`${route.name} refuses a cursor and a limit that are none`, async () => {
      const list = (query: string): Promise<Response> =>
        app.fetch(`${route.path}?${query}`, { headers: credentials(route) });
      assert.deepEqual(await code(await list("cursor=nonsense")), [400, "bad_request"]);
      assert.deepEqual(await code(await list("limit=0")), [422, "invalid"]);
      assert.deepEqual(await code(await list("limit=1e9")), [422, "invalid"]);
    });
  }

  it("takes the administrator token from the query, unless that is switched off", async () => {
    assert.equal((await app.fetch(`/api/admin/stats?token=${ADMIN_TOKEN}`)).status, 200);
    const strict = await createTestApp({ adminTokenInQuery: false });
    const refused = await strict.fetch(`/api/admin/stats?token=${ADMIN_TOKEN}`);
    assert.deepEqual(await code(refused), [401, "unauthenticated"]);
  });

  it("takes the access token of an administrator for administration", async () => {
    const { accessToken } = await app.signUp("boss", { role: "admin" });
    assert.equal((await app.send("GET", "/api/admin/stats", { token: accessToken })).status, 200);
  });

  it("opens nothing to who has not shown the second factor yet", async () => {
    const fresh = await createTestApp();
    const bob = await fresh.signUp("bob");
    const begun = await fresh.send("POST", "/api/auth/mfa/totp", { token: bob.accessToken });
    const { secret }: { secret: string } = await begun.json();
    const body = { code: fresh.totp(secret) };
    await fresh.send("POST", "/api/auth/mfa/totp/confirm", { token: bob.accessToken, body });
    const credentials = { identifier: "bob", password: PASSWORD };
    const { challengeId }: { challengeId: string } = await (
      await fresh.send("POST", "/api/auth/login", { body: credentials })
    ).json();
    assert.match(challengeId, /^mfa_/u);
    for (const route of routes.filter((each) => each.schemes.length > 0)) {
      for (const header of [`Bearer ${challengeId}`, `Basic ${btoa(`bob:${challengeId}`)}`]) {
        const init = withHeaders(validBody(route), { authorization: header });
        const response = await fresh.fetch(route.path, { method: route.method, ...init });
        assert.equal(response.status, 401, route.name);
      }
    }
  });

  it("lets no member of a body change the user", async () => {
    const fresh = await createTestApp();
    const eve = await fresh.signUp("eve", { emailVerifiedAt: undefined });
    const stranger = await fresh.signUp("stranger");
    const extra = {
      id: stranger.user.id,
      userId: stranger.user.id,
      role: "admin",
      status: "deleted",
      points: 9_999,
      emailVerified: true,
      emailVerifiedAt: 1,
      tokenEpoch: 99,
      version: 99,
      passwordHash: "x",
      mfa: {},
    };
    const facts = async (id: string): Promise<unknown[]> => {
      const user = await fresh.store.read((tx) => tx.get(users, id));
      return [
        user?.id,
        user?.role,
        user?.status,
        user?.points,
        user?.emailVerifiedAt,
        user?.tokenEpoch,
        user?.mfa,
      ];
    };
    const before = [await facts(eve.user.id), await facts(stranger.user.id)];
    const own = routes.filter((each) => takesJson(each) && each.path.startsWith("/api/auth/"));
    assert.ok(own.length >= 18);
    for (const route of own) {
      const body = { ...(route.example as object), ...extra };
      const answer = await fresh.send(route.method, route.path, { token: eve.accessToken, body });
      assert.deepEqual(await code(answer), [422, "invalid"], route.name);
      assert.deepEqual([await facts(eve.user.id), await facts(stranger.user.id)], before, route.name);
    }
  });

  it("gives each operation a summary, an own id, an example for its body, and problem documents for its errors", async () => {
    const document = (await app.document()) as {
      paths: Record<string, Record<string, Operation & { operationId: string; summary?: string }>>;
    };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
    for (const { name, operation } of operations) {
      assert.ok(operation.summary, name);
      const json = operation.requestBody?.content["application/json"];
      if (json !== undefined) assert.notEqual(json.example, undefined, name);
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || name === "get /api/health" || isOauth(name.split(" ")[1] ?? "")) continue;
        assert.ok(JSON.stringify(response).includes("application/problem+json"), `${name} ${status}`);
      }
    }
  });
});
