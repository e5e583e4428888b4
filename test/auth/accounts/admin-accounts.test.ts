/** Administrators who sign in with an account of their own: second factor, recent sign-in, and what mails show them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

const MINUTE = 60_000;

let app: TestApp;
let ops: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ops = await app.signUp("ops", { role: "admin" });
});

const asOps = (method: string, path: string, body?: unknown): Promise<Response> =>
  app.send(method, `/api/admin/${path}`, { token: ops.accessToken, body });

describe("an administrator's account", () => {
  it("administers with its second factor once it has one", async () => {
    assert.equal((await asOps("GET", "users")).status, 200);
    const begun = await app.send("POST", "/api/auth/mfa/totp", { token: ops.accessToken });
    const { secret } = await read<{ secret: string }>(begun, 200);
    const body = { code: app.totp(secret) };
    await app.send("POST", "/api/auth/mfa/totp/confirm", { token: ops.accessToken, body });
    const user = (await app.auth.sessions.find(ops.accessToken))?.user ?? assert.fail();
    const other = await app.signIn(user);
    const answer = await app.send("GET", "/api/admin/users", { token: other.accessToken });
    assert.deepEqual(await code(answer), [403, "forbidden"]);
  });

  it("proves itself again for what gives away secrets or accounts; the token need not", async () => {
    const ann = await app.signUp("ann");
    app.clock.advance(11 * MINUTE);
    const sensitive: [string, string, unknown?][] = [
      ["GET", "users/export"],
      ["HEAD", "users/export"],
      ["GET", "outbox"],
      ["POST", `users/${ann.user.id}/impersonate`, { minutes: 5, reason: "test" }],
      ["PATCH", `users/${ann.user.id}`, { role: "admin" }],
      ["POST", `users/${ann.user.id}/reset-mfa`],
      ["POST", `users/${ann.user.id}/verify-email`],
      ["POST", `users/${ann.user.id}/revoke-sessions`],
      ["POST", `users/${ann.user.id}/suspend`, {}],
      ["DELETE", `users/${ann.user.id}`],
      ["POST", `users/${ann.user.id}/restore`],
      ["PATCH", "settings/registration", { mode: "closed" }],
    ];
    for (const [method, path, body] of sensitive) {
      const answer = await asOps(method, path, body);
      assert.equal(answer.status, 403, `${method} ${path}`);
      if (method !== "HEAD") assert.deepEqual(await code(answer), [403, "reauth_required"], path);
    }
    assert.equal((await asOps("GET", "users")).status, 200);
    const points = { delta: 5, reason: "test" };
    assert.equal((await asOps("POST", `users/${ann.user.id}/points`, points)).status, 200);
    assert.equal((await app.admin("GET", "/api/admin/users/export")).status, 200);
  });
});

describe("the outbox", () => {
  const body = { email: "ann@example.org" };
  async function texts(answer: Promise<Response>): Promise<string> {
    const { items } = await read<{ items: { text: string }[] }>(await answer, 200);
    return items.map(({ text }) => text).join("\n");
  }

  it("shows codes and links to the token alone, and tells the audit of each reading", async () => {
    await app.signUp("ann");
    await app.send("POST", "/api/auth/password/forgot", { body });
    assert.match(await texts(app.admin("GET", "/api/admin/outbox")), / {4}rst_[^]*This code isn’t a link/u);
    assert.equal((await lastAudit(app)).action, "outbox.read");
    const shown = await texts(asOps("GET", "outbox"));
    assert.ok(shown.includes("    (hidden)") && !shown.includes("rst_"));
    const { actor, action } = await lastAudit(app);
    assert.deepEqual([actor, action], ["user ops", "outbox.read"]);
  });

  it("shows none once a mail server delivers them", async () => {
    const send = async (): Promise<{ status: "temporary"; reason: string }> => ({
      status: "temporary",
      reason: "Try later",
    });
    app = await createTestApp({ sender: { send, close: () => undefined } });
    await app.signUp("ann");
    await app.send("POST", "/api/auth/password/forgot", { body });
    const shown = await texts(app.admin("GET", "/api/admin/outbox"));
    assert.ok(shown.includes("    (hidden)") && !shown.includes("rst_"));
  });
});
