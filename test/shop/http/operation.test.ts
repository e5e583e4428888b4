/** What the shop says of itself. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { createTestShop, read } from "../app-fixture.ts";

it("describes itself in the fixed form at / and /api", async () => {
  const app = await createTestShop();
  for (const path of ["/", "/api"]) {
    const descriptor = await read<Record<string, unknown>>(await app.fetch(path));
    assert.deepEqual(Object.keys(descriptor).toSorted(), [
      "description",
      "endpoints",
      "message",
      "timestamp",
      "version",
    ]);
    assert.match(String(descriptor["version"]), /^[\d.]+-[a-z]+$/u);
    assert.match(String(descriptor["timestamp"]), /T.*\+00:00$/u);
    const endpoints = Object.entries(descriptor["endpoints"] as Record<string, unknown>);
    assert.deepEqual(endpoints.map(([key]) => key).toSorted(), [
      "admin",
      "auth",
      "chat_admin",
      "chat_user",
      "health",
      "orders",
      "public",
      "webhooks",
      "wishlist",
    ]);
    for (const [, text] of endpoints) assert.equal(typeof text, "string");
    const all = endpoints.map(([, text]) => String(text)).join("\n");
    for (const route of [
      "POST /api/products/:idOrSlug/view",
      "GET /api/orders/:id/payment-status",
      "POST /api/orders/:id/confirm",
      "GET /api/chat/attachments/:id",
      "/api/admin/products/:id/images",
    ])
      assert.ok(all.includes(route), route);
  }
});

it("reports its health", async () => {
  const app = await createTestShop();
  const report = await read<{ status: string; checks: object }>(await app.fetch("/api/health"));
  assert.deepEqual([report.status, Object.keys(report.checks)], ["ok", ["store"]]);
});
