import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRoute, z } from "@hono/zod-openapi";
import { AppError, commonErrors } from "../../../src/kit/errors.ts";
import { problemResponses } from "../../../src/kit/http/schemas.ts";
import { NoHandshakeError } from "../../../src/runtime/runtime.ts";
import { StoreError, type StoreErrorCode } from "../../../src/store/store.ts";
import { createAppHarness, readProblem, type AppHarness } from "../app-harness.ts";

function createThrowing(error: unknown): AppHarness {
  const harness = createAppHarness();
  harness.app.get("/fail", () => {
    throw error;
  });
  return harness;
}

describe("errors as problem documents", () => {
  it("answers 503 when the system lacks files, ports or space, however deep the error is nested, and logs it", async () => {
    for (const code of ["EMFILE", "ENFILE", "ENOBUFS", "ENOSPC", "EDQUOT"]) {
      const cause = Object.assign(new Error(`${code}: open`), { code });
      for (const error of [cause, new Error("import failed", { cause: new Error("read", { cause }) })]) {
        const { app, logText } = createThrowing(error);
        const response = await app.request("/fail");
        assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "5"]);
        assert.equal((await readProblem(response))["code"], "unavailable");
        assert.match(logText(), /Request failed/u);
      }
    }
    const circular = new Error("circular");
    circular.cause = circular;
    assert.equal((await createThrowing(circular).app.request("/fail")).status, 500);
  });

  it("shows an AppError's code, message, fields and details, and Retry-After", async () => {
    const error = new AppError("rate_limited", "Wait a little", {
      retryAfterSeconds: 2.1,
      errors: [{ pointer: "/a", code: "x", message: "y" }],
      details: { limit: 5, status: 200, code: "forged" },
    });
    const { app } = createThrowing(error);
    const response = await app.request("/fail");
    assert.equal(response.status, 429);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    assert.equal(response.headers.get("retry-after"), "3");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.deepEqual(await readProblem(response), {
      limit: 5,
      type: "urn:trivet:problem:rate_limited",
      title: commonErrors.rate_limited.title,
      status: 429,
      detail: "Wait a little",
      code: "rate_limited",
      requestId: response.headers.get("x-request-id"),
      errors: [{ pointer: "/a", code: "x", message: "y" }],
    });
  });

  it("gives each store error its code and no detail of the store", async () => {
    const expected: Record<StoreErrorCode, [number, string]> = {
      unique_violation: [409, "already_exists"],
      conflict: [409, "version_conflict"],
      check_violation: [409, "conflict"],
      not_found: [404, "not_found"],
      invalid_record: [500, "internal"],
      bad_cursor: [400, "bad_request"],
      store_unavailable: [503, "store_unavailable"],
    };
    for (const [code, [status, name]] of Object.entries(expected)) {
      const isCode = (text: string): text is StoreErrorCode => text in expected;
      assert.ok(isCode(code));
      const { app } = createThrowing(new StoreError(code, "/secret/path went wrong"));
      const response = await app.request("/fail");
      const text = await response.text();
      assert.equal(response.status, status);
      assert.match(text, new RegExp(`"code":"${name}"`, "u"));
      assert.doesNotMatch(text, /secret/u);
      assert.equal(response.headers.get("retry-after"), code === "store_unavailable" ? "5" : null);
    }
  });

  it("answers 500 for an unknown error, logs it with the request id and leaks nothing", async () => {
    const { app, logged, logText } = createThrowing(new Error("password is hunter2"));
    const response = await app.request("/fail");
    assert.equal(response.status, 500);
    const id = response.headers.get("x-request-id");
    assert.ok(id);
    const text = await response.text();
    assert.doesNotMatch(text, /hunter2|stack|app-errors/u);
    assert.match(logText(), /hunter2/u);
    assert.deepEqual(
      logged().map((line) => [line["level"], line["requestId"]]),
      [
        ["error", id],
        ["warn", id],
      ],
    );
  });

  it("carries what 401 and 426 need", async () => {
    const denied = await createThrowing(new AppError("unauthenticated", "No")).app.request("/fail");
    assert.equal(denied.headers.get("www-authenticate"), "Bearer");
    const upgrade = await createThrowing(new NoHandshakeError("no")).app.request("/fail");
    assert.equal(upgrade.status, 426);
    assert.equal(upgrade.headers.get("upgrade"), "websocket");
  });
});

/** One route that takes all kinds of input. */
function createThings(): AppHarness {
  const harness = createAppHarness();
  const route = createRoute({
    method: "put",
    path: "/things/{id}",
    request: {
      params: z.object({ id: z.string().max(5) }),
      query: z.object({ limit: z.coerce.number().int().max(10).optional() }),
      body: {
        required: true,
        content: {
          "application/json": {
            schema: z.object({ name: z.string().max(10), "a/b~c": z.array(z.number()).optional() }),
          },
        },
      },
    },
    responses: {
      200: {
        description: "Stored",
        content: { "application/json": { schema: z.object({ name: z.string() }) } },
      },
      ...problemResponses("bad_request", "invalid", "too_large", "unsupported_media_type"),
    },
  });
  harness.app.openapi(route, (c) => c.json({ name: c.req.valid("json").name }, 200));
  return harness;
}

const json = { "content-type": "application/json" };

async function put(
  { app }: AppHarness,
  body: BodyInit,
  options: { headers?: Record<string, string>; path?: string } = {},
): Promise<Response> {
  const init = { method: "PUT", body, headers: options.headers ?? json, duplex: "half" };
  return app.request(options.path ?? "/things/1", init);
}

