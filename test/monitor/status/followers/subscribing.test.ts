/** Following a page by email: who confirms, how many requests are sent, and what anonymous visitors can cause. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../../src/kit/errors.ts";
import { subscribers } from "../../../../src/monitor/status/followers/records.ts";
import { subscriptionRequestSchema } from "../../../../src/monitor/status/followers/schema.ts";
import { ask, createFollowersFixture, follow, readLink } from "./followers-fixture.ts";

const hour = 3_600_000;
const isCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

describe("following a page by mail", () => {
  it("asks the address, and counts when it says yes", async () => {
    const fixture = await createFollowersFixture();
    await ask(fixture, "Ada@Example.org", { componentIds: ["cmp_web"] });
    await fixture.deliver();
    assert.equal(fixture.mails.length, 1);
    const [mail] = fixture.mails;
    assert.equal(mail?.to, "ada@example.org");
    assert.match(mail?.subject ?? "", /Confirm your subscription to Northwind status/u);
    assert.match(mail?.html ?? "", /Confirm subscription/u);
    const name = readLink(mail?.text ?? "");
    assert.equal((await fixture.followers.subscriptions.find(name)).subscriber?.state, "pending");
    const { subscriber } = await fixture.followers.subscriptions.confirm(name);
    assert.equal(subscriber?.state, "active");
    assert.equal(subscriber.consent, "address");
    assert.deepEqual(subscriber.componentIds, ["cmp_web"]);
    // A second press of the button changes nothing.
    const since = subscriber.activeSince;
    fixture.clock.advance(1_000);
    assert.equal((await fixture.followers.subscriptions.confirm(name)).subscriber?.activeSince, since);
  });

  it("writes nothing to who has not said yes", async () => {
    const fixture = await createFollowersFixture();
    await ask(fixture, "ada@example.org");
    await fixture.deliver();
    await fixture.publish();
    await fixture.deliver();
    assert.equal(fixture.mails.length, 1);
  });

  it("asks once an hour, and three times a day", async () => {
    const fixture = await createFollowersFixture();
    for (let tries = 0; tries < 3; tries += 1) {
      await ask(fixture, "ada@example.org", { from: `192.0.2.${tries + 1}` });
      await ask(fixture, "ada+x@example.org", { from: `192.0.3.${tries + 1}` }).catch(() => undefined);
    }
    await fixture.deliver();
    // Two names of one mailbox: three of the six requests were too many, from any client.
    assert.equal(fixture.mails.length, 2);
    fixture.clock.advance(2 * hour);
    await ask(fixture, "ada@example.org", { from: "198.51.100.1" });
    await fixture.deliver();
    assert.equal(fixture.mails.length, 2);
    fixture.clock.advance(48 * hour);
    await ask(fixture, "ada@example.org", { from: "198.51.100.1" });
    await fixture.deliver();
    assert.equal(fixture.mails.length, 3);
  });

  it("refuses who asks for too many, whatever the addresses; the network counts, not the host", async () => {
    const fixture = await createFollowersFixture();
    for (let n = 0; n < 10; n += 1)
      await ask(fixture, `a${n}@example.org`, { from: `2001:db8:1:1::${n + 1}` });
    await assert.rejects(
      ask(fixture, "b@example.org", { from: "2001:db8:1:1::ffff" }),
      isCode("rate_limited"),
    );
    await ask(fixture, "b@example.org", { from: "2001:db8:1:2::1" });
  });

  for (const [kind, toAddress, limit] of [
    ["/48 of IPv6", (n: number) => `2001:db8:1:${n.toString(16)}::1`, 20],
    ["/24 of IPv4", (n: number) => `192.0.2.${n}`, 20],
    ["/32 of IPv6", (n: number) => `2001:db8:${n.toString(16)}::1`, 60],
    ["/16 of IPv4", (n: number) => `198.51.${n}.1`, 60],
  ] as const)
    it(`leaves room for others when a whole ${kind} asks`, async () => {
      const fixture = await createFollowersFixture();
      let taken = 0;
      for (let n = 0; n < 100; n += 1)
        await ask(fixture, `a@host${n}.example`, { from: toAddress(n) }).then(
          () => (taken += 1),
          () => undefined,
        );
      assert.equal(taken, limit);
      await ask(fixture, "b@example.org", { from: "203.0.113.1" });
    });

  it("answers the same for who follows already, and tells that address how to change it", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, "ada@example.org");
    fixture.clock.advance(2 * hour);
    assert.equal(await ask(fixture, "ada@example.org", { componentIds: ["cmp_api"] }), undefined);
    await fixture.deliver();
    assert.match(fixture.mails.at(-1)?.subject ?? "", /already/u);
    const { subscriber } = await fixture.followers.subscriptions.find(
      readLink(fixture.mails.at(-1)?.text ?? ""),
    );
    // A stranger changes nothing of it.
    assert.deepEqual(subscriber?.componentIds, []);
  });

  it("forgets who has not said yes after three days", async () => {
    const fixture = await createFollowersFixture();
    await ask(fixture, "ada@example.org");
    await fixture.deliver();
    const name = readLink(fixture.mails[0]?.text ?? "");
    fixture.clock.advance(73 * hour);
    assert.equal((await fixture.followers.subscriptions.confirm(name)).subscriber, undefined);
    await fixture.followers.sweep();
    assert.equal(await fixture.store.read((tx) => tx.count(subscribers)), 0);
  });

  it("holds a bounded number of addresses that have not said yes", async () => {
    const fixture = await createFollowersFixture();
    await fixture.store.transact(async (tx) => {
      for (let n = 0; n < 500; n += 1)
        await tx.insert(subscribers, {
          id: `sub_${n}`,
          pageId: "stp_1",
          way: "mail",
          address: `x${n}@example.org`,
          componentIds: [],
          language: "en",
          state: "pending",
          createdAt: 1,
          expiresAt: fixture.clock.now() + hour,
        });
    });
    await assert.rejects(ask(fixture, "ada@example.org"), isCode("conflict"));
  });

  it("says why it cannot be followed", async () => {
    const fixture = await createFollowersFixture();
    fixture.hasMailServer = false;
    assert.equal(await fixture.followers.findFault(fixture.page, "mail"), "no_mail_server");
    assert.equal(await fixture.followers.findFault(fixture.page, "webhook"), undefined);
    await assert.rejects(ask(fixture, "ada@example.org"), isCode("unavailable"));
    const off = await createFollowersFixture({ subscribers: { mail: false, webhook: false } });
    await assert.rejects(ask(off, "ada@example.org"), isCode("not_found"));
  });

  it("takes no address that could be two, or a header", () => {
    for (const address of [
      "ada@example.org\r\nBcc: all@example.org",
      "ada@example.org, bob@example.org",
      "Ada <ada@example.org>",
      "ada@example.org\u2028x",
      "ada@exam ple.org",
      `${"a".repeat(65)}@example.org`,
    ]) {
      const given = { way: "mail", address };
      assert.equal(subscriptionRequestSchema.safeParse(given).success, false, JSON.stringify(address));
    }
    for (const address of ["http://example.org/", "https://u:p@example.org/", "javascript:alert(1)"])
      assert.equal(subscriptionRequestSchema.safeParse({ way: "webhook", address }).success, false, address);
  });

  it("refuses components that the page does not have", async () => {
    const fixture = await createFollowersFixture();
    await assert.rejects(ask(fixture, "a@example.org", { componentIds: ["cmp_x"] }), isCode("invalid"));
  });
});

describe("the links of mails", () => {
  it("do not open with another token, or the token of another subscriber", async () => {
    const fixture = await createFollowersFixture();
    const ada = await follow(fixture, "ada@example.org");
    const bob = await follow(fixture, "bob@example.org", { from: "192.0.2.9" });
    const { subscriptions } = fixture.followers;
    for (const token of ["", "x", bob.token, `${ada.token}x`, ada.token.slice(1)])
      for (const work of [subscriptions.find, subscriptions.confirm, subscriptions.end])
        await assert.rejects(work({ id: ada.id, token }), isCode("not_found"));
    assert.equal((await subscriptions.find(ada)).subscriber?.state, "active");
  });

  it("end it with all pending emails, and again without an error; they do not end a newer subscription", async () => {
    const fixture = await createFollowersFixture();
    const ada = await follow(fixture, "ada@example.org");
    await fixture.publish();
    fixture.hasMailServer = false;
    await fixture.deliver();
    const before = fixture.mails.length;
    await fixture.followers.subscriptions.end(ada);
    await fixture.followers.subscriptions.end(ada);
    fixture.hasMailServer = true;
    await fixture.deliver();
    assert.equal(fixture.mails.length, before);
    fixture.clock.advance(2 * hour);
    const anew = await follow(fixture, "ada@example.org");
    await fixture.followers.subscriptions.end(ada);
    assert.equal((await fixture.followers.subscriptions.find(anew)).subscriber?.state, "active");
  });

  it("change what it is about and the language; what is not of the page is left out", async () => {
    const fixture = await createFollowersFixture();
    const ada = await follow(fixture, "ada@example.org");
    const { subscriptions } = fixture.followers;
    const change = { componentIds: ["cmp_api", "cmp_gone"], language: "de" } as const;
    const { subscriber } = await subscriptions.change(ada, change);
    assert.deepEqual(subscriber?.componentIds, ["cmp_api"]);
    assert.equal(subscriber.language, "de");
    const all = await subscriptions.change(ada, { componentIds: ["cmp_api", "cmp_web"], language: "de" });
    assert.deepEqual(all.subscriber?.componentIds, []);
  });
});
