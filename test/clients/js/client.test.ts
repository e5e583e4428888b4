import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, beforeEach, describe, it } from "node:test";
import { createAuthClient, type AuthClient, type AuthClientOptions } from "../../../src/clients/js/client.ts";
import { START, createFixedClock, type FixedClock } from "../../support/fixed-clock.ts";
import {
  answer,
  json,
  openCenter,
  problem,
  refused,
  sayBusy,
  sayRefused,
  sayValid,
  toReason,
  user,
  valid,
  type Respond,
  type StandInCenter,
} from "../../support/stand-in-center.ts";

const TOKEN = "acc_c2VjcmV0LXBhcnQtb2YtdGhlLXRva2Vu";

let center: StandInCenter;
let clock: FixedClock;

function createClient(options: Partial<AuthClientOptions> = {}): AuthClient {
  // A time-out long enough to never matter where it is not the subject.
  return createAuthClient({ authUrl: center.url, clock, timeoutMs: 30_000, ...options });
}

before(async () => {
  center = await openCenter();
});

after(() => center.close());

beforeEach(() => {
  center.reset();
  clock = createFixedClock();
});

describe("createAuthClient", () => {
  it("refuses an address that is none, and does not quote it", () => {
    for (const bad of [
      "",
      "auth.example.org",
      "ftp://auth.example.org",
      "https://me:hunter2@auth.example.org",
    ])
      assert.throws(
        () => createAuthClient({ authUrl: bad }),
        (error: Error) => error instanceof TypeError && !error.message.includes("hunter2"),
      );
  });

  it("refuses limits and names that are not usable", () => {
    const bad: Partial<AuthClientOptions>[] = [
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
      { cacheMs: -1 },
      { maxCached: 1.5 },
      { clientName: "My Shop" },
      { clientName: "a".repeat(65) },
    ];
    for (const options of bad) assert.throws(() => createClient(options), JSON.stringify(options));
  });
});

describe("validate", () => {
  it("answers with the holder of a token, frozen", async () => {
    const result = await createClient({ clientName: "shop" }).validate(TOKEN);
    assert.deepEqual(result, valid);
    assert.ok(result.status === "valid");
    assert.ok(Object.isFrozen(result) && Object.isFrozen(result.user) && Object.isFrozen(result.amr));
    const [request] = center.seen;
    assert.equal(request?.method, "GET");
    assert.equal(request?.url, "/api/auth/validate");
    assert.equal(request?.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(request?.headers["x-auth-client"], "shop");
  });

  it("keeps a path of the address, and leaves the name out when there is none", async () => {
    await createClient({ authUrl: `${center.url}/accounts/` }).validate(TOKEN);
    assert.equal(center.seen[0]?.url, "/accounts/api/auth/validate");
    assert.equal(center.seen[0]?.headers["x-auth-client"], undefined);
  });

  it("drops members that it does not know", async () => {
    center.respond = json(200, { ...answer, later: 1, user: { ...user, passwordHash: "x" } });
    assert.deepEqual(await createClient().validate(TOKEN), valid);
  });

  it("refuses what the center refuses", async () => {
    center.respond = sayRefused;
    assert.deepEqual(await createClient().validate(TOKEN), refused);
    center.respond = json(403, { code: "unauthenticated" }, problem);
    assert.deepEqual(await createClient().validate(TOKEN), refused);
  });

  it("refuses without asking what cannot be a token", async () => {
    const client = createClient();
    for (const token of ["", " ", "acc_ö", "acc_a b", "acc_a\r\nx-a: b", "=", "acc_=a", "a".repeat(513)])
      assert.deepEqual(await client.validate(token), refused, JSON.stringify(token.slice(0, 20)));
    assert.equal(center.seen.length, 0);
    assert.deepEqual(await client.validate("a".repeat(512)), valid);
  });
});

describe("validateRequest", () => {
  function toRequest(authorization?: string): Request {
    return new Request(
      "http://app.example/",
      authorization === undefined ? {} : { headers: { authorization } },
    );
  }

  it("reads a bearer token, in any case of the scheme", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "])
      assert.deepEqual(await createClient().validateRequest(toRequest(`${scheme} ${TOKEN}`)), valid);
    assert.ok(center.seen.every((request) => request.headers.authorization === `Bearer ${TOKEN}`));
  });

  it("refuses without asking when there is none", async () => {
    const client = createClient();
    const bad = [
      "",
      "Bearer",
      "Bearer ",
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN} x`,
      `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    ];
    for (const header of [undefined, ...bad, `Bearer ${"a".repeat(513)}`])
      assert.deepEqual(await client.validateRequest(toRequest(header)), refused, header);
    assert.equal(center.seen.length, 0);
  });
});

