import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { after, afterEach, before, beforeEach, describe, it, mock } from "node:test";
import { createAuthClient } from "../../src/auth/client.ts";
import type { AuthClient, AuthClientOptions, AuthResult } from "../../src/auth/client.ts";
import { START, createFixedClock } from "../support/fixed-clock.ts";
import type { FixedClock } from "../support/fixed-clock.ts";

const TOKEN = "acc_c2VjcmV0LXBhcnQtb2YtdGhlLXRva2Vu";
const OTHER = "acc_b3RoZXItdG9rZW4";
const user = { id: "u1", username: "mia", displayName: "Mia Å", emailVerified: true, role: "user" };
const answer = {
  valid: true,
  user,
  sessionId: "s1",
  clientId: "web",
  expiresAt: START + 900_000,
  amr: ["pwd"],
  aal: 1,
};
const valid: AuthResult = {
  status: "valid",
  user,
  sessionId: "s1",
  clientId: "web",
  expiresAt: START + 900_000,
  amr: ["pwd"],
  aal: 1,
};
const refused: AuthResult = { status: "refused" };

type Respond = (res: ServerResponse, req: IncomingMessage) => void;

function json(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}
const problem = { "content-type": "application/problem+json" };
const sayValid = json(200, answer);
const sayRefused = json(401, { status: 401, code: "token_invalid" }, problem);
const sayBusy = json(503, { status: 503, code: "unavailable" }, { ...problem, "retry-after": "7" });

/** What the center received and how it answers; `held` keeps responses back until they are let go. */
const center: {
  respond: Respond;
  seen: IncomingMessage[];
  held: (() => void)[] | undefined;
  arrived: () => void;
} = {
  respond: sayValid,
  seen: [],
  held: undefined,
  arrived: () => undefined,
};
let server: Server;
let authUrl = "";
let clock: FixedClock;

function createClient(options: Partial<AuthClientOptions> = {}): AuthClient {
  // Long enough to never matter where time-outs are not the subject.
  return createAuthClient({ authUrl, clock, timeoutMs: 30_000, ...options });
}

/** Resolves when the center has received the next request. */
function nextRequest(): Promise<void> {
  return new Promise((resolve) => {
    center.arrived = resolve;
  });
}

function letGo(): void {
  for (const go of center.held ?? []) go();
  center.held = undefined;
}

function toReason(result: AuthResult): string {
  return result.status === "auth_unavailable" ? result.reason : result.status;
}

