import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestApp } from "./app-fixture.ts";

interface Operation {
  operationId: string;
  summary?: string;
  security?: object[];
  requestBody?: { required?: boolean; content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}
type Paths = Record<string, Record<string, Operation>>;

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

async function load(): Promise<{ paths: Paths; routes: Set<string> }> {
  const app = await createTestApp();
  const { paths } = (await app.document()) as { paths: Paths }; // its shape is what these tests are about
  const index = (await (await app.fetch("/api")).json()) as { admin: string[]; public: string[] };
  const routes = new Set(
    [...index.admin, ...index.public].filter((entry) => METHODS.has(entry.split(" ")[0] ?? "")),
  );
  return { paths, routes };
}

function operationsOf(paths: Paths): { name: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

describe("the monitor's OpenAPI document", () => {
  it("names each operation once, with a summary", async () => {
    const operations = operationsOf((await load()).paths);
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length >= 20);
    for (const { name, operation } of operations) assert.ok(operation.summary, name);
  });

  it("has the same routes as the index document", async () => {
    const { paths, routes } = await load();
    const documented = operationsOf(paths).map(({ name }) => name.replaceAll(/\{(\w+)\}/gu, ":$1"));
    assert.deepEqual(documented.sort(), [...routes].sort());
  });

  it("has an example and `required` for each request body", async () => {
    for (const { name, operation } of operationsOf((await load()).paths)) {
      if (operation.requestBody === undefined) continue;
      assert.equal(operation.requestBody.required, true, name);
      assert.notEqual(operation.requestBody.content["application/json"]?.example, undefined, name);
    }
  });

  it("asks admin routes, agents, and no other, for a credential, and lists 401 for them", async () => {
    for (const { name, operation } of operationsOf((await load()).paths)) {
      const isAdmin =
        (name.includes("/api/admin/") && name !== "POST /api/admin/auth") ||
        name === "GET /metrics" ||
        name === "POST /api/agent/report";
      // An empty requirement among them says that a credential is welcome, and not needed.
      const asked = operation.security ?? [];
      const isNeeded = asked.length > 0 && asked.every((one) => Object.keys(one).length > 0);
      assert.equal(isNeeded, isAdmin, name);
      if (isAdmin) assert.ok(operation.responses["401"], name);
    }
  });

  it("answers every operation's errors as problem documents", async () => {
    for (const { name, operation } of operationsOf((await load()).paths)) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || name === "GET /api/health") continue;
        // In the form that callers of Uptime Kuma know.
        if (name.endsWith(" /api/push/{key}") && content?.["application/json"] !== undefined) continue;
        assert.ok(content?.["application/problem+json"]?.schema, `${name} ${status}`);
      }
    }
  });
});
