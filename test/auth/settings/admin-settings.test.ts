/** Settings over /api/admin/settings, and the mail that tries them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { readSettings } from "../../../src/auth/settings/settings.ts";
import type { MailMessage, MailOutcome, MailStep } from "../../../src/kit/mail/mail.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { type TestApp, ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const get = (group: string): Promise<Response> => app.admin("GET", `/api/admin/settings/${group}`);
const put = (group: string, body: object): Promise<Response> =>
  app.admin("PUT", `/api/admin/settings/${group}`, body);

describe("settings", () => {
  const groups = [
    ["registration", { siteName: "Mine", mode: "invite" }, { mode: "sometimes" }],
    ["branding", { imprintUrl: "https://example.org/" }, { logo: "data:text/html;base64,AAAA" }],
    ["checkin", { rewardMin: 1, rewardMax: 5 }, { rewardMin: 6, rewardMax: 5 }],
    ["invites", { defaultMaxUses: 3 }, { defaultMaxUses: 0 }],
    ["mail", { host: "mail.example.org", from: "me@example.org" }, { port: 70_000 }],
  ] as const;
  for (const [group, fields, wrong] of groups) {
    it(`of ${group} are changed, guarded against lost updates`, async () => {
      const fresh = await get(group);
      assert.equal(fresh.headers.get("etag"), '"0"');
      const before: Record<string, unknown> = await read(fresh, 200);
      const changed = await put(group, { ...fields, version: 0 });
      assert.equal(changed.headers.get("etag"), '"1"');
      assert.deepEqual(await read(changed, 200), { ...before, ...fields, version: 1 });
      assert.deepEqual(await read(await get(group), 200), { ...before, ...fields, version: 1 });
      assert.deepEqual(await code(await put(group, { ...fields, version: 0 })), [409, "version_conflict"]);
      const stale = await app.send("PUT", `/api/admin/settings/${group}`, {
        body: fields,
        headers: { "x-admin-token": ADMIN_TOKEN, "if-match": '"0"' },
      });
      assert.deepEqual(await code(stale), [412, "version_conflict"]);
      assert.deepEqual(await code(await put(group, wrong)), [422, "invalid"]);
      const { action, changes } = await lastAudit(app);
      assert.deepEqual([action, [...changes].sort()], [`settings.${group}`, Object.keys(fields).sort()]);
    });
  }

  for (const method of ["PATCH", "PUT"]) {
    it(`that a ${method} leaves out stay as they are`, async () => {
      await put("registration", { mode: "closed", emailVerification: "required", blockedDomains: ["a.org"] });
      const changed = await app.admin(method, "/api/admin/settings/registration", { siteName: "My cloud" });
      const view: { mode: string; blockedDomains: string[]; siteName: string } = await read(changed, 200);
      assert.deepEqual([view.mode, view.blockedDomains, view.siteName], ["closed", ["a.org"], "My cloud"]);
      assert.deepEqual((await lastAudit(app)).changes, ["siteName"]);
      const unknown = await app.admin(method, "/api/admin/settings/registration", { moode: "open" });
      assert.deepEqual(await code(unknown), [422, "invalid"]);
      await put("checkin", { rewardMin: 5, rewardMax: 15 });
      const crossed = await app.admin(method, "/api/admin/settings/checkin", { rewardMin: 16 });
      assert.deepEqual(await code(crossed), [422, "invalid"]);
    });
  }

  it("of registration hold at once", async () => {
    await put("registration", { mode: "closed" });
    const body = { username: "ann", email: "ann@example.org", password: "correct horse battery" };
    assert.deepEqual(await code(await app.send("POST", "/api/auth/register", { body })), [
      403,
      "registration_closed",
    ]);
  });
});

describe("mail settings", () => {
  const password = "smtp-password-of-the-test";
  const fields = { enabled: true, host: "mail.example.org", username: "auth", from: "Site <me@example.org>" };

  async function storedPassword(): Promise<string | undefined> {
    const sealed = (await app.store.read((tx) => readSettings(tx, "mail"))).fields.password;
    const box = createSecretBox("a secret of the test suite, long enough");
    return sealed === undefined ? undefined : box.open(sealed, "smtp");
  }

  it("keep the password sealed and never show it", async () => {
    const answer = await put("mail", { ...fields, password });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.ok(
      text.includes('"passwordSet":true') && !text.includes(password) && !text.includes('"password"'),
    );
    assert.ok(!(await (await get("mail")).text()).includes("v1."));
    assert.deepEqual(await findInStore(app.store, [password]), []);
    assert.equal(await storedPassword(), password);
  });

  it("keep the password that is left out, replace one that is given, and remove it for an empty one", async () => {
    await put("mail", { ...fields, password });
    await put("mail", { ...fields, from: "you@example.org" });
    assert.equal(await storedPassword(), password);
    assert.deepEqual((await lastAudit(app)).changes, ["from"]);
    await put("mail", { ...fields, password: "ä".repeat(500) });
    assert.equal(await storedPassword(), "ä".repeat(500));
    assert.deepEqual(await read(await put("mail", {}), 200), {
      ...(await read<object>(await get("mail"), 200)),
      passwordSet: true,
      host: "mail.example.org",
    });
    const cleared: { passwordSet: boolean } = await read(await put("mail", { ...fields, password: "" }), 200);
    assert.equal(cleared.passwordSet, false);
    assert.equal(await storedPassword(), undefined);
  });

  it("do not hand the stored password to another host, port or user, nor in the clear", async () => {
    await put("mail", { ...fields, password });
    for (const change of [
      { host: "mail.example.com" },
      { port: 25 },
      { username: "other" },
      { security: "tls" },
      { host: "127.0.0.1", security: "none" },
    ]) {
      const answer = await put("mail", { ...fields, ...change });
      assert.match(
        await answer.clone().text(),
        /"\/password"[^}]*must be sent again/u,
        JSON.stringify(change),
      );
      assert.deepEqual(await code(answer), [422, "invalid"]);
    }
    assert.equal(await storedPassword(), password);
    const inClear = await put("mail", { ...fields, security: "none", password });
    assert.match(await inClear.clone().text(), /"\/security"[^}]*without encryption/u);
    assert.deepEqual(await code(inClear), [422, "invalid"]);
    const local = { ...fields, host: "localhost", security: "none", password: "another one" };
    assert.equal((await put("mail", local)).status, 200);
    assert.equal(await storedPassword(), "another one");
  });

  it("lose the password with the user", async () => {
    await put("mail", { ...fields, password });
    const cleared: { passwordSet: boolean } = await read(await put("mail", { username: "" }), 200);
    assert.equal(cleared.passwordSet, false);
    assert.equal(await storedPassword(), undefined);
  });

  it("want to know where to and from whom before they are switched on", async () => {
    assert.deepEqual(await code(await put("mail", { ...fields, host: "" })), [422, "invalid"]);
    assert.deepEqual(await code(await put("mail", { ...fields, from: "" })), [422, "invalid"]);
    assert.deepEqual(await code(await put("mail", { ...fields, from: "no address" })), [422, "invalid"]);
    assert.deepEqual(await code(await put("mail", { ...fields, host: "a\r\nb" })), [422, "invalid"]);
    assert.deepEqual(await code(await put("mail", { ...fields, password: "x".repeat(501) })), [
      422,
      "invalid",
    ]);
    assert.equal((await put("mail", { enabled: false })).status, 200);
  });

  it("are taken over before the answer", async () => {
    let heard = 0;
    app = await createTestApp({
      onMailSettings: async () => {
        heard += 1;
      },
    });
    await put("mail", { ...fields, host: "" });
    assert.equal(heard, 0);
    await put("mail", fields);
    assert.equal(heard, 1);
    await put("invites", {});
    assert.equal(heard, 1);
  });
});

describe("the test mail", () => {
  const test = (to: string): Promise<Response> => app.admin("POST", "/api/admin/settings/mail/test", { to });

  it("tells what the mail server said", async () => {
    const sent: MailMessage[] = [];
    const outcomes: MailOutcome[] = [
      { status: "sent" },
      { status: "temporary", reason: "Try later" },
      { status: "permanent", reason: "No such mailbox" },
    ];
    for (const outcome of outcomes) {
      app = await createTestApp({
        sender: {
          send: async (message) => {
            sent.push(message);
            return outcome;
          },
          close: () => undefined,
        },
      });
      assert.deepEqual(await read(await test("me@example.org"), 200), outcome);
      assert.equal((await lastAudit(app)).action, "settings.mail-test");
    }
    assert.deepEqual(
      sent.map(({ to }) => to),
      ["me@example.org", "me@example.org", "me@example.org"],
    );
  });

  it("tells each step where the server can be tried", async () => {
    const steps: MailStep[] = [
      { step: "resolve", result: "ok", said: "192.0.2.1" },
      { step: "connect", result: "failed", said: "554 go away" },
      { step: "tls", result: "skipped", said: "" },
    ];
    const never = (): Promise<MailOutcome> => assert.fail("sent past the check");
    app = await createTestApp({
      sender: { send: never, check: async () => steps, close: () => undefined },
    });
    assert.deepEqual(await read(await test("me@example.org"), 200), {
      status: "permanent",
      reason: "554 go away",
      steps,
    });
  });

  it("is not possible without a server, and goes to one address", async () => {
    assert.deepEqual(await code(await test("me@example.org")), [503, "unavailable"]);
    assert.deepEqual(await code(await test("a@example.org, b@example.org")), [422, "invalid"]);
  });
});
