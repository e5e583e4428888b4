/** Tokens: how long they live, and how they are renewed. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { authCollections } from "../../../src/auth/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import {
  type RenewedTokens,
  isValid,
  listEventKinds,
  refresh,
  renew,
  validate,
} from "../http/token-requests.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

describe("access tokens", () => {
  it("live 15 minutes", async () => {
    app.clock.advance(15 * MINUTE - 1);
    assert.equal(await isValid(app, ann.accessToken), true);
    app.clock.advance(1);
    assert.deepEqual(await code(await validate(app, ann.accessToken)), [401, "token_invalid"]);
  });

  it("live on after one refresh to their own end, and no longer", async () => {
    app.clock.advance(10 * MINUTE);
    const next = await renew(app, ann.refreshToken);
    assert.equal(next.expiresIn, 900);
    app.clock.advance(5 * MINUTE - 1);
    assert.equal(await isValid(app, ann.accessToken), true);
    app.clock.advance(1);
    assert.equal(await isValid(app, ann.accessToken), false);
    assert.equal(await isValid(app, next.accessToken), true);
  });

  it("are dead at once for a suspended account, a deleted one, and after all sessions were ended", async () => {
    const cases: readonly ((id: string) => Promise<Response>)[] = [
      (id) => app.admin("POST", `/api/admin/users/${id}/suspend`, { reason: "test" }),
      (id) => app.admin("DELETE", `/api/admin/users/${id}`),
      (id) => app.admin("POST", `/api/admin/users/${id}/revoke-sessions`),
      () => app.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true }),
    ];
    for (const [index, end] of cases.entries()) {
      const user = await app.signUp(`user${index}`);
      const ended = await end(user.user.id);
      assert.ok(ended.ok, `${index}: ${ended.status}`);
      assert.deepEqual(await code(await validate(app, user.accessToken)), [401, "token_invalid"], `${index}`);
      assert.deepEqual(
        await code(await refresh(app, user.refreshToken)),
        [401, "refresh_invalid"],
        `${index}`,
      );
    }
  });

  it("do not live again when the clock jumps back three days, and are dead when it jumps ten years on", async () => {
    app.clock.advance(15 * MINUTE);
    assert.equal(await isValid(app, ann.accessToken), false);
    app.clock.jump(-3 * DAY);
    assert.equal(await isValid(app, ann.accessToken), false);
    const bob = await app.signUp("bob");
    app.clock.jump(3_650 * DAY);
    assert.equal(await isValid(app, bob.accessToken), false);
    assert.deepEqual(await code(await refresh(app, bob.refreshToken)), [401, "refresh_invalid"]);
    app.clock.jump(-3_650 * DAY);
    assert.equal(await isValid(app, bob.accessToken), false);
    assert.deepEqual(await code(await refresh(app, bob.refreshToken)), [401, "refresh_invalid"]);
  });

  it("of a session from the future are dead after a restart with the right clock", async () => {
    const store = createMemoryStore({ collections: authCollections });
    const wrong = await createTestApp({ store, clock: createFixedClock(Date.UTC(2036, 0, 1)) });
    const user = await wrong.signUp("eve");
    for (let count = 0; count < 49; count += 1) await wrong.signIn(user.user);
    app = await createTestApp({ store });
    assert.equal(await isValid(app, user.accessToken), false);
    assert.deepEqual(await code(await refresh(app, user.refreshToken)), [401, "refresh_invalid"]);
    // And they take no room from sessions that count: the dead make way first.
    const many: SignedIn[] = [];
    for (let count = 0; count < 50; count += 1) {
      app.clock.advance(1);
      many.push(await app.signIn(user.user));
    }
    for (const { accessToken } of many) assert.equal(await isValid(app, accessToken), true);
  });
});

describe("POST /api/auth/refresh", () => {
  it("gives new tokens that may not be cached, and moves the idle end on", async () => {
    app.clock.advance(DAY);
    const response = await refresh(app, ann.refreshToken);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const tokens: RenewedTokens = await response.json();
    assert.match(tokens.accessToken, /^acc_[\w-]{43}$/u);
    assert.match(tokens.refreshToken, /^ref_[\w-]{43}$/u);
    assert.notEqual(tokens.refreshToken, ann.refreshToken);
    assert.equal(tokens.expiresIn, 900);
    assert.equal(tokens.refreshExpiresIn, (14 * DAY) / SECOND);
    assert.equal(await isValid(app, tokens.accessToken), true);
  });

  it("works until 14 days without use", async () => {
    const bob = await app.signUp("bob");
    app.clock.advance(14 * DAY - 1);
    await renew(app, ann.refreshToken);
    app.clock.advance(1);
    assert.deepEqual(await code(await refresh(app, bob.refreshToken)), [401, "refresh_invalid"]);
  });

  it("ends 30 days after the sign-in, whatever the use; the last tokens live no longer", async () => {
    let { refreshToken } = ann;
    for (let day = 0; day < 29; day += 1) {
      app.clock.advance(DAY);
      ({ refreshToken } = await renew(app, refreshToken));
    }
    app.clock.advance(DAY - 5 * MINUTE);
    const last = await renew(app, refreshToken);
    assert.equal(last.expiresIn, 300);
    assert.equal(last.refreshExpiresIn, 300);
    app.clock.advance(5 * MINUTE);
    assert.equal(await isValid(app, last.accessToken), false);
    assert.deepEqual(await code(await refresh(app, last.refreshToken)), [401, "refresh_invalid"]);
  });

  it("gives the same successor and access token again within 30 s", async () => {
    const first = await renew(app, ann.refreshToken);
    app.clock.advance(30 * SECOND - 1);
    const again = await renew(app, ann.refreshToken);
    assert.equal(again.refreshToken, first.refreshToken);
    assert.equal(again.accessToken, first.accessToken);
    assert.equal(again.expiresIn, 870);
  });

  it("gives one successor to 16 tabs at once", async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => renew(app, ann.refreshToken)));
    assert.equal(new Set(all.map(({ refreshToken }) => refreshToken)).size, 1);
    assert.equal(new Set(all.map(({ accessToken }) => accessToken)).size, 1);
  });

  it("ends the whole sign-in when a spent token comes later, and tells the owner by mail and event", async () => {
    const elsewhere = await app.signIn(ann.user);
    const next = await renew(app, ann.refreshToken);
    app.clock.advance(30 * SECOND);
    assert.deepEqual(await code(await refresh(app, ann.refreshToken)), [401, "refresh_reused"]);
    assert.equal(await isValid(app, next.accessToken), false);
    assert.equal(await isValid(app, ann.accessToken), false);
    assert.deepEqual(await code(await refresh(app, next.refreshToken)), [401, "refresh_invalid"]);
    assert.deepEqual(await code(await refresh(app, ann.refreshToken)), [401, "refresh_invalid"]);
    assert.equal(await isValid(app, elsewhere.accessToken), true);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /used twice/u);
    assert.equal((await listEventKinds(app, elsewhere.accessToken))[0], "refresh-reused");
  });

  it("takes a token of two generations ago as used again, also within 30 s", async () => {
    const second = await renew(app, ann.refreshToken);
    const third = await renew(app, second.refreshToken);
    assert.deepEqual(await code(await refresh(app, ann.refreshToken)), [401, "refresh_reused"]);
    assert.equal(await isValid(app, third.accessToken), false);
  });

  it("refuses what is no such token, and ends nothing for it", async () => {
    const random = `ref_${Buffer.alloc(32, 7).toString("base64url")}`;
    const last = ann.refreshToken.slice(-1);
    const respelt = `${ann.refreshToken.slice(0, -1)}${String.fromCharCode((last.codePointAt(0) ?? 0) + 1)}`;
    for (const bad of [random, "x", "ref_", ann.accessToken, `${ann.refreshToken} `, respelt])
      assert.deepEqual(await code(await refresh(app, bad)), [401, "refresh_invalid"], bad);
    assert.equal(await isValid(app, ann.accessToken), true);
    await renew(app, ann.refreshToken);
  });

  it("leaves no live session after a revocation that 100 refreshes race", async () => {
    const tokens = [ann.refreshToken];
    const racing = Array.from({ length: 100 }, async (_none, index) => {
      if (index === 50) await app.send("POST", "/api/auth/revoke", { body: { token: ann.refreshToken } });
      const response = await refresh(app, tokens[0] ?? "");
      if (response.status === 200) {
        const next: RenewedTokens = await response.json();
        tokens[0] = next.refreshToken;
      }
    });
    await Promise.all(racing);
    assert.deepEqual(await app.auth.sessions.list(ann.user.id), []);
  });
});
