import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import { createAppHarness, readProblem } from "../app-harness.ts";

const connection = { remoteAddress: "192.0.2.1" };

describe("request ids and clients", () => {
  it("gives every response an id of its own, and logs the caller's beside it when that is harmless", async () => {
    const { app, logged } = createAppHarness();
    app.get("/a", (c) => c.text(c.get("requestId")));
    const made = await app.request("/a");
    const id = made.headers.get("x-request-id") ?? "";
    assert.match(id, /^[A-Za-z0-9._-]{1,64}$/u);
    assert.equal(await made.text(), id);
    const taken = await app.request("/a", { headers: { "x-request-id": "Given-1.2_3" } });
    const own = taken.headers.get("x-request-id") ?? "";
    assert.match(own, /^[0-9a-f]{16}-[0-9a-z]+$/u);
    assert.equal(await taken.text(), own);
    assert.equal((await app.request("/none")).headers.has("x-request-id"), true);
    assert.deepEqual(
      logged()
        .map((line) => [line["requestId"], line["correlationId"]])
        .slice(0, 2),
      [
        [id, undefined],
        [own, "Given-1.2_3"],
      ],
    );
  });

  it("logs no long or strange id of a caller", async () => {
    const { app, logged } = createAppHarness();
    app.get("/a", (c) => c.body(null));
    for (const given of ["x".repeat(65), "a b", 'a"b', "ü", "a;b", ""]) {
      const response = await app.request("/a", { headers: { "x-request-id": given } });
      assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f]{16}-[0-9a-z]+$/u);
    }
    assert.ok(logged().every((line) => !("correlationId" in line)));
  });

  it("finds the client behind trusted proxies only", async () => {
    const answer = async (trustedProxies: string[]): Promise<string> => {
      const { app } = createAppHarness({ trustedProxies });
      app.get("/a", (c) => c.text(c.get("clientAddress")));
      const headers = { "x-forwarded-for": "6.6.6.6, 198.51.100.7" };
      return (await app.request("/a", { headers }, connection)).text();
    };
    assert.equal(await answer([]), "192.0.2.1");
    assert.equal(await answer(["10.0.0.0/8"]), "192.0.2.1");
    assert.equal(await answer(["192.0.2.0/24"]), "198.51.100.7");
  });
});

