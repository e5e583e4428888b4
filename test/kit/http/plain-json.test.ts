import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAppHarness } from "../app-harness.ts";

const value = { name: "中文", items: [1, undefined, null], absent: undefined };

/** The answer's status, fields and body, without what differs from one answer to the next. */
async function read(response: Response): Promise<unknown> {
  const fields = Object.fromEntries(response.headers);
  assert.match(fields["x-request-id"] ?? "", /-/u);
  return [response.status, { ...fields, "x-request-id": "" }, await response.text()];
}

describe("a JSON answer", () => {
  it("has all that one has whose headers are added one by one, in every kind of place", async () => {
    for (const place of [
      {},
      { publicUrl: "https://auth.example.org" },
      { basePath: "/auth" },
      { allowedOrigins: ["https://shop.example.org"] },
    ]) {
      const { app } = createAppHarness(place);
      const own = { "Cache-Control": "no-store", "x-empty": "" };
      app.get("/quick", (c) => c.json(value, 201, own));
      const typed = { "content-type": "application/json", ...own };
      app.get("/text", (c) => c.body(JSON.stringify(value), 201, typed));
      app.get("/slow", () => new Response(JSON.stringify(value), { status: 201, headers: typed }));
      for (const headers of [undefined, { origin: "https://shop.example.org" }]) {
        const [quick, text, slow] = await Promise.all(
          ["/quick", "/text", "/slow"].map(async (path) => read(await app.request(path, { headers }))),
        );
        assert.deepEqual([quick, text], [slow, slow]);
      }
      const head = await app.request("/quick", { method: "HEAD" });
      assert.equal(head.headers.get("x-content-type-options"), "nosniff");
      assert.deepEqual([head.status, await head.text()], [201, ""]);
    }
  });

  it("keeps what was set before and after it, and takes what only Headers know how to write", async () => {
    const { app } = createAppHarness({ basePath: "/auth" });
    app.get("/before", (c) => {
      c.header("set-cookie", "a=1", { append: true });
      c.header("set-cookie", "b=2", { append: true });
      return c.json(value, 200);
    });
    app.get("/before-text", (c) => {
      c.header("set-cookie", "c=3");
      return c.body("{}", 200, { "content-type": "application/json" });
    });
    app.get("/after", async (c, next) => {
      await next();
      c.header("x-after", "yes");
    });
    app.get("/after", (c) => c.json(value, 200));
    app.get("/odd", (c) =>
      c.json(value, 200, { "x-blank": " a ", "x-latin": "\u00e9", "x-many": ["a", "b"], location: "/there" }),
    );
    app.get("/policy", (c) => c.json(value, 200, { "content-security-policy": "sandbox" }));
    const get = async (path: string): Promise<Headers> => {
      const { headers } = await app.request(`/auth${path}`);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("content-type"), "application/json");
      return headers;
    };
    assert.deepEqual((await get("/before")).getSetCookie(), ["a=1", "b=2"]);
    assert.deepEqual((await get("/before-text")).getSetCookie(), ["c=3"]);
    assert.equal((await get("/after")).get("x-after"), "yes");
    const odd = await get("/odd");
    assert.deepEqual(
      ["x-blank", "x-latin", "x-many", "location"].map((name) => odd.get(name)),
      ["a", "\u00e9", "a, b", "/auth/there"],
    );
    assert.equal((await get("/policy")).get("content-security-policy"), "sandbox");
  });

  it("is made by functions that all requests share, lest V8 keep each request for long", async () => {
    const { app } = createAppHarness({});
    const made = new Set<unknown>();
    app.get("/", (c) => {
      for (const each of [c.body, c.header, c.json]) made.add(each);
      return c.json(value, 200);
    });
    for (let n = 0; n < 3; n += 1) await app.request("/");
    assert.equal(made.size, 3);
  });

  it("is not taken for the one of an error that came after it was made", async () => {
    const { app } = createAppHarness({});
    app.get("/late", (c) => {
      c.json(value, 200);
      throw new Error("after all");
    });
    const response = await app.request("/late");
    assert.equal(response.status, 500);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.match(response.headers.get("x-request-id") ?? "", /-/u);
  });
});
