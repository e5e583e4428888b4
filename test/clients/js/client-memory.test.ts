import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it, mock } from "node:test";
import { createAuthClient, type AuthClient, type AuthClientOptions } from "../../../src/clients/js/client.ts";
import { START, createFixedClock, type FixedClock } from "../../support/fixed-clock.ts";
import {
  answer,
  json,
  openCenter,
  refused,
  sayRefused,
  sayValid,
  toReason,
  valid,
  type StandInCenter,
} from "../../support/stand-in-center.ts";

const TOKEN = "acc_c2VjcmV0LXBhcnQtb2YtdGhlLXRva2Vu";
const OTHER = "acc_b3RoZXItdG9rZW4";

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

afterEach(() => {
  mock.restoreAll();
});

describe("the memory of answers", () => {
  it("sends a request again after cacheMs, so that a revoked token is rejected by then", async () => {
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
    center.hold();
    const arrived = center.nextRequest();
    const first = client.validate(TOKEN);
    await arrived;
    clock.advance(2_000);
    center.takeHeld()();
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
    center.respond = json(200, { ...answer, expiresAt: new Date(START + 1_000).toISOString() });
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

  it("is waited for by later calls, however long its digest takes", async () => {
    const client = createClient();
    await client.validate(TOKEN);
    center.respond = sayRefused;
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    let finish: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const digests: Promise<ArrayBuffer>[] = [];
    mock.method(crypto.subtle, "digest", (algorithm: string, data: BufferSource) => {
      const made = digest(algorithm, data);
      digests.push(made);
      return digests.length === 1 ? slow.then(() => made) : made;
    });
    const forgotten = client.forget(TOKEN);
    const later = client.validate(TOKEN);
    await Promise.all(digests);
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    assert.deepEqual(await later, refused);
    await forgotten;
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
      center.hold();
      let arrived = center.nextRequest();
      const early = client.validate(TOKEN);
      await arrived;
      await forget(client);
      const letGo = center.takeHeld();
      center.respond = sayRefused;
      arrived = center.nextRequest();
      const late = client.validate(TOKEN);
      await arrived;
      assert.deepEqual(await late, refused);
      clock.advance(1_000);
      center.respond = sayValid;
      letGo();
      await early;
      center.respond = sayRefused;
      assert.deepEqual(await client.validate(TOKEN), refused);
      assert.equal(center.seen.length, 3);
    });
});
