/** Approving and refusing accounts, and one action on many of them, over /api/admin/users. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { START, createFixedClock } from "../../support/fixed-clock.ts";
import { findInStore } from "../store-dump.ts";
import { isSignedIn, lastAudit, read } from "../http/admin-requests.ts";
import { logIn } from "../http/people.ts";

interface User {
  id: string;
  status: string;
  signUpMessage?: string;
}

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
  await app.set("registration", { mode: "approval" });
});

async function register(username: string, message?: string): Promise<User> {
  const email = `${username}@example.org`;
  const body = { username, email, password: PASSWORD, message, locale: "de" };
  await read(await app.send("POST", "/api/auth/register", { body }), 202);
  const proof = { email, code: await app.codeFor(email) };
  await read(await app.send("POST", "/api/auth/email/verify", { body: proof }), 202);
  const { items }: { items: User[] } = await read(await app.admin("GET", `/api/admin/users?q=${email}`), 200);
  return items[0] ?? assert.fail("the account waits");
}

function act(id: string, action: string, body?: object): Promise<Response> {
  return app.admin("POST", `/api/admin/users/${id}/${action}`, body);
}

describe("an account that waits for approval", () => {
  it("shows what its owner wrote, until it is let in", async () => {
    const ann = await register("ann", "I am Bob's sister.\nPlease!");
    assert.deepEqual([ann.status, ann.signUpMessage], ["pending", "I am Bob's sister.\nPlease!"]);
    const after: User = await read(await act(ann.id, "approve"), 200);
    assert.deepEqual([after.status, after.signUpMessage], ["active", undefined]);
    assert.equal((await logIn(app, "ann")).status, 200);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /freigegeben/u);
    assert.equal((await lastAudit(app)).action, "user.approve");
    assert.deepEqual(await code(await act(ann.id, "approve")), [409, "conflict"]);
    assert.deepEqual(await code(await act(ann.id, "refuse", {})), [409, "conflict"]);
  });

  it("leaves no trace when it is rejected, and its owner gets the reason", async () => {
    const ann = await register("ann", "Let me in");
    assert.equal((await act(ann.id, "refuse", { reason: "Only members" })).status, 204);
    const [mail = ""] = await app.mailsTo("ann@example.org");
    assert.match(mail, /abgelehnt[^]*Grund: Only members/u);
    const { action, target, changes } = await lastAudit(app);
    assert.deepEqual([action, target], ["user.refuse", ann.id]);
    assert.deepEqual(changes, ["username: ann", "reason: Only members"]);
    assert.deepEqual(await code(await app.admin("GET", `/api/admin/users/${ann.id}`)), [404, "not_found"]);
    assert.deepEqual(await findInStore(app.store, ["Let me in"]), []);
    // Mails to one mailbox are a minute apart.
    app.clock.advance(60_000);
    await register("ann");
  });

  it("can send a message only if accounts are approved", async () => {
    await app.set("registration", { mode: "open" });
    const body = { username: "ann", email: "ann@example.org", password: PASSWORD, message: "Hello there" };
    await read(await app.send("POST", "/api/auth/register", { body }), 202);
    assert.deepEqual(await findInStore(app.store, ["Hello there"]), []);
    const long = { ...body, message: "x".repeat(501) };
    assert.deepEqual(await code(await app.send("POST", "/api/auth/register", { body: long })), [
      422,
      "invalid",
    ]);
  });
});

describe("the mail to administrators about accounts that wait", () => {
  const HOUR_MS = 3_600_000;
  const BOSS = "boss@example.org";
  const wait = (name: string): Promise<unknown> => {
    app.clock.advance(1);
    return app.signUp(name, { status: "pending" });
  };
  /** The newest to the administrator, after the job has run. */
  async function look(): Promise<[number, string]> {
    await app.auth.approvalNotices.tell();
    const mails = await app.mailsTo(BOSS);
    return [mails.length, mails[0] ?? ""];
  }

  it("comes once for all who wait, in the language of each, and an hour later for who came since", async () => {
    await wait("ann");
    assert.deepEqual(await look(), [0, ""], "there is nobody to tell");
    await app.signUp("boss", { role: "admin", locale: "de" });
    await app.signUp("eve", { role: "admin", status: "suspended" });
    await app.signUp("joe", { role: "admin", emailVerifiedAt: undefined });
    for (let i = 10; i < 24; i += 1) await wait(`guest-${i}`);
    const [count, first] = await look();
    assert.equal(count, 1);
    assert.match(first, /warten: 15\.[^]*: guest-23, guest-22, [^]*guest-14\./u);
    await wait("late");
    assert.equal((await look())[0], 1);
    app.clock.advance(HOUR_MS);
    const [two, second] = await look();
    assert.equal(two, 2);
    assert.match(second, /warten: 16\.[^]*: late\./u);
    app.clock.advance(HOUR_MS);
    assert.equal((await look())[0], 2, "nobody new has come");
    for (const name of ["eve", "joe"]) assert.deepEqual(await app.mailsTo(`${name}@example.org`), []);
  });

  it("also names who registered where the clock is behind, and no one twice", async () => {
    await app.signUp("boss", { role: "admin" });
    await wait("ann");
    assert.match((await look())[1], /: ann\./u);
    const behind = await createTestApp({ store: app.store, clock: createFixedClock(START - HOUR_MS) });
    await behind.signUp("ben", { status: "pending" });
    app.clock.advance(HOUR_MS);
    const [count, mail] = await look();
    assert.equal(count, 2);
    assert.match(mail, /: ben\./u);
    for (let i = 10; i < 24; i += 1) await wait(`guest-${i}`);
    for (const expected of [3, 3, 3]) {
      app.clock.advance(HOUR_MS);
      assert.equal((await look())[0], expected);
    }
  });

  it("is one of two nodes that look at the same time, and none for who was let in before", async () => {
    await app.signUp("boss", { role: "admin" });
    const ann = await register("ann");
    await read(await act(ann.id, "approve"), 200);
    assert.equal((await look())[0], 0);
    await wait("ben");
    await Promise.all([app.auth.approvalNotices.tell(), app.auth.approvalNotices.tell()]);
    assert.equal((await app.mailsTo(BOSS)).length, 1);
  });
});

