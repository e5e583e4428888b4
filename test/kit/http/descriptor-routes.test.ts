import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "@hono/zod-openapi";
import { addDescriptorRoutes } from "../../../src/kit/http/descriptor-routes.ts";
import { listRoutes } from "../../../src/kit/http/docs.ts";
import { createAppHarness } from "../app-harness.ts";

const schema = z.object({ paths: z.array(z.string()) });

describe("addDescriptorRoutes", () => {
  it("answers / and /api with the current values", async () => {
    const { app } = createAppHarness();
    addDescriptorRoutes(app, {
      schema,
      describe: () => ({ paths: listRoutes(app).map(({ path }) => path) }),
    });
    for (const path of ["/", "/api"]) {
      const response = await app.request(path, { headers: { accept: "text/html" } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("vary"), null);
      assert.deepEqual(await response.json(), { paths: ["/", "/api"] });
    }
  });

  it("shows the page at / alone, to those who want it", async () => {
    const { app } = createAppHarness();
    addDescriptorRoutes(app, {
      schema,
      describe: () => ({ paths: [] }),
      page: {
        name: "the page",
        wants: (c) => c.req.header("accept") === "text/html",
        show: async (c) => c.html("<p>page"),
      },
    });
    const headers = { accept: "text/html" };
    assert.equal(await (await app.request("/", { headers })).text(), "<p>page");
    const json = await app.request("/");
    assert.equal(json.headers.get("vary"), "Accept");
    assert.deepEqual(await json.json(), { paths: [] });
    assert.deepEqual(await (await app.request("/api", { headers })).json(), { paths: [] });
  });
});
