/** Subscribers as administrators keep them: added with consent, listed, removed, exported. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../../src/kit/errors.ts";
import { subscribers } from "../../../../src/monitor/status/followers/records.ts";
import { addedSubscriberSchema } from "../../../../src/monitor/status/followers/schema.ts";
import { statusPages } from "../../../../src/monitor/status/records.ts";
import { actor } from "../../fixtures.ts";
import { createFollowersFixture, follow } from "./followers-fixture.ts";

const isCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;
const added = (address: string, more: object = {}) =>
  addedSubscriberSchema.parse({ address, hasConsent: true, ...more });

describe("subscribers of a page", () => {
  it("are added by who says that they agreed, once", async () => {
    const { followers } = await createFollowersFixture({ language: "de" });
    const view = await followers.admin.add("stp_1", added("Ada@example.org"), actor);
    assert.equal(view.state, "active");
    assert.equal(view.consent, "administrator");
    assert.equal(view.language, "de");
    await assert.rejects(
      followers.admin.add("stp_1", added("ada@EXAMPLE.org"), actor),
      isCode("already_exists"),
    );
    assert.equal(addedSubscriberSchema.safeParse({ address: "a@b.example" }).success, false);
    for (const address of ["not an address", "a@b.example\n", "https://x.example"])
      await assert.rejects(async () => followers.admin.add("stp_1", added(address), actor));
    const hook = await followers.admin.add("stp_1", added("https://x.example/a", { way: "webhook" }), actor);
    assert.match(hook.secret ?? "", /^whsec_/u);
  });

  it("are listed with their counts, removed, and of no other page", async () => {
    const fixture = await createFollowersFixture();
    const { admin } = fixture.followers;
    await follow(fixture, "ada@example.org");
    await admin.add("stp_1", added("bob@example.org"), actor);
    const { items, counts } = await admin.list("stp_1", { limit: 10 });
    assert.deepEqual(counts, { active: 2, pending: 0 });
    assert.equal(items[0]?.address, "bob@example.org");
    const id = items[0].id;
    await assert.rejects(admin.remove("stp_2", id, actor), isCode("not_found"));
    await admin.remove("stp_1", id, actor);
    await assert.rejects(admin.remove("stp_1", id, actor), isCode("not_found"));
    await assert.rejects(admin.list("stp_2", { limit: 10 }), isCode("not_found"));
  });

  it("are exported as CSV that no program takes for formulas", async () => {
    const { followers } = await createFollowersFixture({
      components: [{ id: "cmp_web", name: '=HYPERLINK("http://x")', source: { type: "manual" } }],
    });
    const more = { componentIds: ["cmp_web"] };
    await followers.admin.add("stp_1", added("=cmd|x@example.org", more), actor);
    await followers.admin.add("stp_1", added("+1@example.org"), actor);
    const [head, first, second] = (await followers.admin.export("stp_1", actor)).split("\r\n");
    assert.equal(head, "\ufeffaddress,way,state,language,components,consent,since");
    assert.match(first ?? "", /^'=cmd\|x@example\.org,mail,active,en,"'=HYPERLINK/u);
    assert.match(second ?? "", /^'\+1@example\.org/u);
  });

  it("go with their page", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, "ada@example.org");
    await fixture.store.transact((tx) => tx.remove(statusPages, "stp_1"));
    await fixture.followers.sweep();
    assert.equal(await fixture.store.read((tx) => tx.count(subscribers)), 0);
  });
});
