/** Whose account it is when several wanted one mailbox, and what the proof of a mailbox ends. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emails } from "../../../src/auth/accounts/records.ts";
import { type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { isSignedIn, read } from "../http/admin-requests.ts";
import {
  type Tokens,
  addFactor,
  linkFor,
  logIn,
  MINUTE_MS,
  OTHER,
  post,
  register,
  sendCode,
  tokensOf,
  verify,
} from "../http/people.ts";

const VICTIM = "victim@example.org";
let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

describe("two who register with one mailbox", () => {
  it("leave neither of their passwords when they differ", async () => {
    await register(app, "thief", { email: VICTIM, password: OTHER });
    app.clock.advance(MINUTE_MS);
    await register(app, "ann", { email: "Victim@example.org" });
    const { user } = await tokensOf(await verify(app, "Victim@example.org"));
    assert.deepEqual([user.username, user.passwordSet], ["ann", false]);
    for (const password of [PASSWORD, OTHER])
      assert.deepEqual(await code(await logIn(app, VICTIM, password)), [401, "invalid_credentials"]);
    app.clock.advance(10 * MINUTE_MS);
    await post(app, "password/forgot", { email: VICTIM });
    const token = await linkFor(app, "Victim@example.org");
    await read(await post(app, "password/reset", { token, password: PASSWORD }), 200);
    assert.equal((await tokensOf(await logIn(app, "ann"))).user.passwordSet, true);
    assert.equal((await register(app, "thief")).status, 202, "the other name is free again");
  });

  it("leave neither when the thief is the later one, and the code is of the first", async () => {
    await register(app, "ann", { email: VICTIM });
    await register(app, "thief", { email: VICTIM, password: OTHER });
    const { user } = await tokensOf(await verify(app, VICTIM));
    assert.deepEqual([user.username, user.passwordSet], ["ann", false]);
  });

  it("leave neither when both came at the same moment", async () => {
    await Promise.all([
      register(app, "thief", { email: VICTIM, password: OTHER }),
      register(app, "ann", { email: VICTIM }),
    ]);
    assert.equal((await tokensOf(await verify(app, VICTIM))).user.passwordSet, false);
  });

  it("are one person when the password is the same, and keep it", async () => {
    await register(app, "ann", { email: VICTIM });
    app.clock.advance(MINUTE_MS);
    await register(app, "anna", { email: VICTIM });
    assert.equal((await tokensOf(await verify(app, VICTIM))).user.passwordSet, true);
    assert.equal((await tokensOf(await logIn(app, "anna"))).user.username, "anna");
    assert.deepEqual(await code(await logIn(app, "ann")), [401, "invalid_credentials"]);
  });

  it("do not take over the account that one of them has there without proof", async () => {
    await app.signUp("ann", { email: VICTIM, emailVerifiedAt: undefined });
    await register(app, "thief", { email: VICTIM, password: OTHER });
    const { user } = await tokensOf(await verify(app, VICTIM));
    assert.deepEqual([user.username, user.passwordSet], ["ann", false]);
    assert.deepEqual(await code(await logIn(app, VICTIM, OTHER)), [401, "invalid_credentials"]);
  });
});

describe("an account that an attacker set up on another person's mailbox", () => {
  interface SetUp {
    thief: Tokens;
    recoveryLink: string;
  }

  /** Password, session, second factor, a further address to sign in with, and a link that waits. */
  async function setUp(): Promise<SetUp> {
    await app.set("registration", { emailVerification: "optional" });
    const thief = await tokensOf(await register(app, "thief", { email: VICTIM }), 201);
    const token = thief.accessToken;
    const added: { id: string } = await read(
      await post(app, "emails", { address: "thief@example.net" }, { token }),
      201,
    );
    const proof = { code: await app.codeFor("thief@example.net") };
    await read(await post(app, `emails/${added.id}/verify`, proof, { token }), 200);
    await addFactor(app, token);
    app.clock.advance(MINUTE_MS);
    await post(app, "password/forgot", { email: "thief@example.net" });
    return { thief, recoveryLink: await linkFor(app, "thief@example.net") };
  }

  async function assertGone({ thief, recoveryLink }: SetUp): Promise<void> {
    assert.equal(await isSignedIn(app, thief.accessToken), false);
    const refreshed = await post(app, "refresh", { refreshToken: thief.refreshToken });
    assert.deepEqual(await code(refreshed), [401, "refresh_invalid"]);
    assert.deepEqual(await code(await logIn(app, "thief")), [401, "invalid_credentials"]);
    const reset = await post(app, "password/reset", { token: recoveryLink, password: PASSWORD });
    assert.deepEqual(await code(reset), [401, "token_invalid"]);
    assert.equal((await app.store.read((tx) => tx.list(emails, "id", { limit: 10 }))).items.length, 0);
    app.clock.advance(MINUTE_MS);
    const before = (await app.mailsTo("thief@example.net")).length;
    await sendCode(app, "thief@example.net", "login");
    await post(app, "password/forgot", { email: "thief@example.net" });
    assert.equal((await app.mailsTo("thief@example.net")).length, before);
  }

  it("is the owner's alone after a code to prove the mailbox", async () => {
    const before = await setUp();
    await sendCode(app, VICTIM, "verify");
    const { user } = await tokensOf(await verify(app, VICTIM));
    assert.deepEqual([user.passwordSet, user.secondFactor, user.emailVerified], [false, false, true]);
    await assertGone(before);
  });

  it("is the owner's alone after a sign-in with a code", async () => {
    const before = await setUp();
    await sendCode(app, VICTIM, "login");
    const signedIn = await post(app, "login/code", { email: VICTIM, code: await app.codeFor(VICTIM) });
    const { user } = await tokensOf(signedIn);
    assert.deepEqual([user.passwordSet, user.secondFactor, user.emailVerified], [false, false, true]);
    await assertGone(before);
  });

  it("is the owner's alone after a new password by a link", async () => {
    const before = await setUp();
    await post(app, "password/forgot", { email: VICTIM });
    const token = await linkFor(app, VICTIM);
    await read(await post(app, "password/reset", { token, password: OTHER }), 200);
    const { user } = await tokensOf(await logIn(app, VICTIM, OTHER));
    assert.deepEqual([user.secondFactor, user.emailVerified], [false, true]);
    await assertGone(before);
  });

  it("keeps everything when its own session proves the mailbox", async () => {
    const { thief: owner } = await setUp();
    await sendCode(app, VICTIM, "verify");
    const answer = await verify(app, VICTIM, { token: owner.accessToken });
    assert.equal((await read<{ status: string }>(answer, 200)).status, "mfa_required");
    assert.equal(await isSignedIn(app, owner.accessToken), true);
    const me: Tokens["user"] = await read(
      await app.send("GET", "/api/auth/me", { token: owner.accessToken }),
      200,
    );
    assert.deepEqual([me.emailVerified, me.passwordSet, me.secondFactor], [true, true, true]);
  });

  it("is not proved by a mailbox that is only a further address", async () => {
    const { thief, recoveryLink } = await setUp();
    app.clock.advance(MINUTE_MS);
    const before = (await app.mailsTo("thief@example.net")).length;
    await sendCode(app, "thief@example.net", "verify");
    assert.equal((await app.mailsTo("thief@example.net")).length, before, "no code for it");
    await read(await post(app, "password/reset", { token: recoveryLink, password: OTHER }), 200);
    const { items }: { items: Tokens["user"][] } = await read(
      await app.admin("GET", "/api/admin/users"),
      200,
    );
    assert.deepEqual(
      items.map(({ id, emailVerified }) => [id, emailVerified]),
      [[thief.user.id, false]],
    );
  });
});

