/** The same registration sent twice, and a mailbox that several people register for. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { registrations } from "../../../src/auth/accounts/records.ts";
import { type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { logIn, MINUTE_MS, OTHER, post, register, tokensOf, verify } from "../http/people.ts";

const BOX = "ann@example.org";
const HOME = "203.0.113.5";
const STRANGER = "198.51.100.66";
interface Sent {
  registrationId: string;
  challengeId: string;
}
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const send = async (
  username: string,
  more: Readonly<Record<string, unknown>> = {},
  from = HOME,
): Promise<Sent> => read<Sent>(await register(app, username, more, { from }), 202);

describe("the same registration sent again", () => {
  it("is the first one, with a new code within the limits, also for a mailbox that has an account", async () => {
    await app.signUp("owner", { email: "taken@example.org" });
    for (const email of [BOX, "taken@example.org"]) {
      const username = email.startsWith("ann") ? "ann" : "anna";
      const first = await send(username, { email });
      const second = await send(username, { email });
      assert.equal(second.registrationId, first.registrationId);
      app.clock.advance(MINUTE_MS);
      await send(username.toUpperCase(), { email: email.toUpperCase() });
    }
    assert.equal(await app.store.read((tx) => tx.count(registrations)), 2);
    const { user } = await tokensOf(await verify(app, BOX));
    assert.equal(user.passwordSet, true);
    assert.equal((await logIn(app, "ann")).status, 200);
  });

  it("uses no further invite", async () => {
    await app.set("registration", { mode: "invite" });
    const invite = await read<{ code: string }>(
      await app.admin("POST", "/api/admin/invites", { maxUses: 1 }),
      201,
    );
    const first = await send("ann", { inviteCode: invite.code });
    assert.equal((await send("ann", { inviteCode: invite.code })).registrationId, first.registrationId);
  });

  it("is refused with another password, like any name that is taken", async () => {
    await send("ann");
    for (const more of [{ password: OTHER }, { password: OTHER, email: "else@example.org" }])
      assert.deepEqual(await code(await register(app, "ann", more)), [409, "username_taken"]);
  });
});

describe("the same name and password with another mailbox", () => {
  const TYPO = "ann@exmaple.org";

  it("takes the place of the first, whose code and use of an invite end", async () => {
    await app.set("registration", { mode: "invite" });
    const made = await app.admin("POST", "/api/admin/invites", { maxUses: 1 });
    const { code: inviteCode } = await read<{ code: string }>(made, 201);
    await send("ann", { email: TYPO, inviteCode });
    const typed = await app.codeFor(TYPO);
    await Promise.all([1, 2].map(async () => send("Ann", { email: BOX, inviteCode })));
    assert.equal(await app.store.read((tx) => tx.count(registrations)), 1);
    const proof = { email: TYPO, code: typed };
    assert.deepEqual(await code(await post(app, "email/verify", proof)), [400, "code_invalid"]);
    const { user } = await tokensOf(await verify(app, BOX));
    assert.deepEqual([user.username, user.passwordSet], ["Ann", true]);
    assert.equal((await logIn(app, "ann")).status, 200);
  });

  it("is answered alike for mailboxes that have an account, before and after", async () => {
    await app.signUp("owner", { email: "taken@example.org" });
    for (const email of ["taken@example.org", BOX, "taken@example.org"]) await send("ann", { email });
    assert.equal(await app.store.read((tx) => tx.count(registrations)), 1);
    assert.match((await app.mailsTo("taken@example.org")).join("\n"), /already/iu);
  });

  it("is rejected after five attempts a day, right or wrong, so that the password cannot be guessed", async () => {
    await send("ann", { email: TYPO });
    for (let i = 0; i < 5; i++) {
      const guess = { password: `a guess of mine ${i}`, email: "thief@example.org" };
      assert.deepEqual(await code(await register(app, "ann", guess, { from: STRANGER })), [
        409,
        "username_taken",
      ]);
    }
    assert.deepEqual(await code(await register(app, "ann", { email: BOX })), [409, "username_taken"]);
  });

  it("opens without a password a mailbox that someone else registered for before", async () => {
    await send("bob", { email: BOX, password: OTHER }, STRANGER);
    await send("ann", { email: TYPO });
    app.clock.advance(MINUTE_MS);
    const { challengeId } = await send("ann", { email: BOX });
    const proof = { email: BOX, code: await app.codeFor(BOX), challengeId };
    const { user } = await tokensOf(await post(app, "email/verify", proof));
    assert.deepEqual([user.username, user.passwordSet], ["ann", false]);
  });
});

describe("a mailbox that a stranger registers for too", () => {
  it("keeps the password of who registered first and proves it with the challenge", async () => {
    const { challengeId } = await send("ann");
    const typed = await app.codeFor(BOX);
    app.clock.advance(MINUTE_MS);
    await send("thief", { email: BOX, password: OTHER }, STRANGER);
    const proof = { email: BOX, code: typed, challengeId };
    const { user } = await tokensOf(await post(app, "email/verify", proof));
    assert.deepEqual([user.username, user.passwordSet], ["ann", true]);
    assert.equal((await logIn(app, "ann", PASSWORD)).status, 200);
    assert.equal((await logIn(app, "ann", OTHER)).status, 401);
  });

  it("opens without a password, and says so by email, when its owner is unknown", async () => {
    await send("ann");
    const typed = await app.codeFor(BOX);
    app.clock.advance(MINUTE_MS);
    const thief = await send("thief", { email: BOX, password: OTHER }, STRANGER);
    const proof = { email: BOX, code: typed, challengeId: thief.challengeId };
    const { user } = await tokensOf(await post(app, "email/verify", proof));
    assert.deepEqual([user.username, user.passwordSet], ["ann", false]);
    for (const password of [PASSWORD, OTHER]) assert.equal((await logIn(app, "ann", password)).status, 401);
    assert.match((await app.mailsTo(BOX)).join("\n"), /created without a password/u);
  });
});
