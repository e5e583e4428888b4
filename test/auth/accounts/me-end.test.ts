/** Everything that is kept of an account for its owner, its end, and its way back. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TOTP } from "otpauth";
import { users } from "../../../src/auth/accounts/records.ts";
import { type SignedIn, type TestApp, code, createTestApp, testCaller, PASSWORD } from "../app-fixture.ts";
import { linkIdentity } from "../upstream/providers.ts";
import { realPng } from "../pictures.ts";
import { findInStore } from "../store-dump.ts";
import { read } from "../http/admin-requests.ts";
import { isValid, listEventKinds } from "../http/token-requests.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  app.send(method, `/api/auth/${path}`, { body, token: ann.accessToken });

async function impersonate(): Promise<string> {
  const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
    minutes: 10,
    reason: "test",
  });
  const { accessToken }: { accessToken: string } = await opened.json();
  return accessToken;
}

/** Leaves a record of every kind that an account can have. */
async function liveALittle(): Promise<void> {
  const bob = await app.signUp("bob");
  await app.send("PATCH", "/api/auth/profile", {
    token: bob.accessToken,
    body: { visibility: "public", inDirectory: true },
  });
  await send("PATCH", "profile", { displayName: "Ann", bio: "I like birds", visibility: "public" });
  await app.fetch("/api/auth/profile/avatar", {
    method: "PUT",
    headers: { authorization: `Bearer ${ann.accessToken}`, "content-type": "image/png" },
    body: realPng,
  });
  await send("POST", "checkin");
  await send("POST", "emails", { address: "ann@work.example" });
  await app.send("PUT", "/api/public/users/bob/like", { token: ann.accessToken });
  await app.send("PUT", "/api/public/users/ann/like", { token: bob.accessToken });
  await send("POST", "mfa/totp");
  await app.send("POST", "/api/auth/password/forgot", { body: { email: "ann@example.org" } });
  await app.send("POST", "/api/auth/login", { body: { identifier: "ann", password: "wrong" } });
  await app.send("GET", "/api/auth/validate", {
    token: ann.accessToken,
    headers: { "x-auth-client": "shop" },
  });
  await app.auth.activity.flush();
  await app.admin("POST", "/api/admin/clients", { id: "notes", name: "Notes" });
  const subject = (await app.auth.sessions.find(ann.accessToken)) ?? assert.fail("signed in");
  const client = await app.auth.clients.get("notes");
  await app.auth.consents.allow(subject, { client, scopes: ["openid"], audience: [], caller: testCaller });
  await linkIdentity(app, ann.accessToken);
}

describe("POST /api/auth/me/export", () => {
  it("wants a recent sign-in", async () => {
    app.clock.advance(10 * MINUTE);
    assert.deepEqual(await code(await send("POST", "me/export")), [403, "reauth_required"]);
  });

  it("gives every kind of record that names the account, nothing secret, and nothing of others", async () => {
    await liveALittle();
    const response = await send("POST", "me/export");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("content-disposition"), 'attachment; filename="account.json"');
    const text = await response.text();
    const parts: Record<string, unknown> = JSON.parse(text);
    const lists = [
      "emails",
      "sessions",
      "checkIns",
      "likesGiven",
      "likesReceived",
      "applications",
      "allowedApplications",
      "linkedProviders",
      "securityEvents",
    ];
    assert.deepEqual(
      Object.keys(parts).sort(),
      [...lists, "exportedAt", "passkeys", "picture", "profile", "user"].sort(),
    );
    for (const name of lists) {
      const list = parts[name];
      assert.ok(Array.isArray(list) && list.length > 0, `${name} is empty`);
    }
    assert.ok(text.includes("I like birds") && text.includes("ann@work.example"));
    assert.doesNotMatch(
      text,
      /(password|access|refresh)Hash|sealedSecret|recovery":|argon2|tokenEpoch|familyId|Nonce/u,
    );
    const bob = await app.store.read((tx) => tx.by(users, "byUsername", ["bob"]));
    // Whom the owner likes is the owner's; who likes them is not.
    const { likesGiven, ...rest } = parts;
    assert.ok(JSON.stringify(likesGiven).includes(bob?.id ?? "?"));
    assert.ok(!JSON.stringify(rest).includes(bob?.id ?? "?"));
    assert.ok(!text.includes("bob@example.org"));
    assert.equal((await listEventKinds(app, ann.accessToken)).includes("exported"), true);
  });

  it("is for the owner alone", async () => {
    const token = await impersonate();
    assert.deepEqual(await code(await app.send("POST", "/api/auth/me/export", { token })), [
      403,
      "forbidden",
    ]);
  });
});

