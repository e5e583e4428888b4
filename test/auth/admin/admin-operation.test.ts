/** Audit, figures, outbox and the end of all sessions over /api/admin. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection as audit } from "../../../src/records/audit-chain.ts";
import { checkIns } from "../../../src/auth/check-in/records.ts";
import { state } from "../../../src/auth/base/records.ts";
import type { MailOutcome } from "../../../src/kit/mail/mail.ts";
import { type TestApp, ADMIN_TOKEN, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { START, createFixedClock } from "../../support/fixed-clock.ts";
import { findInStore } from "../store-dump.ts";
import { isSignedIn, lastAudit, read } from "../http/admin-requests.ts";

const DAY_MS = 86_400_000;
const CONSOLE = "/api/console/session";
const ownSite = { "sec-fetch-site": "same-origin" };
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

describe("the audit", () => {
  interface Entry {
    id: string;
    action: string;
    actor: string;
    clientId: string;
    hash: string;
  }

  it("is listed, the newest first, with who did it", async () => {
    const boss = await app.signUp("boss", { role: "admin" });
    const headers = { "x-auth-client": "panel" };
    for (const id of ["a", "b", "c"]) {
      const body = { id, name: id };
      await app.send("POST", "/api/admin/clients", { body, token: boss.accessToken, headers });
    }
    const first: { items: Entry[]; nextCursor: string } = await read(
      await app.admin("GET", "/api/admin/audit?limit=2"),
      200,
    );
    const rest: { items: Entry[] } = await read(
      await app.admin("GET", `/api/admin/audit?limit=2&cursor=${first.nextCursor}`),
      200,
    );
    const entries = [...first.items, ...rest.items];
    assert.deepEqual(
      entries.map(({ id }) => id),
      ["aud_000000000003", "aud_000000000002", "aud_000000000001"],
    );
    assert.ok(entries.every(({ actor, clientId }) => actor === "user boss" && clientId === "panel"));
  });

  it("is verified, and a changed entry found", async () => {
    for (const id of ["a", "b", "c"]) await app.admin("POST", "/api/admin/clients", { id, name: id });
    const verify = async (): Promise<object> => read(await app.admin("GET", "/api/admin/audit/verify"), 200);
    const { items }: { items: Entry[] } = await read(await app.admin("GET", "/api/admin/audit?limit=1"), 200);
    const counts = { dropped: 0, unkeyed: 0 };
    const head = { id: "aud_000000000003", hash: items[0]?.hash };
    assert.deepEqual(await verify(), { valid: true, entries: 3, ...counts, head });
    await app.store.transact(async (tx) => {
      const entry = (await tx.get(audit, "aud_000000000002")) ?? assert.fail("it is there");
      await tx.put(audit, { ...entry, actor: "nobody" });
    });
    assert.deepEqual(await verify(), {
      valid: false,
      entries: 1,
      brokenAt: "aud_000000000002",
      ...counts,
    });
  });
});

describe("the figures", () => {
  interface Stats {
    users: Record<string, number>;
    sessions: number;
    registrationsWaiting: number;
    checkInsToday: number;
    outboxWaiting: number;
    outboxFailed: number;
    administrators: number;
    mailServer: boolean;
    signUps: DayCount[];
    signIns: DayCount[];
    signInFailures: DayCount[];
  }
  interface DayCount {
    day: string;
    count: number;
  }
  const stats = async (): Promise<Stats> => read(await app.admin("GET", "/api/admin/stats"), 200);

  it("count accounts, sessions, check-ins, registrations and mails", async () => {
    await app.signUp("old");
    app.clock.advance(40 * DAY_MS);
    const { user } = await app.signUp("ann");
    await app.signUp("bob", { status: "pending" });
    app.clock.advance(DAY_MS);
    await app.signUp("carl");
    const body = { username: "dora", email: "dora@example.org", password: PASSWORD };
    assert.equal((await app.send("POST", "/api/auth/register", { body })).status, 202);
    await app.store.transact(async (tx) => {
      for (const day of ["2026-03-13", "2026-03-12"]) {
        const entry = { userId: user.id, day, at: app.clock.now(), streak: 1, reward: 1, bonus: 0 };
        await tx.insert(checkIns, { ...entry, id: `${user.id}:${day}` });
      }
    });
    const figures = await stats();
    assert.deepEqual(figures.users, { pending: 1, active: 3, suspended: 0, deleted: 0 });
    assert.equal(figures.administrators, 0);
    assert.equal((await app.admin("PATCH", `/api/admin/users/${user.id}`, { role: "admin" })).status, 200);
    assert.equal((await stats()).administrators, 1);
    assert.equal(figures.sessions, 3);
    assert.equal(figures.registrationsWaiting, 1);
    assert.equal(figures.outboxWaiting, 1);
    assert.equal(figures.checkInsToday, 1);
    assert.equal(figures.signUps.length, 30);
    assert.deepEqual(figures.signUps.slice(-2), [
      { day: "2026-03-12", count: 2 },
      { day: "2026-03-13", count: 1 },
    ]);
    assert.equal(
      figures.signUps.reduce((sum, { count }) => sum + count, 0),
      3,
    );
  });

  it("count sign-ins, wrong passwords and failed mails", async () => {
    const login = (password: string): Promise<Response> =>
      app.send("POST", "/api/auth/login", { body: { identifier: "ann", password } });
    await app.signUp("ann");
    await login(PASSWORD);
    app.clock.advance(DAY_MS);
    await login("wrong");
    await login("wrong");
    await login(PASSWORD);
    const figures = await stats();
    const [before, today] = [
      { day: "2026-01-31", count: 1 },
      { day: "2026-02-01", count: 1 },
    ];
    assert.deepEqual(figures.signIns.slice(-2), [before, today]);
    assert.deepEqual(figures.signInFailures.slice(-2), [
      { ...before, count: 0 },
      { ...today, count: 2 },
    ]);
    assert.deepEqual([figures.outboxFailed, figures.mailServer], [0, false]);
    const refuses = async (): Promise<MailOutcome> => ({ status: "permanent", reason: "No such mailbox" });
    app = await createTestApp({ sender: { send: refuses, close: () => undefined } });
    await app.admin("POST", "/api/admin/users", { username: "ann", email: "ann@example.org" });
    await app.auth.outbox.deliver();
    const { outboxFailed, mailServer } = await stats();
    assert.deepEqual([outboxFailed, mailServer], [1, true]);
  });

  it("count no session that was ended with all", async () => {
    const { user } = await app.signUp("ann");
    assert.equal((await stats()).sessions, 1);
    await app.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true });
    assert.equal((await stats()).sessions, 0);
    app.clock.advance(1);
    await app.signIn(user);
    assert.equal((await stats()).sessions, 1);
  });
});

describe("ending all sessions", () => {
  it("ends each that was begun until now, and none after", async () => {
    const ann = await app.signUp("ann");
    const boss = await app.signUp("boss", { role: "admin" });
    const body = { confirm: true };
    const answer = await app.send("POST", "/api/admin/sessions/revoke-all", {
      body,
      token: boss.accessToken,
    });
    assert.deepEqual(await read(answer, 200), { revokedBefore: toIsoTime(app.clock.now() + 1) });
    for (const { accessToken } of [ann, boss]) assert.equal(await isSignedIn(app, accessToken), false);
    const refresh = await app.send("POST", "/api/auth/refresh", { body: { refreshToken: ann.refreshToken } });
    assert.deepEqual(await code(refresh), [401, "refresh_invalid"]);
    app.clock.advance(1);
    const later = await app.signIn(ann.user);
    assert.equal(await isSignedIn(app, later.accessToken), true);
    assert.equal((await lastAudit(app)).action, "sessions.revoke-all");
  });

  it("ends those of a node whose clock is ahead, and lets people sign in there again at once", async () => {
    const ahead = await createTestApp({ store: app.store, clock: createFixedClock(START + 60_000) });
    const ann = await ahead.signUp("ann");
    const here = await app.signIn(ann.user);
    const entered = await ahead.send("POST", CONSOLE, { body: { token: ADMIN_TOKEN }, headers: ownSite });
    const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const readStats = async (): Promise<number> =>
      (await ahead.send("GET", "/api/admin/stats", { headers: { ...ownSite, cookie } })).status;
    assert.equal(await readStats(), 200);
    await app.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true });
    for (const { accessToken } of [ann, here])
      for (const node of [app, ahead]) assert.equal(await isSignedIn(node, accessToken), false);
    assert.equal(await readStats(), 401);
    const again = await ahead.signIn(ann.user);
    for (const node of [app, ahead]) assert.equal(await isSignedIn(node, again.accessToken), true);
  });

  it("keeps what else is known of the center, and wants to be confirmed", async () => {
    await app.store.transact((tx) =>
      tx.insert(state, { id: "state", revokedBefore: 0, secretCheck: "check" }),
    );
    for (const body of [{}, { confirm: false }, { confirm: "true" }])
      assert.deepEqual(await code(await app.admin("POST", "/api/admin/sessions/revoke-all", body)), [
        422,
        "invalid",
      ]);
    assert.equal((await app.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true })).status, 200);
    assert.equal((await app.store.read((tx) => tx.get(state, "state")))?.secretCheck, "check");
  });
});

describe("the outbox", () => {
  interface Entry {
    id: string;
    to: string;
    state: string;
    text: string;
    attempts: number;
  }
  const list = async (query = ""): Promise<{ items: Entry[]; nextCursor?: string }> =>
    read(await app.admin("GET", `/api/admin/outbox${query}`), 200);

  it("shows codes and links that were not sent, and keeps them sealed", async () => {
    const body = { username: "ann", email: "ann@example.org", password: PASSWORD };
    await app.send("POST", "/api/auth/register", { body });
    const response = await app.admin("GET", "/api/admin/outbox");
    assert.equal(response.headers.get("cache-control"), "no-store");
    const { items }: { items: Entry[] } = await read(response, 200);
    const shown = /\d{4} \d{4}/u.exec(items[0]?.text ?? "")?.[0] ?? assert.fail("no code");
    assert.deepEqual(await findInStore(app.store, [shown, shown.replace(" ", ""), PASSWORD]), []);
  });

  it("hides them when asked to, and shows those of one mail, which the audit tells", async () => {
    const boss = await app.signUp("boss", { role: "admin" });
    const body = { username: "ann", email: "ann@example.org", password: PASSWORD };
    await app.send("POST", "/api/auth/register", { body });
    const [hidden] = (await list("?masked=true")).items;
    assert.ok(hidden !== undefined && !/\d{4} \d{4}/u.test(hidden.text), "no code");
    const { items }: { items: unknown[] } = await read(await app.admin("GET", "/api/admin/audit"), 200);
    assert.deepEqual(items, []);
    const reveal = (id: string): Promise<Response> =>
      app.send("POST", `/api/admin/outbox/${id}/reveal`, { token: boss.accessToken });
    const response = await reveal(hidden.id);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const shown: Entry = await read(response, 200);
    assert.equal(shown.text.replaceAll(/\D/gu, "").includes(await app.codeFor("ann@example.org")), true);
    const { actor, action, target, changes } = await lastAudit(app);
    assert.deepEqual([actor, action, target], ["user boss", "outbox.reveal", hidden.id]);
    assert.deepEqual(changes, ["kind: code", "to: ann@example.org"]);
    assert.deepEqual(await code(await reveal(`mail_${"0".repeat(26)}`)), [404, "not_found"]);
    app.clock.advance(11 * 60_000);
    assert.deepEqual(await code(await reveal(hidden.id)), [403, "reauth_required"]);
  });

  it("is listed by state, page by page", async () => {
    for (const name of ["ann", "bob", "carl"])
      await app.admin("POST", "/api/admin/users", { username: name, email: `${name}@example.org` });
    const first = await list("?state=waiting&limit=2");
    const rest = await list(`?state=waiting&limit=2&cursor=${first.nextCursor ?? ""}`);
    assert.deepEqual([...first.items, ...rest.items].map(({ to }) => to).sort(), [
      "ann@example.org",
      "bob@example.org",
      "carl@example.org",
    ]);
    assert.deepEqual((await list("?state=sent")).items, []);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/outbox?state=lost")), [422, "invalid"]);
  });

  it("has a failed mail tried again, but not one that was sent", async () => {
    const outcomes: MailOutcome[] = [{ status: "permanent", reason: "No such mailbox" }];
    app = await createTestApp({
      sender: { send: async () => outcomes.shift() ?? { status: "sent" }, close: () => undefined },
    });
    await app.admin("POST", "/api/admin/users", { username: "ann", email: "ann@example.org" });
    await app.auth.outbox.deliver();
    const [failed] = (await list("?state=failed")).items;
    assert.ok(failed);
    const retry = (): Promise<Response> =>
      app.send("POST", `/api/admin/outbox/${failed.id}/retry`, { headers: { "x-admin-token": ADMIN_TOKEN } });
    assert.equal((await retry()).status, 204);
    assert.deepEqual(
      [(await lastAudit(app)).action, (await lastAudit(app)).target],
      ["outbox.retry", failed.id],
    );
    await app.auth.outbox.deliver();
    assert.equal((await list("?state=sent")).items.length, 1);
    assert.deepEqual(await code(await retry()), [404, "not_found"]);
  });
});
