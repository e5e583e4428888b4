/** What administrators do to accounts, over /api/admin/users/{id}/…. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { countWrongPassword, findSignInLock } from "../../../src/auth/attempts/attempts.ts";
import { signInKey } from "../../../src/auth/passwords/password-check.ts";
import { challenges } from "../../../src/auth/second-factor/records.ts";
import { users } from "../../../src/auth/accounts/records.ts";
import type { UserRecord } from "../../../src/auth/accounts/schema.ts";
import { ADMIN_TOKEN, type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { png } from "../pictures.ts";
import { findInStore } from "../store-dump.ts";
import { isSignedIn, lastAudit, read } from "../http/admin-requests.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface User {
  id: string;
  status: string;
  points: number;
  emailVerified: boolean;
  secondFactor: boolean;
  suspendedUntil?: string;
  suspendedReason?: string;
}

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

function act(action: string, body?: unknown, id = ann.user.id): Promise<Response> {
  return app.admin("POST", `/api/admin/users/${id}/${action}`, body);
}

async function done(action: string, body?: unknown): Promise<User> {
  return read(await act(action, body), 200);
}

/** Changes the stored account. */
async function edit(change: (user: UserRecord) => UserRecord): Promise<void> {
  await app.store.transact(async (tx) => {
    const user = (await tx.get(users, ann.user.id)) ?? assert.fail("the account is there");
    await tx.put(users, change(user));
  });
}

async function eventKinds(): Promise<string[]> {
  const { accessToken } = await app.signIn((await app.auth.userAdmin.get(ann.user.id)).user);
  const page: { items: { kind: string }[] } = await read(
    await app.send("GET", "/api/auth/security/events", { token: accessToken }),
    200,
  );
  return page.items.map(({ kind }) => kind);
}

