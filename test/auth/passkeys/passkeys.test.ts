/** Passkeys of an account: added, shown, renamed and removed. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { passkeys, users } from "../../../src/auth/accounts/records.ts";
import type { CreationOptions } from "../../support/authenticator.ts";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { listEventKinds } from "../http/token-requests.ts";
import { MINE, createPasskeyRoom } from "./passkey-room.ts";

const MINUTE = 60_000;

let app: TestApp;
let room: ReturnType<typeof createPasskeyRoom>;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  room = createPasskeyRoom(app);
  ann = await app.signUp("ann");
});

describe("a passkey", () => {
  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const)
    it(`is added and signs in by ${algorithm}, without a name and as two factors`, async () => {
      const { authenticator } = await room.add(ann, { algorithm });
      assert.deepEqual(await room.amrOf(await room.signIn(authenticator)), [["hwk", "user", "mfa"], 2]);
    });

  it("is shown with its details, renamed and removed, and its owner is notified", async () => {
    const { id, authenticator } = await room.add(ann, { isSynced: true, label: "Phone" });
    assert.deepEqual(await room.amrOf(await room.signIn(authenticator)), [["swk", "user", "mfa"], 2]);
    const { items } = await read<{ items: Record<string, unknown>[] }>(
      await app.send("GET", MINE, { token: ann.accessToken }),
      200,
    );
    const [{ label, backupEligible, backedUp, rpId, lastUsedAt, publicKey } = {}] = items;
    assert.deepEqual(
      [items.length, label, backupEligible, backedUp, rpId, typeof lastUsedAt, publicKey],
      [1, "Phone", true, true, "localhost", "string", undefined],
    );
    const renamed = await app.send("PATCH", `${MINE}/${id}`, {
      token: ann.accessToken,
      body: { label: "Old" },
    });
    assert.equal((await read<{ label: string }>(renamed, 200)).label, "Old");
    assert.equal((await app.send("DELETE", `${MINE}/${id}`, { token: ann.accessToken })).status, 204);
    assert.deepEqual(await code(await room.signIn(authenticator)), [401, "passkey_unknown"]);
    const kinds = await listEventKinds(app, ann.accessToken);
    assert.ok(kinds.includes("passkey-added") && kinds.includes("passkey-removed"), kinds.join());
    const mails = (await app.mailsTo("ann@example.org")).join();
    assert.match(mails, /A passkey was removed[\s\S]*A passkey was added/u);
  });

  it("has a user handle of 64 random bytes, the same for all of an account", async () => {
    const first = await room.begin<CreationOptions>(`${MINE}/options`, ann.accessToken);
    assert.equal(Buffer.from(first.options.user.id, "base64url").length, 64);
    await room.add(ann);
    const { passkeyHandle } = (await app.store.read((tx) => tx.get(users, ann.user.id))) ?? {};
    const next = await room.begin<CreationOptions>(`${MINE}/options`, ann.accessToken);
    assert.equal(next.options.user.id, passkeyHandle);
  });

  it("needs a recent sign-in to be added or removed, and none to be renamed", async () => {
    const { id } = await room.add(ann);
    app.clock.advance(11 * MINUTE);
    const token = ann.accessToken;
    assert.deepEqual(await code(await room.post(`${MINE}/options`, undefined, token)), [
      403,
      "reauth_required",
    ]);
    assert.deepEqual(await code(await app.send("DELETE", `${MINE}/${id}`, { token })), [
      403,
      "reauth_required",
    ]);
    assert.equal((await app.send("PATCH", `${MINE}/${id}`, { token, body: { label: "Key" } })).status, 200);
  });

  it("belongs to one account, which has 20 at most", async () => {
    const { authenticator } = await room.add(ann);
    const bob = await app.signUp("bob");
    const { challengeId, options } = await room.begin<CreationOptions>(`${MINE}/options`, bob.accessToken);
    const response = authenticator.create(options);
    const again = await room.post(MINE, { challengeId, response }, bob.accessToken);
    assert.deepEqual(await code(again), [409, "passkey_known"]);
    for (let count = 1; count < 20; count += 1) await room.add(ann);
    assert.deepEqual(await code(await room.post(`${MINE}/options`, undefined, ann.accessToken)), [
      409,
      "passkey_limit",
    ]);
  });

  it("cannot be removed as the last way in by its owner, and can by an administrator", async () => {
    const carl = await app.signUp("carl", { passwordHash: undefined });
    const { id } = await room.add(carl);
    const mine = { token: carl.accessToken };
    assert.deepEqual(await code(await app.send("DELETE", `${MINE}/${id}`, mine)), [409, "last_way_in"]);
    const { id: second } = await room.add(carl);
    assert.equal((await app.send("DELETE", `${MINE}/${id}`, mine)).status, 204);
    const path = `/api/admin/users/${carl.user.id}/passkeys`;
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", path), 200);
    assert.deepEqual(
      items.map((item) => item.id),
      [second],
    );
    assert.equal((await app.admin("DELETE", `${path}/${second}`)).status, 204);
    assert.deepEqual((await read<{ items: unknown[] }>(await app.admin("GET", path), 200)).items, []);
  });

  it("is in the owner's export, and goes with the account", async () => {
    await room.add(ann, { label: "Phone" });
    const exported = await read<{ passkeys: { label: string }[] }>(
      await room.post("/api/auth/me/export", undefined, ann.accessToken),
      200,
    );
    assert.deepEqual(
      exported.passkeys.map(({ label }) => label),
      ["Phone"],
    );
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}`);
    app.clock.advance(40 * 86_400_000);
    await app.auth.sweep();
    assert.equal(await app.store.read((tx) => tx.count(passkeys)), 0);
  });

  it("of a mailbox's stranger goes when its owner proves the mailbox", async () => {
    await app.set("registration", { emailVerification: "optional" });
    const eve = await app.signUp("eve", { emailVerifiedAt: undefined });
    const { authenticator } = await room.add(eve);
    await room.post("/api/auth/email/send-code", { email: "eve@example.org", purpose: "login" });
    const typed = await app.codeFor("eve@example.org");
    await read(await room.post("/api/auth/login/code", { email: "eve@example.org", code: typed }), 200);
    assert.deepEqual(await code(await room.signIn(authenticator)), [401, "passkey_unknown"]);
  });
});
