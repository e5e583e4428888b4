import { toIsoTime } from "../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { access, events, users } from "../../src/auth/accounts/records.ts";
import { attempts } from "../../src/auth/attempts/records.ts";
import { authCollections } from "../../src/auth/app/records.ts";
import { challenges } from "../../src/auth/second-factor/records.ts";
import { codes } from "../../src/auth/codes/records.ts";
import { links } from "../../src/auth/passwords/records.ts";
import { sessions } from "../../src/auth/sessions/records.ts";
import { authSecretCheck } from "../../src/auth/app/secret-check.ts";
import { assertSecret } from "../../src/records/secret-check.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Collection } from "../../src/store/store.ts";
import { type TestApp, createTestApp } from "./app-fixture.ts";
import { isValid } from "./http/token-requests.ts";

const DAY = 86_400_000;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const count = (collection: Collection): Promise<number> => app.store.read((tx) => tx.count(collection));

async function addCodes(number: number, expiresAt: number): Promise<void> {
  await app.store.transact(async (tx) => {
    for (let index = 0; index < number; index += 1) {
      const id = `login:${expiresAt}:${index}`;
      const counts = { tries: 0, senderTries: 0, handleTries: 0 };
      const sent = { mac: "m", subject: "", sender: "s", isRegistrant: false, ...counts };
      await tx.insert(codes, { id, ...sent, createdAt: 1, expiresAt });
    }
  });
}

describe("sweep", () => {
  it("removes what has expired in bounded steps, and nothing else", async () => {
    await addCodes(300, app.clock.now() - 1);
    await addCodes(5, app.clock.now() + 1_000);
    await app.auth.sweep();
    assert.equal(await count(codes), 105);
    await app.auth.sweep();
    assert.equal(await count(codes), 5);
    await app.auth.sweep();
    assert.equal(await count(codes), 5);
  });

  it("removes sessions, challenges, links, counters, uses and events when their time is over", async () => {
    const ann = await app.signUp("ann");
    await app.send("POST", "/api/auth/password/forgot", { body: { email: "ann@example.org" } });
    await isValid(app, ann.accessToken);
    await app.auth.activity.flush();
    await app.send("POST", "/api/auth/logout", { token: (await app.signIn(ann.user)).accessToken });
    const { user } = ann;
    await app.store.transact((tx) =>
      tx.insert(challenges, {
        id: "a challenge",
        userId: user.id,
        tokenEpoch: 1,
        amr: [],
        restores: false,
        tries: 0,
        createdAt: app.clock.now(),
        expiresAt: app.clock.now() + 600_000,
      }),
    );
    const all: readonly Collection[] = [sessions, challenges, links, attempts, access, events];
    for (const collection of all) assert.ok((await count(collection)) > 0, collection.name);
    await app.auth.sweep();
    for (const collection of all) assert.ok((await count(collection)) > 0, collection.name);
    app.clock.advance(14 * DAY + 1);
    await app.auth.sweep();
    for (const collection of [sessions, challenges, links, attempts])
      assert.equal(await count(collection), 0, collection.name);
    assert.equal(await count(events), 1);
    app.clock.advance(166 * DAY);
    await app.auth.sweep();
    assert.equal(await count(events), 0);
    assert.equal(await count(access), 1);
    app.clock.advance(220 * DAY);
    await app.auth.sweep();
    assert.equal(await count(access), 0);
    assert.equal(await count(users), 1);
  });

  it("writes suspensions back that have ended; they end by themselves before", async () => {
    const ann = await app.signUp("ann");
    const until = toIsoTime(app.clock.now() + DAY);
    const suspended = await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, {
      until,
      reason: "test",
    });
    assert.ok(suspended.ok);
    app.clock.advance(DAY);
    const again = await app.signIn(ann.user);
    assert.equal(await isValid(app, ann.accessToken), false);
    // The session above was opened with the epoch of before the suspension.
    assert.equal(await isValid(app, again.accessToken), false);
    const user = await app.store.read((tx) => tx.get(users, ann.user.id));
    assert.ok(user);
    assert.equal(user.status, "suspended");
    assert.equal(await isValid(app, (await app.signIn(user)).accessToken), true);
    app.clock.advance(1);
    await app.auth.sweep();
    const active = await app.store.read((tx) => tx.get(users, ann.user.id));
    assert.deepEqual(
      [active?.status, active?.suspendedUntil, active?.suspendedReason],
      ["active", undefined, undefined],
    );
  });
});

describe("assertSecret", () => {
  const first = createSecretBox("a first secret of the suite, long enough");
  const second = createSecretBox("a second secret of the suite, as long");

  it("takes the secret that the store was made with, and refuses another with its remedy", async () => {
    const store = createMemoryStore({ collections: authCollections });
    await assertSecret(store, first, authSecretCheck);
    await assertSecret(store, first, authSecretCheck);
    await assert.rejects(
      assertSecret(store, second, authSecretCheck),
      /auth-secret\.json.*backup.*AUTH_SECRET/u,
    );
    await assertSecret(store, first, authSecretCheck);
  });

  it("remembers the secret also when all sessions were ended before the first start", async () => {
    await app.auth.operation.revokeAllSessions({ name: "token", clientId: "test", requestId: "r" });
    await assertSecret(app.store, first, authSecretCheck);
    await assert.rejects(assertSecret(app.store, second, authSecretCheck), /not the one/u);
  });
});
