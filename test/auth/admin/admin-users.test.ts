/** Accounts over /api/admin: list, create, read, change, delete. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, code, createTestApp, PASSWORD, testCaller } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { isSignedIn, lastAudit, read } from "../http/admin-requests.ts";
import { logIn, post, sendCode, tokensOf } from "../http/people.ts";

interface User {
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
  status: string;
  role: string;
  passwordSet: boolean;
  version: number;
  purgeAfter?: number;
  setPasswordToken?: string;
  setPasswordUrl?: string;
}

const DAY_MS = 86_400_000;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

function ifMatch(tag: string): { headers: Record<string, string> } {
  return { headers: { "x-admin-token": ADMIN_TOKEN, "if-match": tag } };
}

describe("making an account", () => {
  const fields = { username: "Ann", email: "ann@example.org", displayName: "Ann A." };

  it("gives a link to set a password, once, and mails it", async () => {
    await app.set("registration", { resetUrl: "https://example.org/reset?t={token}" });
    const response = await app.admin("POST", "/api/admin/users", fields);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const user: User = await read(response, 201);
    assert.equal(response.headers.get("location"), `/api/admin/users/${user.id}`);
    assert.deepEqual([user.passwordSet, user.emailVerified, user.role], [false, false, "user"]);
    const token = user.setPasswordToken ?? assert.fail("no token");
    assert.equal(user.setPasswordUrl, `https://example.org/reset?t=${token}`);
    const [mail = ""] = await app.mailsTo("ann@example.org");
    assert.ok(mail.includes(token));
    assert.ok(mail.includes("24 hours"));
    assert.deepEqual(await findInStore(app.store, [token]), []);
    assert.deepEqual(await lastAudit(app).then(({ actor, action, target }) => [actor, action, target]), [
      "token",
      "user.create",
      user.id,
    ]);
    await app.auth.passwords.reset({
      token,
      password: PASSWORD,
      caller: testCaller,
    });
    const after: User = await read(await app.admin("GET", `/api/admin/users/${user.id}`), 200);
    assert.deepEqual([after.passwordSet, after.emailVerified], [true, true]);
  });

  it("gives the bare token where no page is set, good for 24 hours", async () => {
    const user: User = await read(await app.admin("POST", "/api/admin/users", fields), 201);
    assert.equal(user.setPasswordUrl, undefined);
    app.clock.advance(DAY_MS);
    const late = app.auth.passwords.reset({
      token: user.setPasswordToken ?? "",
      password: PASSWORD,
      caller: testCaller,
    });
    await assert.rejects(late, { code: "token_invalid" });
  });

  it("takes a password instead and keeps only its hash", async () => {
    const user: User = await read(
      await app.admin("POST", "/api/admin/users", { ...fields, password: PASSWORD, role: "admin" }),
      201,
    );
    assert.deepEqual([user.passwordSet, user.role, user.setPasswordToken], [true, "admin", undefined]);
    assert.deepEqual(await app.mailsTo("ann@example.org"), []);
    assert.deepEqual(await findInStore(app.store, [PASSWORD]), []);
  });

  it("takes the address as unproved unless told otherwise; its owner proves it by a code", async () => {
    const made: User = await read(
      await app.admin("POST", "/api/admin/users", { ...fields, password: PASSWORD }),
      201,
    );
    assert.equal(made.emailVerified, false);
    assert.deepEqual(await code(await logIn(app, "ann")), [403, "email_unverified"]);
    await sendCode(app, fields.email, "verify");
    const proof = { email: fields.email, code: await app.codeFor(fields.email) };
    const { user } = await tokensOf(await post(app, "email/verify", proof));
    // The owner of the mailbox continues without the password that someone else knows.
    assert.deepEqual([user.emailVerified, user.passwordSet], [true, false]);

    const vouched = { username: "bob", email: "bob@example.org", password: PASSWORD, emailVerified: true };
    await read(await app.admin("POST", "/api/admin/users", vouched), 201);
    assert.equal((await tokensOf(await logIn(app, "bob"))).user.emailVerified, true);
  });

  it("keeps the rules of registration", async () => {
    const make = async (more: object): Promise<[number, string]> =>
      code(await app.admin("POST", "/api/admin/users", { ...fields, ...more }));
    assert.deepEqual(await make({ password: "password1" }), [422, "password_blocked"]);
    assert.deepEqual(await make({ password: "short" }), [422, "invalid"]);
    assert.deepEqual(await make({ password: "ann@example.org" }), [422, "password_blocked"]);
    assert.deepEqual(await make({ username: "root" }), [409, "username_taken"]);
    assert.deepEqual(await make({ username: "-x-" }), [422, "invalid"]);
    assert.deepEqual(await make({ email: "a@b\r\nBcc: c@example.org" }), [422, "invalid"]);
    assert.deepEqual(await make({ status: "active" }), [422, "invalid"]);
    await app.signUp("ann");
    assert.deepEqual(await make({ email: "other@example.org" }), [409, "username_taken"]);
    assert.deepEqual(await make({ username: "other", email: "ANN@example.org" }), [409, "email_taken"]);
  });
});

describe("one account", () => {
  it("is shown with profile, sessions, addresses and applications, and nothing secret", async () => {
    const { user, accessToken, refreshToken } = await app.signUp("ann", { displayName: "Ann" });
    await app.signIn(user);
    const subject = (await app.auth.sessions.find(accessToken)) ?? assert.fail("signed in");
    app.auth.activity.note(subject, "shop");
    await app.auth.activity.flush();
    const response = await app.admin("GET", `/api/admin/users/${user.id}`);
    assert.equal(response.headers.get("etag"), '"1"');
    const text = await response.text();
    const body: { profile: { displayName: string }; sessions: number; applications: { clientId: string }[] } =
      JSON.parse(text);
    assert.equal(body.profile.displayName, "Ann");
    assert.equal(body.sessions, 2);
    assert.deepEqual(
      body.applications.map((entry) => entry.clientId),
      ["shop"],
    );
    for (const secret of ["argon2", "Hash", accessToken, refreshToken])
      assert.ok(!text.includes(secret), secret);
  });

  it("is changed in part, with an entity tag against lost updates", async () => {
    const { user } = await app.signUp("ann");
    const path = `/api/admin/users/${user.id}`;
    const changed = await app.send("PATCH", path, { body: { locale: "de-AT" }, ...ifMatch('"1"') });
    assert.equal(changed.headers.get("etag"), '"2"');
    const stale = await app.send("PATCH", path, { body: { locale: "fr" }, ...ifMatch('"1"') });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
    const malformed = await app.send("PATCH", path, { body: { locale: "fr" }, ...ifMatch("1") });
    assert.deepEqual(await code(malformed), [400, "bad_request"]);
    assert.deepEqual((await lastAudit(app)).changes, ["locale: de-AT"]);
  });

  it("is replaced whole", async () => {
    const { user } = await app.signUp("ann");
    const path = `/api/admin/users/${user.id}`;
    const all = {
      username: "Anna",
      email: "anna@example.org",
      emailVerified: true,
      role: "user",
      locale: "de",
      timeZone: "Europe/Vienna",
      status: "active",
    };
    const after: User = await read(await app.admin("PUT", path, all), 200);
    assert.deepEqual([after.username, after.email, after.emailVerified], ["Anna", "anna@example.org", true]);
    const { status: _status, ...some } = all;
    assert.deepEqual(await code(await app.admin("PUT", path, some)), [422, "invalid"]);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /primary email address .* was changed/u);
  });

  it("can no longer be opened by a link that went to its old address", async () => {
    const made: User = await read(
      await app.admin("POST", "/api/admin/users", { username: "ann", email: "ann@example.org" }),
      201,
    );
    await app.admin("PATCH", `/api/admin/users/${made.id}`, { email: "new@example.org" });
    const reset = app.auth.passwords.reset({
      token: made.setPasswordToken ?? "",
      password: PASSWORD,
      caller: testCaller,
    });
    await assert.rejects(reset, { code: "token_invalid" });
  });

  it("takes a new address as unproved unless told otherwise", async () => {
    const { user } = await app.signUp("ann");
    const path = `/api/admin/users/${user.id}`;
    const moved: User = await read(await app.admin("PATCH", path, { email: "new@example.org" }), 200);
    assert.equal(moved.emailVerified, false);
    const proved: User = await read(await app.admin("PATCH", path, { emailVerified: true }), 200);
    assert.equal(proved.emailVerified, true);
    const same: User = await read(await app.admin("PATCH", path, { email: "NEW@example.org" }), 200);
    assert.deepEqual([same.email, same.emailVerified], ["NEW@example.org", true]);
  });

  it("cannot take another one's name or address, nor a status that has a route of its own", async () => {
    const { user } = await app.signUp("ann");
    await app.signUp("bob");
    const change = async (body: object): Promise<[number, string]> =>
      code(await app.admin("PATCH", `/api/admin/users/${user.id}`, body));
    assert.deepEqual(await change({ username: "BOB" }), [409, "username_taken"]);
    assert.deepEqual(await change({ email: "bob@example.org" }), [409, "email_taken"]);
    assert.deepEqual(await change({ status: "suspended" }), [409, "conflict"]);
    assert.deepEqual(await change({ points: 5 }), [422, "invalid"]);
    assert.deepEqual(await change({ passwordHash: "x" }), [422, "invalid"]);
  });

  it("is let in when it waits for approval, and told so", async () => {
    const { user, accessToken } = await app.signUp("ann", { status: "pending" });
    assert.equal(await isSignedIn(app, accessToken), false);
    const after: User = await read(
      await app.admin("PATCH", `/api/admin/users/${user.id}`, { status: "active" }),
      200,
    );
    assert.equal(after.status, "active");
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /approved/u);
  });

  it("must sign in again when its role changes", async () => {
    const { user, accessToken } = await app.signUp("ann");
    await app.admin("PATCH", `/api/admin/users/${user.id}`, { role: "admin" });
    assert.equal(await isSignedIn(app, accessToken), false);
  });
});
