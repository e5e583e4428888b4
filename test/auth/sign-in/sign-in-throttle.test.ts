/** Limits on guessing: by account, by device, by network and by address. Strangers come from a few addresses unless it says so. */
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { beforeEach, describe, it } from "node:test";
import { toLockMs } from "../../../src/auth/attempts/attempts.ts";
import { toHashPlaces } from "../../../src/auth/base/hashing/password-hash.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { createFixedClock, START } from "../../support/fixed-clock.ts";
import { type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { DAY_MS, logIn, MINUTE_MS, OTHER, post, register } from "../http/people.ts";

let app: TestApp;
let guesses: number;
let turn: number;
const STRANGERS = ["198.18.1.1", "198.18.2.1"];
beforeEach(async () => {
  turn = 0;
  app = await createTestApp();
  guesses = 0;
  await app.signUp("ann");
});

interface More {
  readonly headers?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly from?: string;
}

/** A guess from an address, and a network, of its own. */
function guessAnew(password: string, more: More = {}): Promise<Response> {
  guesses += 1;
  return guess(password, { from: `10.${guesses >> 8}.${guesses & 255}.1`, ...more });
}

/** A guess from one of two addresses, which two guesses in a row do not use up. */
function guess(password: string, { name = "ann", headers = {}, from }: More = {}): Promise<Response> {
  turn = (turn + 1) % STRANGERS.length;
  return logIn(app, name, password, { from: from ?? STRANGERS[turn] ?? "", headers });
}

async function fail(times: number, more: More = {}): Promise<void> {
  for (let i = 0; i < times; i += 1)
    assert.deepEqual(await code(await guess(OTHER, more)), [401, "invalid_credentials"]);
}

describe("guesses at one account", () => {
  it("are free five times, then locked 30 s, doubling to 15 minutes", () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 60].map((failures) => toLockMs(failures) / 1_000);
    assert.deepEqual(seconds, [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it("are refused during the lock even when right, in the same words", async () => {
    await fail(4);
    assert.equal((await guessAnew(PASSWORD)).status, 200, "four leave it open");
    await fail(5);
    assert.deepEqual(await code(await guess(PASSWORD)), [401, "invalid_credentials"]);
    app.clock.advance(30_000 - 1);
    assert.equal((await guess(PASSWORD)).status, 401);
    app.clock.advance(1);
    await fail(1);
    app.clock.advance(60_000 - 1);
    assert.equal((await guess(PASSWORD)).status, 401);
    app.clock.advance(1);
    assert.equal((await guess(PASSWORD)).status, 200);
    await fail(4);
    assert.equal((await guess(PASSWORD)).status, 200, "the row began anew");
  });

  it("count for the name and the address together, not for the length of a lock", async () => {
    for (let i = 0; i < 5; i += 1) await guess(OTHER, { name: i % 2 === 0 ? "ANN" : "ann@example.org" });
    for (let i = 0; i < 8; i += 1) assert.equal((await guess(PASSWORD)).status, 401);
    app.clock.advance(30_000);
    assert.equal((await guess(PASSWORD)).status, 200);
  });

  it("are checked one at a time: of 16 wrong ones at once five are, as of 16 in a row", async () => {
    const at = async (): Promise<number> => {
      const { items }: { items: { kind: string }[] } = await read(
        await app.send("GET", "/api/auth/security/events?limit=100", { token }),
        200,
      );
      return items.filter(({ kind }) => kind === "sign-in-failed").length;
    };
    const { accessToken: token } = await app.signIn((await app.signUp("bob")).user);
    const all = await Promise.all(Array.from({ length: 16 }, () => guess(OTHER, { name: "bob" })));
    assert.ok(all.every(({ status }) => status === 401));
    assert.equal(await at(), 5);
    app.clock.advance(30_000);
    assert.equal((await guess(PASSWORD, { name: "bob" })).status, 200, "the first lock, no longer one");
  });

  it("are checked at most 100 times a day, successes in between or not", async () => {
    for (let round = 0; round < 25; round += 1) {
      for (let i = 0; i < 4; i += 1) assert.equal((await guessAnew(OTHER)).status, 401);
      if (round < 24) assert.equal((await guessAnew(PASSWORD)).status, 200, `round ${round}`);
    }
    assert.deepEqual(await code(await guessAnew(PASSWORD)), [401, "invalid_credentials"]);
    app.clock.advance(DAY_MS - 1);
    assert.equal((await guessAnew(PASSWORD)).status, 401);
    app.clock.advance(1);
    assert.equal((await guessAnew(PASSWORD)).status, 200);
  });

  it("are limited alike for unknown names, and for pending registrations", async () => {
    await register(app, "bob");
    for (const name of ["nobody", "nobody@example.org", "bob"]) {
      for (let i = 0; i < 5; i += 1) assert.equal((await guess(OTHER, { name })).status, 401);
      assert.deepEqual(await code(await guess(PASSWORD, { name })), [401, "invalid_credentials"], name);
    }
    app.clock.advance(30_000);
    assert.equal((await guess(PASSWORD, { name: "bob" })).status, 403);
  });

  it("stay locked over a restart, but not for the years that a wrong clock made of it", async () => {
    const store = createMemoryStore({ collections: authCollections });
    app = await createTestApp({ store });
    await app.signUp("ann");
    await fail(5);
    app = await createTestApp({ store });
    await fail(4);
    assert.equal((await guess(PASSWORD)).status, 401);
    app.clock.jump(3_653 * DAY_MS);
    for (let i = 0; i < 99; i += 1) assert.equal((await guessAnew(OTHER)).status, 401);
    app = await createTestApp({ store, clock: createFixedClock(START + MINUTE_MS) });
    assert.equal((await guess(PASSWORD)).status, 200);
  });
});

describe("a device that signed in before", () => {
  async function known(): Promise<{ token: string; cookie: string }> {
    const response = await guessAnew(PASSWORD);
    const setCookie = response.headers.get("set-cookie") ?? "";
    assert.match(setCookie, /^trivet_device=.+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/u);
    const token = response.headers.get("x-device-token") ?? assert.fail();
    return { token, cookie: setCookie.split(";")[0] ?? "" };
  }

  it("gets in while strangers have locked the account, with the header or the cookie", async () => {
    const { token, cookie } = await known();
    await fail(5);
    assert.equal((await guess(PASSWORD)).status, 401);
    assert.equal((await guessAnew(PASSWORD, { headers: { "x-device-token": token } })).status, 200);
    assert.equal((await guessAnew(PASSWORD, { headers: { cookie } })).status, 200);
    assert.equal((await guess(PASSWORD)).status, 401, "its success does not end the strangers' lock");
  });

  it("has a throttle of its own", async () => {
    const { token } = await known();
    const headers = { "x-device-token": token };
    await fail(5, { headers });
    assert.equal((await guess(PASSWORD, { headers })).status, 401);
    assert.equal((await guess(PASSWORD)).status, 200, "others are not locked by it");
  });

  it("is known for its own account alone, unchanged, and for 180 days", async () => {
    const { token } = await known();
    await app.signUp("bob");
    for (let i = 0; i < 5; i += 1) await guess(OTHER, { name: "bob" });
    assert.equal((await guess(PASSWORD, { name: "bob", headers: { "x-device-token": token } })).status, 401);
    app.clock.advance(180 * DAY_MS - MINUTE_MS);
    await fail(5);
    for (const wrong of [`${token}A`, token.slice(0, -1), token.replace(".", "!"), "x".repeat(5_000)])
      assert.equal((await guess(PASSWORD, { headers: { "x-device-token": wrong } })).status, 401);
    assert.equal((await guessAnew(PASSWORD, { headers: { "x-device-token": token } })).status, 200);
    app.clock.advance(MINUTE_MS);
    await fail(5);
    assert.equal((await guess(PASSWORD, { headers: { "x-device-token": token } })).status, 401);
  });
});

describe("an account that strangers have locked", () => {
  it("is open to a network that it was signed in from, which has a throttle of its own", async () => {
    const from = "203.0.113.9";
    assert.equal((await guess(PASSWORD, { from })).status, 200);
    for (let i = 0; i < 100; i += 1) await guessAnew(OTHER);
    assert.equal((await guessAnew(PASSWORD)).status, 401, "the guesses of the day are used up");
    assert.equal((await guess(PASSWORD, { from: "203.0.113.200" })).status, 200);
    for (let i = 0; i < 5; i += 1) assert.equal((await guess(OTHER, { from: `203.0.113.${i}` })).status, 401);
    assert.equal((await guess(PASSWORD, { from: "203.0.113.200" })).status, 401);
  });

  it("allows an address without wrong guesses two attempts, for unknown names as well", async () => {
    for (const name of ["ann", "nobody"]) {
      await fail(5, { name });
      assert.equal((await guess(PASSWORD, { name })).status, 401);
      const from = "203.0.113.10";
      await fail(2, { name, from });
      assert.equal((await guess(PASSWORD, { name, from })).status, 401, name);
    }
    assert.equal((await guess(PASSWORD, { from: "203.0.113.11" })).status, 200);
  });
});

describe("failures from one address", () => {
  const from = "198.51.100.7";
  const wrong = (name: string, address = from): Promise<Response> =>
    logIn(app, name, OTHER, { from: address });

  it("are 10 in 10 minutes, whatever the names; then all sign-ins from there are rejected", async () => {
    for (let i = 0; i < 10; i += 1) assert.equal((await wrong(`user${i}`)).status, 401);
    const limited = await logIn(app, "ann", PASSWORD, { from });
    const seconds = Number(limited.headers.get("retry-after"));
    assert.ok(seconds > 0 && seconds <= 1_200, String(seconds));
    assert.deepEqual(await code(limited), [429, "too_many_attempts"]);
    assert.equal((await logIn(app, "ann", PASSWORD, { from: "198.51.100.8" })).status, 200);
    app.clock.advance(seconds * 1_000);
    assert.equal((await logIn(app, "ann", PASSWORD, { from })).status, 200);
  });

  it("count for the /64 of IPv6", async () => {
    for (let i = 0; i < 10; i += 1) await wrong(`user${i}`, `2001:db8:a:b:${i}::1`);
    assert.equal((await wrong("ann", "2001:db8:a:b:ffff::9")).status, 429);
    assert.equal((await wrong("ann", "2001:db8:a:c::1")).status, 401);
  });

  it("do not come from a header of who is no proxy of ours", async () => {
    for (let i = 0; i < 10; i += 1)
      await logIn(app, `user${i}`, OTHER, { from, headers: { "x-forwarded-for": `203.0.113.${i}` } });
    assert.equal((await wrong("ann")).status, 429);
  });

  it("are not passed by many guesses at once, at as many accounts", async () => {
    for (let i = 0; i < 40; i += 1) await app.signUp(`user${i}`);
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => wrong(`user${i}`)));
    const checked = all.filter(({ status }) => status === 401).length;
    // Those that ran side by side while the address had no failure, and in turn as many as could end before the last of these.
    const most = 10 + toHashPlaces(availableParallelism()) - 1;
    assert.ok(checked >= 10 && checked <= most, `${checked} were checked`);
  });

  it("do not hinder many right ones at once", async () => {
    for (let i = 0; i < 40; i += 1) await app.signUp(`user${i}`);
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        post(app, "login", { identifier: `user${i}`, password: PASSWORD }, { from }),
      ),
    );
    assert.ok(all.every(({ status }) => status === 200));
  });
});

