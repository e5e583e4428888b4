/** What every route of the administration refuses: generated from the OpenAPI document, so that no route is forgotten. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestApp } from "../app-fixture.ts";
import { ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly "x-access"?: string;
  readonly requestBody?: { content: Readonly<Record<string, { example?: unknown }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

async function listRoutes(app: TestApp): Promise<Route[]> {
  const document: { paths: Record<string, Record<string, Operation>> } = await (
    await app.fetch("/openapi.json")
  ).json();
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    path.startsWith("/api/admin/")
      ? Object.entries(operations).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          operation,
        }))
      : [],
  );
}

/** An id of the right form that nothing has. */
const unknownId = "usr_00000000000000000000000000";
const routes = await listRoutes(await createTestApp());
const withJson = routes.filter(({ operation }) => operation.requestBody?.content["application/json"]);
const withId = routes.filter(({ path }) => path.includes("{id}"));

function fill(path: string, id = unknownId): string {
  // A client's id is a name, not a record's id.
  return path.replace("{id}", path.includes("/clients/") && id === unknownId ? "nobody" : id);
}

function sendRaw(
  app: TestApp,
  route: Route,
  body: string,
  contentType = "application/json",
): Promise<Response> {
  return app.fetch(fill(route.path), {
    method: route.method,
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": contentType },
    body,
  });
}

describe("every route of the administration", () => {
  it("is there to be tested", () => {
    assert.ok(routes.length >= 43, `found ${routes.length} routes`);
    assert.ok(withJson.length >= 15);
    assert.ok(withId.length >= 17);
  });

  for (const route of routes) {
    const { method, operation } = route;
    const path = fill(route.path);
    const name = `${method} ${route.path}`;

    it(`${name} refuses who is no administrator`, async () => {
      const app = await createTestApp();
      const person = await app.signUp("mallory");
      const send = (headers: Record<string, string>): Promise<Response> =>
        app.send(method, path, { headers });
      assert.deepEqual(await code(await send({})), [401, "unauthenticated"]);
      assert.deepEqual(await code(await send({ "x-admin-token": "adm_wrong" })), [401, "unauthenticated"]);
      assert.deepEqual(await code(await send({ "x-admin-token": "" })), [401, "unauthenticated"]);
      assert.deepEqual(await code(await send({ authorization: "Bearer acc_wrong" })), [401, "token_invalid"]);
      const bearer = { authorization: `Bearer ${person.accessToken}` };
      assert.deepEqual(await code(await send(bearer)), [403, "forbidden"]);
      assert.equal(operation["x-access"], "admin");
      assert.equal(operation.security?.length, 3);
    });
  }

  for (const route of withJson) {
    it(`${route.method} ${route.path} refuses a body that is none`, async () => {
      const app = await createTestApp();
      assert.deepEqual(await code(await sendRaw(app, route, '{"a":')), [400, "bad_request"]);
      assert.deepEqual(await code(await sendRaw(app, route, "{}", "text/plain")), [
        415,
        "unsupported_media_type",
      ]);
      assert.deepEqual(await code(await sendRaw(app, route, "[]")), [422, "invalid"]);
      assert.deepEqual(await code(await sendRaw(app, route, '{"noSuchField":1}')), [422, "invalid"]);
      assert.deepEqual(await code(await sendRaw(app, route, `"${"x".repeat(70_000)}"`)), [413, "too_large"]);
    });

    it(`${route.method} ${route.path} takes the example of its document`, async () => {
      const app = await createTestApp();
      const example = route.operation.requestBody?.content["application/json"]?.example;
      const response = await app.admin(route.method, fill(route.path), example);
      // A test mail has no server here; settings that nobody changed have version 0; ids are unknown.
      const expected = route.path.endsWith("/mail/test") ? 503 : route.path.includes("{id}") ? 404 : 201;
      const allowed = route.path.includes("/settings/") && expected === 201 ? [200, 412] : [200, expected];
      assert.ok(allowed.includes(response.status), `${response.status} ${await response.text()}`);
    });
  }

  for (const route of withId) {
    it(`${route.method} ${route.path} knows no stranger`, async () => {
      const app = await createTestApp();
      const example = route.operation.requestBody?.content["application/json"]?.example;
      const send = (id: string): Promise<Response> => app.admin(route.method, fill(route.path, id), example);
      assert.deepEqual(await code(await send(unknownId)), [404, "not_found"]);
      assert.deepEqual(await code(await send("__proto__")), [422, "invalid"]);
      assert.deepEqual(await code(await send("%00")), [422, "invalid"]);
    });
  }

  for (const route of routes.filter(
    ({ operation }) => operation.responses["400"] && !operation.requestBody,
  )) {
    it(`${route.method} ${route.path} refuses a cursor and a limit that are none`, async () => {
      const app = await createTestApp();
      const list = (query: string): Promise<Response> => app.admin("GET", `${route.path}?${query}`);
      assert.deepEqual(await code(await list("cursor=nonsense")), [400, "bad_request"]);
      assert.deepEqual(await code(await list("limit=0")), [422, "invalid"]);
      assert.deepEqual(await code(await list("limit=1e9")), [422, "invalid"]);
    });
  }

  it("takes the token from the query too, and from the account of an administrator", async () => {
    const app = await createTestApp();
    assert.equal((await app.fetch(`/api/admin/stats?token=${ADMIN_TOKEN}`)).status, 200);
    const { accessToken } = await app.signUp("boss", { role: "admin" });
    assert.equal((await app.send("GET", "/api/admin/stats", { token: accessToken })).status, 200);
  });
});
