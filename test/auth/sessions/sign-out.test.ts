/** Tokens ended by who holds them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import {
  type RenewedTokens,
  isValid,
  listEventKinds,
  refresh,
  renew,
  validate,
} from "../http/token-requests.ts";

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

describe("POST /api/auth/logout", () => {
  const signOut = (user: SignedIn, query = ""): Promise<Response> =>
    app.send("POST", `/api/auth/logout${query}`, { token: user.accessToken });

  it("ends this session with both its tokens, and no other", async () => {
    const elsewhere = await app.signIn(ann.user);
    assert.equal((await signOut(ann)).status, 204);
    assert.deepEqual(await code(await validate(app, ann.accessToken)), [401, "token_invalid"]);
    assert.deepEqual(await code(await refresh(app, ann.refreshToken)), [401, "refresh_invalid"]);
    assert.equal(await isValid(app, elsewhere.accessToken), true);
    assert.equal((await listEventKinds(app, elsewhere.accessToken))[0], "sign-out");
  });

  it("ends all sessions of the account when asked to, and none of others", async () => {
    const elsewhere = await app.signIn(ann.user);
    const bob = await app.signUp("bob");
    assert.equal((await signOut(ann, "?everywhere=true")).status, 204);
    assert.equal(await isValid(app, ann.accessToken), false);
    assert.equal(await isValid(app, elsewhere.accessToken), false);
    assert.equal(await isValid(app, bob.accessToken), true);
    assert.equal(
      (await listEventKinds(app, (await app.signIn(ann.user)).accessToken))[0],
      "sessions-revoked",
    );
  });

  it("ends the session also when two refreshes replace its token in between", async () => {
    let later: Promise<unknown> = Promise.resolve();
    const inner = app.auth.sessions;
    // The guard has found the session; before the handler runs, other tabs refresh twice.
    const racing = await createTestApp({
      store: {
        ...app.store,
        read: (work) => app.store.read(work),
        transact: async (work) => {
          await later;
          return app.store.transact(work);
        },
      },
    });
    later = renew(app, ann.refreshToken).then(({ refreshToken }) => renew(app, refreshToken));
    const response = await racing.send("POST", "/api/auth/logout", { token: ann.accessToken });
    assert.equal(response.status, 204);
    assert.deepEqual(await inner.list(ann.user.id), []);
  });

  it("refuses another query", async () => {
    assert.deepEqual(await code(await signOut(ann, "?everywhere=perhaps")), [422, "invalid"]);
    assert.equal(await isValid(app, ann.accessToken), true);
  });
});

describe("POST /api/auth/revoke", () => {
  const revoke = (token: string): Promise<Response> =>
    app.send("POST", "/api/auth/revoke", { body: { token } });

  it("ends the session of an access token, of the one before it, and of a refresh token, spent or not", async () => {
    const picks: readonly ((old: SignedIn, now: RenewedTokens) => string)[] = [
      (_old, now) => now.accessToken,
      (old) => old.accessToken,
      (_old, now) => now.refreshToken,
      (old) => old.refreshToken,
    ];
    for (const pick of picks) {
      const session = await app.signIn(ann.user);
      const next = await renew(app, session.refreshToken);
      const response = await revoke(pick(session, next));
      assert.deepEqual([response.status, await response.json()], [200, { status: "revoked" }]);
      assert.equal(await isValid(app, next.accessToken), false);
      assert.equal(await isValid(app, session.accessToken), false);
      assert.deepEqual(await code(await refresh(app, next.refreshToken)), [401, "refresh_invalid"]);
    }
    assert.equal(await isValid(app, ann.accessToken), true);
  });

  it("answers the same for nonsense, and ends nothing", async () => {
    for (const token of ["x", "ref_x", `acc_${Buffer.alloc(32).toString("base64url")}`, ann.user.id]) {
      const response = await revoke(token);
      assert.deepEqual([response.status, await response.json()], [200, { status: "revoked" }]);
    }
    assert.equal(await isValid(app, ann.accessToken), true);
  });
});