describe("the allowance of an address", () => {
  const FROM = "198.18.9.9";
  /** Wrong passwords of unknown names; resolves with the status of a right one from the same address. */
  async function afterWrong(times: number): Promise<number> {
    for (let i = 0; i < times; i += 1) await guess(OTHER, { name: `nobody${guesses++}`, from: FROM });
    return (await guess(PASSWORD, { from: FROM })).status;
  }

  it("is 10 failures unless a setting says otherwise, which takes effect within 5 seconds", async () => {
    assert.equal(await afterWrong(9), 200);
    assert.equal(await afterWrong(1), 429);
    await app.set("registration", { failuresPerAddress: 15 });
    app.clock.advance(5_000);
    assert.equal(await afterWrong(0), 200);
    assert.equal(await afterWrong(5), 429);
    await app.set("registration", { failuresPerAddress: 5 });
    app.clock.advance(5_000);
    assert.equal(await afterWrong(0), 429);
  });

  it("is counted over the minutes that a setting says", async () => {
    await app.set("registration", { failureWindowMinutes: 1 });
    assert.equal(await afterWrong(10), 429);
    app.clock.advance(2 * MINUTE_MS);
    assert.equal(await afterWrong(0), 200);
    await app.set("registration", { failureWindowMinutes: 60 });
    app.clock.advance(5_000);
    assert.equal(await afterWrong(10), 429);
    app.clock.advance(50 * MINUTE_MS);
    assert.equal(await afterWrong(0), 429);
  });

  it("has bounds", async () => {
    for (const wrong of [
      { failuresPerAddress: 4 },
      { failuresPerAddress: 1_001 },
      { failureWindowMinutes: 0 },
      { failureWindowMinutes: 61 },
    ])
      assert.equal((await app.admin("PATCH", "/api/admin/settings/registration", wrong)).status, 422);
  });
});
