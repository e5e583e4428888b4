/** Where an account is signed in, and which applications used it; each can be ended by its owner. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp, testCaller, PASSWORD } from "../app-fixture.ts";
import { dumpStore } from "../store-dump.ts";
import { read } from "../http/admin-requests.ts";
import type { SessionRecord } from "../../../src/auth/sessions/schema.ts";
import type { TokenSet } from "../../../src/auth/sessions/sessions.ts";
import { isValid, listEventKinds } from "../http/token-requests.ts";

interface Session {
  readonly id: string;
  readonly label: string;
  readonly clientId: string;
  readonly current: boolean;
  readonly lastSeenAt: string;
  readonly ipPrefix: string;
}

let app: TestApp;
let ann: SignedIn;
let bob: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  bob = await app.signUp("bob");
});

async function listSessions(who: SignedIn): Promise<Session[]> {
  const response = await app.send("GET", "/api/auth/sessions", { token: who.accessToken });
  return (await read<{ items: Session[] }>(response, 200)).items;
}

/** Signs in as another program from another place, a second later. */
async function signInFrom(client: string, userAgent = "curl/8.0"): Promise<SignedIn> {
  app.clock.advance(1_000);
  const response = await app.send("POST", "/api/auth/login", {
    body: { identifier: "ann", password: PASSWORD },
    headers: { "x-auth-client": client, "user-agent": userAgent },
    from: "198.51.100.77",
  });
  const tokens = await read<{ accessToken: string; refreshToken: string }>(response, 200);
  return { ...ann, ...tokens };
}

describe("GET /api/auth/sessions", () => {
  it("lists the newest first, tells which is this one, and shows nothing secret", async () => {
    const phone = await signInFrom("shop", "Mozilla/5.0 (Linux; Android 14) Chrome/120.0 Safari/537.36");
    const items = await listSessions(phone);
    assert.deepEqual(
      items.map(({ label, clientId, current, ipPrefix }) => ({ label, clientId, current, ipPrefix })),
      [
        { label: "Chrome on Android", clientId: "shop", current: true, ipPrefix: "198.51.100.0/24" },
        { label: "Unknown device", clientId: "test", current: false, ipPrefix: "192.0.2.0/24" },
      ],
    );
    assert.doesNotMatch(JSON.stringify(items), /hash|family|nonce|epoch/iu);
  });

  it("tells when each was last seen, once that was written", async () => {
    app.clock.advance(60_000);
    await isValid(app, ann.accessToken);
    await app.auth.activity.flush();
    assert.equal((await listSessions(ann))[0]?.lastSeenAt, toIsoTime(app.clock.now()));
  });

  it("leaves out what has expired", async () => {
    app.clock.advance(14 * 86_400_000);
    ann = await app.signIn(ann.user);
    assert.equal((await listSessions(ann)).length, 1);
  });

  it("holds fifty; the oldest go", async () => {
    const all = [ann];
    for (let count = 0; count < 51; count += 1) {
      app.clock.advance(1);
      all.push(await app.signIn(ann.user));
    }
    const living = await Promise.all(all.map(({ accessToken }) => isValid(app, accessToken)));
    assert.deepEqual(living, [false, false, ...Array.from({ length: 50 }, () => true)]);
    assert.equal(await isValid(app, bob.accessToken), true);
  });

  it("what applications hold of browsers that signed out goes before anything that lives", async () => {
    const open = (parent?: SessionRecord): Promise<TokenSet> => {
      app.clock.advance(1);
      const caller = { ...testCaller, clientId: parent === undefined ? "account-center" : "board" };
      return app.store.transact((tx) =>
        app.auth.sessions.open(tx, { user: ann.user, caller, amr: ["pwd"], ...(parent && { parent }) }),
      );
    };
    await app.admin("POST", "/api/admin/clients", {
      id: "board",
      name: "Board",
      redirectUris: ["https://board.example.org/callback"],
    });
    for (let n = 0; n < 24; n += 1) {
      const browser = await open();
      await open(browser.session);
      await open(browser.session);
      await app.auth.sessions.revokeToken(browser.accessToken, testCaller);
    }
    const { session: browser } = await open();
    const first = await open(browser);
    await open(browser);
    const find = await app.auth.sessions.find(first.accessToken);
    assert.equal(find?.session.id, first.session.id);
  });
});

describe("DELETE /api/auth/sessions", () => {
  it("ends all others, says how many, and notes it", async () => {
    const others = [await signInFrom("shop"), await signInFrom("wiki")];
    const response = await app.send("DELETE", "/api/auth/sessions", { token: ann.accessToken });
    assert.deepEqual(await read(response, 200), { ended: 2 });
    for (const { accessToken } of others) assert.equal(await isValid(app, accessToken), false);
    assert.equal(await isValid(app, ann.accessToken), true);
    assert.equal(await isValid(app, bob.accessToken), true);
    assert.equal((await listEventKinds(app, ann.accessToken)).includes("sessions-revoked"), true);
  });

  it("notes nothing when there was no other", async () => {
    const response = await app.send("DELETE", "/api/auth/sessions", { token: ann.accessToken });
    assert.deepEqual(await read(response, 200), { ended: 0 });
    assert.deepEqual(await listEventKinds(app, ann.accessToken), []);
  });
});

