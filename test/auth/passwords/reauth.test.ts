/** Proving again who one is, and who cannot: an administrator who acts in an account. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { addFactor, logIn, MINUTE_MS, OTHER, post, sendCode, totpCode } from "../http/people.ts";

const ANN = "ann@example.org";
let app: TestApp;
let ann: SignedIn;
beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

const change = (body: object, token = ann.accessToken): Promise<Response> =>
  post(app, "password/change", body, { token });
const reauth = (body: object, token = ann.accessToken): Promise<Response> =>
  post(app, "reauth", body, { token });

describe("proving again who one is", () => {
  beforeEach(() => {
    app.clock.advance(11 * MINUTE_MS);
  });

  it("takes the password", async () => {
    assert.deepEqual(await code(await reauth({ password: OTHER })), [401, "invalid_credentials"]);
    assert.deepEqual(await code(await change({ password: OTHER })), [403, "reauth_required"]);
    assert.deepEqual(await read(await reauth({ password: PASSWORD }), 200), {
      authenticatedAt: toIsoTime(app.clock.now()),
    });
    assert.equal((await change({ password: OTHER })).status, 200);
  });

  it("accepts a code that was emailed to the signed-in user, and no other", async () => {
    await sendCode(app, ANN, "reauth");
    assert.deepEqual(await app.mailsTo(ANN), [], "nobody is signed in");
    const bob = await app.signUp("bob");
    app.clock.advance(MINUTE_MS);
    await sendCode(app, ANN, "reauth", { token: bob.accessToken });
    assert.deepEqual(await app.mailsTo(ANN), []);
    app.clock.advance(MINUTE_MS);
    await sendCode(app, ANN, "reauth", { token: ann.accessToken });
    const emailCode = await app.codeFor(ANN);
    assert.deepEqual(await code(await reauth({ emailCode }, bob.accessToken)), [400, "code_invalid"]);
    assert.equal((await reauth({ emailCode: `${emailCode.slice(0, 4)} ${emailCode.slice(4)}` })).status, 200);
    assert.deepEqual(await code(await reauth({ emailCode })), [400, "code_invalid"]);
    assert.equal((await change({ password: OTHER })).status, 200);
  });

  it("is open again when an administrator unlocks the account", async () => {
    for (let i = 0; i < 5; i += 1) await reauth({ password: OTHER });
    assert.deepEqual(await code(await reauth({ password: PASSWORD })), [401, "invalid_credentials"]);
    await read(await app.admin("POST", `/api/admin/users/${ann.user.id}/unlock`), 200);
    assert.equal((await reauth({ password: PASSWORD })).status, 200);
  });

  it("wants something", async () => {
    assert.deepEqual(await code(await reauth({})), [422, "invalid"]);
    assert.deepEqual(await code(await reauth({ secondFactor: { code: "123456" } })), [422, "invalid"]);
  });

  it("wants the second factor too, and says so before it spends or counts anything", async () => {
    const fresh = await app.signIn(ann.user);
    const { secret, recoveryCodes } = await addFactor(app, fresh.accessToken);
    await sendCode(app, ANN, "reauth", { token: ann.accessToken });
    const emailCode = await app.codeFor(ANN);
    for (let i = 0; i < 12; i += 1) {
      assert.deepEqual(await code(await reauth({ password: PASSWORD })), [422, "invalid"]);
      assert.deepEqual(await code(await reauth({ emailCode })), [422, "invalid"]);
    }
    const wrong = { password: PASSWORD, secondFactor: { code: "000000x" } };
    assert.deepEqual(await code(await reauth(wrong)), [400, "code_invalid"]);
    assert.deepEqual(await code(await change({ password: OTHER })), [403, "reauth_required"]);
    const recovery = { method: "recovery", code: recoveryCodes[0] };
    assert.equal((await reauth({ emailCode, secondFactor: recovery })).status, 200);
    assert.deepEqual(await code(await reauth({ password: PASSWORD, secondFactor: recovery })), [
      400,
      "code_invalid",
    ]);
    const totp = { code: totpCode(app, secret) };
    assert.equal((await reauth({ password: PASSWORD, secondFactor: totp })).status, 200);
    const validation: { aal: number } = await read(
      await app.send("GET", "/api/auth/validate", { token: ann.accessToken }),
      200,
    );
    assert.equal(validation.aal, 2);
  });

  it("keeps its limits under concurrent requests", async () => {
    const all = await Promise.all(Array.from({ length: 25 }, () => reauth({ password: OTHER })));
    assert.ok(all.every(({ status }) => status === 401 || status === 429));
    assert.deepEqual(await code(await reauth({ password: PASSWORD })), [429, "too_many_attempts"]);
    app.clock.advance(20 * MINUTE_MS);
    const again = await app.signIn(ann.user);
    assert.equal((await reauth({ password: PASSWORD }, again.accessToken)).status, 200);
  });
});

describe("an administrator who acts in an account", () => {
  it("cannot change its password nor prove to be its owner", async () => {
    const session: { accessToken: string } = await read(
      await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
        minutes: 10,
        reason: "a look",
      }),
      200,
    );
    const token = session.accessToken;
    const body = { currentPassword: PASSWORD, password: OTHER };
    assert.deepEqual(await code(await change(body, token)), [403, "forbidden"]);
    assert.deepEqual(await code(await reauth({ password: PASSWORD }, token)), [403, "forbidden"]);
    assert.equal((await logIn(app, "ann")).status, 200);
  });
});
