/** Refusals that every route has in common, generated over the OpenAPI document, so that no route can be forgotten. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN_TOKEN, code, createTestShop } from "../app-fixture.ts";
import { setProvider } from "../goods.ts";
import {
  type Route,
  listRoutes,
  isOpen,
  isAdmin,
  isByLink,
  isMaker,
  takesBearer,
  takesJson,
  hasPlace,
  isPage,
  isWebhook,
  credentials,
  validBody,
} from "./all-routes.ts";

const app = await createTestShop();
await setProvider(app);
const routes = await listRoutes(app);
interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly from?: string;
  readonly path?: string;
}

function send(route: Route, { headers, ...init }: Sent = {}): Promise<Response> {
  const valid = validBody(route);
  const { path = route.path } = init;
  return app.fetch(path, {
    method: route.method,
    ...valid,
    ...init,
    headers: { ...valid.headers, ...headers },
  });
}

/** More characters than the route's body may have: imports and pictures have limits of their own. */
function tooMany({ path }: Route): number {
  if (path.startsWith("/api/admin/products")) return 17_000_000;
  return /^\/api\/admin\/(?:categories|collections)/u.test(path) ? 6_000_000 : 1_100_000;
}

describe("every route of the shop", () => {
  it("is of a kind that these tests know", () => {
    assert.ok(routes.filter(isAdmin).length >= 45, String(routes.filter(isAdmin).length));
    assert.ok(routes.filter(takesBearer).length >= 15, String(routes.filter(takesBearer).length));
    const others = routes.filter((route) => !isOpen(route) && !isAdmin(route) && !takesBearer(route));
    assert.deepEqual(
      others.map(({ name }) => name),
      others.filter(isByLink).map(({ name }) => name),
    );
  });

  it("has a summary, an own id, an example for its body, and problem documents for its errors", () => {
    assert.equal(new Set(routes.map(({ operation }) => operation.operationId)).size, routes.length);
    for (const { name, operation } of routes) {
      assert.ok(operation.summary, name);
      const json = operation.requestBody?.content["application/json"];
      if (json !== undefined) assert.notEqual(json.example, undefined, name);
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || name === "GET /api/health" || name.includes("/demo-pay/")) continue;
        // Programs of other shops' license API read its own answers.
        if (name.startsWith("POST /v1/licenses/")) continue;
        assert.ok(JSON.stringify(response).includes("application/problem+json"), `${name} ${status}`);
      }
    }
  });

  for (const [number, route] of routes.filter((each) => !isOpen(each)).entries()) {
    it(`${route.name} refuses who shows no credential or a wrong one`, async () => {
      assert.deepEqual(await code(await send(route)), [401, "unauthenticated"]);
      const wrong = [
        "Bearer acc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "Basic YTpi",
        "Bearer",
        `Bearer ${"a".repeat(2_000)}`,
      ];
      for (const authorization of wrong)
        assert.equal((await send(route, { headers: { authorization } })).status, 401, authorization);
      if (!route.schemes.includes("adminToken")) return;
      const from = `198.51.100.${number + 1}`;
      const byHeader = await send(route, { headers: { "x-admin-token": "wrong" }, from });
      assert.deepEqual(await code(byHeader), [401, "unauthenticated"]);
      const byQuery = await send(route, { path: `${route.path}?token=${ADMIN_TOKEN}`, from });
      const isApi = route.path.startsWith("/api/");
      assert.deepEqual(await code(byQuery), isApi ? [422, "invalid"] : [401, "unauthenticated"]);
    });
  }

  for (const route of routes.filter(isAdmin)) {
    it(`${route.name} refuses a person who is no administrator`, async () => {
      const response = await send(route, { headers: { authorization: "Bearer token-ann" } });
      assert.deepEqual(await code(response), [401, "unauthenticated"]);
    });
  }

  for (const route of routes.filter((each) => takesJson(each))) {
    it(`${route.name} refuses what is no JSON, of another type, or too large`, async () => {
      const headers = { ...credentials(route), "content-type": "application/json" };
      for (const body of ["{", '{"a":1,}', "[".repeat(30_000), '{"n":1e400}', "\u0000"])
        assert.equal((await send(route, { headers, body })).status, 400, body.slice(0, 20));
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      assert.deepEqual(await code(await send(route, { headers: form, body: "a=1" })), [
        415,
        "unsupported_media_type",
      ]);
      const characters = tooMany(route);
      const body = JSON.stringify({ x: "a".repeat(characters) });
      assert.deepEqual(await code(await send(route, { headers, body })), [413, "too_large"]);
      const list = await send(route, { headers, body: '[{"neither": "an object nor a key"}]' });
      assert.deepEqual(await code(list), [422, "invalid"]);
    });
  }

  // A payment service may add members as it likes.
  for (const route of routes.filter((each) => takesJson(each) && !isWebhook(each))) {
    it(`${route.name} knows its example, and no member beyond its schema`, async () => {
      const fresh = await createTestShop();
      const headers = { ...credentials(route) };
      const unknown = { ...(route.example as object), noSuchField: 1 };
      const refused = await fresh.send(route.method, route.path, { headers, body: unknown });
      assert.deepEqual(await code(refused), [422, "invalid"]);
      const response = await fresh.send(route.method, route.path, { headers, body: route.example });
      const text = await response.clone().text();
      assert.ok(response.status < 500 || response.status === 502, `${response.status} ${text}`);
      assert.ok(![400, 401, 413, 415].includes(response.status), `${response.status} ${text}`);
    });
  }

  for (const route of routes.filter(
    (each) => hasPlace(each) && !isMaker(each) && !isPage(each) && !isWebhook(each),
  )) {
    it(`${route.name} knows no such thing, and no id that cannot be one`, async () => {
      const headers = credentials(route);
      assert.deepEqual(await code(await send(route, { headers })), [404, "not_found"]);
      for (const id of ["__proto__", "constructor", "%00", "%ff", "x".repeat(1_000), "..%2f..%2fetc"]) {
        const path = route.path.replace(/(?:[a-z]+_)?0{26,}|no-such-[\w.-]+/u, id);
        assert.notEqual(path, route.path);
        const { status } = await send(route, { headers, path });
        assert.ok([400, 404, 422].includes(status), `${id} ${status}`);
      }
    });
  }

  for (const route of routes.filter(
    ({ method, operation, name }) =>
      method === "GET" && operation.parameters?.some((each) => each.name === "limit") && !name.includes("{"),
  )) {
    it(`${route.name} refuses a cursor and a limit that are none`, async () => {
      const list = (query: string): Promise<Response> =>
        send(route, { headers: credentials(route), path: `${route.path}?${query}` });
      if (!route.name.endsWith("/chat/messages"))
        assert.deepEqual(await code(await list("cursor=nonsense")), [400, "bad_request"]);
      for (const limit of ["0", "-1", "1e9", "1.5", "many", ""])
        assert.deepEqual(await code(await list(`limit=${limit}`)), [422, "invalid"], limit);
    });
  }
});