describe("suspending", () => {
  it("ends all sessions with the very next request, until it is ended", async () => {
    const user = await done("suspend", { reason: "Spam" });
    assert.deepEqual([user.status, user.suspendedReason], ["suspended", "Spam"]);
    assert.equal(await isSignedIn(app, ann.accessToken), false);
    const refused = await app.send("GET", "/api/auth/me", { token: ann.accessToken });
    assert.deepEqual(await code(refused), [401, "token_invalid"]);
    assert.deepEqual((await lastAudit(app)).changes, ["reason: Spam"]);
    assert.equal((await done("unsuspend")).status, "active");
    assert.equal(await isSignedIn(app, ann.accessToken), false);
    assert.deepEqual(await code(await act("unsuspend")), [409, "conflict"]);
    assert.ok((await eventKinds()).includes("suspended"));
  });

  it("may end by itself", async () => {
    const until = toIsoTime(app.clock.now() + 60 * MINUTE_MS);
    assert.equal((await done("suspend", { until })).suspendedUntil, until);
    const stored = (await app.auth.userAdmin.get(ann.user.id)).user;
    const early = await app.signIn(stored);
    assert.equal(await isSignedIn(app, early.accessToken), false);
    app.clock.advance(60 * MINUTE_MS);
    const late = await app.signIn(stored);
    assert.equal(await isSignedIn(app, late.accessToken), true);
  });

  it("is reported to the owner in their language, with the reason and the end, and so is its end", async () => {
    await edit((user) => ({ ...user, locale: "de", timeZone: "Europe/Berlin" }));
    const until = "2027-03-01T11:30:00.000Z";
    await done("suspend", { reason: "Spam", until });
    const [mail = ""] = await app.mailsTo("ann@example.org");
    assert.match(mail, /Hallo ann[^]*gesperrt[^]*Grund: Spam\n\n[^]*1\. März 2027 um 12:30 MEZ/u);
    app.clock.advance(1);
    await done("unsuspend");
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /wieder freigegeben/u);
    app.clock.advance(1);
    await done("suspend", {});
    assert.ok(!/Grund|endet am/u.test((await app.mailsTo("ann@example.org"))[0] ?? "Grund"));
    assert.equal((await app.mailsTo("ann@example.org")).length, 3);
  });

  it("refuses an end in the past and accounts that are not in use", async () => {
    assert.deepEqual(await code(await act("suspend", { until: app.clock.now() })), [422, "invalid"]);
    assert.deepEqual(await code(await act("suspend", { reason: "a\nb" })), [422, "invalid"]);
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}`);
    assert.deepEqual(await code(await act("suspend", {})), [409, "conflict"]);
  });
});

describe("helping an owner", () => {
  it("unlocks sign-in and the second factor", async () => {
    const key = signInKey(ann.user.id);
    await app.store.transact(async (tx) => {
      for (let i = 0; i < 8; i += 1) await countWrongPassword(tx, key, app.clock.now());
    });
    await edit((user) => ({
      ...user,
      mfa: { ...user.mfa, failures: 10, lockedUntil: app.clock.now() + DAY_MS },
    }));
    await done("unlock");
    const lock = await app.store.read((tx) => findSignInLock(tx, key, app.clock.now()));
    assert.deepEqual(lock, { rowMs: 0, dayMs: 0 });
    const { mfa } = (await app.auth.userAdmin.get(ann.user.id)).user;
    assert.deepEqual(mfa, { recovery: [], failures: 0 });
    assert.equal((await lastAudit(app)).action, "user.unlock");
    assert.equal(await isSignedIn(app, ann.accessToken), true);
  });

  it("verifies the address", async () => {
    await edit(({ emailVerifiedAt: _at, ...user }) => user);
    assert.equal((await done("verify-email")).emailVerified, true);
    assert.equal((await lastAudit(app)).action, "user.verify-email");
    assert.ok((await eventKinds()).includes("email-verified"));
  });

  it("ends all sessions", async () => {
    const other = await app.signIn(ann.user);
    await done("revoke-sessions");
    for (const { accessToken } of [ann, other]) assert.equal(await isSignedIn(app, accessToken), false);
    assert.equal((await app.auth.sessions.list(ann.user.id)).length, 0);
    assert.ok((await eventKinds()).includes("sessions-revoked"));
  });

  it("takes the second factor away with what waits for it, and tells the owner", async () => {
    const nowMs = app.clock.now();
    await edit((user) => ({
      ...user,
      mfa: { totp: { sealedSecret: "sealed", confirmedAt: nowMs }, recovery: ["a"], failures: 2 },
    }));
    await app.store.transact((tx) =>
      tx.insert(challenges, {
        id: "challenge",
        userId: ann.user.id,
        tokenEpoch: 1,
        amr: ["pwd"],
        restores: false,
        tries: 0,
        createdAt: nowMs,
        expiresAt: nowMs + MINUTE_MS,
      }),
    );
    assert.equal((await done("reset-mfa")).secondFactor, false);
    assert.deepEqual(await findInStore(app.store, ["challenges "]), []);
    assert.match(
      (await app.mailsTo("ann@example.org"))[0] ?? "",
      /Two-factor authentication was turned off/u,
    );
  });
});

describe("points", () => {
  it("are added and taken, never below none", async () => {
    assert.equal((await done("points", { delta: 50, reason: "Quiz" })).points, 50);
    assert.equal((await done("points", { delta: -20, reason: "Undo" })).points, 30);
    assert.deepEqual((await lastAudit(app)).changes, ["delta: -20", "reason: Undo"]);
    assert.deepEqual(await code(await act("points", { delta: -31, reason: "Too much" })), [409, "conflict"]);
    assert.deepEqual(await code(await act("points", { delta: 0, reason: "None" })), [422, "invalid"]);
    assert.deepEqual(await code(await act("points", { delta: 1.5, reason: "Half" })), [422, "invalid"]);
    assert.deepEqual(await code(await act("points", { delta: 1 })), [422, "invalid"]);
  });

  it("are counted rightly when many add at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => act("points", { delta: -1, reason: "Race" })),
    );
    assert.ok(answers.every(({ status }) => status === 409));
    await done("points", { delta: 5, reason: "Start" });
    const more = await Promise.all(
      Array.from({ length: 20 }, () => act("points", { delta: -1, reason: "Race" })),
    );
    assert.equal(more.filter(({ status }) => status === 200).length, 5);
  });
});

describe("impersonation", () => {
  interface Tokens {
    accessToken: string;
    refreshToken: string;
    refreshExpiresIn: number;
  }

  it("opens a short session that its owner sees and hears of", async () => {
    const response = await act("impersonate", { minutes: 10, reason: "Asked for help" });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const tokens: Tokens = await read(response, 200);
    assert.ok(tokens.refreshExpiresIn <= 600);
    const subject = (await app.auth.sessions.find(tokens.accessToken)) ?? assert.fail("signed in");
    assert.deepEqual([subject.session.impersonatedBy, subject.session.amr], ["token", ["impersonation"]]);
    assert.ok((await eventKinds()).includes("impersonated"));
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /administrator signed in to your account/u);
    const { action, changes } = await lastAudit(app);
    assert.equal(action, "user.impersonate");
    assert.ok(changes.includes("reason: Asked for help"));
    assert.deepEqual(await findInStore(app.store, [tokens.accessToken, tokens.refreshToken]), []);
    app.clock.advance(10 * MINUTE_MS);
    assert.equal(await isSignedIn(app, tokens.accessToken), false);
  });

  it("is no way to change credentials, nor to administer", async () => {
    const { accessToken }: Tokens = await read(
      await act("impersonate", { minutes: 60, reason: "Help" }),
      200,
    );
    const change = await app.send("POST", "/api/auth/password/change", {
      token: accessToken,
      body: { currentPassword: "correct horse battery staple", password: "another long password" },
    });
    assert.deepEqual(await code(change), [403, "forbidden"]);
    const administer = await app.send("GET", "/api/admin/users", { token: accessToken });
    assert.deepEqual(await code(administer), [403, "forbidden"]);
  });

  it("is refused for administrators, unusable accounts and more than an hour", async () => {
    const boss = await app.signUp("boss", { role: "admin" });
    const body = { minutes: 5, reason: "Help" };
    assert.deepEqual(await code(await act("impersonate", body, boss.user.id)), [403, "forbidden"]);
    assert.deepEqual(await code(await act("impersonate", { ...body, minutes: 61 })), [422, "invalid"]);
    assert.deepEqual(await code(await act("impersonate", { ...body, minutes: 0 })), [422, "invalid"]);
    await done("suspend", {});
    assert.deepEqual(await code(await act("impersonate", body)), [409, "conflict"]);
  });
});

describe("the profile of an account", () => {
  const path = (part: string): string => `/api/admin/users/${ann.user.id}/${part}`;

  it("is changed from the version that was read, which the audit tells", async () => {
    const change = { displayName: "Ann B.", bio: "", links: [] };
    const before: { profile: { version: number } } = await read(
      await app.admin("GET", `/api/admin/users/${ann.user.id}`),
      200,
    );
    const changed: { displayName: string; version: number } = await read(
      await app.admin("PATCH", path("profile"), change),
      200,
    );
    assert.deepEqual([changed.displayName, changed.version], ["Ann B.", before.profile.version + 1]);
    const { action, changes } = await lastAudit(app);
    assert.deepEqual([action, changes], ["user.profile", ['displayName: "ann" → "Ann B."']]);
    const stale = await app.send("PATCH", path("profile"), {
      body: { bio: "late" },
      headers: { "x-admin-token": ADMIN_TOKEN, "if-match": `"${before.profile.version}"` },
    });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
    const refused = await app.admin("PATCH", path("profile"), { website: "javascript:alert(1)" });
    assert.deepEqual(await code(refused), [422, "invalid"]);
  });

  it("loses its picture", async () => {
    await app.auth.avatars.put(ann.user.id, { mediaType: "image/png", bytes: png(1, 1) });
    await read(await app.admin("DELETE", path("avatar")), 200);
    assert.equal(await app.auth.avatars.findOwn(ann.user.id), undefined);
    assert.equal((await lastAudit(app)).action, "user.remove-picture");
  });
});

describe("further addresses of an account", () => {
  const WORK = "ann@work.example";
  const add = (body: object, id = ann.user.id): Promise<Response> => act("emails", body, id);

  it("are added, taken as verified and removed, and the owner is notified about verified ones", async () => {
    const made: { id: string; verified: boolean } = await read(await add({ address: WORK }), 201);
    assert.equal(made.verified, false);
    assert.deepEqual(await app.mailsTo("ann@example.org"), []);
    const proved: { verified: boolean } = await read(await act(`emails/${made.id}/verify`), 200);
    assert.equal(proved.verified, true);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /email address was added/u);
    assert.equal((await lastAudit(app)).action, "user.verify-further-email");
    const gone = await app.admin("DELETE", `/api/admin/users/${ann.user.id}/emails/${made.id}`);
    assert.equal(gone.status, 204);
    assert.deepEqual((await lastAudit(app)).changes, [`email: ${WORK}`]);
    assert.match((await app.mailsTo(WORK))[0] ?? "", /removed/u);
    const kinds = await eventKinds();
    assert.ok(kinds.includes("email-added") && kinds.includes("email-removed"));
    assert.deepEqual(await code(await act(`emails/${made.id}/verify`)), [404, "not_found"]);
  });

  it("belong to one account, five at most, and to no deleted account", async () => {
    const bob = await app.signUp("bob");
    const taken = await add({ address: "bob@example.org", verified: true });
    assert.deepEqual(await code(taken), [409, "email_taken"]);
    assert.deepEqual(await code(await add({ address: "ann@example.org" })), [409, "already_exists"]);
    const own: { id: string } = await read(await add({ address: "bob@work.example" }, bob.user.id), 201);
    assert.deepEqual(await code(await act(`emails/${own.id}/verify`)), [404, "not_found"]);
    for (let i = 0; i < 5; i += 1) assert.equal((await add({ address: `ann${i}@work.example` })).status, 201);
    assert.deepEqual(await code(await add({ address: WORK })), [409, "email_limit"]);
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}`);
    assert.deepEqual(await code(await add({ address: WORK })), [409, "conflict"]);
  });
});

describe("restoring", () => {
  it("brings a deleted account back while its time lasts, without its sessions", async () => {
    const path = `/api/admin/users/${ann.user.id}`;
    assert.deepEqual(await code(await act("restore")), [409, "conflict"]);
    await app.admin("DELETE", path);
    app.clock.advance(30 * DAY_MS - 1);
    assert.equal((await done("restore")).status, "active");
    assert.equal(await isSignedIn(app, ann.accessToken), false);
    assert.ok((await eventKinds()).includes("restored"));
    await app.admin("DELETE", path);
    app.clock.advance(30 * DAY_MS);
    assert.deepEqual(await code(await act("restore")), [409, "conflict"]);
  });
});
