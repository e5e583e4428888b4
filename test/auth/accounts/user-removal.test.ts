/** Removing accounts for good. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { attempts } from "../../../src/auth/attempts/records.ts";
import { avatars, likes } from "../../../src/auth/people/records.ts";
import { checkIns } from "../../../src/auth/check-in/records.ts";
import { consents } from "../../../src/auth/oidc/records.ts";
import { emails, events, profiles, users } from "../../../src/auth/accounts/records.ts";
import { invites as inviteRecords } from "../../../src/auth/registration/records.ts";
import { redeemInvite } from "../../../src/auth/registration/invites.ts";
import { purgeStep, removeAccount, sweepPurge } from "../../../src/auth/me/removal.ts";
import { type SignedIn, type TestApp, createTestApp, testCaller } from "../app-fixture.ts";
import { dumpStore, findInStore } from "../store-dump.ts";

const DAY_MS = 86_400_000;
let app: TestApp;
let ann: SignedIn;
let bob: SignedIn;

/** Gives ann at least one record of every kind that an account can have. */
async function furnish(): Promise<void> {
  const [made] = await app.auth.invites.create([{}], {
    mailing: { mail: false },
    actor: { name: "t", clientId: "t", requestId: "t" },
  });
  assert.ok(made);
  const nowMs = app.clock.now();
  await app.store.transact(async (tx) => {
    const userId = ann.user.id;
    await redeemInvite(tx, { code: made.code, email: ann.user.email, userId, nowMs });
    const user = (await tx.get(users, userId)) ?? assert.fail("ann is there");
    await tx.put(users, { ...user, registeredVia: { ...user.registeredVia, inviteId: made.invite.id } });
    await tx.insert(avatars, { id: `${userId}:hash`, mediaType: "image/png", base64: "AAAA" });
    await tx.insert(avatars, { id: `${bob.user.id}:hash`, mediaType: "image/png", base64: "AAAA" });
    const address = "ann@further.example";
    const fields = { userId, address, addressLower: address, purposes: [], createdAt: nowMs };
    await tx.insert(emails, { id: "eml_1", ...fields });
    const day = "2026-01-31";
    await tx.insert(checkIns, {
      id: `${userId}:${day}`,
      userId,
      day,
      at: nowMs,
      streak: 1,
      reward: 1,
      bonus: 0,
    });
    for (const [profileId, likerId] of [
      [userId, bob.user.id],
      [bob.user.id, userId],
    ] as const) {
      await tx.insert(likes, { id: `${profileId}:${likerId}`, profileId, likerId, at: nowMs });
      const profile = (await tx.get(profiles, profileId)) ?? assert.fail("the profile is there");
      await tx.put(profiles, { ...profile, likes: 1 });
    }
    const consent = {
      userId,
      clientId: "shop",
      access: [],
      scopes: ["openid"],
      firstAt: nowMs,
      allowedAt: nowMs,
    };
    await tx.insert(consents, { id: `${userId}:shop`, ...consent });
    await tx.insert(attempts, { id: `signin:${userId}`, times: [], failures: 1, expiresAt: nowMs });
  });
  await app.auth.passwords.forgot({ email: ann.user.email, caller: testCaller });
  const subject = (await app.auth.sessions.find(ann.accessToken)) ?? assert.fail("signed in");
  app.auth.activity.note(subject, "shop");
  await app.auth.activity.flush();
}

/** Gives the account many events. */
async function addEvents(count: number): Promise<void> {
  await app.store.transact(async (tx) => {
    for (let i = 0; i < count; i += 1) {
      await tx.insert(events, {
        id: `evt_${i}`,
        userId: ann.user.id,
        at: 1,
        kind: "sign-in",
        clientId: "t",
        ipPrefix: "",
        userAgent: "",
      });
    }
  });
}

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  bob = await app.signUp("bob");
});

describe("removing an account", () => {
  it("leaves no record that names it, and nothing else changed but what it had given", async () => {
    const before = await dumpStore(app.store);
    const ofBob = before.filter((line) => line.includes(bob.user.id) && !line.startsWith("profiles "));
    await furnish();
    assert.ok((await findInStore(app.store, [ann.user.id])).length >= 10);
    await removeAccount(app.store, ann.user.id);
    const named = await findInStore(app.store, [ann.user.id, "ann@further.example"]);
    assert.deepEqual(named, []);
    const after = await dumpStore(app.store);
    assert.ok(ofBob.every((line) => after.includes(line)));
    assert.ok(after.some((line) => line.includes(`${bob.user.id}:hash`)));
    const profile = await app.store.read((tx) => tx.get(profiles, bob.user.id));
    assert.equal(profile?.likes, 0);
    const [invite] = (await app.store.read((tx) => tx.list(inviteRecords, "id", { limit: 1 }))).items;
    assert.deepEqual([invite?.usedCount, invite?.uses], [1, []]);
  });

  it("goes in steps of at most 500 records, out of reach from the first", async () => {
    await addEvents(1_200);
    const count = async (): Promise<number> => (await dumpStore(app.store)).length;
    const path = `/api/public/users/${ann.user.username}`;
    let left = await count();
    let steps = 0;
    for (let hasMore = true; hasMore; steps += 1) {
      hasMore = await app.store.transact((tx) => purgeStep(tx, ann.user.id));
      assert.equal(await app.auth.sessions.find(ann.accessToken), undefined);
      assert.equal((await app.fetch(path)).status, 404);
      const restored = await app.admin("POST", `/api/admin/users/${ann.user.id}/restore`);
      assert.ok(restored.status === 409 || restored.status === 404);
      const now = await count();
      assert.ok(left - now <= 504, `${left - now} records in one step`);
      left = now;
    }
    assert.equal(steps, 3);
    assert.equal(await app.store.transact((tx) => purgeStep(tx, ann.user.id)), false);
  });
});

describe("the sweep of deleted accounts", () => {
  it("takes those whose time is over, and goes on where a crash left off", async () => {
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}`);
    app.clock.advance(30 * DAY_MS - 1);
    assert.equal(await sweepPurge(app.store, app.clock.now()), 0);
    await addEvents(600);
    app.clock.advance(1);
    await app.store.transact((tx) => purgeStep(tx, ann.user.id));
    assert.ok((await findInStore(app.store, [ann.user.id])).length > 1);
    assert.equal(await sweepPurge(app.store, app.clock.now()), 1);
    const left = await findInStore(app.store, [ann.user.id]);
    assert.ok(left.every((line) => line.startsWith("audit ")));
    assert.ok(await app.store.read((tx) => tx.get(users, bob.user.id)));
  });

  it("lets be who was restored", async () => {
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}`);
    await app.admin("POST", `/api/admin/users/${ann.user.id}/restore`);
    app.clock.advance(31 * DAY_MS);
    assert.equal(await sweepPurge(app.store, app.clock.now()), 0);
    assert.ok(await app.store.read((tx) => tx.get(users, ann.user.id)));
  });
});
