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

describe("invites to an address", () => {
  const publicUrl = "https://accounts.example.org";

  it("are emailed, in the requested language, with a link to the page", async () => {
    app = await createTestApp({ publicUrl });
    const answer = await app.admin("POST", "/api/admin/invites", {
      boundEmail: "ann@example.org",
      language: "de",
    });
    const invite: Invite & { url: string; mailedAt: string } = await read(answer, 201);
    const link = `${publicUrl}/sign-up?invite=${invite.code}`;
    assert.equal(invite.url, `${link}&email=ann%40example.org`);
    assert.equal(invite.mailedAt, toIsoTime(app.clock.now()));
    const [mail = ""] = await app.mailsTo("ann@example.org");
    assert.match(mail, /Einladung/u);
    assert.ok(mail.includes(invite.code) && mail.includes(link));
  });

  it("are not mailed when that is not wanted, nor many to one mailbox", async () => {
    await create({ boundEmail: "ann@example.org", mail: false });
    const fields = { boundEmail: "ann@example.org", count: 2 };
    await read(await app.admin("POST", "/api/admin/invites/bulk", fields), 201);
    assert.deepEqual(await app.mailsTo("ann@example.org"), []);
  });

  it("are made for many addresses at once", async () => {
    const boundEmails = ["ann@example.org", "bob@example.org"];
    const made: { items: Invite[] } = await read(
      await app.admin("POST", "/api/admin/invites/bulk", { boundEmails }),
      201,
    );
    assert.deepEqual(
      made.items.map(({ boundEmail }) => boundEmail),
      boundEmails,
    );
    for (const [at, address] of boundEmails.entries())
      assert.ok((await app.mailsTo(address))[0]?.includes(made.items[at]?.code ?? "no code"));
    for (const wrong of [{}, { boundEmails, count: 2 }, { boundEmails, boundEmail: boundEmails[0] }])
      assert.deepEqual(await code(await app.admin("POST", "/api/admin/invites/bulk", wrong)), [
        422,
        "invalid",
      ]);
  });

  it("get a new code that is mailed, and the old one is good for nothing", async () => {
    const first = await create({ boundEmail: "ann@example.org" });
    const renew = (): Promise<Response> => app.admin("POST", `/api/admin/invites/${first.id}/renew`, {});
    const second: Invite = await read(await renew(), 200);
    assert.ok((await app.mailsTo("ann@example.org"))[0]?.includes(second.code));
    await assert.rejects(redeem(first.code));
    await redeem(second.code);
    assert.deepEqual((await lastAudit(app)).changes, ["mailed to: ann@example.org"]);
    assert.deepEqual(await code(await renew()), [409, "conflict"]);
  });
});

describe("the list of invites", () => {
  it("is searched and filtered by what they are good for", async () => {
    const used = await create({ note: "Used" });
    await redeem(used.code);
    const off = await create({ note: "Off" });
    await app.admin("PATCH", `/api/admin/invites/${off.id}`, { enabled: false });
    await create({ note: "Old", ttlDays: 1 });
    app.clock.advance(DAY_MS);
    await create({ note: "For Bob", boundEmail: "bob@example.org" });
    const notes = async (query: string): Promise<string> => {
      const page: { items: Invite[] } = await read(await app.admin("GET", `/api/admin/invites${query}`), 200);
      return page.items.map(({ note }) => note).join(" ");
    };
    assert.equal(await notes("?state=open"), "For Bob");
    assert.equal(await notes("?state=used"), "Used");
    assert.equal(await notes("?state=disabled"), "Off");
    assert.equal(await notes("?state=expired"), "Old");
    assert.equal(await notes("?q=BOB@"), "For Bob");
    assert.equal(await notes("?q=o"), "For Bob Old Off");
  });

  it("names who used one, as long as the account is there", async () => {
    const invite = await create({ maxUses: 2 });
    const { user } = await app.signUp("ann");
    const use = { code: invite.code, email: "x@example.org", nowMs: app.clock.now() };
    await app.store.transact((tx) => redeemInvite(tx, { ...use, userId: user.id }));
    await app.store.transact((tx) => redeemInvite(tx, { ...use, userId: "usr_gone" }));
    const { items }: { items: { username?: string }[] } = await read(
      await app.admin("GET", `/api/admin/invites/${invite.id}/uses`),
      200,
    );
    assert.deepEqual(
      items.map(({ username }) => username),
      ["ann", undefined],
    );
  });
});