describe("one action on many accounts", () => {
  interface Outcome {
    id: string;
    error?: { code: string };
  }
  const bulk = async (body: object): Promise<string[]> => {
    const page: { items: Outcome[] } = await read(
      await app.admin("POST", "/api/admin/users/bulk", body),
      200,
    );
    return page.items.map(({ id, error }) => `${id} ${error?.code ?? "done"}`);
  };

  it("has an outcome for each, and does what it can", async () => {
    const [ann, bob] = [await app.signUp("ann"), await app.signUp("bob", { status: "pending" })];
    const nobody = `usr_${"0".repeat(26)}`;
    const ids = [ann.user.id, bob.user.id, nobody, ann.user.id];
    assert.deepEqual(await bulk({ action: "suspend", ids, reason: "Spam" }), [
      `${ann.user.id} done`,
      `${bob.user.id} conflict`,
      `${nobody} not_found`,
    ]);
    assert.equal(await isSignedIn(app, ann.accessToken), false);
    assert.deepEqual((await lastAudit(app)).changes, ["reason: Spam"]);
    const two = [ann.user.id, bob.user.id];
    assert.deepEqual(await bulk({ action: "unsuspend", ids: two }), [`${two[0]} done`, `${two[1]} conflict`]);
    assert.deepEqual(await bulk({ action: "approve", ids: two }), [`${two[0]} conflict`, `${two[1]} done`]);
    assert.deepEqual(await bulk({ action: "delete", ids: two }), [`${two[0]} done`, `${two[1]} done`]);
    const carl = await register("carl");
    assert.deepEqual(await bulk({ action: "refuse", ids: [carl.id] }), [`${carl.id} done`]);
  });

  it("does not take the last administrator, nor what cannot be meant", async () => {
    const boss = await app.signUp("boss", { role: "admin" });
    const asBoss = (body: object): Promise<Response> =>
      app.send("POST", "/api/admin/users/bulk", { body, token: boss.accessToken });
    const ids = [boss.user.id];
    const page: { items: Outcome[] } = await read(await asBoss({ action: "delete", ids }), 200);
    assert.equal(page.items[0]?.error?.code, "last_admin");
    for (const body of [
      { action: "delete", ids, reason: "Spam" },
      { action: "approve", ids, until: "2099-01-01T00:00:00Z" },
      { action: "suspend", ids, until: "2001-01-01T00:00:00Z" },
      { action: "suspend", ids: [] },
      { action: "suspend", ids: Array.from({ length: 101 }, () => ids[0]) },
    ])
      assert.deepEqual(await code(await asBoss(body)), [422, "invalid"]);
    app.clock.advance(11 * 60_000);
    assert.deepEqual(await code(await asBoss({ action: "delete", ids })), [403, "reauth_required"]);
  });
});
