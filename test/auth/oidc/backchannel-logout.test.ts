/**
 * Back-channel logout: which applications are notified of which end of a sign-in, with what, and how often it is
 * retried.
 */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type JSONWebKeySet, createLocalJWKSet, jwtVerify } from "jose";
import { authCollections } from "../../../src/auth/app/records.ts";
import { logouts } from "../../../src/auth/sessions/records.ts";
import { createOutbound } from "../../../src/kit/outbound/outbound.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { lastAudit } from "../http/admin-requests.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";
import { ISSUER, type Suite, openSuite } from "./conformance/suite.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

const toOutbound = (allowPrivate: boolean) =>
  createOutbound({ allowPrivate, privateRemedy: "set NOTIFY_PRIVATE=1", userAgent: "test" });

/** Pending notifications with their sign-ins. */
async function listWaiting({ store }: TestApp): Promise<string[][]> {
  const { items } = await store.read((tx) => tx.list(logouts, "byDue", { limit: 100 }));
  return items.map(({ clientId, userId, sid }) => [clientId, userId, sid]);
}

describe("the delivery of logout tokens", () => {
  const received: string[] = [];
  const answers: number[] = [];
  let receiver: Server;
  let uri = "";
  let folder = "";
  const openStore = (name: string) =>
    openJournalStore({
      folder: join(folder, name),
      name: "auth",
      collections: authCollections,
      log: silentLog,
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-logout-"));
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push(Buffer.concat(chunks).toString("utf8"));
        response.writeHead(answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const address = receiver.address();
    assert.ok(address !== null && typeof address === "object", "it listens on a port");
    uri = `http://127.0.0.1:${address.port}/bye`;
  });
  after(async () => {
    await new Promise((resolve) => receiver.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it("reaches a receiver that fails twice, though the service is killed in between, and then no more", async () => {
    const backchannel = toOutbound(true);
    const first = await openStore("first");
    const suite = await openSuite({ store: first, backchannel });
    const { center } = suite;
    const party = await suite.register("notes", { fields: { backchannelLogoutUri: uri } });
    const browser = await suite.openBrowser();
    const { claims } = await party.enter(browser);
    await browser.post("/sign-out", {});
    answers.push(500, 503);
    assert.deepEqual(await center.auth.logoutDelivery.deliver(), { sent: 0, failed: 0, waiting: 1 });
    // What a process leaves that is killed now.
    await cp(join(folder, "first"), join(folder, "second"), { recursive: true });
    await rm(join(folder, "second", "auth.lock"), { force: true });
    await first.close();
    const store = await openStore("second");
    const again = await createTestApp({ store, backchannel, clock: center.clock, publicUrl: ISSUER });
    const deliver = () => again.auth.logoutDelivery.deliver();
    assert.deepEqual(await deliver(), { sent: 0, failed: 0, waiting: 0 });
    center.clock.advance(30 * SECOND);
    assert.deepEqual(await deliver(), { sent: 0, failed: 0, waiting: 1 });
    center.clock.advance(120 * SECOND);
    assert.deepEqual(await deliver(), { sent: 1, failed: 0, waiting: 0 });
    center.clock.advance(DAY);
    assert.deepEqual(await deliver(), { sent: 0, failed: 0, waiting: 0 });
    assert.equal(received.length, 3);
    const keys: JSONWebKeySet = await (await again.fetch("/api/auth/jwks")).json();
    const ids = new Set<unknown>();
    const ages = [150, 120, 0];
    for (const [index, body] of received.entries()) {
      const form = new URLSearchParams(body);
      assert.deepEqual([...form.keys()], ["logout_token"]);
      const { payload } = await jwtVerify(form.get("logout_token") ?? "", createLocalJWKSet(keys), {
        issuer: ISSUER,
        audience: "notes",
        typ: "logout+jwt",
        algorithms: ["RS256"],
        currentDate: new Date(center.clock.now() - DAY - (ages[index] ?? 0) * SECOND),
        requiredClaims: ["iat", "exp", "jti"],
      });
      const { sub, sid, events, nonce, jti } = payload;
      assert.deepEqual([sub, sid, events, nonce], [claims.sub, claims["sid"], { [EVENT]: {} }, undefined]);
      ids.add(jti);
    }
    assert.equal(ids.size, 3);
    await store.close();
  });

  it("goes to no private address unless that is allowed, is given up after a day, and administrators see it", async () => {
    const suite = await openSuite({ backchannel: toOutbound(false) });
    const { center } = suite;
    const party = await suite.register("notes", { fields: { backchannelLogoutUri: uri } });
    const browser = await suite.openBrowser();
    await party.enter(browser);
    await browser.post("/sign-out", {});
    const before = received.length;
    await center.auth.logoutDelivery.deliver();
    center.clock.advance(DAY);
    await center.auth.sweep();
    assert.deepEqual(await listWaiting(center), []);
    assert.equal(received.length, before);
    const { action, target, changes } = await lastAudit(center);
    assert.deepEqual([action, target], ["client.logout-undelivered", "notes"]);
    assert.match(changes.join("\n"), /^sign-outs: 1\nreason: .* private address; set NOTIFY_PRIVATE=1$/u);
  });
});

describe("the end of a sign-in", () => {
  let suite: Suite;
  let center: TestApp;
  before(async () => {
    suite = await openSuite();
    ({ center } = suite);
    // Ids go on from those that others in this process made within a minute of its clock: away from theirs.
    center.clock.advance(1_000 * DAY);
  });

  interface Entered {
    readonly browser: Browser;
    readonly userId: string;
    readonly sid: string;
    readonly clientId: string;
    readonly token: string;
  }

  /** A person of this name signs in to applications of this id; the first one's tokens come back. */
  async function enter(username: string, applications: Record<string, string>): Promise<Entered> {
    const { user, accessToken: token } = await center.signUp(username);
    const browser = createBrowser(center);
    await signIn(browser, username, PASSWORD);
    const entered: Entered[] = [];
    for (const [id, backchannelLogoutUri] of Object.entries(applications)) {
      const party = await suite.register(`${username}-${id}`, { fields: { backchannelLogoutUri } });
      const { sid } = (await party.enter(browser)).claims;
      assert.ok(typeof sid === "string", "the ID token names the session");
      entered.push({ browser, userId: user.id, sid, clientId: party.id, token });
    }
    return entered[0] ?? assert.fail("No application");
  }
  const URI = "https://notes.example/bye";
  const admin = async (method: string, path: string, body?: object): Promise<void> => {
    const { status } = await center.admin(method, path, body);
    assert.ok(status < 300, `${path} → ${status}`);
  };

  const ends: Record<string, (entered: Entered) => Promise<unknown>> = {
    "a sign-out": ({ browser }) => browser.post("/sign-out", {}),
    "a sign-out everywhere": ({ token }) =>
      center.send("POST", "/api/auth/logout?everywhere=true", { token }),
    "a new password": ({ token }) =>
      center.send("POST", "/api/auth/password/change", {
        token,
        body: { currentPassword: PASSWORD, password: `${PASSWORD} indeed` },
      }),
    "the owner's word to the application": ({ token, clientId }) =>
      center.send("DELETE", `/api/auth/applications/${clientId}`, { token }),
    "an administrator who ends the session": ({ userId, sid }) =>
      admin("DELETE", `/api/admin/users/${userId}/sessions/${sid}`),
    "an administrator who ends all of the account": ({ userId }) =>
      admin("POST", `/api/admin/users/${userId}/revoke-sessions`),
    "a suspension": ({ userId }) => admin("POST", `/api/admin/users/${userId}/suspend`, {}),
    "a new role": ({ userId }) => admin("PATCH", `/api/admin/users/${userId}`, { role: "admin" }),
    "a deletion": ({ userId }) => admin("DELETE", `/api/admin/users/${userId}`),
    "a removal for good": ({ userId }) => admin("DELETE", `/api/admin/users/${userId}?purge=true`),
    "the end of all sessions": async () => {
      await admin("POST", "/api/admin/sessions/revoke-all", { confirm: true });
      center.clock.advance(SECOND);
      await center.auth.sweep();
    },
    "an expiry": async () => {
      center.clock.advance(31 * DAY);
      await center.auth.sweep();
    },
  };
  for (const [index, [name, end]] of Object.entries(ends).entries())
    it(`is sent to applications that registered for it, once: ${name}`, async () => {
      const username = `person${index}`;
      const entered = await enter(username, { told: URI, untold: "" });
      const others = await listWaiting(center);
      await end(entered);
      const told = (await listWaiting(center)).filter(([, userId]) => userId === entered.userId);
      assert.deepEqual(told, [[`${username}-told`, entered.userId, entered.sid]]);
      assert.ok(
        others.every(([, userId]) => userId !== entered.userId),
        "nothing was told before",
      );
      await center.auth.sweep();
    });
});
