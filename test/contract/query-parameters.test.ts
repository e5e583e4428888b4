/** Parameters that a route does not know, on every route of all three services. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestApp as createAuth } from "../auth/app-fixture.ts";
import { createTestApp as createMonitor } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";

interface Target {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];
}

const services: Readonly<Record<string, () => Promise<Target>>> = {
  auth: createAuth,
  monitor: createMonitor,
  shop: createTestShop,
};
const methods = new Set(["get", "post", "put", "patch", "delete"]);

/** Programs of others write the query. */
const isForOthers = (template: string): boolean =>
  template.startsWith("/api/webhooks/") || template.startsWith("/api/push/");

async function listOperations(app: Target): Promise<{ method: string; path: string }[]> {
  const document: { paths: Record<string, object> } = await (await app.fetch("/openapi.json")).json();
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.keys(item)
      .filter((method) => methods.has(method))
      .filter(() => !isForOthers(template))
      .map((method) => ({ method: method.toUpperCase(), path: template.replaceAll(/\{\w+\}/gu, "x") })),
  );
}

for (const [service, create] of Object.entries(services)) {
  describe(`unknown query parameters of the ${service}`, () => {
    it("are refused by every route below /api, before anything else is looked at", async () => {
      const app = await create();
      const operations = (await listOperations(app)).filter(({ path }) => path.startsWith("/api/"));
      assert.ok(operations.length > 15);
      for (const { method, path } of operations) {
        const where = `${method} ${path}`;
        const answer = await app.fetch(`${path}?noSuchParameter=1&other=%C3%A4`, { method });
        assert.equal(answer.status, 422, where);
        const problem: Problem = await answer.json();
        const errors = (problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
        assert.deepEqual(
          [problem.code, ...errors],
          ["invalid", "noSuchParameter unknown_parameter", "other unknown_parameter"],
          where,
        );
      }
    });

    it("are let pass by pages, files and unknown paths", async () => {
      const app = await create();
      const link = "?utm_source=newsletter";
      const paths = ["/", "/api", "/openapi.json", "/swagger/index.html"];
      for (const path of paths) assert.equal((await app.fetch(`${path}${link}`)).status, 200, path);
      assert.equal((await app.fetch(`/api/no-such-route${link}`)).status, 404);
      assert.equal((await app.fetch(`/api/health${link}`, { method: "DELETE" })).status, 405);
    });
  });
}

describe("the query of a question about a token", () => {
  async function validate(query: string, headers: Record<string, string> = {}): Promise<number> {
    const app = await createAuth();
    const { accessToken } = await app.signUp("ann");
    const answer = await app.fetch(`/api/auth/validate${query}`, {
      headers: { authorization: `Bearer ${accessToken}`, ...headers },
    });
    return answer.status;
  }

  it("is refused where it seems to ask for a role or an assurance", async () => {
    assert.equal(await validate("?role=admin&aal=2"), 422);
    assert.equal(await validate("?role=admin", { "x-forwarded-uri": "/notes?page=2" }), 422);
    assert.equal(await validate("?role=admin", { "x-forwarded-uri": "/notes" }), 422);
  });

  it("is let pass where a proxy sends that of the request which it asks about", async () => {
    assert.equal(await validate("?page=2", { "x-forwarded-uri": "/notes?page=2" }), 200);
  });
});

describe("the query of the auth center's administration", () => {
  it("may hold the token beside what a route takes, and nothing else", async () => {
    const app = await createAuth();
    const token = "token=adm_test-token-of-the-suite";
    assert.equal((await app.fetch(`/api/admin/users?limit=1&${token}`)).status, 200);
    const misspelt = await app.fetch(`/api/admin/users?${token}&query=bob`);
    assert.equal(misspelt.status, 422);
    const { errors }: Problem = await misspelt.json();
    assert.match(errors?.[0]?.message ?? "", /takes: limit, cursor, .*q.*, token$/u);
    assert.equal((await app.fetch(`/api/public/users?${token}`)).status, 422);
  });
});
