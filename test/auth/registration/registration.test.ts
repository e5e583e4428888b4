/** Registration: the same answer for every address, and the effects of its settings. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import {
  DAY_MS,
  logIn,
  MINUTE_MS,
  OTHER,
  post,
  register,
  shapeOf,
  tokensOf,
  verify,
} from "../http/people.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

describe("registering with an address that is free, taken or waits", () => {
  const worlds: Readonly<Record<string, { prepare(): Promise<unknown>; mail: RegExp }>> = {
    free: { prepare: async () => undefined, mail: /Use this code/u },
    verified: { prepare: () => app.signUp("box"), mail: /already has an account/u },
    unverified: { prepare: () => app.signUp("box", { emailVerifiedAt: undefined }), mail: /Use this code/u },
    suspended: { prepare: () => app.signUp("box", { status: "suspended" }), mail: /already has an account/u },
    pending: { prepare: () => app.signUp("box", { status: "pending" }), mail: /already has an account/u },
    waiting: {
      prepare: async () => {
        await register(app, "first", { email: "box@example.org", password: OTHER });
        app.clock.advance(MINUTE_MS);
      },
      mail: /Use this code/u,
    },
  };

  it("answers alike, holds the name alike, and tells the truth by mail alone", async () => {
    const shapes: unknown[] = [];
    for (const [world, { prepare, mail }] of Object.entries(worlds)) {
      app = await createTestApp();
      await prepare();
      const before = await app.mailsTo("box@example.org");
      shapes.push(
        await shapeOf(await register(app, "newcomer", { email: "box@example.org", password: OTHER })),
      );
      const again = await register(app, "NewComer", { email: "free@example.org" });
      assert.deepEqual(await code(again), [409, "username_taken"], world);
      const mails = await app.mailsTo("box@example.org");
      assert.equal(mails.filter((text) => !before.includes(text)).length, 1, world);
      assert.match(mails[0] ?? "", mail, world);
      // Right after, with the password that was chosen: the same in each world.
      for (const name of ["newcomer", "box@example.org"]) {
        assert.deepEqual(
          await code(await logIn(app, name, OTHER)),
          [403, "email_unverified"],
          `${world}, ${name}`,
        );
        const wrong = await logIn(app, name, "neither of the two is this");
        assert.deepEqual(await code(wrong), [401, "invalid_credentials"], `${world}, ${name}`);
      }
    }
    for (const shape of shapes) assert.deepEqual(shape, shapes[0]);
    assert.match(JSON.stringify(shapes[0]), /"status":202/u);
  });

  it("names the owner in the notice, at the address as they wrote it, and nothing that was typed", async () => {
    await app.signUp("owner", { email: "Owner@example.org" });
    await register(app, "www.evil.example", { email: "owner@EXAMPLE.org", password: OTHER });
    const [mail = ""] = await app.mailsTo("Owner@example.org");
    assert.match(mail, /^Hi owner,/mu);
    assert.ok(!mail.includes("evil"));
    assert.deepEqual(await app.mailsTo("owner@EXAMPLE.org"), []);
  });

  it("gives the name back after 24 hours", async () => {
    await register(app, "ann");
    app.clock.advance(DAY_MS - 1);
    await app.auth.sweep();
    const other = { email: "other@example.org", password: OTHER };
    assert.deepEqual(await code(await register(app, "ann", other)), [409, "username_taken"]);
    app.clock.advance(2);
    await app.auth.sweep();
    assert.equal((await register(app, "ann", other)).status, 202);
  });

  it("sends one mail a minute, and answers 202 all the same", async () => {
    for (const name of ["a1", "b2", "c3"])
      assert.equal((await register(app, name, { email: "box@example.org" })).status, 202);
    assert.equal((await app.mailsTo("box@example.org")).length, 1);
  });

  it("counts by the /64 of an IPv6 address, up to what is set", async () => {
    await app.set("registration", { maxPerAddressPerDay: 2 });
    const from = (name: string, address: string): Promise<Response> =>
      register(app, name, {}, { from: address });
    assert.equal((await from("a1", "2001:db8:1:2::1")).status, 202);
    assert.equal((await from("b2", "2001:db8:1:2:ffff::2")).status, 202);
    const refused = await from("c3", "2001:db8:1:2:1::3");
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.deepEqual(await code(refused), [429, "rate_limited"]);
    assert.equal((await from("d4", "2001:db8:1:3::1")).status, 202);
  });

  it("counts its mails among the 20 an hour of an address", async () => {
    await app.set("registration", { maxPerAddressPerDay: 100 });
    for (let i = 0; i < 22; i += 1) assert.equal((await register(app, `user${i}`)).status, 202);
    assert.equal((await app.mailsTo("user19@example.org")).length, 1);
    assert.equal((await app.mailsTo("user20@example.org")).length, 0);
  });
});

describe("modes of registration", () => {
  interface Invite {
    id: string;
    code: string;
    usedCount: number;
  }
  const invite = async (fields: object = {}): Promise<Invite> =>
    read(await app.admin("POST", "/api/admin/invites", fields), 201);
  const usedCount = async (id: string): Promise<number | undefined> => {
    const page: { items: Invite[] } = await read(await app.admin("GET", "/api/admin/invites"), 200);
    return page.items.find((item) => item.id === id)?.usedCount;
  };

  it("closed: no registration", async () => {
    await app.set("registration", { mode: "closed" });
    assert.deepEqual(await code(await register(app, "ann")), [403, "registration_closed"]);
  });

  it("invite: with a code, whose last use comes back when the mailbox is never verified", async () => {
    await app.set("registration", { mode: "invite" });
    const { id, code: inviteCode } = await invite({ maxUses: 1 });
    assert.deepEqual(await code(await register(app, "ann")), [403, "invite_invalid"]);
    const wrong = { inviteCode: "inv-00000-00000-00000-00000" };
    assert.deepEqual(await code(await register(app, "ann", wrong)), [403, "invite_invalid"]);
    assert.equal((await register(app, "ann", { inviteCode })).status, 202);
    assert.deepEqual(await code(await register(app, "bob", { inviteCode })), [403, "invite_invalid"]);
    app.clock.advance(DAY_MS + 1);
    await app.auth.sweep();
    assert.equal(await usedCount(id), 0);
    assert.equal((await register(app, "bob", { inviteCode })).status, 202);
    assert.equal((await verify(app, "bob@example.org")).status, 200);
    app.clock.advance(DAY_MS + 1);
    await app.auth.sweep();
    assert.equal(await usedCount(id), 1);
  });

  it("invite: 16 at once get the last use once, for a taken address as for a free one", async () => {
    await app.signUp("taken");
    await app.set("registration", { mode: "invite" });
    const { code: inviteCode } = await invite({ maxUses: 1 });
    const all = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        register(app, `user${i}`, { inviteCode, ...(i % 2 === 0 ? { email: "taken@example.org" } : {}) }),
      ),
    );
    assert.deepEqual(
      all.map(({ status }) => status).sort((a, b) => a - b),
      [202, ...Array.from({ length: 15 }, () => 403)],
    );
  });

  it("invite: who registered twice and proved the mailbox once has used it once", async () => {
    await app.set("registration", { mode: "invite" });
    const { id, code: inviteCode } = await invite({ maxUses: 2 });
    await register(app, "ann", { inviteCode });
    app.clock.advance(MINUTE_MS);
    await register(app, "anna", { inviteCode, email: "ann@example.org" });
    assert.equal(await usedCount(id), 2);
    assert.equal((await verify(app, "ann@example.org")).status, 200);
    assert.equal(await usedCount(id), 1);
  });

  it("approval: proved, then approved, then in", async () => {
    await app.set("registration", { mode: "approval" });
    await register(app, "ann");
    const verified = await verify(app, "ann@example.org");
    assert.deepEqual(await read(verified, 202), { status: "approval_pending" });
    assert.deepEqual(await code(await logIn(app, "ann")), [403, "account_pending"]);
    assert.deepEqual(await code(await logIn(app, "ann", OTHER)), [401, "invalid_credentials"]);
    const { items }: { items: { id: string }[] } = await read(
      await app.admin("GET", "/api/admin/users?status=pending"),
      200,
    );
    const path = `/api/admin/users/${items[0]?.id}`;
    assert.equal((await app.admin("PATCH", path, { status: "active" })).status, 200);
    assert.equal((await tokensOf(await logIn(app, "ann"))).user.status, "active");
  });

  it("without required verification: signed in at once, and a taken address is said to be", async () => {
    for (const emailVerification of ["optional", "off"] as const) {
      app = await createTestApp();
      await app.set("registration", { emailVerification });
      const response = await register(app, "ann");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.ok(response.headers.get("x-device-token"));
      const { user, accessToken } = await tokensOf(response, 201);
      assert.deepEqual([user.emailVerified, user.passwordSet], [false, true]);
      assert.equal((await app.send("GET", "/api/auth/validate", { token: accessToken })).status, 200);
      assert.equal((await logIn(app, "ann")).status, 200);
      const taken = await register(app, "bob", { email: "ANN@example.org" });
      assert.deepEqual(await code(taken), [409, "email_taken"]);
      const mails = await app.mailsTo("ann@example.org");
      assert.equal(mails.length, emailVerification === "optional" ? 1 : 0);
    }
  });

  it("waits for approval without verification too", async () => {
    await app.set("registration", { mode: "approval", emailVerification: "off" });
    assert.deepEqual(await read(await register(app, "ann"), 202), { status: "approval_pending" });
    assert.deepEqual(await code(await logIn(app, "ann")), [403, "account_pending"]);
  });
});

describe("what may be registered", () => {
  const refusal = async (more: object, username = "ann"): Promise<[number, string]> =>
    code(await register(app, username, { ...more }));

  it("takes addresses of the allowed domains and those below, and none of the blocked", async () => {
    await app.set("registration", { allowedDomains: ["example.org"], blockedDomains: ["bad.example.org"] });
    assert.equal((await register(app, "a1", { email: "a1@EXAMPLE.org" })).status, 202);
    assert.equal((await register(app, "b2", { email: "b2@mail.example.org" })).status, 202);
    for (const email of ["c@example.com", "c@notexample.org", "c@bad.example.org", "c@x.BAD.example.org"])
      assert.deepEqual(await refusal({ email }, "c3"), [422, "invalid"], email);
  });

  it("keeps names to the settings' lengths, and the reserved ones", async () => {
    await app.set("registration", { usernameMinLength: 3, usernameMaxLength: 5 });
    assert.deepEqual(await refusal({}, "ab"), [422, "invalid"]);
    assert.deepEqual(await refusal({}, "abcdef"), [422, "invalid"]);
    assert.deepEqual(await refusal({}, "AdMiN".slice(0, 5)), [409, "username_taken"]);
    assert.equal((await register(app, "abc")).status, 202);
  });

  it("wants the present terms accepted, and says which", async () => {
    await app.set("registration", { termsVersion: "2026-01" });
    const response = await register(app, "ann", { termsVersion: "2025-01" });
    const problem: { code: string; termsVersion: string } = await read(response, 422);
    assert.deepEqual([problem.code, problem.termsVersion], ["terms_required", "2026-01"]);
    assert.equal((await register(app, "ann", { termsVersion: "2026-01" })).status, 202);
  });

  it("refuses passwords that are short, long, common or one's own", async () => {
    await app.set("registration", { siteName: "Harbour Club" });
    const cases: readonly (readonly [string, string])[] = [
      ["x7q9z2k", "invalid"],
      ["🦊🐻🐼🦁🐯🐸🐵", "invalid"], // 7 code points, 14 UTF-16 units
      ["🦊".repeat(257), "invalid"],
      ["a1".repeat(129), "invalid"],
      ["password123", "password_blocked"],
      ["ＰＡＳＳＷＯＲＤ123", "password_blocked"], // full width
      ["Marie.Curie", "password_blocked"],
      ["marie.curie@example.org", "password_blocked"],
      ["polonium.lab", "password_blocked"],
      ["Dr. Maria S.", "password_blocked"],
      ["harbour CLUB", "password_blocked"],
    ];
    const more = { email: "polonium.lab@example.org", displayName: "Dr. Maria S." };
    for (const [password, expected] of cases) {
      const email = password.includes("@") ? password : more.email;
      const refused = await refusal({ ...more, email, password }, "marie.curie");
      assert.deepEqual(refused, [422, expected], password);
    }
    assert.equal((await register(app, "a1", { password: "🦊🐻🐼🦁🐯🐸🐵🐙" })).status, 202);
    assert.equal((await register(app, "b2", { password: "🦊".repeat(256) })).status, 202);
  });

  it("takes a password for the same however its letters are composed", async () => {
    const composed = "schöne Grüße aus Å";
    await register(app, "ann", { password: composed });
    assert.equal((await verify(app, "ann@example.org")).status, 200);
    assert.equal((await logIn(app, "ann", composed.normalize("NFD"))).status, 200);
    await register(app, "bob", { password: composed.normalize("NFD") });
    await verify(app, "bob@example.org");
    assert.equal((await logIn(app, "bob", composed)).status, 200);
    assert.equal((await logIn(app, "bob", composed.toLowerCase())).status, 401);
  });

  it("lets no one request a role, a state or a verified address", async () => {
    const wanted = { role: "admin", status: "active", emailVerified: true, userId: "usr_1" };
    assert.deepEqual(await code(await register(app, "ann", wanted)), [422, "invalid"]);
    await register(app, "ann");
    assert.deepEqual(await code(await logIn(app, "ann", PASSWORD)), [403, "email_unverified"]);
    const { accessToken } = await tokensOf(await verify(app, "ann@example.org"));
    const me: { role: string } = await read(
      await app.send("GET", "/api/auth/me", { token: accessToken }),
      200,
    );
    assert.equal(me.role, "user");
    assert.equal((await post(app, "register", { username: "bob" })).status, 422);
  });
});
