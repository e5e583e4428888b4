/** Links to set a new password: good only while the account has the mailbox that they were sent to. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { issueLink } from "../../../src/auth/passwords/links.ts";
import { emails } from "../../../src/auth/accounts/records.ts";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { linkFor, logIn, MINUTE_MS, OTHER, post } from "../http/people.ts";
import { listEventKinds } from "../http/token-requests.ts";

const OLD = "ann@old.example";
let app: TestApp;
let ann: SignedIn;
let id: string;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  const token = ann.accessToken;
  ({ id } = await read<{ id: string }>(await post(app, "emails", { address: OLD }, { token }), 201));
  await read(await post(app, `emails/${id}/verify`, { code: await app.codeFor(OLD) }, { token }), 200);
  app.clock.advance(MINUTE_MS);
});

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  app.send(method, `/api/auth/emails/${path}`, { token: ann.accessToken, body });

async function forgot(email: string): Promise<string> {
  assert.equal((await post(app, "password/forgot", { email })).status, 202);
  return linkFor(app, email);
}

const reset = (token: string): Promise<Response> => post(app, "password/reset", { token, password: OTHER });

describe("a link to set a password", () => {
  it("is invalid when its mailbox was removed from the account, and both mailbox and primary address are notified", async () => {
    const link = await forgot(OLD);
    assert.equal((await send("DELETE", id)).status, 204);
    assert.deepEqual(await code(await reset(link)), [401, "token_invalid"]);
    assert.equal((await logIn(app, "ann")).status, 200);
    for (const address of [OLD, "ann@example.org"])
      assert.match(
        (await app.mailsTo(address)).join("\n"),
        /address was removed from your account/u,
        address,
      );
  });

  it("is dead when its mailbox lost the purpose recovery, and stays dead when it has it again", async () => {
    const link = await forgot(OLD);
    assert.equal((await send("PATCH", id, { purposes: ["login"] })).status, 200);
    assert.equal((await listEventKinds(app, ann.accessToken))[0], "recovery-removed");
    assert.equal((await send("PATCH", id, { purposes: ["login", "recovery"] })).status, 200);
    assert.deepEqual(await code(await reset(link)), [401, "token_invalid"]);
    for (const address of [OLD, "ann@example.org"])
      assert.match(
        (await app.mailsTo(address)).join("\n"),
        /can no longer be used to reset your password/u,
        address,
      );
  });

  it("lives on when a purpose other than recovery changes", async () => {
    const link = await forgot(OLD);
    assert.equal((await send("PATCH", id, { purposes: ["recovery"] })).status, 200);
    assert.equal((await reset(link)).status, 200);
  });

  it("is dead when another address became the primary one", async () => {
    const link = await forgot("ann@example.org");
    assert.equal((await send("POST", `${id}/primary`)).status, 200);
    assert.deepEqual(await code(await reset(link)), [401, "token_invalid"]);
  });

  it("is dead when its mailbox went in a way that ended no link", async () => {
    const link = await forgot(OLD);
    await app.store.transact((tx) => tx.remove(emails, id));
    assert.deepEqual(await code(await reset(link)), [401, "token_invalid"]);
    const foreign = await app.store.transact((tx) =>
      issueLink(tx, {
        userId: ann.user.id,
        purpose: "reset",
        sentTo: "somebody@example.org",
        nowMs: app.clock.now(),
        ttlMs: 60_000,
      }),
    );
    assert.deepEqual(await code(await reset(foreign)), [401, "token_invalid"]);
  });

  it("sends no notification when an unverified address is removed", async () => {
    const added = await post(app, "emails", { address: "not-mine@example.org" }, { token: ann.accessToken });
    const further = await read<{ id: string }>(added, 201);
    assert.equal((await send("DELETE", further.id)).status, 204);
    assert.equal((await app.mailsTo("not-mine@example.org")).length, 1, "the code alone");
  });
});
