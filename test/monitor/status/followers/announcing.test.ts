/** Notifications of followers: each once, in their language, about what they chose, despite crashes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toFollowerEvent } from "../../../../src/monitor/status/followers/announcing.ts";
import { announcements, subscribers } from "../../../../src/monitor/status/followers/records.ts";
import type { IncidentUpdate } from "../../../../src/monitor/status/schema.ts";
import { type FollowersFixture, createFollowersFixture, follow, toPost } from "./followers-fixture.ts";

const hour = 3_600_000;

/** Followers that are there from the beginning. */
async function addMany({ store, clock }: FollowersFixture, count: number): Promise<void> {
  await store.transact(async (tx) => {
    for (let n = 0; n < count; n += 1)
      await tx.insert(subscribers, {
        id: `sub_${String(n).padStart(5, "0")}`,
        pageId: "stp_1",
        way: "mail",
        componentIds: [],
        address: `x${n}@example.org`,
        language: "en",
        state: "active",
        createdAt: clock.now(),
        activeSince: clock.now(),
      });
  });
}

function update(id: string, step: IncidentUpdate["step"], at: number): IncidentUpdate {
  return { id, step, text: `Said ${step}.`, at, components: {} };
}

describe("mails to followers", () => {
  it("say what happened, with the components, one link and a way out", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, "ada@example.org");
    const told = { id: "upd_1", step: "investigating", at: fixture.clock.now() } as const;
    const components = { cmp_web: "partial_outage" } as const;
    await fixture.publish({
      post: { components, updates: [{ ...told, text: "Line one.\n<b>Line two</b>", components }] },
    });
    await fixture.deliver();
    const mail = fixture.mails.at(-1);
    assert.equal(mail?.subject, "Northwind status: Shop is slow (Investigating)");
    assert.match(mail.text, /A new incident was reported\. Investigating\./u);
    assert.match(mail.text, /Website: Partial outage/u);
    assert.match(mail.text, /https:\/\/monitor\.example\.org\/status\/main\/incidents\/inc_1/u);
    assert.match(mail.html ?? "", /Line one\.<br>&lt;b&gt;Line two&lt;\/b&gt;/u);
    assert.match(
      mail.unsubscribe ?? "",
      /^https:\/\/monitor\.example\.org\/status\/main\/subscription\/sub_[0-9a-z]+\/[\w-]{43}\/unsubscribe$/u,
    );
    assert.ok(mail.text.includes(mail.unsubscribe ?? "?"));
  });

  it("are in the language that was chosen", async () => {
    const fixture = await createFollowersFixture();
    const name = await follow(fixture, "ada@example.org");
    await fixture.followers.subscriptions.change(name, { componentIds: [], language: "de" });
    await fixture.publish();
    await fixture.deliver();
    assert.equal(fixture.mails.at(-1)?.subject, "Northwind status: Shop is slow (Wird untersucht)");
    assert.match(fixture.mails.at(-1)?.html ?? "", /<html lang="de" dir="ltr">/u);
  });

  it("go to those alone whose components it is about; what is about none goes to all", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, "web@example.org", { componentIds: ["cmp_web"] });
    await follow(fixture, "api@example.org", { componentIds: ["cmp_api"], from: "192.0.2.2" });
    await follow(fixture, "all@example.org", { from: "192.0.2.3" });
    const before = fixture.mails.length;
    await fixture.publish({ post: { components: { cmp_web: "major_outage" } } });
    await fixture.deliver();
    const told = fixture.mails.slice(before).map(({ to }) => to);
    assert.deepEqual(told.sort(), ["all@example.org", "web@example.org"]);
    await fixture.publish({ post: { id: "inc_2" } });
    await fixture.deliver();
    assert.equal(fixture.mails.length, before + 5);
  });

  it("come in the order in which things were said, also when the mail server is away", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, "ada@example.org");
    fixture.hasMailServer = false;
    const at = fixture.clock.now();
    const first = update("upd_1", "investigating", at);
    const last = update("upd_2", "resolved", at + 1);
    await fixture.publish({ post: { updates: [first] } });
    await fixture.publish({ type: "ended", update: last, post: { state: "ended", updates: [first, last] } });
    await fixture.deliver();
    assert.equal(fixture.mails.length, 1);
    fixture.hasMailServer = true;
    await fixture.deliver();
    fixture.clock.advance(60_000);
    await fixture.deliver();
    const subjects = fixture.mails.slice(1).map(({ subject }) => subject.replace(/^.*\(/u, "("));
    assert.deepEqual(subjects, ["(Investigating)", "(Resolved)"]);
  });

  it("reach each of thousands once, in batches, also when another process goes on in between", async () => {
    const fixture = await createFollowersFixture();
    await addMany(fixture, 1_050);
    fixture.clock.advance(1_000);
    await fixture.publish();
    await Promise.all([fixture.deliver(), fixture.deliver()]);
    await fixture.deliver();
    assert.equal(fixture.mails.length, 1_050);
    assert.equal(new Set(fixture.mails.map(({ to }) => to)).size, 1_050);
    const [told] = (await fixture.store.read((tx) => tx.list(announcements, "id", { limit: 10 }))).items;
    assert.equal(told?.told, 1_050);
    assert.equal(told.state, "done");
  });

  it("are not written if the author says so, nor for a page without followers or a hidden one", async () => {
    const fixture = await createFollowersFixture();
    const count = (): Promise<number> => fixture.store.read((tx) => tx.count(announcements));
    await fixture.publish();
    assert.equal(await count(), 0);
    await follow(fixture, "ada@example.org");
    await fixture.publish({ notifies: false });
    await fixture.publish({ page: { ...fixture.page, published: false } });
    assert.equal(await count(), 0);
  });

  it("are not sent to who came after it was said, and forgotten after days", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, "ada@example.org");
    await fixture.publish();
    fixture.clock.advance(1_000);
    await fixture.followers.admin.add(
      "stp_1",
      { way: "mail", address: "late@example.org", componentIds: [], hasConsent: true },
      { name: "token", requestId: "1" },
    );
    await fixture.deliver();
    assert.equal(fixture.mails.filter(({ to }) => to === "late@example.org").length, 0);
    fixture.clock.advance(9 * 24 * hour);
    await fixture.followers.sweep();
    assert.equal(await fixture.store.read((tx) => tx.count(announcements)), 0);
  });

  it("survive huge texts and many components", async () => {
    const many = Array.from({ length: 200 }, (_, n) => {
      return { id: `cmp_${n}`, name: `${n} ${"n".repeat(95)}`, source: { type: "manual" } };
    });
    const fixture = await createFollowersFixture({ components: many });
    await follow(fixture, "ada@example.org");
    const components = Object.fromEntries(many.map(({ id }) => [id, "major_outage" as const]));
    const text = "<&'\">".repeat(10_000);
    const said = { id: "upd_1", step: "investigating", text, at: fixture.clock.now(), components } as const;
    await fixture.publish({ post: { title: "t".repeat(300), components, updates: [said] } });
    await fixture.deliver();
    assert.equal(fixture.mails.length, 2);
    assert.ok((fixture.mails[1]?.html ?? "").length <= 100_000);
  });
});

describe("notifications of followers", () => {
  it("is named by what happened", () => {
    const post = toPost(0);
    const said = (step: IncidentUpdate["step"]): IncidentUpdate => update("u", step, 0);
    const name = (type: "published" | "updated" | "ended", step: IncidentUpdate["step"]) =>
      toFollowerEvent({ type, post, update: said(step) });
    assert.equal(name("published", "investigating"), "incident.created");
    assert.equal(name("updated", "identified"), "incident.updated");
    assert.equal(name("ended", "resolved"), "incident.resolved");
    assert.equal(name("updated", "postmortem"), "incident.updated");
    const planned = (type: "published" | "updated" | "ended", steps: IncidentUpdate["step"][]) =>
      toFollowerEvent({
        type,
        post: { ...post, type: "maintenance", updates: steps.map(said) },
        update: said(steps.at(-1) ?? "scheduled"),
      });
    assert.equal(planned("published", ["scheduled"]), "maintenance.scheduled");
    assert.equal(planned("updated", ["scheduled", "in_progress"]), "maintenance.started");
    assert.equal(planned("updated", ["in_progress", "in_progress"]), "maintenance.updated");
    assert.equal(planned("ended", ["in_progress", "completed"]), "maintenance.completed");
  });
});
