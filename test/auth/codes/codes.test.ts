/** Codes that go by mail: their life, their tries, and how often one is sent. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createCodes } from "../../../src/auth/codes/codes.ts";
import { codeMail } from "../../../src/auth/mails/mails.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { codes } from "../../../src/auth/codes/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { createFixedClock, START } from "../../support/fixed-clock.ts";
import { type TestApp, code, createTestApp, testCaller } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, post, register, sendCode, shapeOf, verify } from "../http/people.ts";

const ANN = "ann@example.org";
const LIFE_MS = 10 * MINUTE_MS;
let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const signIn = (typed: string, from?: string): Promise<Response> =>
  post(app, "login/code", { email: ANN, code: typed }, from === undefined ? {} : { from });

/** A code that is certainly not the one. */
function other(than: string): string {
  return `${than[0] === "9" ? "0" : "9"}${than.slice(1)}`;
}

async function mailed(purpose = "login"): Promise<string> {
  await sendCode(app, ANN, purpose);
  return app.codeFor(ANN);
}

describe("a code", () => {
  it("has 8 digits, is taken with spaces and in any case of the address, and once", async () => {
    await app.signUp("ann");
    const typed = await mailed();
    assert.match(typed, /^\d{8}$/u);
    const body = { email: "ANN@Example.org", code: ` ${typed.slice(0, 4)} ${typed.slice(4)} ` };
    const all = await Promise.all(Array.from({ length: 16 }, () => post(app, "login/code", body)));
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
  });

  it("lives 10 minutes to the millisecond", async () => {
    await app.signUp("ann");
    const first = await mailed();
    app.clock.advance(LIFE_MS - 1);
    assert.equal((await signIn(first)).status, 200);
    const second = await mailed();
    app.clock.advance(LIFE_MS);
    assert.deepEqual(await code(await signIn(second)), [400, "code_invalid"]);
  });

  it("does not come back when the clock goes back three days, and expires when it goes on ten years", async () => {
    await app.signUp("ann");
    const first = await mailed();
    app.clock.advance(LIFE_MS);
    app.clock.jump(-3 * DAY_MS);
    assert.deepEqual(await code(await signIn(first)), [400, "code_invalid"]);
    const second = await mailed();
    app.clock.jump(3_653 * DAY_MS);
    assert.deepEqual(await code(await signIn(second)), [400, "code_invalid"]);
  });

  it("stays used when the service restarts with a clock set back by three days", async () => {
    const store = createMemoryStore({ collections: authCollections });
    app = await createTestApp({ store });
    await app.signUp("ann");
    const typed = await mailed();
    app = await createTestApp({ store, clock: createFixedClock(START - 3 * DAY_MS) });
    assert.deepEqual(await code(await signIn(typed)), [400, "code_invalid"]);
  });

  it("dies with the fifth wrong try", async () => {
    await app.signUp("ann");
    const typed = await mailed();
    for (let i = 0; i < 4; i += 1)
      assert.deepEqual(await code(await signIn(other(typed))), [400, "code_invalid"]);
    assert.equal((await signIn(typed)).status, 200);
    app.clock.advance(MINUTE_MS);
    const next = await mailed();
    for (let i = 0; i < 5; i += 1) await signIn(other(next));
    assert.deepEqual(await code(await signIn(next)), [400, "code_invalid"]);
  });

  it("is the newest alone of those that one address asked for", async () => {
    await app.signUp("ann");
    const first = await mailed();
    app.clock.advance(MINUTE_MS);
    const second = await mailed();
    assert.deepEqual(await code(await signIn(first)), [400, "code_invalid"]);
    assert.equal((await signIn(second)).status, 200);
  });

  it("opens nothing but what it was sent for", async () => {
    await app.set("registration", { emailVerification: "optional" });
    const { accessToken: token } = await app.signUp("ann", { emailVerifiedAt: undefined });
    const uses: Readonly<Record<string, (typed: string) => Promise<Response>>> = {
      verify: (typed) => post(app, "email/verify", { email: ANN, code: typed }, { token }),
      login: signIn,
      reauth: (typed) => post(app, "reauth", { emailCode: typed }, { token }),
    };
    for (const purpose of ["reauth", "verify", "login"]) {
      app.clock.advance(MINUTE_MS);
      await sendCode(app, ANN, purpose, { token });
      const typed = await app.codeFor(ANN);
      for (const [name, use] of Object.entries(uses))
        if (name !== purpose) assert.deepEqual(await code(await use(typed)), [400, "code_invalid"], name);
      assert.equal((await uses[purpose]?.(typed))?.status, 200, purpose);
    }
  });

  it("of a decoy opens nothing, and looks like any other in the store", async () => {
    await app.signUp("ann");
    await register(app, "thief", { email: ANN });
    await register(app, "bob");
    const { items } = await app.store.read((tx) => tx.list(codes, "id", { limit: 10 }));
    assert.equal(items.length, 2);
    assert.deepEqual(Object.keys(items[0] ?? {}), Object.keys(items[1] ?? {}));
    // The code of a decoy is never sent; even a right guess would be rejected.
    const logic = createCodes(app.auth);
    const nowMs = app.clock.now();
    const target = { purpose: "verify", address: ANN, caller: testCaller, nowMs } as const;
    const site = { siteName: "test", language: "en", accent: "#000000", publicUrl: undefined } as const;
    let typed = "";
    const outcome = await app.store.transact(async (tx) => {
      const mail = (made: string) => {
        typed = made;
        return codeMail(ANN, { site, code: made, purpose: "verify" });
      };
      const challengeId = await logic.issue(tx, { ...target, subject: "", mail });
      return logic.take(tx, { ...target, code: typed, challengeId });
    });
    assert.deepEqual(outcome, { kind: "wrong" });
    assert.equal((await verify(app, "bob@example.org")).status, 200);
  });
});

