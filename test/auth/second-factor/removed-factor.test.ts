/** A factor that is removed: what was signed in with it has one factor less, wherever it is signed in. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { sessions } from "../../../src/auth/sessions/records.ts";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { MINE, createPasskeyRoom } from "../passkeys/passkey-room.ts";

const MINUTE = 60_000;

let app: TestApp;
let room: ReturnType<typeof createPasskeyRoom>;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  room = createPasskeyRoom(app);
  ann = await app.signUp("ann");
});

type Proof = [amr: readonly string[], aal: number];

/** How the session of a token counts now. */
async function proofOf(token: string): Promise<Proof> {
  const { items } = await read<{ items: { amr: string[]; aal: number; current: boolean }[] }>(
    await app.send("GET", "/api/auth/sessions", { token }),
    200,
  );
  const { amr = [], aal = 0 } = items.find(({ current }) => current) ?? {};
  return [amr, aal];
}

const tokenOf = async (response: Response): Promise<string> =>
  (await read<{ accessToken: string }>(response, 200)).accessToken;

async function setUpApp(): Promise<string> {
  const token = ann.accessToken;
  const { secret } = await read<{ secret: string }>(
    await app.send("POST", "/api/auth/mfa/totp", { token }),
    200,
  );
  const body = { code: app.totp(secret) };
  await read(await app.send("POST", "/api/auth/mfa/totp/confirm", { token, body }), 200);
  app.clock.advance(MINUTE);
  return secret;
}

/** Signs in with the password and the app. */
async function signInByApp(secret: string): Promise<string> {
  const begun = await app.send("POST", "/api/auth/login", {
    body: { identifier: "ann", password: PASSWORD },
  });
  const { challengeId } = await read<{ challengeId: string }>(begun, 200);
  const body = { challengeId, method: "totp", code: app.totp(secret) };
  return tokenOf(await app.send("POST", "/api/auth/login/mfa", { body }));
}

describe("an authenticator app that is removed", () => {
  it("leaves the session that removed it, and every other, at one factor", async () => {
    const other = await signInByApp(await setUpApp());
    assert.deepEqual(await proofOf(ann.accessToken), [["pwd", "otp", "mfa"], 2]);
    assert.deepEqual(await proofOf(other), [["pwd", "otp", "mfa"], 2]);
    const removed = await app.send("DELETE", "/api/auth/mfa/totp", { token: ann.accessToken });
    assert.equal(removed.status, 204);
    assert.deepEqual(await proofOf(ann.accessToken), [["pwd"], 1]);
    assert.deepEqual(await proofOf(other), [["pwd"], 1]);
  });

  it("does the same where an administrator resets it, and leaves a sign-in by passkey as it is", async () => {
    const { authenticator } = await room.add(ann);
    const byPasskey = await tokenOf(await room.signIn(authenticator));
    const byApp = await signInByApp(await setUpApp());
    assert.equal((await app.admin("POST", `/api/admin/users/${ann.user.id}/reset-mfa`)).status, 200);
    assert.deepEqual(await proofOf(byApp), [["pwd"], 1]);
    assert.deepEqual(await proofOf(byPasskey), [["hwk", "user", "mfa"], 2]);
    // This one had both.
    assert.deepEqual(await proofOf(ann.accessToken), [["pwd", "hwk", "user", "mfa"], 2]);
  });
});

describe("where everyone needs two factors", () => {
  const isOpen = async (token: string): Promise<number> =>
    (await app.send("GET", "/api/auth/me", { token })).status;

  it("the last one that is removed leaves nothing open but setting up another", async () => {
    const fields = { requireTwoFactor: { on: true, graceDays: 0 } };
    await read(await app.admin("PATCH", "/api/admin/settings/registration", fields), 200);
    const { id } = await room.add(ann);
    const other = await signInByApp(await setUpApp());
    const token = ann.accessToken;
    assert.equal((await app.send("DELETE", "/api/auth/mfa/totp", { token })).status, 204);
    // The account has a passkey still.
    assert.deepEqual([await isOpen(token), await isOpen(other)], [200, 200]);
    assert.equal((await app.send("DELETE", `${MINE}/${id}`, { token })).status, 204);
    assert.deepEqual([await isOpen(token), await isOpen(other)], [403, 403]);
    await room.add(ann);
    assert.deepEqual(await proofOf(token), [["pwd", "hwk", "user", "mfa"], 2]);
  });
});

describe("a passkey that is removed", () => {
  it("is missed by the sessions that it opened, and by none that another one did", async () => {
    const [lost, kept] = [await room.add(ann, { label: "Lost" }), await room.add(ann, { label: "Kept" })];
    const byLost = await tokenOf(await room.signIn(lost.authenticator));
    const byKept = await tokenOf(await room.signIn(kept.authenticator));
    const removed = await app.send("DELETE", `${MINE}/${lost.id}`, { token: ann.accessToken });
    assert.equal(removed.status, 204);
    assert.deepEqual(await proofOf(byLost), [[], 1]);
    assert.deepEqual(await proofOf(byKept), [["hwk", "user", "mfa"], 2]);
    assert.deepEqual(await proofOf(ann.accessToken), [["pwd", "hwk", "user", "mfa"], 2]);
  });

  it("no longer counts if an administrator removed it, or if the factor was not recorded", async () => {
    const { authenticator, id } = await room.add(ann);
    const token = await tokenOf(await room.signIn(authenticator));
    // As earlier releases stored it.
    await app.store.transact(async (tx) => {
      const { items } = await tx.list(sessions, "byUser", { prefix: [ann.user.id], limit: 10 });
      for (const { passkeyId: _noted, ...session } of items) await tx.put(sessions, session);
    });
    const removed = await app.admin("DELETE", `/api/admin/users/${ann.user.id}/passkeys/${id}`);
    assert.equal(removed.status, 204);
    assert.deepEqual(await proofOf(token), [[], 1]);
    assert.deepEqual(await proofOf(ann.accessToken), [["pwd"], 1]);
  });

  it("takes the administration with it where that needs two factors", async () => {
    const boss = await app.signUp("boss", { role: "admin" });
    const first = await room.add(boss);
    const away = { token: boss.accessToken, from: "203.0.113.7" };
    assert.equal((await app.send("GET", "/api/admin/users", away)).status, 200);
    const removed = await app.send("DELETE", `${MINE}/${first.id}`, { token: boss.accessToken });
    assert.equal(removed.status, 204);
    assert.deepEqual(await proofOf(boss.accessToken), [["pwd"], 1]);
  });
});
