/** Check-ins: once a day whatever happens at the same time, rewards, and who may. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Subject } from "../../../src/auth/sessions/subject.ts";
import { type CheckIns, createCheckIns, readStreak } from "../../../src/auth/check-in/check-in.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { checkIns } from "../../../src/auth/check-in/records.ts";
import { users } from "../../../src/auth/accounts/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

interface Scene {
  readonly app: TestApp;
  readonly clock: FixedClock;
  readonly ann: Subject;
  readonly logic: CheckIns;
  /** How often a reward was drawn. */
  draws(): number;
}

async function subjectOf(app: TestApp, username: string): Promise<Subject> {
  const { accessToken } = await app.signUp(username);
  return (await app.auth.sessions.find(accessToken)) ?? assert.fail("The session is not there");
}

/** Draws 0.00, 0.01, 0.02 …, so that a reward tells from which draw it is. */
async function createScene(options: { forceReruns?: boolean; start?: string } = {}): Promise<Scene> {
  const { forceReruns = false, start } = options;
  const clock = createFixedClock(start === undefined ? undefined : Date.parse(start));
  const store = createMemoryStore({ collections: authCollections, forceReruns });
  const app = await createTestApp({ store, clock });
  let draws = 0;
  const random = (): number => {
    draws += 1;
    return ((draws - 1) % 100) / 100;
  };
  const ann = await subjectOf(app, "ann");
  return { app, clock, ann, logic: createCheckIns({ store, clock, random }), draws: () => draws };
}

async function pointsOf({ app, ann }: Scene): Promise<number | undefined> {
  return (await app.store.read((tx) => tx.get(users, ann.user.id)))?.points;
}