describe("DELETE /api/auth/me", () => {
  it("ends every token at once, signs in no one, notifies the owner and names the day", async () => {
    const phone = await app.signIn(ann.user);
    const removed = await read<{ purgeAfter: string }>(await send("DELETE", "me"), 200);
    assert.equal(removed.purgeAfter, toIsoTime(app.clock.now() + 14 * DAY));
    for (const { accessToken, refreshToken } of [ann, phone]) {
      assert.equal(await isValid(app, accessToken), false);
      const refreshed = await app.send("POST", "/api/auth/refresh", { body: { refreshToken } });
      assert.deepEqual(await code(refreshed), [401, "refresh_invalid"]);
    }
    const body = { identifier: "ann", password: PASSWORD };
    assert.deepEqual(await code(await app.send("POST", "/api/auth/login", { body })), [
      401,
      "invalid_credentials",
    ]);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /deleted in 14 days/u);
  });

  it("wants a recent sign-in and the owner, and leaves an administrator", async () => {
    const token = await impersonate();
    assert.deepEqual(await code(await app.send("DELETE", "/api/auth/me", { token })), [403, "forbidden"]);
    app.clock.advance(10 * MINUTE);
    assert.deepEqual(await code(await send("DELETE", "me")), [403, "reauth_required"]);
    ann = await app.signUp("chief", { role: "admin" });
    assert.deepEqual(await code(await send("DELETE", "me")), [409, "last_admin"]);
    await app.signUp("deputy", { role: "admin" });
    assert.equal((await send("DELETE", "me")).status, 200);
  });

  it("leaves nothing that names the account once its time is over", async () => {
    await liveALittle();
    await send("DELETE", "me");
    app.clock.advance(14 * DAY);
    for (let count = 0; count < 5; count += 1) await app.auth.sweep();
    assert.deepEqual(await findInStore(app.store, [ann.user.id, "ann@", '"ann"']), []);
    assert.equal((await findInStore(app.store, ["bob@example.org"])).length > 0, true);
    assert.equal((await app.signUp("ann")).user.username, "ann");
  });
});

describe("POST /api/auth/me/restore", () => {
  const restore = (password = PASSWORD): Promise<Response> =>
    app.send("POST", "/api/auth/me/restore", { body: { identifier: "ann", password } });

  it("brings the account back with its password within 14 days; tokens of before stay dead", async () => {
    await send("DELETE", "me");
    app.clock.advance(14 * DAY - 1);
    assert.deepEqual(await code(await restore("wrong password")), [401, "invalid_credentials"]);
    const { accessToken } = await read<{ accessToken: string }>(await restore(), 200);
    assert.equal(await isValid(app, accessToken), true);
    assert.equal(await isValid(app, ann.accessToken), false);
    app.clock.advance(DAY);
    await app.auth.sweep();
    const body = { identifier: "ann", password: PASSWORD };
    assert.equal((await app.send("POST", "/api/auth/login", { body })).status, 200);
  });

  it("is too late after 14 days, also before anything was swept", async () => {
    await send("DELETE", "me");
    app.clock.advance(14 * DAY);
    assert.deepEqual(await code(await restore()), [401, "invalid_credentials"]);
    await app.auth.sweep();
    assert.deepEqual(await code(await restore()), [401, "invalid_credentials"]);
  });

  it("restores no account that was not deleted, or that an administrator deleted", async () => {
    assert.deepEqual(await code(await restore()), [401, "invalid_credentials"]);
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}`);
    assert.deepEqual(await code(await restore()), [401, "invalid_credentials"]);
  });

  it("asks for the second factor where there is one, and is not done before", async () => {
    const { secret } = await read<{ secret: string }>(await send("POST", "mfa/totp"), 200);
    const now = (): string => new TOTP({ secret }).generate({ timestamp: app.clock.now() });
    await send("POST", "mfa/totp/confirm", { code: now() });
    await send("DELETE", "me");
    app.clock.advance(MINUTE);
    const { challengeId } = await read<{ challengeId: string }>(await restore(), 200);
    const body = { identifier: "ann", password: PASSWORD };
    assert.equal((await app.send("POST", "/api/auth/login", { body })).status, 401);
    const finished = await send("POST", "login/mfa", { challengeId, code: now() });
    const { accessToken } = await read<{ accessToken: string }>(finished, 200);
    assert.equal(await isValid(app, accessToken), true);
    assert.ok((await listEventKinds(app, accessToken)).includes("restored"));
  });

  it("is too late for the second step when an administrator deleted the account meanwhile", async () => {
    const { secret } = await read<{ secret: string }>(await send("POST", "mfa/totp"), 200);
    const now = (): string => new TOTP({ secret }).generate({ timestamp: app.clock.now() });
    await send("POST", "mfa/totp/confirm", { code: now() });
    await send("DELETE", "me");
    app.clock.advance(MINUTE);
    const { challengeId } = await read<{ challengeId: string }>(await restore(), 200);
    await app.store.transact(async (tx) => {
      const user = await tx.get(users, ann.user.id);
      assert.ok(user !== undefined);
      await tx.put(users, { ...user, deletedBy: "admin" });
    });
    const finished = await send("POST", "login/mfa", { challengeId, code: now() });
    assert.equal(finished.status, 401);
  });
});