describe("validate when the center is in trouble", () => {
  const cases: [string, Respond, string, number][] = [
    ["503 with Retry-After", sayBusy, "unexpected_status", 7],
    ["429 with Retry-After", json(429, {}, { "retry-after": "30" }), "rate_limited", 30],
    [
      "Retry-After as a date",
      json(503, {}, { "retry-after": new Date(START + 90_000).toUTCString() }),
      "unexpected_status",
      90,
    ],
    ["an absurd Retry-After", json(503, {}, { "retry-after": "99999999" }), "unexpected_status", 3_600],
    ["a Retry-After that is none", json(503, {}, { "retry-after": "soon" }), "unexpected_status", 1],
    ["500", json(500, { code: "internal" }, problem), "unexpected_status", 1],
    ["404", json(404, { code: "not_found" }, problem), "unexpected_status", 1],
    ["204", (res) => void res.writeHead(204).end(), "unexpected_status", 1],
    ["a disconnect", (res) => void res.socket?.destroy(), "unreachable", 1],
    [
      "a disconnect within the body",
      (res) => {
        res.writeHead(200, { "content-length": "5000" });
        res.write('{"valid":true', () => res.socket?.destroy());
      },
      "unreachable",
      1,
    ],
    ["no JSON", (res) => void res.end("<html>"), "unexpected_body", 1],
    ["an empty body", (res) => void res.end(), "unexpected_body", 1],
    ["no UTF-8", (res) => void res.end(Buffer.from(JSON.stringify(answer), "latin1")), "unexpected_body", 1],
    ["valid: false", json(200, { ...answer, valid: false }), "unexpected_body", 1],
    ["a user without id", json(200, { ...answer, user: { ...user, id: "" } }), "unexpected_body", 1],
    ["values of another type", json(200, { ...answer, expiresAt: 1 }), "unexpected_body", 1],
    ["a 200 without a user", json(200, { valid: true }), "unexpected_body", 1],
    ["a huge body", json(200, { ...answer, padding: "x".repeat(64 * 1_024) }), "unexpected_body", 1],
    ["a 401 of something else", json(401, { code: "token_invalid" }), "unexpected_status", 1],
    ["a 401 with another code", json(401, { code: "invalid_credentials" }, problem), "unexpected_body", 1],
    ["a 403 of a proxy", (res) => void res.writeHead(403).end("Forbidden"), "unexpected_status", 1],
  ];
  for (const [name, respond, reason, retryAfterSeconds] of cases)
    it(`is unavailable after ${name}, and asks again the next time`, async () => {
      center.respond = respond;
      const client = createClient();
      const expected = { status: "auth_unavailable", reason, retryAfterSeconds };
      assert.deepEqual(await client.validate(TOKEN), expected);
      center.respond = sayValid;
      assert.deepEqual(await client.validate(TOKEN), valid);
    });

  it("stops reading an endless body", async () => {
    let isGone: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    center.respond = (res) => {
      function pour(): void {
        while (!res.destroyed && res.write("x".repeat(16_384)));
      }
      res.on("drain", pour).on("close", isGone);
      pour();
    };
    assert.equal(toReason(await createClient().validate(TOKEN)), "unexpected_body");
    await gone;
  });

  it("follows no redirect", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      center.seen = [];
      center.respond = (res, req) => {
        if (req.url === "/else") sayValid(res, req);
        else res.writeHead(status, { location: "/else" }).end();
      };
      assert.equal(toReason(await createClient().validate(TOKEN)), "unexpected_status");
      assert.equal(center.seen.length, 1);
    }
  });

  it("waits no longer than the time-out, before and within the body", async () => {
    let gone: Promise<unknown> = Promise.resolve();
    center.respond = (res) => {
      gone = once(res, "close");
    };
    assert.equal(toReason(await createClient({ timeoutMs: 50 }).validate(TOKEN)), "timeout");
    await gone;
    center.respond = (res) => void res.writeHead(200).write('{"valid":');
    assert.equal(toReason(await createClient({ timeoutMs: 50 }).validate(TOKEN)), "timeout");
    const deaf = createClient({ timeoutMs: 50, fetch: () => new Promise(() => undefined) });
    assert.equal(toReason(await deaf.validate(TOKEN)), "timeout");
  });

  it("is unavailable when the center is not running", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const address = gone.address();
    assert.ok(address !== null && typeof address === "object");
    gone.close();
    await once(gone, "close");
    const client = createClient({ authUrl: `http://127.0.0.1:${address.port}` });
    assert.equal(toReason(await client.validate(TOKEN)), "unreachable");
  });

  it("does not stretch a remembered answer", async () => {
    const client = createClient();
    await client.validate(TOKEN);
    center.respond = sayBusy;
    clock.advance(2_999);
    assert.deepEqual(await client.validate(TOKEN), valid);
    clock.advance(1);
    assert.equal(toReason(await client.validate(TOKEN)), "unexpected_status");
  });
});

describe("validateRequest", () => {
  it("takes what Node and Express hand to a handler", async () => {
    const client = createClient();
    const result = await client.validateRequest({ headers: { authorization: `Bearer ${TOKEN}` } });
    assert.equal(result.status, "valid");
    const odd: unknown[] = [
      { headers: {} },
      { headers: { authorization: ["Bearer", TOKEN] } },
      {},
      undefined,
    ];
    // JavaScript that calls it so is not held to the type.
    for (const request of odd as { headers: Headers }[])
      assert.deepEqual(await client.validateRequest(request), { status: "refused" });
  });

  it("reports who impersonates an account", async () => {
    center.respond = json(200, { ...answer, impersonatedBy: "user opsadmin" });
    const result = await createClient().validate(TOKEN);
    assert.equal(result.status === "valid" && result.impersonatedBy, "user opsadmin");
  });
});
