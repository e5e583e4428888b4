/** The mail server of the settings: sealed password, what wins, and the test with the server's own answer. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { findMailServer } from "../../../src/monitor/channels/mail-server.ts";
import { settingGroups } from "../../../src/monitor/site/records.ts";
import { type SmtpPeer, type SmtpPeerOptions, startSmtpPeer } from "../../support/smtp-peer.ts";
import { createTestNotify } from "./notify-fixture.ts";
import { code } from "../http/requests.ts";

const SMTP = "/api/admin/smtp";
const fromEnvironment = {
  host: "env.example.org",
  port: 465,
  security: "tls",
  user: "env",
  password: "env-password",
  from: "env@example.org",
} as const;

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function openPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const peer = await startSmtpPeer(options);
  cleanUp.push(() => peer.close());
  return peer;
}

const toInput = (peer: SmtpPeer): object => ({
  host: "127.0.0.1",
  port: peer.port,
  security: "none",
  from: "Status <status@example.org>",
});

const allowPrivate = (app: TestApp): Promise<Response> =>
  app.admin("PATCH", "/api/admin/settings", { privateReceivers: true });

describe("the mail server", () => {
  it("is that of SMTP_URL until the settings name one, which then wins", async () => {
    const app = await createTestApp({ mailEnvironment: { smtp: fromEnvironment } });
    const { password: _password, ...environment } = fromEnvironment;
    const before = await (await app.admin("GET", SMTP)).json();
    assert.deepEqual([before.source, before.environment, before.host], ["environment", environment, ""]);
    const own = { host: "own.example.org", from: "own@example.org", user: "own", password: "own-password" };
    const after = await (await app.admin("PATCH", SMTP, own)).json();
    assert.deepEqual([after.source, after.passwordSet, after.version], ["settings", true, 1]);
    assert.doesNotMatch(JSON.stringify([before, after]), /env-password|own-password/u);
    const back = await (await app.admin("PATCH", SMTP, { host: "" })).json();
    assert.deepEqual([back.source, back.passwordSet], ["environment", false]);
  });

  it("keeps its password sealed, and opens it for sending alone", async () => {
    const app = await createTestApp();
    const own = { host: "own.example.org", from: "own@example.org", user: "own", password: "own-password" };
    await app.admin("PUT", SMTP, own);
    const stored = await app.store.read((tx) => tx.get(settingGroups, "smtp"));
    assert.doesNotMatch(JSON.stringify(stored), /own-password/u);
    const { box } = createTestNotify();
    const settings = { privateReceivers: false };
    const found = await app.store.read((tx) => findMailServer(tx, { box, environment: {}, settings }));
    assert.equal(found?.server.password, "own-password");
    assert.equal(found.rules?.allowPrivate, false);
    const { box: other } = createTestNotify({ secret: "another secret of at least 32 characters" });
    await assert.rejects(
      app.store.read((tx) => findMailServer(tx, { box: other, environment: {}, settings })),
      /sealed with another secret\. Enter it again/u,
    );
  });

  it("refuses what cannot send, and a stored password for another server", async () => {
    const app = await createTestApp();
    assert.equal((await app.admin("PUT", SMTP, { host: "a b", from: "own@example.org" })).status, 422);
    assert.equal((await app.admin("PUT", SMTP, { host: "own.example.org", from: "nobody" })).status, 422);
    assert.equal((await app.admin("PUT", SMTP, { unknown: 1 })).status, 422);
    const own = { host: "own.example.org", from: "own@example.org", user: "own", password: "own-password" };
    assert.equal((await app.admin("PUT", SMTP, { ...own, security: "none" })).status, 422);
    assert.equal((await app.admin("PUT", SMTP, own)).status, 200);
    assert.equal((await app.admin("PATCH", SMTP, { host: "evil.example.org" })).status, 422);
    assert.deepEqual(await code(await app.admin("PATCH", SMTP, { user: "own", version: 7 })), [
      409,
      "version_conflict",
    ]);
  });

  it("sends a test of what is typed, and shows the server's own answer", async () => {
    const app = await createTestApp();
    const peer = await openPeer();
    const body = { ...toInput(peer), to: "ada@example.org" };
    const refused = await (await app.admin("POST", `${SMTP}/test`, body)).json();
    assert.equal(refused.ok, false);
    assert.match(refused.error, /private address; allow receivers in private networks in the settings/u);
    await allowPrivate(app);
    const taken = await (await app.admin("POST", `${SMTP}/test`, body)).json();
    assert.deepEqual([taken.ok, "error" in taken], [true, false]);
    assert.match(taken.answer, /^connect: 220 .+\nsend: 250 /mu);
    assert.equal(peer.mails[0]?.to.join(), "ada@example.org");
    assert.equal((await (await app.admin("GET", SMTP)).json()).source, "none");
    peer.behave("5xx-at-rcpt");
    const bad = await (await app.admin("POST", `${SMTP}/test`, body)).json();
    assert.match(bad.error, /^Step "send" failed: 550 5\.1\.1 No such user here/u);
    assert.deepEqual(await code(await app.admin("POST", `${SMTP}/test`, { to: "ada@example.org" })), [
      409,
      "conflict",
    ]);
    assert.equal((await app.admin("POST", `${SMTP}/test`, { to: "ada" })).status, 422);
  });
});
