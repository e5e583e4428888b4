/** Signing in with a name and a password: who gets in, what the refusals tell, and hashes of before. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hash as hashBcrypt } from "@node-rs/bcrypt";
import { users } from "../../../src/auth/accounts/records.ts";
import { type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import {
  addFactor,
  DAY_MS,
  logIn,
  MINUTE_MS,
  OTHER,
  post,
  register,
  sendCode,
  shapeOf,
  tokensOf,
  totpCode,
} from "../http/people.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

describe("signing in with a password", () => {
  it("accepts a password however old it is", async () => {
    await app.signUp("ann");
    app.clock.advance(3 * 365 * DAY_MS);
    assert.equal((await logIn(app, "ann")).status, 200);
  });

  it("takes the name or the address, in any case and with spaces around", async () => {
    await app.signUp("Ann");
    for (const identifier of [
      "ann",
      "ANN",
      " Ann ",
      "ann@example.org",
      "ANN@Example.ORG",
      " ann@example.org ",
    ]) {
      const response = await logIn(app, identifier);
      assert.equal(response.headers.get("cache-control"), "no-store");
      const { user, accessToken } = await tokensOf(response);
      assert.equal(user.username, "Ann");
      assert.match(accessToken, /^acc_[\w-]{43}$/u);
    }
  });

  it("refuses with one answer: wrong, unknown, no password, deleted", async () => {
    await app.signUp("ann");
    await app.signUp("bare", { passwordHash: undefined });
    await app.signUp("dora", { status: "deleted" });
    const shapes: unknown[] = [];
    for (const [name, password] of [
      ["ann", OTHER],
      ["nobody", PASSWORD],
      ["nobody@example.org", PASSWORD],
      ["bare", PASSWORD],
      ["dora", PASSWORD],
      ["dora@example.org", PASSWORD],
    ] as const)
      shapes.push(await shapeOf(await logIn(app, name, password)));
    for (const shape of shapes) assert.deepEqual(shape, shapes[0]);
    assert.match(JSON.stringify(shapes[0]), /"status":401.*invalid_credentials/u);
  });

  it("says that the account is suspended or waits for approval only to who has the right password", async () => {
    await app.signUp("ann");
    const wrong = await shapeOf(await logIn(app, "ann", OTHER));
    for (const status of ["suspended", "pending"] as const) {
      await app.signUp(status, { status });
      const isThis = [403, `account_${status}`];
      assert.deepEqual(await code(await logIn(app, status)), isThis);
      assert.deepEqual(await code(await logIn(app, `${status}@example.org`)), isThis);
      const restore = post(app, "me/restore", { identifier: status, password: PASSWORD });
      assert.deepEqual(await code(await restore), isThis);
      assert.deepEqual(await shapeOf(await logIn(app, status, OTHER)), wrong);
    }
  });

  it("counts the right password of a deleted account like a wrong one", async () => {
    await app.signUp("carl", { status: "deleted" });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await logIn(app, "carl")).status);
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("lets in whose suspension is over", async () => {
    const { user } = await app.signUp("ann");
    const until = toIsoTime(app.clock.now() + MINUTE_MS);
    const suspension = { until, reason: "Spam" };
    await read(await app.admin("POST", `/api/admin/users/${user.id}/suspend`, suspension), 200);
    const refused: { code: string; until: string; reason: string } = await read(await logIn(app, "ann"), 403);
    assert.deepEqual([refused.code, refused.until, refused.reason], ["account_suspended", until, "Spam"]);
    app.clock.advance(MINUTE_MS);
    assert.equal((await logIn(app, "ann")).status, 200);
  });

  it("says that the address is not proved only to who has the right password", async () => {
    await app.signUp("ann", { emailVerifiedAt: undefined });
    await register(app, "bob");
    await app.signUp("carl");
    await register(app, "decoy", { email: "carl@example.org", password: OTHER });
    const refused: unknown[] = [];
    for (const [name, password] of [
      ["ann", PASSWORD],
      ["ann@example.org", PASSWORD],
      ["BOB", PASSWORD],
      ["bob@example.org", PASSWORD],
      ["decoy", OTHER],
      ["carl@example.org", OTHER],
    ] as const)
      refused.push(await shapeOf(await logIn(app, name, password)));
    for (const shape of refused) assert.deepEqual(shape, refused[0]);
    assert.match(JSON.stringify(refused[0]), /"status":403.*email_unverified/u);
    for (const name of ["ann", "bob", "decoy"])
      assert.deepEqual(await code(await logIn(app, name, "neither of those")), [401, "invalid_credentials"]);
    assert.equal((await logIn(app, "carl@example.org")).status, 200, "the owner notices nothing");
  });

  it("rehashes an old hash, also when a second factor follows, and for two at once", async () => {
    const old = (): Promise<string> => hashBcrypt(PASSWORD, 4);
    const hashOf = async (id: string): Promise<string> =>
      (await app.store.read((tx) => tx.get(users, id)))?.passwordHash ?? "";
    const ann = await app.signUp("ann", { passwordHash: await old() });
    assert.match(await hashOf(ann.user.id), /^\$2/u);
    const both = await Promise.all([logIn(app, "ann"), logIn(app, "ann")]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.match(await hashOf(ann.user.id), /^\$argon2id\$/u);
    assert.equal((await logIn(app, "ann")).status, 200);

    const bob = await app.signUp("bob", { passwordHash: await old() });
    await addFactor(app, bob.accessToken);
    assert.equal((await read<{ status: string }>(await logIn(app, "bob"), 200)).status, "mfa_required");
    assert.match(await hashOf(bob.user.id), /^\$argon2id\$/u);
  });

  it("takes an imported password as it was typed when its hash was made, and in normal form afterwards", async () => {
    const typed = "Grüße aus Köln".normalize("NFD");
    await app.signUp("ann", { passwordHash: await hashBcrypt(typed, 4) });
    assert.equal((await logIn(app, "ann", typed)).status, 200);
    assert.equal((await logIn(app, "ann", typed.normalize("NFC"))).status, 200);
  });

  it("asks for the second factor with a challenge that opens nothing itself", async () => {
    const ann = await app.signUp("ann");
    const { secret } = await addFactor(app, ann.accessToken);
    const response = await logIn(app, "ann");
    assert.equal(response.headers.get("x-device-token"), null);
    const challenge: { challengeId: string; methods: string[] } = await read(response, 200);
    assert.deepEqual(challenge.methods, ["totp", "recovery"]);
    const { challengeId } = challenge;
    assert.equal((await app.send("GET", "/api/auth/me", { token: challengeId })).status, 401);
    const done = await post(app, "login/mfa", { challengeId, code: totpCode(app, secret) });
    assert.ok(done.headers.get("x-device-token"));
    assert.equal((await tokensOf(done)).user.username, "ann");
  });
});

describe("signing in with a code", () => {
  it("is for accounts that can be used, and asks for the second factor too", async () => {
    const ann = await app.signUp("ann");
    await addFactor(app, ann.accessToken);
    await sendCode(app, "ann@example.org", "login");
    const body = { email: "ann@example.org", code: await app.codeFor("ann@example.org") };
    assert.equal(
      (await read<{ status: string }>(await post(app, "login/code", body), 200)).status,
      "mfa_required",
    );

    const bob = await app.signUp("bob");
    await sendCode(app, "bob@example.org", "login");
    const late = { email: "bob@example.org", code: await app.codeFor("bob@example.org") };
    await read(await app.admin("POST", `/api/admin/users/${bob.user.id}/suspend`, {}), 200);
    assert.deepEqual(await code(await post(app, "login/code", late)), [400, "code_invalid"]);
    app.clock.advance(MINUTE_MS);
    const before = (await app.mailsTo("bob@example.org")).length;
    await sendCode(app, "bob@example.org", "login");
    assert.equal((await app.mailsTo("bob@example.org")).length, before);
  });
});

describe("bringing a deleted account back", () => {
  it("works for its owner within 14 days, and for no other account", async () => {
    const { accessToken: token } = await app.signUp("ann");
    const restore = (): Promise<Response> =>
      post(app, "me/restore", { identifier: "ann", password: PASSWORD });
    assert.deepEqual(await code(await restore()), [401, "invalid_credentials"]);
    assert.equal((await logIn(app, "ann")).status, 200);
    await app.send("DELETE", "/api/auth/me", { token });
    assert.equal((await logIn(app, "ann")).status, 401);
    app.clock.advance(14 * DAY_MS - 1);
    assert.equal((await tokensOf(await restore())).user.status, "active");
    const again = await tokensOf(await logIn(app, "ann"));
    await app.send("DELETE", "/api/auth/me", { token: again.accessToken });
    app.clock.advance(14 * DAY_MS);
    assert.deepEqual(await code(await restore()), [401, "invalid_credentials"]);
  });
});
