import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { createAuthClient, type AuthClient, type AuthClientOptions } from "../../../src/clients/js/client.ts";
import { createFixedClock, type FixedClock } from "../../support/fixed-clock.ts";
import {
  answer,
  openCenter,
  sayBusy,
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
    center.hold();
    let arrived = center.nextRequest();
    const early = client.validate(TOKEN);
    await arrived;
    clock.advance(3_000);
    arrived = center.nextRequest();
    const late = client.validate(TOKEN);
    await arrived;
    center.takeHeld()();
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

describe("the circuit", () => {
  async function fail(client: AuthClient, times: number): Promise<void> {
    center.respond = sayBusy;
    for (let i = 0; i < times; i += 1) await client.validate(`t${i}`);
  }

  it("sends no request for a second after 5 failures in a row", async () => {
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

  it("lets one call try, and opens again when it fails", async () => {
    const client = createClient();
    await fail(client, 5);
    clock.advance(1_000);
    center.hold();
    const arrived = center.nextRequest();
    const probe = client.validate(TOKEN);
    await arrived;
    assert.equal(toReason(await client.validate(OTHER)), "circuit_open");
    center.takeHeld()();
    assert.equal(toReason(await probe), "unexpected_status");
    clock.advance(999);
    assert.equal(toReason(await client.validate(OTHER)), "circuit_open");
    clock.advance(1);
    center.respond = sayValid;
    assert.deepEqual(await client.validate(OTHER), valid);
    assert.equal(center.seen.length, 7);
  });

  it("is not kept open by calls that began before and fail late", async () => {
    const client = createClient();
    center.respond = sayBusy;
    center.hold();
    const arrived = center.nextRequest();
    const slow = client.validate("slow");
    await arrived;
    const letGo = center.takeHeld();
    await fail(client, 5);
    clock.advance(900);
    letGo();
    assert.equal(toReason(await slow), "unexpected_status");
    clock.advance(100);
    center.respond = sayValid;
    assert.deepEqual(await client.validate(TOKEN), valid);
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