before(async () => {
  server = createServer((req, res) => {
    center.seen.push(req);
    const { respond } = center;
    if (center.held === undefined) respond(res, req);
    else center.held.push(() => respond(res, req));
    center.arrived();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  authUrl = `http://127.0.0.1:${address.port}`;
});

after(async () => {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
});

beforeEach(() => {
  center.respond = sayValid;
  center.seen = [];
  center.held = undefined;
  center.arrived = () => undefined;
  clock = createFixedClock();
});

afterEach(() => {
  mock.restoreAll();
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
    await createClient({ authUrl: `${authUrl}/accounts/` }).validate(TOKEN);
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
    ["no UTF-8", (res) => void res.end(Buffer.from([0x22, 0xff, 0x22])), "unexpected_body", 1],
    ["valid: false", json(200, { ...answer, valid: false }), "unexpected_body", 1],
    ["a user without id", json(200, { ...answer, user: { ...user, id: "" } }), "unexpected_body", 1],
    ["values of another type", json(200, { ...answer, expiresAt: "1" }), "unexpected_body", 1],
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
    center.respond = () => undefined;
    assert.equal(toReason(await createClient({ timeoutMs: 50 }).validate(TOKEN)), "timeout");
    center.respond = (res) => void res.writeHead(200).write('{"valid":');
    assert.equal(toReason(await createClient({ timeoutMs: 50 }).validate(TOKEN)), "timeout");
    const deaf = createClient({ timeoutMs: 50, fetch: () => new Promise(() => undefined) });
    assert.equal(toReason(await deaf.validate(TOKEN)), "timeout");
  });

  it("is unavailable when nobody listens", async () => {
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

describe("the memory of answers", () => {
  it("asks anew after cacheMs, so that a revoked token is refused by then", async () => {
    const client = createClient({ cacheMs: 5_000 });
    await client.validate(TOKEN);
    center.respond = sayRefused;
    clock.advance(4_999);
    assert.deepEqual(await client.validate(TOKEN), valid);
    assert.equal(center.seen.length, 1);
    clock.advance(1);
    assert.deepEqual(await client.validate(TOKEN), refused);
    assert.equal(center.seen.length, 2);
  });

  it("counts from the question, not from the answer", async () => {
    const client = createClient();
    center.held = [];
    const arrived = nextRequest();
    const first = client.validate(TOKEN);
    await arrived;
    clock.advance(2_000);
    letGo();
    await first;
    clock.advance(999);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 1);
    clock.advance(1);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 2);
  });

  it("asks every time with cacheMs 0, also in parallel", async () => {
    const client = createClient({ cacheMs: 0 });
    await client.validate(TOKEN);
    await Promise.all([client.validate(TOKEN), client.validate(TOKEN)]);
    assert.equal(center.seen.length, 3);
  });

  it("remembers a refusal for a second", async () => {
    center.respond = sayRefused;
    const client = createClient();
    await client.validate(TOKEN);
    clock.advance(999);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 1);
    clock.advance(1);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 2);
  });

  it("ends with the token, by the time of day", async () => {
    center.respond = json(200, { ...answer, expiresAt: START + 1_000 });
    const client = createClient();
    await client.validate(TOKEN);
    clock.jump(999);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 1);
    clock.jump(1);
    await client.validate(TOKEN);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 3);
  });

  it("lives no longer when the time of day is set back", async () => {
    const client = createClient();
    await client.validate(TOKEN);
    clock.jump(-3 * 86_400_000);
    clock.advance(3_000);
    await client.validate(TOKEN);
    assert.equal(center.seen.length, 2);
  });

  it("holds at most maxCached answers, the oldest goes first", async () => {
    const client = createClient({ maxCached: 2 });
    for (const token of ["a", "b", "c", "c", "b"]) await client.validate(token);
    assert.equal(center.seen.length, 3);
    await client.validate("a");
    assert.equal(center.seen.length, 4);
    const forgetful = createClient({ maxCached: 0 });
    await forgetful.validate("a");
    await forgetful.validate("a");
    assert.equal(center.seen.length, 6);
  });

  it("knows no token by its text, nor tells it in an answer", async () => {
    const stored: unknown[] = [];
    const set = Map.prototype.set;
    let isFailing = false;
    const client = createClient({
      fetch: async (url, init) => {
        if (isFailing) throw new Error(`connect ${url} ${JSON.stringify(init.headers)}`);
        return Response.json(answer);
      },
    });
    mock.method(
      Map.prototype,
      "set",
      function record(this: Map<unknown, unknown>, key: unknown, value: unknown) {
        stored.push(key, JSON.stringify(value));
        return set.call(this, key, value);
      },
    );
    const results = [await client.validate(TOKEN)];
    isFailing = true;
    results.push(await client.validate(OTHER));
    mock.restoreAll();
    assert.deepEqual(results.map(toReason), ["valid", "unreachable"]);
    assert.ok(stored.some((entry) => typeof entry === "string" && /^[0-9a-f]{64}$/u.test(entry)));
    for (const secret of [TOKEN, OTHER, "acc_"])
      assert.ok(![...stored, JSON.stringify(results)].some((entry) => String(entry).includes(secret)));
  });
});

describe("shared calls", () => {
  it("asks once for parallel calls with one token, and once for each other token", async () => {
    const client = createClient();
    const results = await Promise.all(
      [...Array(20).fill(TOKEN), OTHER].map((token) => client.validate(token)),
    );
    assert.ok(results.every((result) => result.status === "valid"));
    assert.equal(center.seen.length, 2);
  });

  it("does not join a call that is older than cacheMs", async () => {
    const client = createClient();
    center.held = [];
    let arrived = nextRequest();
    const early = client.validate(TOKEN);
    await arrived;
    clock.advance(3_000);
    arrived = nextRequest();
    const late = client.validate(TOKEN);
    await arrived;
    letGo();
    assert.deepEqual(await Promise.all([early, late]), [valid, valid]);
    assert.equal(center.seen.length, 2);
  });

  it("turns away more than 1,000 different tokens at once, and goes on afterwards", async () => {
    const answers: (() => void)[] = [];
    const client = createClient({
      fetch: () => new Promise((resolve) => answers.push(() => resolve(Response.json(answer)))),
    });
    const calls = Array.from({ length: 1_001 }, (_, index) => client.validate(`t${index}`));
    assert.equal(toReason(await Promise.race(calls)), "too_many_calls");
    for (const go of answers) go();
    const reasons = (await Promise.all(calls)).map(toReason);
    assert.equal(reasons.filter((reason) => reason === "valid").length, 1_000);
    const again = client.validate("t-again");
    while (answers.length < 1_001) await new Promise((resolve) => setImmediate(resolve));
    answers.at(-1)?.();
    assert.equal(toReason(await again), "valid");
  });
});

