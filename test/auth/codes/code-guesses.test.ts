/** Guesses of codes: limited per client, stored only if there is a code, and never counted against other users. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { attempts } from "../../../src/auth/attempts/records.ts";
import { codes } from "../../../src/auth/codes/records.ts";
import { type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { MINUTE_MS, post, register, sendCode, shapeOf } from "../http/people.ts";

const ANN = "ann@example.org";
/** Where ann asks from, and where a stranger guesses from; neither has signed in to her account. */
const HOME = "203.0.113.5";
const STRANGER = "198.51.100.66";
const WRONG = "x";
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
  await app.signUp("ann");
});

interface Guess {
  readonly from: string;
  readonly challengeId?: string | undefined;
  readonly email?: string;
}

function guess(typed: string, { from, challengeId, email = ANN }: Guess): Promise<Response> {
  return post(app, "login/code", { email, code: typed, challengeId }, { from });
}

async function ask(from = HOME, email = ANN): Promise<{ challengeId: string; typed: string }> {
  const sent = await sendCode(app, email, "login", { from });
  const { challengeId } = await read<{ challengeId: string }>(sent, 202);
  return { challengeId, typed: await app.codeFor(email) };
}

async function fail(times: number, options: Guess): Promise<void> {
  for (let i = 0; i < times; i += 1)
    assert.deepEqual(await code(await guess(WRONG, options)), [400, "code_invalid"], String(i));
}

const countRecords = (): Promise<number> =>
  app.store.read(async (tx) => (await tx.count(attempts)) + (await tx.count(codes)));

describe("guesses at a code", () => {
  it("are refused after 10 wrong ones of an address, whatever the mailboxes, and leave nothing in the store", async () => {
    const before = await countRecords();
    for (let i = 0; i < 10; i += 1) await fail(1, { from: STRANGER, email: `x${i}@example.org` });
    const limited = await guess(WRONG, { from: STRANGER, email: "x10@example.org" });
    assert.ok(Number(limited.headers.get("retry-after")) > 0);
    assert.deepEqual(await code(limited), [429, "too_many_attempts"]);
    const verify = post(app, "email/verify", { email: ANN, code: WRONG }, { from: STRANGER });
    assert.equal((await verify).status, 429, "with those at registrations");
    assert.equal(await countRecords(), before);
    const { typed } = await ask();
    assert.equal((await guess(typed, { from: HOME })).status, 200);
  });

  it("count for the /64 of IPv6, and many at once do not pass the limit", async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) => guess(WRONG, { from: `2001:db8:1:2::${i}` })),
    );
    const checked = all.filter(({ status }) => status === 400).length;
    assert.ok(checked >= 10 && checked <= 11, `${checked} were checked`);
  });

  it("before a code is sent take nothing from it, for known and unknown mailboxes alike", async () => {
    await fail(10, { from: STRANGER });
    const { typed } = await ask();
    assert.equal((await guess(typed, { from: HOME })).status, 200);
    await post(app, "email/verify", { email: "new@example.org", code: WRONG }, { from: "198.51.100.67" });
    await register(app, "new", {}, { from: HOME });
    const body = { email: "new@example.org", code: await app.codeFor("new@example.org") };
    assert.equal((await post(app, "email/verify", body, { from: HOME })).status, 200);
  });

  it("of strangers do not use up the tries of the address that asked, which needs no challenge", async () => {
    const { typed } = await ask();
    await fail(10, { from: STRANGER });
    assert.deepEqual(await code(await guess(typed, { from: "192.0.2.200" })), [400, "code_invalid"]);
    await fail(4, { from: HOME });
    assert.equal((await guess(typed, { from: HOME })).status, 200);
  });

  it("of strangers, at the same address too, do not use up the tries of who holds the challenge", async () => {
    const { typed, challengeId } = await ask();
    await fail(10, { from: HOME });
    await fail(5, { from: STRANGER });
    assert.equal((await guess(typed, { from: HOME })).status, 429);
    assert.equal((await guess(typed, { from: HOME, challengeId })).status, 200);
  });

  it("with the challenge are five", async () => {
    const { typed, challengeId } = await ask();
    await fail(5, { from: "192.0.2.7", challengeId });
    assert.deepEqual(await code(await guess(typed, { from: "192.0.2.8", challengeId })), [
      400,
      "code_invalid",
    ]);
  });

  it("with a challenge of another mailbox, or a made-up one, count as without one", async () => {
    const { challengeId: foreign } = await ask(STRANGER, "bob@example.org").catch(() => ask(STRANGER, ANN));
    const other = await read<{ challengeId: string }>(
      await sendCode(app, "nobody@example.org", "login", { from: STRANGER }),
      202,
    );
    await ask();
    const made = [other.challengeId, `${foreign.slice(0, -1)}_`, "chl_", "x".repeat(100)];
    for (const challengeId of made)
      for (let i = 0; i < 3; i += 1) await guess(WRONG, { from: "192.0.2.99", challengeId });
    assert.equal((await guess(WRONG, { from: "192.0.2.99", challengeId: made[0] })).status, 429);
  });

  it("may be right for either of two codes that different people asked for", async () => {
    const first = await ask(HOME);
    app.clock.advance(MINUTE_MS);
    const second = await ask(STRANGER);
    assert.notEqual(first.challengeId, second.challengeId);
    const { challengeId } = first;
    assert.equal((await guess(second.typed, { from: HOME, challengeId })).status, 200);
    assert.deepEqual(await code(await guess(first.typed, { from: HOME, challengeId })), [
      400,
      "code_invalid",
    ]);
  });

  it("are answered alike for known and unknown addresses", async () => {
    const shapes: unknown[] = [];
    for (const email of [ANN, "nobody@example.org"]) {
      const sent = await sendCode(app, email, "login", { from: HOME });
      shapes.push(await shapeOf(sent));
      for (let i = 0; i < 7; i += 1)
        shapes.push(await shapeOf(await guess(WRONG, { from: `10.0.0.${i}`, email })));
    }
    assert.deepEqual(shapes.slice(8), shapes.slice(0, 8));
  });
});

describe("a code that was used or replaced", () => {
  it("is no longer emailed", async () => {
    await ask();
    app.clock.advance(MINUTE_MS);
    const { typed } = await ask();
    assert.equal((await app.mailsTo(ANN)).length, 1, "the one before is gone");
    assert.equal((await guess(typed, { from: HOME })).status, 200);
    assert.deepEqual(await app.mailsTo(ANN), []);
  });
});
