/** Refusals that every route has in common, generated over the OpenAPI document, so that no route can be forgotten. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { SignedIn, TestApp } from "../app-fixture.ts";
import { ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";

interface Operation {
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
  readonly statuses: readonly string[];
}

/** Of the right form; nothing has these ids. */
const NOBODY = "0".repeat(26);
const idPrefixes: Readonly<Record<string, string>> = {
  users: "usr",
  invites: "inv",
  outbox: "mail",
  sessions: "ses",
  emails: "eml",
};

function toPath(template: string): string {
  return template
    .replace("{username}", "nobody")
    .replace("{clientId}", "no-app")
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
        statuses: Object.keys(operation.responses),
      };
    }),
  );
}

const app = await createTestApp();
const routes = await listRoutes(app);
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
    credentials = (route) => {
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
      ["POST /api/auth/introspect"],
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
        assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/u);
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
      const send = (body: string, type = "application/json"): Promise<Response> =>
        request(route, { headers: { ...headers, "content-type": type }, body });
      for (const body of ["{", '{"a":1,"a":2}', "[".repeat(30_000), '{"n":1e400}', "\u0000"])
        assert.equal((await send(body)).status, 400, body.slice(0, 20));
      assert.deepEqual(await code(await send("a=1", "application/x-www-form-urlencoded")), [
        415,
        "unsupported_media_type",
      ]);
      assert.deepEqual(await code(await send(JSON.stringify({ x: "a".repeat(20_000_000) }))), [
        413,
        "too_large",
      ]);
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
        if (Number(status) < 400 || name === "get /api/health") continue;
        assert.ok(JSON.stringify(response).includes("application/problem+json"), `${name} ${status}`);
      }
    }
  });
});
