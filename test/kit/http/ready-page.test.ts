import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAppHarness } from "../app-harness.ts";

describe("a ready page", () => {
  it("has all that any other page has, in every kind of place", async () => {
    const text = '<a href="/account">中文</a>';
    const own = { "content-type": "text/html; charset=UTF-8", vary: "Cookie" };
    for (const place of [
      {},
      { publicUrl: "https://auth.example.org" },
      { basePath: "/auth" },
      { allowedOrigins: ["https://shop.example.org"] },
    ]) {
      const { app } = createAppHarness(place);
      const send = app.createPageSender(own);
      app.get("/ready", (c) => send(c, new TextEncoder().encode(text)));
      app.get("/made", (c) => c.html(text, 200, own));
      const [ready, made] = await Promise.all(
        ["/ready", "/made"].map(async (path) => {
          const headers = { origin: "https://shop.example.org" };
          const response = await app.request(path, { headers });
          const fields = Object.fromEntries(response.headers);
          assert.match(fields["x-request-id"] ?? "", /-/u);
          return {
            status: response.status,
            fields: { ...fields, "x-request-id": "" },
            text: await response.text(),
          };
        }),
      );
      assert.deepEqual(ready, made);
      const head = await app.request("/ready", { method: "HEAD" });
      assert.equal(head.headers.get("x-content-type-options"), "nosniff");
      assert.deepEqual([head.status, await head.text()], [200, ""]);
    }
  });
});
