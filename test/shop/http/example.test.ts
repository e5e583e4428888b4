/** Examples of the document, as people send them from Swagger UI. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { createTestShop, read } from "../app-fixture.ts";
import { listRoutes } from "./all-routes.ts";

it("POST /api/admin/products takes the document's example on an empty shop", async () => {
  const app = await createTestShop();
  const route = (await listRoutes(app)).find(({ name }) => name === "POST /api/admin/products");
  assert.ok(route !== undefined);
  await read(await app.admin("POST", "/api/admin/products", route.example), 201);
});
