/** What may happen once only, on PostgreSQL: check-ins, likes and pictures that come at the same time through two stores. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { authCollections } from "../../src/auth/app/records.ts";
import { avatars, likes } from "../../src/auth/people/records.ts";
import { checkIns } from "../../src/auth/check-in/records.ts";
import { profiles, users } from "../../src/auth/accounts/records.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";
import { type SignedIn, type TestApp, createTestApp } from "./app-fixture.ts";
import { png } from "./pictures.ts";

describe("at the same time, through two processes' stores on one database", () => {
  let database: TestDatabase;
  const stores: Store[] = [];
  const apps: TestApp[] = [];
  let ann: SignedIn;

  before(async () => {
    database = await createTestDatabase();
    const clock: FixedClock = createFixedClock();
    for (let i = 0; i < 2; i += 1) {
      const store = await openPostgresStore({
        url: database.url,
        name: "auth",
        collections: authCollections,
      });
      stores.push(store);
      apps.push(await createTestApp({ store, clock }));
    }
    ann = await app(0).signUp("ann");
    const body = { visibility: "public", inDirectory: true, showStreak: true };
    await app(0).send("PATCH", "/api/auth/profile", { token: ann.accessToken, body });
  });

  after(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  function app(i: number): TestApp {
    return apps[i % 2] ?? assert.fail("No such application");
  }

  it("50 check-ins give one reward", async () => {
    await app(0).set("checkin", { rewardMin: 1, rewardMax: 1_000_000, streakBonuses: [] });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        app(i).send("POST", "/api/auth/checkin", { token: ann.accessToken }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      [statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 200).length],
      [1, 49],
    );
    const [record, user] = await app(1).store.read(async (tx) => [
      await tx.get(checkIns, `${ann.user.id}:2026-01-31`),
      await tx.get(users, ann.user.id),
    ]);
    assert.equal(user?.points, record?.reward);
    for (const answer of answers) assert.equal((await answer.json()).reward, record?.reward);
  });

  it("likes of one person count once", async () => {
    const { accessToken: token } = await app(0).signUp("ben");
    for (const [method, expected] of [
      ["PUT", 1],
      ["DELETE", 0],
      ["POST", 1],
    ] as const) {
      const path = "/api/public/users/ann/like";
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => app(i).send(method, path, { token })),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      const [profile, records] = await app(1).store.read(async (tx) => [
        await tx.get(profiles, ann.user.id),
        await tx.count(likes, "byProfile", { prefix: [ann.user.id] }),
      ]);
      assert.deepEqual([profile?.likes, records], [expected, expected]);
    }
  });

  it("pictures that replace each other leave one", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        app(i).fetch("/api/auth/profile/avatar", {
          method: "PUT",
          headers: { authorization: `Bearer ${ann.accessToken}`, "content-type": "image/png" },
          body: png(i + 1, 1),
        }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(await app(0).store.read((tx) => tx.count(avatars)), 1);
    assert.equal((await app(1).fetch("/api/public/users/ann/avatar")).status, 200);
  });

  it("the directory reads as on the other stores", async () => {
    const page = await (await app(1).fetch("/api/public/users?q=AN&sort=likes&limit=1")).json();
    assert.equal(page.items[0]?.username, "ann");
    assert.equal(page.items[0]?.streak, 1);
    assert.deepEqual(page.nextCursor, undefined);
  });
});
