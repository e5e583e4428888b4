/** Invites over /api/admin/invites. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { redeemInvite } from "../../../src/auth/registration/invites.ts";
import { type TestApp, code, createTestApp } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

interface Invite {
  id: string;
  code: string;
  prefix: string;
  maxUses: number;
  usedCount: number;
  expiresAt?: string;
  boundEmail?: string;
  emailDomains: string[];
  enabled: boolean;
  note: string;
}

const DAY_MS = 86_400_000;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function create(fields: object = {}): Promise<Invite> {
  return read(await app.admin("POST", "/api/admin/invites", fields), 201);
}

function redeem(inviteCode: string, email = "ann@example.org"): Promise<unknown> {
  return app.store.transact((tx) =>
    redeemInvite(tx, { code: inviteCode, email, nowMs: app.auth.expiry.now() }),
  );
}

describe("invites", () => {
  it("get what the settings say, and a code that is shown once", async () => {
    await app.set("invites", { defaultMaxUses: 4, defaultTtlDays: 3 });
    const response = await app.admin("POST", "/api/admin/invites", {});
    assert.equal(response.headers.get("cache-control"), "no-store");
    const invite: Invite = await read(response, 201);
    assert.match(invite.code, /^inv(?:-[0-9a-z]{5}){4}$/u);
    assert.ok(invite.code.startsWith(invite.prefix));
    assert.deepEqual([invite.maxUses, invite.expiresAt], [4, toIsoTime(app.clock.now() + 3 * DAY_MS)]);
    const plain = invite.code.replaceAll("-", "").slice(3);
    assert.deepEqual(await findInStore(app.store, [invite.code, plain, invite.code.slice(4)]), []);
    const text = await (await app.admin("GET", "/api/admin/invites")).text();
    assert.ok(!text.includes(invite.code) && !text.includes("codeHash"));
    assert.equal((await lastAudit(app)).action, "invite.create");
    await redeem(invite.code);
  });

  it("may never expire, or at a time, but not both ways", async () => {
    assert.equal((await create({ ttlDays: 0 })).expiresAt, undefined);
    const expiresAt = toIsoTime(app.clock.now() + 1);
    assert.equal((await create({ expiresAt })).expiresAt, expiresAt);
    const refuse = async (fields: object): Promise<[number, string]> =>
      code(await app.admin("POST", "/api/admin/invites", fields));
    assert.deepEqual(await refuse({ ttlDays: 1, expiresAt }), [422, "invalid"]);
    assert.deepEqual(await refuse({ expiresAt: toIsoTime(app.clock.now()) }), [422, "invalid"]);
    assert.deepEqual(await refuse({ maxUses: 0 }), [422, "invalid"]);
    assert.deepEqual(await refuse({ emailDomains: ["Not A Domain"] }), [422, "invalid"]);
    assert.deepEqual(await refuse({ usedCount: 0 }), [422, "invalid"]);
  });

  it("are made in bulk, each with a code of its own", async () => {
    const { items }: { items: Invite[] } = await read(
      await app.admin("POST", "/api/admin/invites/bulk", { count: 500, note: "Fair" }),
      201,
    );
    assert.equal(new Set(items.map((invite) => invite.code)).size, 500);
    assert.deepEqual((await lastAudit(app)).changes, ["count: 500"]);
    const many = await app.admin("POST", "/api/admin/invites/bulk", { count: 501 });
    assert.deepEqual(await code(many), [422, "invalid"]);
    await redeem(items[499]?.code ?? "");
  });

  it("are listed, the newest first", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      ids.unshift((await create()).id);
      app.clock.advance(1_000);
    }
    const first: { items: Invite[]; nextCursor: string } = await read(
      await app.admin("GET", "/api/admin/invites?limit=2"),
      200,
    );
    const rest: { items: Invite[] } = await read(
      await app.admin("GET", `/api/admin/invites?limit=2&cursor=${first.nextCursor}`),
      200,
    );
    assert.deepEqual(
      [...first.items, ...rest.items].map((invite) => invite.id),
      ids,
    );
  });

  it("are changed, switched off and deleted", async () => {
    const invite = await create({ maxUses: 2, boundEmail: "ann@example.org" });
    const path = `/api/admin/invites/${invite.id}`;
    await redeem(invite.code);
    const change = {
      maxUses: 5,
      boundEmail: null,
      expiresAt: null,
      emailDomains: ["example.org"],
      note: "New",
    };
    const changed: Invite = await read(await app.admin("PATCH", path, change), 200);
    assert.deepEqual(
      [changed.maxUses, changed.usedCount, changed.boundEmail, changed.expiresAt, changed.note],
      [5, 1, undefined, undefined, "New"],
    );
    await redeem(invite.code, "bob@example.org");
    assert.deepEqual(await code(await app.admin("PATCH", path, { maxUses: 1 })), [409, "conflict"]);
    assert.deepEqual(await code(await app.admin("PATCH", path, { expiresAt: 1 })), [422, "invalid"]);
    await app.admin("PATCH", path, { enabled: false });
    await assert.rejects(redeem(invite.code), { code: "invite_invalid" });
    await app.admin("PATCH", path, { enabled: true });
    assert.equal((await app.admin("DELETE", path)).status, 204);
    await assert.rejects(redeem(invite.code), { code: "invite_invalid" });
    assert.deepEqual(await code(await app.admin("DELETE", path)), [404, "not_found"]);
    assert.equal((await lastAudit(app)).action, "invite.delete");
  });
});