describe("a check-in", () => {
  for (const forceReruns of [false, true]) {
    const where = forceReruns ? "on a store that runs all work twice" : "on a store in memory";
    it(`gives one reward for 50 at once ${where}, and pays the one that is stored`, async () => {
      const scene = await createScene({ forceReruns });
      const { app, ann, logic } = scene;
      await app.set("checkin", { rewardMin: 0, rewardMax: 99, streakBonuses: [] });
      const results = await Promise.all(Array.from({ length: 50 }, () => logic.checkIn(ann)));
      const [record, ...others] = await app.store.read(async (tx) => {
        const { items } = await tx.list(checkIns, "id", { limit: 100 });
        return items;
      });
      assert.deepEqual(others, []);
      assert.equal(results.filter(({ alreadyCheckedIn }) => !alreadyCheckedIn).length, 1);
      assert.ok(results.every(({ reward }) => reward === record?.reward));
      assert.ok(results.every(({ points }) => points === record?.reward));
      assert.equal(await pointsOf(scene), record?.reward);
      // The second run of the work that counted drew again: what it drew is what is stored and paid.
      assert.equal(scene.draws(), forceReruns ? 2 : 1);
      assert.equal(record?.reward, forceReruns ? 1 : 0);
    });
  }

  it("gives each person their own", async () => {
    const { app, ann, logic } = await createScene();
    const ben = await subjectOf(app, "ben");
    assert.equal((await logic.checkIn(ann)).alreadyCheckedIn, false);
    assert.equal((await logic.checkIn(ben)).alreadyCheckedIn, false);
  });

  it("grows the streak each day, with bonuses once and at each multiple, and adds up the points", async () => {
    const scene = await createScene();
    const { app, clock, ann, logic } = scene;
    await app.set("checkin", {
      rewardMin: 10,
      rewardMax: 10,
      streakBonuses: [
        { days: 3, bonus: 5, every: true },
        { days: 4, bonus: 100, every: false },
      ],
    });
    const gains: number[] = [];
    for (let day = 1; day <= 8; day += 1) {
      const result = await logic.checkIn(ann);
      assert.equal(result.streak, day);
      gains.push(result.reward + result.bonus);
      clock.advance(DAY);
    }
    assert.deepEqual(gains, [10, 10, 15, 110, 10, 15, 10, 10]);
    assert.equal(await pointsOf(scene), 190);
  });

  it("does not change the version of the account that people see", async () => {
    const { app, ann, logic } = await createScene();
    await logic.checkIn(ann);
    const user = await app.store.read((tx) => tx.get(users, ann.user.id));
    assert.equal(user?.editVersion, ann.user.editVersion);
  });

  it("may give nothing", async () => {
    const { app, ann, logic } = await createScene();
    await app.set("checkin", { rewardMin: 0, rewardMax: 0, streakBonuses: [] });
    const { reward, bonus, points } = await logic.checkIn(ann);
    assert.deepEqual([reward, bonus, points], [0, 0, 0]);
    assert.equal((await logic.checkIn(ann)).alreadyCheckedIn, true);
  });

  it("belongs to the day of the set zone, to the millisecond, on a day that begins at 1:00", async () => {
    const { app, clock, ann, logic } = await createScene({ start: "2018-11-04T02:59:59.999Z" });
    await app.set("checkin", { timeZone: "America/Sao_Paulo" });
    assert.equal((await logic.checkIn(ann)).day, "2018-11-03");
    clock.advance(1);
    const { day, streak, alreadyCheckedIn } = await logic.checkIn(ann);
    assert.deepEqual([day, streak, alreadyCheckedIn], ["2018-11-04", 2, false]);
  });

  it("keeps the streak over a day that the zone never had", async () => {
    const { app, clock, ann, logic } = await createScene({ start: "2011-12-30T09:00:00Z" });
    await app.set("checkin", { timeZone: "Pacific/Apia" });
    assert.equal((await logic.checkIn(ann)).day, "2011-12-29");
    clock.advance(HOUR);
    const { day, streak } = await logic.checkIn(ann);
    assert.deepEqual([day, streak], ["2011-12-31", 2]);
  });

  it("gives no second reward when the zone is moved, west or east, and shows the stored day", async () => {
    const scene = await createScene();
    const { app, ann, logic } = scene;
    await logic.checkIn(ann);
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]) {
      await app.set("checkin", { timeZone });
      const { alreadyCheckedIn, day, streak } = await logic.checkIn(ann);
      assert.deepEqual([alreadyCheckedIn, day, streak], [true, "2026-01-31", 1]);
      assert.equal((await logic.status(ann.user.id)).checkedInToday, true);
    }
    assert.equal(await pointsOf(scene), 10);
  });

  it("goes on when a clock that was years ahead is right again", async () => {
    const { clock, ann, logic } = await createScene();
    clock.jump(3_650 * DAY);
    await logic.checkIn(ann);
    clock.jump(-3_650 * DAY);
    const { day, streak, alreadyCheckedIn } = await logic.checkIn(ann);
    assert.deepEqual([day, streak, alreadyCheckedIn], ["2026-01-31", 1, false]);
    assert.equal((await logic.checkIn(ann)).alreadyCheckedIn, true);
  });

  it("gives nothing again when the clock goes back over days that were used", async () => {
    const scene = await createScene();
    const { clock, ann, logic } = scene;
    for (let day = 0; day < 5; day += 1) {
      await logic.checkIn(ann);
      clock.advance(DAY);
    }
    const points = await pointsOf(scene);
    for (let day = 0; day < 5; day += 1) {
      clock.jump(-DAY);
      assert.equal((await logic.checkIn(ann)).alreadyCheckedIn, true);
    }
    assert.equal(await pointsOf(scene), points);
  });

  it("is refused in an administrator's look into the account", async () => {
    const { ann, logic } = await createScene();
    const session = { ...ann.session, impersonatedBy: "token" };
    await assert.rejects(logic.checkIn({ ...ann, session }), { code: "forbidden" });
  });
});

describe("the present streak", () => {
  it("lasts until the end of the next day and is then 0", async () => {
    const { app, clock, ann, logic } = await createScene({ start: "2026-01-30T12:00:00Z" });
    const present = (): Promise<number> => app.store.read((tx) => readStreak(tx, ann.user.id, clock.now()));
    assert.equal(await present(), 0);
    await logic.checkIn(ann);
    assert.equal(await present(), 1);
    clock.jump(Date.parse("2026-01-31T23:59:59.999Z") - clock.now());
    assert.deepEqual([await present(), (await logic.status(ann.user.id)).streak], [1, 1]);
    clock.jump(1);
    assert.deepEqual([await present(), (await logic.status(ann.user.id)).streak], [0, 0]);
    assert.equal((await logic.checkIn(ann)).streak, 1);
  });
});
