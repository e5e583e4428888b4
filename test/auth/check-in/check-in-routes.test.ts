/** Daily check-in over HTTP. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { START } from "../../support/fixed-clock.ts";
import { type SignedIn, type TestApp, code, createTestApp, testCaller } from "../app-fixture.ts";

const PATH = "/api/auth/checkin";
const DAY = 86_400_000;
const HOUR = 3_600_000;

describe("check-in", () => {
  let app: TestApp;
  let ann: SignedIn;

  beforeEach(async () => {
    app = await createTestApp();
    ann = await app.signUp("ann");
  });

  /** Access tokens are valid for 15 minutes: a user of the next day has a new one. */
  async function checkIn(): Promise<Response> {
    const { accessToken } = await app.signIn(ann.user);
    return app.send("POST", PATH, { token: accessToken });
  }

  it("gives 201 once and then 200 with the same gain", async () => {
    const first = await checkIn();
    assert.equal(first.status, 201);
    const gain = { day: "2026-01-31", reward: 10, bonus: 0, streak: 1, points: 10 };
    assert.deepEqual(await first.json(), gain);
    const second = await checkIn();
    assert.equal(second.status, 200);
    assert.deepEqual(await second.json(), { alreadyCheckedIn: true, ...gain });
  });

  it("gives one 201 to 50 at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.send("POST", PATH, { token: ann.accessToken })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [...Array<number>(49).fill(200), 201],
    );
    const status: { points: number } = await (await app.send("GET", PATH, { token: ann.accessToken })).json();
    assert.equal(status.points, 10);
  });

  it("tells the state of today", async () => {
    const state = async (): Promise<unknown> =>
      (await app.send("GET", PATH, { token: (await app.signIn(ann.user)).accessToken })).json();
    const before = {
      enabled: true,
      today: "2026-01-31",
      checkedInToday: false,
      streak: 0,
      points: 0,
      nextReset: toIsoTime(START + 12 * HOUR),
      timeZone: "UTC",
    };
    assert.deepEqual(await state(), before);
    await checkIn();
    assert.deepEqual(await state(), { ...before, checkedInToday: true, streak: 1, points: 10 });
    await app.set("checkin", { enabled: false, timeZone: "Europe/Berlin" });
    assert.deepEqual(await state(), {
      ...before,
      enabled: false,
      checkedInToday: true,
      streak: 1,
      points: 10,
      nextReset: toIsoTime(START + 11 * HOUR),
      timeZone: "Europe/Berlin",
    });
  });

  it("is listed by month, the oldest first, the current month by default", async () => {
    for (let day = 0; day < 3; day += 1) {
      await checkIn();
      app.clock.advance(DAY);
    }
    const { accessToken: token } = await app.signIn(ann.user);
    const history = async (query: string): Promise<unknown> =>
      (await app.send("GET", `${PATH}/history${query}`, { token })).json();
    const day = (name: string, at: number, streak: number): object => ({
      day: name,
      at: toIsoTime(at),
      reward: 10,
      bonus: 0,
      streak,
    });
    assert.deepEqual(await history("?month=2026-01"), {
      month: "2026-01",
      days: [day("2026-01-31", START, 1)],
      total: 10,
    });
    assert.deepEqual(await history(""), {
      month: "2026-02",
      days: [day("2026-02-01", START + DAY, 2), day("2026-02-02", START + 2 * DAY, 3)],
      total: 20,
    });
    assert.deepEqual(await history("?month=2025-12"), { month: "2025-12", days: [], total: 0 });
  });

  it("keeps each person's history apart", async () => {
    await checkIn();
    const ben = await app.signUp("ben");
    const response = await app.send("GET", `${PATH}/history`, { token: ben.accessToken });
    assert.deepEqual((await response.json()).days, []);
  });

  for (const month of [
    "2026",
    "2026-13",
    "2026-00",
    "2026-1",
    "26-01",
    "2026-01-01",
    "x",
    "",
    "2026-01%00",
  ]) {
    it(`refuses "${month}" as month`, async () => {
      const response = await app.send("GET", `${PATH}/history?month=${month}`, { token: ann.accessToken });
      assert.deepEqual(await code(response), [422, "invalid"]);
    });
  }

  it("is refused while it is switched off", async () => {
    await app.set("checkin", { enabled: false });
    assert.deepEqual(await code(await checkIn()), [403, "checkin_disabled"]);
  });

  it("is refused before the address is verified, unless the settings do not ask", async () => {
    const ben = await app.signUp("ben", { emailVerifiedAt: undefined });
    const post = (): Promise<Response> => app.send("POST", PATH, { token: ben.accessToken });
    assert.deepEqual(await code(await post()), [403, "email_unverified"]);
    await app.set("checkin", { requireVerifiedEmail: false });
    assert.equal((await post()).status, 201);
  });

  it("is refused to an account that is too new, to the millisecond, with the time", async () => {
    await app.set("checkin", { minAccountAgeHours: 24 });
    const refused = await checkIn();
    assert.equal(refused.status, 403);
    const problem: { code: string; availableAt: number } = await refused.json();
    assert.deepEqual([problem.code, problem.availableAt], ["account_too_new", START + DAY]);
    app.clock.advance(DAY - 1);
    assert.equal((await checkIn()).status, 403);
    app.clock.advance(1);
    assert.equal((await checkIn()).status, 201);
  });

  it("is refused in an administrator's look into the account, which may read", async () => {
    const { accessToken: token } = await app.store.transact((tx) =>
      app.auth.sessions.open(tx, {
        user: ann.user,
        caller: testCaller,
        amr: ["impersonation"],
        impersonation: { by: "token", ttlMs: HOUR },
      }),
    );
    assert.deepEqual(await code(await app.send("POST", PATH, { token })), [403, "forbidden"]);
    assert.equal((await app.send("GET", PATH, { token })).status, 200);
  });

  it("takes nothing from a body, and none that is too large", async () => {
    const { accessToken: token } = ann;
    const body = { userId: "usr_1", day: "2020-01-01", reward: 1_000_000, at: 0 };
    const result = await (await app.send("POST", PATH, { token, body })).json();
    assert.deepEqual([result.day, result.points], ["2026-01-31", 10]);
    const headers = { "content-length": "70000" };
    const large = await app.send("POST", PATH, { token, headers, body: "x".repeat(69_998) });
    assert.deepEqual(await code(large), [413, "too_large"]);
  });

  it("is refused without a token and with a dead one", async () => {
    for (const [method, path] of [
      ["POST", PATH],
      ["GET", PATH],
      ["GET", `${PATH}/history`],
    ] as const) {
      assert.deepEqual(await code(await app.send(method, path)), [401, "unauthenticated"]);
      assert.deepEqual(await code(await app.send(method, path, { token: "acc_dead" })), [
        401,
        "token_invalid",
      ]);
    }
  });
});
