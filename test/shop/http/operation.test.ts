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
      "/api/chat/attachments/:id",
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

it("answers people with a page in their language where nothing is, and programs with a problem document", async () => {
  const app = await createTestShop();
  await app.setSite({ languages: ["en", "de", "zh"] });
  const person = { accept: "text/html", "accept-language": "de-AT" };
  const page = await app.fetch("/nothing/here", { headers: person });
  assert.equal(page.status, 404);
  assert.equal(page.headers.get("cache-control"), "no-store");
  assert.match(
    await page.text(),
    /<html lang="de".*href="\/assets\/store\.css".*Trivet shop.*Seite nicht gefunden/u,
  );
  for (const [path, headers] of [
    ["/nothing/here", { accept: "application/json" }],
    ["/nothing/here", {}],
    ["/api/nothing", person],
    ["/assets/nothing.css", person],
  ] as const) {
    const answer = await app.fetch(path, { headers });
    assert.equal(answer.status, 404);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/u);
  }
});