describe("the access log and metrics", () => {
  it("keeps what consoles look at again and again for those who want every detail", async () => {
    const { app, logged } = createAppHarness();
    app.all("/api/admin/things", (c) => c.text("x", c.req.query("fail") === undefined ? 200 : 404));
    app.get("/api/things", (c) => c.text("x"));
    const things = "/api/admin/things";
    await app.request(things, {}, connection);
    await app.request(`${things}?fail`, {}, connection);
    await app.request(things, { method: "POST" }, connection);
    await app.request("/api/things", {}, connection);
    assert.deepEqual(
      logged().map((line) => line["level"]),
      ["debug", "info", "info", "info"],
    );
  });

  it("has one line a request with the pattern of its route, and nothing of path, query or headers", async () => {
    const { app, clock, logged, logText, metrics } = createAppHarness();
    app.get("/users/:id", (c) => {
      clock.advance(12.34);
      return c.text("x");
    });
    const headers = { authorization: "Bearer s3cret", cookie: "sid=s3cret" };
    await app.request("/users/s3cret?token=s3cret", { headers }, connection);
    const [{ requestId, ...line } = {}] = logged();
    assert.deepEqual(line, {
      time: "2026-01-02T03:04:05.690Z",
      level: "info",
      message: "Request",
      service: "test",
      method: "GET",
      route: "/users/:id",
      status: 200,
      ms: 12.3,
      client: "192.0.2.1",
    });
    assert.equal(typeof requestId, "string");
    assert.doesNotMatch(logText(), /s3cret/u);
    const text = metrics.render();
    const series = '{method="GET",route="/users/:id",status="200"';
    assert.ok(text.includes(`http_server_request_duration_seconds_bucket${series},le="0.01"} 0`));
    assert.ok(text.includes(`http_server_request_duration_seconds_bucket${series},le="0.025"} 1`));
  });

  it("says why a request was rejected, by the code of the error", async () => {
    const { app, logged } = createAppHarness();
    app.get("/limited", () => {
      throw new AppError("rate_limited", "Too many");
    });
    app.get("/broken", () => {
      throw new Error("x");
    });
    await app.request("/limited");
    await app.request("/nowhere");
    await app.request("/limited?a=%zz");
    await app.request("/broken");
    const codes = logged().flatMap(({ message, code }) => (message === "Request" ? [code] : []));
    assert.deepEqual(codes, ["rate_limited", "not_found", "bad_request", "internal"]);
  });

  it("puts unknown paths and methods into one series", async () => {
    const { app, metrics, logged } = createAppHarness();
    app.use("/api/*", async (_c, next) => next());
    for (const path of ["/x1", "/x2", "/api/x3"]) await app.request(path);
    await app.request("/x4", { method: "BREW" });
    const routes = new Set(logged().map((line) => `${String(line["method"])} ${String(line["route"])}`));
    assert.deepEqual([...routes], ["GET unmatched", "OTHER unmatched"]);
    assert.equal(metrics.render().match(/_count\{/gu)?.length, 2);
  });

  it("names the route when middleware in front of it refuses, and shows 101 for a WebSocket", async () => {
    const { app, logged } = createAppHarness();
    app.use("/api/*", async (c) => c.body(null, 401));
    app.get("/api/thing", (c) => c.body(null));
    app.get("/ws", () => new Response(null, { headers: { upgrade: "websocket" } }));
    await app.request("/api/thing");
    await app.request("/ws");
    assert.deepEqual(
      logged().map((line) => [line["route"], line["status"]]),
      [
        ["/api/thing", 401],
        ["/ws", 101],
      ],
    );
  });
});

describe("headers", () => {
  it("tells browsers not to sniff, and gives pages a policy without inline code or frames", async () => {
    const { app } = createAppHarness();
    app.get("/page", (c) => c.html("<p>hi</p>"));
    app.get("/own", (c) => c.html("<p>hi</p>", 200, { "content-security-policy": "default-src 'none'" }));
    app.get("/data", (c) => c.json({}));
    const page = await app.request("/page");
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/u);
    assert.match(policy, /frame-ancestors 'none'/u);
    assert.doesNotMatch(policy, /unsafe/u);
    assert.equal((await app.request("/own")).headers.get("content-security-policy"), "default-src 'none'");
    for (const path of ["/page", "/data", "/none"]) {
      const { headers } = await app.request(path);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("referrer-policy"), "same-origin");
      assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
      assert.equal(headers.has("strict-transport-security"), false);
    }
    assert.equal(page.headers.get("cross-origin-opener-policy"), "same-origin");
    assert.match(page.headers.get("permissions-policy") ?? "", /geolocation=\(\)/u);
  });

  it("keeps data out of frames, and lets the sites of others show pictures", async () => {
    const { app } = createAppHarness();
    app.get("/data", (c) => c.json({}));
    app.get("/picture", (c) => c.body("x", 200, { "content-type": "image/png" }));
    for (const path of ["/data", "/none"])
      assert.equal(
        (await app.request(path)).headers.get("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'",
      );
    const { headers } = await app.request("/picture");
    assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
  });

  it("tells browsers to keep to https where people come by it", async () => {
    for (const [publicUrl, expected] of [
      ["https://shop.example.org", "max-age=31536000"],
      ["http://shop.example.org", null],
    ] as const) {
      const { app } = createAppHarness({ publicUrl });
      const { headers } = await app.request("/none");
      assert.equal(headers.get("strict-transport-security"), expected);
    }
  });

  it("adds its headers also to responses whose own are immutable", async () => {
    const { app } = createAppHarness();
    app.get("/away", () => Response.redirect("http://localhost/there"));
    const response = await app.request("/away");
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("location"), "http://localhost/there");
    assert.equal(response.headers.has("x-request-id"), true);
  });
});

describe("methods", () => {
  it("answers HEAD on every GET, OPTIONS with Allow, and other methods with 405", async () => {
    const { app } = createAppHarness();
    app.get("/a/:id", (c) => c.text("body"));
    app.delete("/a/:id", (c) => c.body(null, 204));
    app.use("/a/*", async (_c, next) => next());
    const head = await app.request("/a/1", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-type"), (await app.request("/a/1")).headers.get("content-type"));
    assert.equal(await head.text(), "");
    const options = await app.request("/a/1", { method: "OPTIONS" });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get("allow"), "GET, DELETE, HEAD, OPTIONS");
    const refused = await app.request("/a/1", { method: "POST" });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.get("allow"), "GET, DELETE, HEAD, OPTIONS");
    assert.equal((await readProblem(refused))["code"], "method_not_allowed");
    for (const method of ["GET", "POST", "OPTIONS", "HEAD", "PATCH"]) {
      assert.equal((await app.request("/b", { method })).status, 404);
    }
    assert.equal((await app.request("/a", { method: "POST" })).status, 404);
  });

  it("knows the routes of applications that were added to it", async () => {
    const { app } = createAppHarness();
    const inner = createAppHarness().app;
    inner.post("/orders", (c) => c.body(null, 201));
    app.route("/api", inner);
    assert.equal((await app.request("/api/orders")).headers.get("allow"), "POST, OPTIONS");
  });
});

