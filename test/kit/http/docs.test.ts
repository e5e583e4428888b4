import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRoute, z } from "@hono/zod-openapi";
import { addDocs, listRoutes } from "../../../src/kit/http/docs.ts";
import { problemResponses } from "../../../src/kit/http/schemas.ts";
import { createAppHarness, type AppHarness } from "../app-harness.ts";

function createDocumented(): AppHarness {
  const harness = createAppHarness();
  addDocs(harness.app, {
    securitySchemes: { adminToken: { type: "apiKey", in: "header", name: "X-Admin-Token" } },
    groups: { servers: "Machines." },
  });
  const route = createRoute({
    method: "get",
    path: "/api/servers/{id}/parts/{part}",
    operationId: "getPart",
    summary: "One part",
    tags: ["servers"],
    "x-access": "admin",
    security: [{ adminToken: [] }],
    request: { params: z.object({ id: z.string(), part: z.string() }) },
    responses: {
      200: {
        description: "The part",
        content: { "application/json": { schema: z.object({ id: z.string() }) } },
      },
      ...problemResponses("unauthenticated", "not_found"),
    },
  });
  harness.app.openapi(route, (c) => c.json({ id: c.req.valid("param").id }, 200));
  return harness;
}

async function getDocument({ app }: AppHarness): Promise<Record<string, unknown>> {
  return Object(await (await app.request("/openapi.json")).json());
}

describe("the OpenAPI document", () => {
  it("describes the service, its routes and their security", async () => {
    const document = await getDocument(createDocumented());
    assert.equal(document["openapi"], "3.1.0");
    const text = JSON.stringify(document);
    assert.match(text, /"title":"Test service","version":"1.0.0"/u);
    assert.match(
      text,
      /"securitySchemes":\{"adminToken":\{"type":"apiKey","in":"header","name":"X-Admin-Token"\}\}/u,
    );
    const operation: unknown = Reflect.get(
      Object(Reflect.get(Object(document["paths"]), "/api/servers/{id}/parts/{part}")),
      "get",
    );
    assert.deepEqual(Reflect.get(Object(operation), "security"), [{ adminToken: [] }]);
    const statuses = Object.keys(Object(Reflect.get(Object(operation), "responses")));
    assert.deepEqual(statuses, ["200", "400", "401", "404", "422", "500"]);
  });

  it("has an operation id of its own for every route", async () => {
    const ids = Array.from(
      JSON.stringify(await getDocument(createDocumented())).matchAll(/"operationId":"(\w+)"/gu),
      (m) => m[1],
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes("getPart") && ids.includes("getOpenApiDocument"));
  });

  it("is not sent again to a client that has it", async () => {
    const { app } = createDocumented();
    const etag = (await app.request("/openapi.json")).headers.get("etag") ?? "";
    const again = await app.request("/openapi.json", { headers: { "if-none-match": `"x", W/${etag}` } });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), "");
    assert.equal((await app.request("/openapi.json", { headers: { "if-none-match": '"x"' } })).status, 200);
  });
});

describe("listRoutes", () => {
  it("tells method, path, access, group and summary of every documented route", () => {
    const routes = listRoutes(createDocumented().app);
    assert.deepEqual(routes.at(-1), {
      method: "GET",
      path: "/api/servers/:id/parts/:part",
      access: "admin",
      group: "servers",
      summary: "One part",
    });
    assert.ok(
      routes.some(
        ({ method, path, access }) => method === "GET" && path === "/openapi.json" && access === "public",
      ),
    );
  });
});

describe("Swagger UI", () => {
  it("is a page with scripts and styles of its own origin only, under a policy that forbids others", async () => {
    const { app } = createDocumented();
    const response = await app.request("/swagger/index.html");
    assert.equal(response.status, 200);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /script-src 'self';/u);
    assert.doesNotMatch(policy, /unsafe|https?:/u);
    const html = await response.text();
    assert.doesNotMatch(html, /https?:\/\/|<script>|<style|style=|onload=/u);
    const files = Array.from(html.matchAll(/(?:src|href)="\.\/([^"]+)"/gu), (match) => match[1] ?? "");
    assert.equal(files.length, 3);
    for (const file of files) {
      const asset = await app.request(`/swagger/${file}`);
      assert.equal(asset.status, 200, file);
      assert.match(
        asset.headers.get("cache-control") ?? "",
        file.includes("?v=") ? /immutable/u : /max-age=86400/u,
      );
      const etag = asset.headers.get("etag") ?? "";
      assert.ok((await asset.arrayBuffer()).byteLength > 100);
      const again = await app.request(`/swagger/${file}`, { headers: { "if-none-match": etag } });
      assert.equal(again.status, 304);
    }
    for (const path of ["/swagger", "/swagger/"]) {
      assert.equal((await app.request(path)).headers.get("location"), "/swagger/index.html");
    }
  });

  it("serves its few files and nothing else, in any requested encoding", async () => {
    const { app } = createDocumented();
    const names = [
      "package.json",
      "absolute-path.js",
      "index.js",
      "swagger-ui-bundle.js.map",
      "..%2fpackage.json",
      "%2e%2e%2fpackage.json",
      "..%5cpackage.json",
      "%252e%252e%252fpackage.json",
      "....//package.json",
      "swagger-ui.css%00.png",
      "swagger-ui.css/",
      "SWAGGER-UI.CSS",
      "__proto__",
      "constructor",
      "%c0%ae%c0%ae/package.json",
    ];
    for (const name of names) {
      assert.equal((await app.request(`/swagger/${name}`)).status, 404, name);
    }
  });
});
