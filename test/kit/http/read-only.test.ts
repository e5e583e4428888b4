/** A public demo: visitors sign in and look, and every request that would change something is rejected. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refuseChange } from "../../../src/kit/http/read-only.ts";
import { ADMIN_TOKEN, createTestApp } from "../../monitor/app-fixture.ts";
import { createTestShop } from "../../shop/app-fixture.ts";

describe("a read-only install", () => {
  it("lets people read, sign in and out, and fill a cart", () => {
    for (const [method, path] of [
      ["GET", "/api/admin/settings"],
      ["HEAD", "/"],
      ["OPTIONS", "/api/admin/settings"],
      ["POST", "/sign-in"],
      ["POST", "/sign-in/second-factor"],
      ["DELETE", "/api/access/session"],
      ["POST", "/oauth/token"],
      ["POST", "/cart/change"],
    ] as const)
      refuseChange(method, path);
  });

  it("rejects everything else, also what only begins like an open path", () => {
    for (const [method, path] of [
      ["POST", "/sign-up"],
      ["POST", "/sign-in-elsewhere"],
      ["POST", "/checkout"],
      ["POST", "/cartography"],
      ["PATCH", "/api/auth/profile"],
      ["POST", "/api/auth/password/change"],
      ["PUT", "/api/admin/servers/one"],
      ["DELETE", "/api/admin/users/1"],
      ["POST", "/api/admin/checks/test"],
      ["PURGE", "/anything"],
    ] as const)
      assert.throws(() => refuseChange(method, path), { code: "forbidden" }, `${method} ${path}`);
  });

  it("protects the settings of the monitor from its own administrator", async () => {
    const app = await createTestApp({ readOnly: true });
    const post = (path: string, body: object, method = "POST"): Promise<Response> =>
      app.raw(path, {
        method,
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    assert.equal((await post("/api/admin/auth", { token: ADMIN_TOKEN })).status, 200);
    const changed = await post("/api/admin/settings", { siteTitle: "Changed" }, "PATCH");
    assert.equal(changed.status, 403);
    assert.match(await changed.text(), /read-only demo/u);
    const settings: { siteTitle: string } = await (await app.admin("GET", "/api/admin/settings")).json();
    assert.notEqual(settings.siteTitle, "Changed");
  });

  it("takes no orders and creates no products in the shop", async () => {
    const app = await createTestShop({ readOnly: true });
    const product = { title: "New", price: 100 };
    assert.equal((await app.admin("POST", "/api/admin/products", product)).status, 403);
    assert.equal((await app.send("POST", "/api/orders", {})).status, 403);
  });
});