describe("DELETE /api/auth/sessions/{id}", () => {
  const end = (who: SignedIn, id: string): Promise<Response> =>
    app.send("DELETE", `/api/auth/sessions/${id}`, { token: who.accessToken });

  it("ends that one at once, once, and notes which", async () => {
    const phone = await signInFrom("shop");
    const id = (await listSessions(phone))[0]?.id ?? "";
    app.clock.advance(1);
    assert.equal((await end(ann, id)).status, 204);
    assert.equal(await isValid(app, phone.accessToken), false);
    assert.deepEqual(await code(await end(ann, id)), [404, "not_found"]);
    const response = await app.send("GET", "/api/auth/security/events?limit=1", { token: ann.accessToken });
    const { items } = await read<{ items: { kind: string; sessionId: string }[] }>(response, 200);
    assert.deepEqual([items[0]?.kind, items[0]?.sessionId], ["session-revoked", id]);
  });

  it("does not know another person's", async () => {
    const id = (await listSessions(bob))[0]?.id ?? "";
    assert.deepEqual(await code(await end(ann, id)), [404, "not_found"]);
    assert.equal(await isValid(app, bob.accessToken), true);
  });

  it("ends an administrator's look into the account", async () => {
    const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
      minutes: 10,
      reason: "test",
    });
    const { accessToken }: { accessToken: string } = await opened.json();
    const look = (await listSessions(ann)).find(({ current }) => !current);
    assert.equal((await end(ann, look?.id ?? "")).status, 204);
    assert.equal(await isValid(app, accessToken), false);
  });
});

describe("the applications that used an account", () => {
  const list = async (who: SignedIn): Promise<{ clientId: string; count: number; sessions: number }[]> => {
    const response = await app.send("GET", "/api/auth/applications", { token: who.accessToken });
    return (await read<{ items: { clientId: string; count: number; sessions: number }[] }>(response, 200))
      .items;
  };
  const signOut = (clientId: string, who = ann): Promise<Response> =>
    app.send("DELETE", `/api/auth/applications/${clientId}`, { token: who.accessToken });

  async function use(who: SignedIn, client: string): Promise<void> {
    const headers = { "x-auth-client": client };
    await app.send("GET", "/api/auth/validate", { token: who.accessToken, headers });
  }

  it("are listed with their uses and live sessions", async () => {
    const phone = await signInFrom("shop");
    await use(phone, "shop");
    await use(phone, "shop");
    await use(ann, "wiki");
    await app.auth.activity.flush();
    const items = await list(ann);
    assert.deepEqual(
      items.map(({ clientId, count, sessions }) => [clientId, count, sessions]),
      [
        ["shop", 2, 1],
        ["wiki", 1, 0],
        ["test", 0, 1],
      ],
    );
    assert.deepEqual(
      (await list(bob)).map(({ clientId }) => clientId),
      ["test"],
    );
  });

  it("are signed out with one call and forgotten, also what was not written yet", async () => {
    const phone = await signInFrom("shop");
    await use(phone, "shop");
    await app.auth.activity.flush();
    await use(phone, "shop");
    app.clock.advance(1);
    assert.equal((await signOut("shop")).status, 204);
    assert.equal(await isValid(app, phone.accessToken), false);
    assert.equal(await isValid(app, ann.accessToken), true);
    assert.equal((await listEventKinds(app, ann.accessToken))[0], "application-signed-out");
    await app.auth.activity.flush();
    assert.equal(
      (await list(ann)).some(({ clientId }) => clientId === "shop"),
      false,
    );
    assert.deepEqual(await code(await signOut("shop")), [404, "not_found"]);
  });

  it("of another person cannot be signed out", async () => {
    await signInFrom("shop");
    assert.deepEqual(await code(await signOut("shop", bob)), [404, "not_found"]);
    assert.deepEqual(await code(await signOut("Not~Valid")), [422, "invalid"]);
  });

  it("do not come back with counts that are written after the account was removed", async () => {
    await use(ann, "shop");
    await use(bob, "shop");
    assert.ok((await app.admin("DELETE", `/api/admin/users/${ann.user.id}?purge=true`)).ok);
    await app.auth.activity.flush();
    const kept = (await dumpStore(app.store)).filter((line) => line.startsWith("access "));
    assert.deepEqual(
      kept.map((line) => line.includes(bob.user.id)),
      [true],
    );
  });
});
