/** Mails to all administrators about changes that give someone more. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { verifyAudit } from "../../../src/records/audit.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

const MINUTE = 60_000;
let app: TestApp;

const mails = async (name: string): Promise<string[]> =>
  (await app.mailsTo(`${name}@example.org`)).filter((text) => /Zugänge|访问权限|has access/u.test(text));
const register = (id: string): Promise<unknown> =>
  app.admin("POST", "/api/admin/clients", { id, name: id }).then((answer) => read(answer, 201));

beforeEach(async () => {
  app = await createTestApp({ publicUrl: "https://auth.example.org" });
  for (const [name, locale] of [
    ["ann", "en"],
    ["ben", "de"],
    ["cleo", "zh"],
  ] as const)
    await app.signUp(name, { role: "admin", locale });
  await app.signUp("dan");
  await register("before");
  assert.equal(await app.auth.changeNotices.tell(), 0, "what was there at the upgrade");
});

describe("the mail", () => {
  it("goes to all administrators in their language, with what, by whom, from where", async () => {
    await register("notes");
    const change = { redirectUris: ["https://notes.example/cb"], name: "Notes of all" };
    await read(await app.admin("PATCH", "/api/admin/clients/notes", change), 200);
    assert.equal(await app.auth.changeNotices.tell(), 3);
    const [english = ""] = await mails("ann");
    assert.match(english, /Application registered: notes\. By token, from 192\.0\.2\.0\/24/u);
    assert.match(english, /Application changed: notes \(redirectUris\)\./u);
    assert.match(english, /https:\/\/auth\.example\.org\/admin\/audit/u);
    assert.match((await mails("ben"))[0] ?? "", /Anwendung registriert: notes/u);
    assert.match((await mails("cleo"))[0] ?? "", /已注册应用: notes/u);
    assert.deepEqual(await mails("dan"), []);
  });

  for (const [name, act] of Object.entries({
    "a group rule": () => app.admin("PATCH", "/api/admin/clients/before", { allowedGroups: ["family"] }),
    "a policy": () => app.admin("PATCH", "/api/admin/clients/before", { policy: { sessionDays: 3 } }),
    "what a group demands": () =>
      app.admin("PATCH", "/api/admin/groups/family", { minimumAssurance: "two-factor" }),
    "two-factor authentication": () =>
      app.admin("PATCH", "/api/admin/settings/registration", { adminSecondFactor: "off" }),
    "the roles of a group": () => app.admin("PUT", "/api/admin/groups/family/roles", { roles: ["viewer"] }),
    "an API key": () => app.admin("POST", "/api/admin/api-keys", { name: "ci", scopes: ["users:read"] }),
  }))
    it(`tells of ${name}`, async () => {
      await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
      const answer = await act();
      assert.ok(answer.status < 300, await answer.text());
      assert.equal(await app.auth.changeNotices.tell(), 3);
    });

  it("sends no notification about changes that grant nothing", async () => {
    await app.admin("PATCH", "/api/admin/clients/before", {
      name: "Another",
      logoUrl: "https://x.example/a.png",
    });
    await app.admin("PATCH", "/api/admin/settings/registration", { siteName: "Ours" });
    await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    assert.equal(await app.auth.changeNotices.tell(), 0);
  });

  it("comes at most three times an hour, and then names all that came meanwhile", async () => {
    await register("first");
    assert.equal(await app.auth.changeNotices.tell(), 3);
    for (let n = 0; n < 25; n += 1) await register(`more-${n}`);
    app.clock.advance(19 * MINUTE);
    assert.equal(await app.auth.changeNotices.tell(), 0);
    app.clock.advance(MINUTE);
    assert.equal(await app.auth.changeNotices.tell(), 3);
    assert.match((await mails("ann"))[0] ?? "", /more-19[^]*5 more changes are in the audit log/u);
    app.clock.advance(60 * MINUTE);
    assert.equal(await app.auth.changeNotices.tell(), 0);
  });
});

describe("the audit", () => {
  it("names the network of a request, which its chain covers", async () => {
    await register("notes");
    assert.equal((await lastAudit(app)).network, "192.0.2.0/24");
    assert.equal((await verifyAudit(app.auth.store)).valid, true);
  });
});