describe("a registration whose mailbox was proved for an account in the meantime", () => {
  it("opens nothing, and sends no code: it would pass by the second factor", async () => {
    await register(app, "late", { email: VICTIM });
    const codeBefore = await app.codeFor(VICTIM);
    const ann = await app.signUp("ann", { email: VICTIM });
    await addFactor(app, ann.accessToken);
    const spent = await post(app, "email/verify", { email: VICTIM, code: codeBefore });
    assert.deepEqual(await code(spent), [400, "code_invalid"]);
    app.clock.advance(MINUTE_MS);
    const before = (await app.mailsTo(VICTIM)).length;
    await sendCode(app, VICTIM, "verify");
    assert.equal((await app.mailsTo(VICTIM)).length, before);
    assert.equal((await read<{ status: string }>(await logIn(app, "ann"), 200)).status, "mfa_required");
  });

  it("opens no account that only has the mailbox for notifications", async () => {
    await register(app, "bob");
    const codeBefore = await app.codeFor("bob@example.org");
    const ann = await app.signUp("ann", { emailVerifiedAt: undefined });
    await app.store.transact((tx) =>
      tx.insert(emails, {
        id: "eml_1",
        userId: ann.user.id,
        address: "bob@example.org",
        addressLower: "bob@example.org",
        verifiedLower: "bob@example.org",
        verifiedAt: app.clock.now(),
        purposes: ["notify"],
        createdAt: app.clock.now(),
      }),
    );
    const spent = await post(app, "email/verify", { email: "bob@example.org", code: codeBefore });
    assert.deepEqual(await code(spent), [400, "code_invalid"]);
    const again = await register(app, "bobby", { email: "bob@example.org" });
    assert.equal(again.status, 202);
    assert.equal(await isSignedIn(app, ann.accessToken), true);
  });

  it("proves no other address that the account has got since the code was sent", async () => {
    const ann = await app.signUp("ann", { emailVerifiedAt: undefined });
    await sendCode(app, "ann@example.org", "verify");
    const codeBefore = await app.codeFor("ann@example.org");
    const path = `/api/admin/users/${ann.user.id}`;
    await read(await app.admin("PATCH", path, { email: "new@example.org" }), 200);
    const spent = await post(app, "email/verify", { email: "ann@example.org", code: codeBefore });
    assert.deepEqual(await code(spent), [400, "code_invalid"]);
  });
});
