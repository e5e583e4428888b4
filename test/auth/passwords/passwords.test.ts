/** Forgotten and changed passwords. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { isSignedIn, read } from "../http/admin-requests.ts";
import {
  addFactor,
  DAY_MS,
  HOUR_MS,
  linkFor,
  logIn,
  MINUTE_MS,
  OTHER,
  post,
  sendCode,
  shapeOf,
  tokensOf,
  totpCode,
} from "../http/people.ts";

const ANN = "ann@example.org";
let app: TestApp;
let ann: SignedIn;
beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

const forgot = (email: string, from?: string): Promise<Response> =>
  post(app, "password/forgot", { email }, from === undefined ? {} : { from });
const reset = (token: string, password = OTHER): Promise<Response> =>
  post(app, "password/reset", { token, password });
const change = (body: object, token = ann.accessToken): Promise<Response> =>
  post(app, "password/change", body, { token });
const reauth = (body: object, token = ann.accessToken): Promise<Response> =>
  post(app, "reauth", body, { token });

async function link(): Promise<string> {
  await forgot(ANN);
  return linkFor(app, ANN);
}

describe("a forgotten password", () => {
  it("gets the same answer for every address, and an email to its owner as registered", async () => {
    await app.signUp("carl", { status: "suspended" });
    const shapes: unknown[] = [];
    for (const email of ["ANN@example.org", "nobody@example.org", "carl@example.org", ANN])
      shapes.push(await shapeOf(await forgot(email)));
    for (const shape of shapes) assert.deepEqual(shape, shapes[0]);
    assert.match(JSON.stringify(shapes[0]), /"status":202/u);
    assert.equal((await app.mailsTo(ANN)).length, 1);
    for (const email of ["ANN@example.org", "carl@example.org"])
      assert.deepEqual(await app.mailsTo(email), []);
  });

  it("is limited apart from codes, but for the 20 mails an hour of who asks", async () => {
    await sendCode(app, ANN, "login");
    await forgot(ANN);
    await forgot(ANN);
    assert.equal((await app.mailsTo(ANN)).length, 2);
    for (let i = 0; i < 20; i += 1) await forgot(`user${i}@example.org`);
    app.clock.advance(MINUTE_MS);
    await forgot(ANN);
    assert.equal((await app.mailsTo(ANN)).length, 2, "20 an hour for who asks");
    await forgot(ANN, "192.0.2.200");
    assert.equal((await app.mailsTo(ANN)).length, 3);
  });

  it("puts the token into the page that is set up", async () => {
    await app.set("registration", { resetUrl: "https://shop.example/reset?t={token}" });
    const token = await link();
    assert.ok((await app.mailsTo(ANN))[0]?.includes(`https://shop.example/reset?t=${token}\n`));
  });

  it("is replaced once, of 16 at the same time too", async () => {
    const token = await link();
    const all = await Promise.all(Array.from({ length: 16 }, () => reset(token)));
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(await code(await reset(token, PASSWORD)), [401, "token_invalid"]);
    assert.equal((await logIn(app, "ann", OTHER)).status, 200);
    assert.equal((await logIn(app, "ann")).status, 401);
    assert.match((await app.mailsTo(ANN)).join("\n"), /The password of your account was changed/u);
  });

  it("waits 30 minutes to the millisecond, on a clock that goes back too", async () => {
    const first = await link();
    app.clock.advance(30 * MINUTE_MS - 1);
    assert.equal((await reset(first)).status, 200);
    const second = await link();
    app.clock.advance(30 * MINUTE_MS);
    assert.deepEqual(await code(await reset(second)), [401, "token_invalid"]);
    app.clock.jump(-3 * DAY_MS);
    assert.deepEqual(await code(await reset(second)), [401, "token_invalid"]);
  });

  it("is not spent by a password that is refused, and dies with the next link", async () => {
    const first = await link();
    assert.deepEqual(await code(await reset(first, "password123")), [422, "password_blocked"]);
    assert.deepEqual(await code(await reset(first, "short")), [422, "invalid"]);
    assert.deepEqual(await code(await reset(first, ANN)), [422, "password_blocked"]);
    app.clock.advance(MINUTE_MS);
    const second = await link();
    assert.deepEqual(await code(await reset(first)), [401, "token_invalid"]);
    assert.equal((await reset(second)).status, 200);
  });

  it("ends every session and the strangers' lock, and leaves the second factor", async () => {
    const { secret } = await addFactor(app, ann.accessToken);
    for (let i = 0; i < 5; i += 1) await logIn(app, "ann", "a stranger's guess", { from: `10.0.0.${i}` });
    const token = await link();
    const response = await reset(token);
    assert.equal(response.headers.get("set-cookie"), null);
    assert.deepEqual(await read(response, 200), { status: "password_set" });
    assert.equal(await isSignedIn(app, ann.accessToken), false);
    const refreshed = await post(app, "refresh", { refreshToken: ann.refreshToken });
    assert.deepEqual(await code(refreshed), [401, "refresh_invalid"]);
    const challenge: { status: string; challengeId: string } = await read(
      await logIn(app, "ann", OTHER),
      200,
    );
    assert.equal(challenge.status, "mfa_required");
    const { challengeId } = challenge;
    const done = await post(app, "login/mfa", { challengeId, code: totpCode(app, secret) });
    assert.equal((await tokensOf(done)).user.secondFactor, true);
  });

  it("ends a sign-in that waits for its second factor", async () => {
    const { secret } = await addFactor(app, ann.accessToken);
    const { challengeId }: { challengeId: string } = await read(await logIn(app, "ann"), 200);
    await reset(await link());
    const done = await post(app, "login/mfa", { challengeId, code: totpCode(app, secret) });
    assert.deepEqual(await code(done), [401, "invalid_credentials"]);
  });

  it("is no way into an account that was suspended since", async () => {
    const token = await link();
    await read(await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, {}), 200);
    assert.deepEqual(await code(await reset(token)), [401, "token_invalid"]);
  });
});

describe("the link of an account that an administrator made", () => {
  it("sets the first password within 24 hours, once", async () => {
    const fields = { username: "bob", email: "bob@example.org" };
    const made: { setPasswordToken: string } = await read(
      await app.admin("POST", "/api/admin/users", fields),
      201,
    );
    app.clock.advance(24 * HOUR_MS - 1);
    assert.equal((await reset(made.setPasswordToken)).status, 200);
    assert.deepEqual(await code(await reset(made.setPasswordToken)), [401, "token_invalid"]);
    const { user } = await tokensOf(await logIn(app, "bob", OTHER));
    assert.deepEqual([user.passwordSet, user.emailVerified], [true, true]);
  });
});

describe("changing the password", () => {
  it("ends every session, and answers with tokens that live", async () => {
    const elsewhere = await app.signIn(ann.user);
    const reset2 = await link();
    const response = await change({ currentPassword: PASSWORD, password: OTHER });
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.ok(response.headers.get("x-device-token"));
    const tokens = await tokensOf(response);
    for (const { accessToken } of [ann, elsewhere]) assert.equal(await isSignedIn(app, accessToken), false);
    assert.equal(await isSignedIn(app, tokens.accessToken), true);
    assert.equal((await post(app, "refresh", { refreshToken: tokens.refreshToken })).status, 200);
    assert.equal((await logIn(app, "ann")).status, 401);
    assert.equal((await logIn(app, "ann", OTHER)).status, 200);
    assert.deepEqual(await code(await reset(reset2, PASSWORD)), [401, "token_invalid"]);
    assert.match((await app.mailsTo(ANN)).join("\n"), /The password of your account was changed/u);
  });

  it("needs a sign-in within 10 minutes, or the present password", async () => {
    app.clock.advance(10 * MINUTE_MS);
    assert.deepEqual(await code(await change({ password: OTHER })), [403, "reauth_required"]);
    const fresh = await app.signIn(ann.user);
    app.clock.advance(10 * MINUTE_MS - 1);
    assert.equal((await change({ password: OTHER }, fresh.accessToken)).status, 200);
    const later = await tokensOf(await logIn(app, "ann", OTHER));
    app.clock.advance(10 * MINUTE_MS);
    const body = { currentPassword: OTHER, password: PASSWORD };
    assert.equal((await change(body, later.accessToken)).status, 200);
  });

  it("is one of 16 at the same time", async () => {
    const all = await Promise.all(
      Array.from({ length: 16 }, (_, i) => change({ password: `${OTHER} number ${i}` })),
    );
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    for (const response of all.filter(({ status }) => status !== 200))
      assert.deepEqual(await code(response), [401, "token_invalid"]);
  });

  it("is not locked by strangers, whose guesses lock the sign-in", async () => {
    for (let i = 0; i < 5; i += 1) await logIn(app, "ann", OTHER, { from: "10.0.0.9" });
    assert.equal((await logIn(app, "ann", PASSWORD, { from: "10.0.0.9" })).status, 401);
    assert.equal((await reauth({ password: PASSWORD })).status, 200);
    assert.equal((await change({ currentPassword: PASSWORD, password: OTHER })).status, 200);
  });

  it("refuses a wrong present password, and counts it", async () => {
    const wrong = { currentPassword: OTHER, password: "quite another sentence" };
    for (let i = 0; i < 5; i += 1)
      assert.deepEqual(await code(await change(wrong)), [401, "invalid_credentials"]);
    const right = { currentPassword: PASSWORD, password: OTHER };
    assert.deepEqual(await code(await change(right)), [401, "invalid_credentials"], "locked by oneself");
    app.clock.advance(30_000);
    assert.equal((await change(right)).status, 200);
  });

  it("takes no password that registration would not take", async () => {
    for (const [password, expected] of [
      ["password123", "password_blocked"],
      ["short", "invalid"],
      [ANN, "password_blocked"],
    ] as const)
      assert.deepEqual(await code(await change({ password })), [422, expected]);
    assert.equal(await isSignedIn(app, ann.accessToken), true);
  });

  it("does not take the password alone where there is a second factor", async () => {
    const { secret } = await addFactor(app, ann.accessToken);
    app.clock.advance(10 * MINUTE_MS);
    const body = { currentPassword: PASSWORD, password: OTHER };
    assert.deepEqual(await code(await change(body)), [403, "reauth_required"]);
    const proof = { password: PASSWORD, secondFactor: { code: totpCode(app, secret) } };
    assert.equal((await reauth(proof)).status, 200);
    assert.equal((await change(body)).status, 200);
  });

  it("sets a first password for who has none", async () => {
    const bare = await app.signUp("bare", { passwordHash: undefined });
    const wrong = { currentPassword: PASSWORD, password: OTHER };
    assert.deepEqual(await code(await change(wrong, bare.accessToken)), [401, "invalid_credentials"]);
    assert.equal(
      (await tokensOf(await change({ password: OTHER }, bare.accessToken))).user.passwordSet,
      true,
    );
  });
});