describe("validation", () => {
  it("hands valid input to the handler", async () => {
    const response = await put(createThings(), '{"name":"ü"}', {
      headers: { "content-type": "application/json; charset=UTF-8" },
      path: "/things/%C3%BC?limit=5",
    });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { name: "ü" });
  });

  it("answers 422 with JSON pointers for wrong values in the body", async () => {
    const response = await put(createThings(), '{"name":7,"a/b~c":[1,"x"]}');
    assert.equal(response.status, 422);
    const problem = await readProblem(response);
    assert.equal(problem["code"], "invalid");
    assert.ok(Array.isArray(problem["errors"]));
    assert.deepEqual(
      problem["errors"].map((error: unknown): unknown => Reflect.get(Object(error), "pointer")),
      ["/name", "/a~1b~0c/1"],
    );
    const whole = await readProblem(await put(createThings(), "[]"));
    assert.match(JSON.stringify(whole["errors"]), /"pointer":""/u);
  });

  it("answers 422 with names for wrong parameters", async () => {
    for (const [path, name] of [
      ["/things/1?limit=11", "limit"],
      ["/things/123456", "id"],
    ] as const) {
      const response = await put(createThings(), '{"name":"x"}', { path });
      assert.equal(response.status, 422);
      assert.match(
        JSON.stringify((await readProblem(response))["errors"]),
        new RegExp(`"pointer":"${name}"`, "u"),
      );
    }
  });

  it("answers 400 and says where for what is no strict JSON", async () => {
    const bodies: [BodyInit, RegExp][] = [
      ['{"name":', /unexpected end at 1:9/u],
      ["", /unexpected end at 1:1/u],
      ['{"name":"a","x":1e400}', /out of range/u],
      ['{"name":"\\ud800"}', /lone surrogate/u],
      ['{"name":"a","__proto__":{}}', /__proto__/u],
      [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), /UTF-8/u],
      ["[".repeat(900), /unexpected end/u],
      ["[".repeat(450) + "]".repeat(450), /too many levels/u],
    ];
    for (const [body, message] of bodies) {
      const response = await put(createThings(), body);
      assert.equal(response.status, 400);
      const problem = await readProblem(response);
      assert.equal(problem["code"], "bad_request");
      assert.match(String(problem["detail"]), message);
    }
  });

  it("answers 415 for another content type, another charset, or a body without a type", async () => {
    for (const type of [
      "text/plain",
      "application/json; charset=latin1",
      "application/xml",
      "multipart/form-data; boundary=x",
    ]) {
      const response = await put(createThings(), '{"name":"x"}', { headers: { "content-type": type } });
      assert.equal(response.status, 415, type);
    }
    const untyped = await put(createThings(), new TextEncoder().encode('{"name":"x"}'), { headers: {} });
    assert.equal(untyped.status, 415);
  });

  it("refuses a broken percent-encoding in path and query", async () => {
    const { app } = createAppHarness();
    app.get("/a/:id", (c) => c.text(c.req.param("id")));
    for (const path of ["/a/%ff", "/a/%C3%28", "/a/%", "/a/%c0%ae"]) {
      assert.equal((await app.request(path)).status, 404, path);
    }
    assert.equal((await app.request("/a/x?q=%ff")).status, 400);
    assert.equal(await (await app.request("/a/%C3%BC%252F")).text(), "ü%2F");
  });
});

describe("the body limit", () => {
  function createEndless(onPull: () => void): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull(controller) {
        onPull();
        controller.enqueue(new Uint8Array(100).fill(32));
      },
    });
  }

  it("refuses what announces too much without reading it", async () => {
    const response = await put(createThings(), "{}", { headers: { ...json, "content-length": "1001" } });
    assert.equal(response.status, 413);
    const problem = await readProblem(response);
    assert.equal(problem["code"], "too_large");
    assert.equal(problem["limitBytes"], 1_000);
  });

  it("stops reading a body of unknown length once it is too long", async () => {
    let pulls = 0;
    const response = await put(
      createThings(),
      createEndless(() => (pulls += 1)),
    );
    assert.equal(response.status, 413);
    assert.equal((await readProblem(response))["code"], "too_large");
    assert.ok(pulls < 20, `${pulls} pieces were read`);
  });

  it("holds for every way of reading", async () => {
    const { app } = createAppHarness();
    app.post("/text", async (c) => c.text(await c.req.text()));
    app.post("/form", async (c) => c.json(await c.req.parseBody()));
    app.post("/stream", async (c) => {
      for await (const _ of c.req.raw.body ?? []);
      return c.text("read");
    });
    for (const path of ["/text", "/form", "/stream"]) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const init = { method: "POST", headers, body: createEndless(() => undefined), duplex: "half" };
      assert.equal((await app.request(path, init)).status, 413, path);
    }
  });

  it("takes a body of exactly the limit, also in pieces", async () => {
    const body = `{"name":"x"}${" ".repeat(1_000 - 12)}`;
    assert.equal((await put(createThings(), body)).status, 200);
    assert.equal((await put(createThings(), `${body} `)).status, 413);
    const pieces = new ReadableStream({
      start(controller) {
        for (const part of [body.slice(0, 500), body.slice(500)])
          controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    assert.equal((await put(createThings(), pieces)).status, 200);
  });
});

describe("problemResponses", () => {
  it("lists each status once, with every code that gives it, and always 500", () => {
    const responses = problemResponses("conflict", "already_exists", "not_found");
    assert.deepEqual(Object.keys(responses), ["404", "409", "500"]);
    assert.match(responses[409].description, /`conflict`.*`already_exists`/u);
  });
});