describe("forget", () => {
  it("drops a token at once, awaited or not", async () => {
    const client = createClient();
    await client.validate(TOKEN);
    await client.validate(OTHER);
    center.respond = sayRefused;
    const forgotten = client.forget(TOKEN);
    assert.deepEqual(await client.validate(TOKEN), refused);
    await forgotten;
    assert.deepEqual(await client.validate(OTHER), valid);
    assert.equal(center.seen.length, 3);
  });

  it("drops the answers of a session", async () => {
    const client = createClient();
    await client.validate(TOKEN);
    center.respond = json(200, { ...answer, sessionId: "s2" });
    await client.validate(OTHER);
    client.forgetSession("s1");
    center.respond = sayRefused;
    assert.deepEqual(await client.validate(TOKEN), refused);
    assert.equal((await client.validate(OTHER)).status, "valid");
  });

  const ways: [string, (client: AuthClient) => Promise<void>][] = [
    ["forget", (client) => client.forget(TOKEN)],
    ["forgetSession", async (client) => client.forgetSession("s1")],
  ];
  for (const [name, forget] of ways)
    it(`${name} keeps a call that began before from being joined or remembered`, async () => {
      const client = createClient();
      center.held = [];
      let arrived = nextRequest();
      const early = client.validate(TOKEN);
      await arrived;
      await forget(client);
      const held = center.held;
      center.held = undefined;
      center.respond = sayRefused;
      arrived = nextRequest();
      const late = client.validate(TOKEN);
      await arrived;
      assert.deepEqual(await late, refused);
      clock.advance(1_000);
      center.respond = sayValid;
      for (const go of held) go();
      await early;
      center.respond = sayRefused;
      assert.deepEqual(await client.validate(TOKEN), refused);
      assert.equal(center.seen.length, 3);
    });
});

describe("the circuit", () => {
  async function fail(client: AuthClient, times: number): Promise<void> {
    center.respond = sayBusy;
    for (let i = 0; i < times; i += 1) await client.validate(`t${i}`);
  }

  it("asks nobody for a second after 5 failures in a row", async () => {
    const client = createClient();
    await fail(client, 5);
    clock.advance(999);
    assert.deepEqual(await client.validate(TOKEN), {
      status: "auth_unavailable",
      reason: "circuit_open",
      retryAfterSeconds: 1,
    });
    assert.equal(center.seen.length, 5);
    clock.advance(1);
    center.respond = sayValid;
    assert.deepEqual(await client.validate(TOKEN), valid);
    assert.deepEqual(await client.validate(OTHER), valid);
  });

  it("lets one call try, and opens anew when it fails", async () => {
    const client = createClient();
    await fail(client, 5);
    clock.advance(1_000);
    center.held = [];
    const arrived = nextRequest();
    const probe = client.validate(TOKEN);
    await arrived;
    assert.equal(toReason(await client.validate(OTHER)), "circuit_open");
    letGo();
    assert.equal(toReason(await probe), "unexpected_status");
    clock.advance(999);
    assert.equal(toReason(await client.validate(OTHER)), "circuit_open");
    clock.advance(1);
    center.respond = sayValid;
    assert.deepEqual(await client.validate(OTHER), valid);
    assert.equal(center.seen.length, 7);
  });

  it("counts failures in a row, and a refusal is none", async () => {
    const client = createClient();
    await fail(client, 4);
    center.respond = sayRefused;
    await client.validate(TOKEN);
    await fail(client, 4);
    center.respond = sayValid;
    assert.deepEqual(await client.validate(OTHER), valid);
  });

  it("is not moved by the time of day", async () => {
    const client = createClient();
    await fail(client, 5);
    clock.jump(10 * 365 * 86_400_000);
    assert.equal(toReason(await client.validate(TOKEN)), "circuit_open");
    clock.jump(-20 * 365 * 86_400_000);
    clock.advance(1_000);
    center.respond = sayValid;
    assert.deepEqual(await client.validate(TOKEN), valid);
  });

  it("still gives remembered answers while it is open", async () => {
    const client = createClient();
    await client.validate(TOKEN);
    await fail(client, 5);
    assert.deepEqual(await client.validate(TOKEN), valid);
  });
});