describe("CORS", () => {
  const allowedOrigins = ["https://good.example"];
  const ask = async (
    origin: string,
    method = "GET",
    origins: string[] = allowedOrigins,
  ): Promise<Headers> => {
    const { app } = createAppHarness({ allowedOrigins: origins });
    app.get("/a", (c) => c.text("x"));
    const headers = {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization, x-admin-token",
    };
    return (await app.request("/a", { method, headers })).headers;
  };

  it("lets listed origins read, with credentials", async () => {
    const headers = await ask("https://good.example");
    assert.equal(headers.get("access-control-allow-origin"), "https://good.example");
    assert.equal(headers.get("access-control-allow-credentials"), "true");
    assert.match(headers.get("vary") ?? "", /Origin/u);
  });

  it("lets their pages read the headers that clients need", async () => {
    const headers = await ask("https://good.example");
    assert.deepEqual(headers.get("access-control-expose-headers")?.split(", "), [
      "ETag",
      "Location",
      "Retry-After",
      "X-Device-Token",
      "X-Request-Id",
    ]);
  });

  it("answers their preflights", async () => {
    const headers = await ask("https://good.example", "OPTIONS");
    assert.equal(headers.get("access-control-allow-origin"), "https://good.example");
    assert.equal(headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS");
    assert.equal(headers.get("access-control-allow-headers"), "authorization, x-admin-token");
  });

  it("gives other origins nothing, however much they resemble a listed one", async () => {
    const others = [
      "https://evil.example",
      "https://good.example.evil.example",
      "http://good.example",
      "https://good.example:444",
      "https://GOOD.example",
      "null",
    ];
    for (const origin of others) {
      for (const method of ["GET", "OPTIONS"]) {
        const headers = await ask(origin, method);
        const granted = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
        assert.deepEqual(granted, [], `${method} from ${origin}`);
      }
    }
  });

  it("opens to all with *, but without credentials", async () => {
    const headers = await ask("https://evil.example", "GET", ["*", "https://good.example"]);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.has("access-control-allow-credentials"), false);
  });
});

describe("a service below a path", () => {
  const open = () => {
    const { app } = createAppHarness({ basePath: "/auth" });
    app.get("/", (c) => c.redirect("/account", 303));
    app.get("/away", (c) => c.redirect("https://other.example/", 303));
    app.get("/beside", (c) => c.redirect("//other.example/", 303));
    app.get("/page", (c) => {
      c.header("set-cookie", "a=1; Path=/", { append: true });
      c.header("set-cookie", "b=2; Path=/", { append: true });
      return c.html(
        '<a href="/account">x</a> <form action="/sign-out"></form><img src="/a.png"/><a href="#x"></a><a href="//b.example"></a><a href="https://c.example/"></a><p title="&quot; href=&quot;/not">/page</p>',
      );
    });
    app.get("/people/:name", (c) => c.json({ name: c.req.param("name"), path: c.req.path }));
    return app;
  };

  it("takes requests with the path and without", async () => {
    const app = open();
    for (const path of ["/auth/people/ann", "/people/ann"])
      assert.deepEqual(await (await app.request(path)).json(), { name: "ann", path: "/people/ann" });
    assert.equal((await app.request("/authors")).status, 404);
    for (const path of ["/auth", "/auth/", "/"])
      assert.equal((await app.request(path)).headers.get("location"), "/auth/account");
    assert.equal((await app.request("/auth/people/ann", { method: "POST" })).status, 405);
  });

  it("puts the path before where its answers lead, and leaves other sites alone", async () => {
    const app = open();
    assert.equal((await app.request("/auth/away")).headers.get("location"), "https://other.example/");
    assert.equal((await app.request("/auth/beside")).headers.get("location"), "//other.example/");
    const page = await app.request("/auth/page");
    assert.equal(
      await page.text(),
      '<a href="/auth/account">x</a> <form action="/auth/sign-out"></form><img src="/auth/a.png"/><a href="#x"></a><a href="//b.example"></a><a href="https://c.example/"></a><p title="&quot; href=&quot;/not">/page</p>',
    );
    assert.deepEqual(page.headers.getSetCookie(), ["a=1; Path=/", "b=2; Path=/"]);
    assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self'/u);
    const head = await app.request("/auth/page", { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });
});