describe("sending codes", () => {
  const count = async (): Promise<number> => (await app.mailsTo(ANN)).length;
  const send = async (from: string): Promise<void> => {
    const sent = await sendCode(app, ANN, "login", { from });
    const { status } = await read<{ status: string; challengeId: string }>(sent, 202);
    assert.equal(status, "sent");
  };

  it("answers alike for known and unknown addresses and for each purpose", async () => {
    await app.signUp("ann");
    const shapes: unknown[] = [];
    for (const email of [ANN, "nobody@example.org"])
      for (const purpose of ["login", "verify", "reauth"])
        shapes.push(await shapeOf(await sendCode(app, email, purpose)));
    shapes.push(await shapeOf(await sendCode(app, ANN, "login")));
    for (const shape of shapes) assert.deepEqual(shape, shapes[0]);
    assert.equal(await count(), 1);
  });

  it("goes to the address as it was registered, not as it was typed", async () => {
    await app.signUp("ann");
    await sendCode(app, "ANN@EXAMPLE.ORG", "login");
    assert.equal(await count(), 1);
    assert.deepEqual(await app.mailsTo("ANN@EXAMPLE.ORG"), []);
  });

  it("happens once a minute, 5 times an hour and 10 times a day for an address", async () => {
    await app.signUp("ann");
    let sender = 0;
    const step = async (ms: number): Promise<number> => {
      app.clock.advance(ms);
      sender += 1;
      await send(`192.0.2.${sender}`);
      return count();
    };
    assert.equal(await step(0), 1);
    assert.equal(await step(MINUTE_MS - 1), 1);
    assert.equal(await step(1), 2);
    for (const expected of [3, 4, 5, 5]) assert.equal(await step(MINUTE_MS), expected);
    assert.equal(await step(HOUR_MS - 5 * MINUTE_MS), 6);
    for (const expected of [7, 8, 9, 10, 10, 10]) assert.equal(await step(HOUR_MS), expected);
    assert.equal(await step(DAY_MS), 11);
  });

  it("happens 20 times an hour for who asks, an IPv6 customer by /64, and says nothing of it", async () => {
    for (let i = 0; i < 22; i += 1) {
      await app.signUp(`user${i}`);
      const from = { from: `2001:db8:1:2::${i + 1}` };
      const sent = await sendCode(app, `user${i}@example.org`, "login", from);
      assert.equal(sent.status, 202);
      const { length } = await app.mailsTo(`user${i}@example.org`);
      assert.equal(length, i < 20 ? 1 : 0, `user${i}`);
    }
    await sendCode(app, "user21@example.org", "login", { from: "2001:db8:1:3::1" });
    assert.equal((await app.mailsTo("user21@example.org")).length, 1);
  });
});
