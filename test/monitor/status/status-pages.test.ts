/** Status pages and what is posted on them, over the routes of administrators. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PostEvent } from "../../../src/monitor/status/post-events.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { addPage, addPost, postsPath, readJson } from "./status-fixture.ts";

const PAGES = "/api/admin/status-pages";

async function assertRefused(answer: Promise<Response>, status: number, code: string): Promise<void> {
  const response = await answer;
  assert.equal(response.status, status);
  assert.equal((await readJson(response))["code"], code);
}

describe("status pages of administrators", () => {
  it("creates, changes, replaces and deletes a page, and writes it to the audit", async () => {
    const app = await createTestApp();
    const page = await addPage(app, { components: [{ name: "Site", source: { type: "manual" } }] });
    assert.match(page.components[0]?.id ?? "", /^cmp_/u);
    assert.deepEqual(Object.values(page.statuses), ["operational"]);
    const changed = await app.admin("PATCH", `${PAGES}/${page.id}`, { title: "Other", version: 1 });
    assert.equal(changed.status, 200);
    const after = await readJson(changed);
    assert.equal(after["title"], "Other");
    assert.deepEqual(after["components"], page.components);
    const replaced = await app.admin("PUT", `${PAGES}/${page.id}`, { slug: "main", title: "New" });
    assert.deepEqual((await readJson(replaced))["components"], []);
    assert.equal((await app.admin("DELETE", `${PAGES}/${page.id}`)).status, 204);
    assert.deepEqual((await readJson(await app.admin("GET", PAGES)))["items"], []);
    const audit = await readJson(await app.admin("GET", "/api/admin/audit?limit=20"));
    const actions = JSON.stringify(audit["items"]);
    for (const action of ["create", "replace", "delete"])
      assert.ok(actions.includes(`"status-page.${action}"`), action);
  });

  it("refuses strangers, stale versions, taken slugs and hosts, and what is no page", async () => {
    const app = await createTestApp();
    const page = await addPage(app, { host: "status.example.org" });
    await assertRefused(app.fetch(PAGES), 401, "unauthenticated");
    await assertRefused(app.admin("POST", PAGES, { slug: "main", title: "x" }), 409, "conflict");
    const sameHost = { slug: "other", title: "x", host: "STATUS.example.org" };
    await assertRefused(app.admin("POST", PAGES, sameHost), 409, "conflict");
    await assertRefused(app.admin("PATCH", `${PAGES}/${page.id}`, { version: 7 }), 409, "version_conflict");
    await assertRefused(app.admin("GET", `${PAGES}/stp_none`), 404, "not_found");
    const bad = [
      { slug: "../up" },
      { title: "two\nlines" },
      { title: "line\u2028separator" },
      { host: "example.org/path" },
      { host: "example.org:80" },
      { homeUrl: "javascript:alert(1)" },
      { unknown: true },
      { components: [{ id: "../x", name: "a", source: { type: "manual" } }] },
    ];
    for (const fields of bad)
      await assertRefused(app.admin("POST", PAGES, { slug: "b", title: "x", ...fields }), 422, "invalid");
  });
});

describe("posts", () => {
  async function openPage(): Promise<{ app: TestApp; pageId: string; component: string; path: string }> {
    const app = await createTestApp();
    const page = await addPage(app, { components: [{ name: "Site", source: { type: "manual" } }] });
    const component = page.components[0]?.id ?? "";
    return { app, pageId: page.id, component, path: postsPath(page.id) };
  }

  it("leads an incident from investigating to its postmortem, and the component with it", async () => {
    const { app, pageId, component, path } = await openPage();
    const components = { [component]: "partial_outage" };
    const post = await addPost(app, pageId, { update: { step: "investigating", text: "Slow.", components } });
    assert.equal(post.impact, "major");
    const statusNow = async (): Promise<unknown> => {
      app.clock.advance(1_000);
      return (await readJson(await app.admin("GET", `${PAGES}/${pageId}`)))["statuses"];
    };
    assert.deepEqual(await statusNow(), { [component]: "partial_outage" });
    const say = (step: string): Promise<Response> =>
      app.admin("POST", `${path}/${post.id}/updates`, { step, text: step });
    await assertRefused(say("postmortem"), 409, "conflict");
    await assertRefused(say("completed"), 422, "invalid");
    for (const step of ["identified", "monitoring", "resolved"]) assert.equal((await say(step)).status, 200);
    assert.deepEqual(await statusNow(), { [component]: "operational" });
    const ended = await readJson(await say("postmortem"));
    assert.equal(ended["state"], "ended");
    assert.equal(ended["step"], "postmortem");
    const reopened = await readJson(await say("investigating"));
    assert.equal(reopened["state"], "open");
    assert.equal(reopened["endedAt"], undefined);
  });

  it("edits and deletes updates, and then the earlier state counts again", async () => {
    const { app, pageId, path } = await openPage();
    const post = await addPost(app, pageId, { update: { step: "investigating", text: "One" } });
    const [first] = post.updates;
    assert.ok(first);
    await assertRefused(app.admin("DELETE", `${path}/${post.id}/updates/${first.id}`), 409, "conflict");
    app.clock.advance(60_000);
    const more = await readJson(
      await app.admin("POST", `${path}/${post.id}/updates`, { step: "resolved", text: "Done" }),
    );
    const updates = more["updates"] as { id: string }[];
    const edited = await app.admin("PATCH", `${path}/${post.id}/updates/${first.id}`, { text: "Mended" });
    assert.match(JSON.stringify(await readJson(edited)), /Mended/u);
    const back = await app.admin("DELETE", `${path}/${post.id}/updates/${updates[1]?.id ?? ""}`);
    assert.equal((await readJson(back))["state"], "open");
    await assertRefused(app.admin("GET", `${postsPath("stp_other")}/${post.id}`), 404, "not_found");
  });

  it("refuses components of other pages, plans without an end, and lines in titles", async () => {
    const { app, path } = await openPage();
    const update = { step: "investigating", text: "x" };
    const bad = [
      { title: "a", update: { ...update, components: { cmp_other: "major_outage" } } },
      { title: "a\r\nb", update },
      { title: "a\u2029b", update },
      { title: "a", update: { ...update, text: "  " } },
      { title: "a", update, plannedFrom: "2026-01-01T00:00:00Z" },
      { type: "maintenance", title: "a", update: { ...update, step: "scheduled" } },
    ];
    for (const body of bad) await assertRefused(app.admin("POST", path, body), 422, "invalid");
  });

  it("tells followers inside the transaction, of drafts only once they are published", async () => {
    const { app, pageId, path } = await openPage();
    const told: [PostEvent["type"], string, boolean][] = [];
    app.monitor.status.events.follow(async (_tx, { type, update, notifies }) => {
      told.push([type, update.text, notifies]);
    });
    const update = { step: "investigating", text: "One" };
    const draft = await addPost(app, pageId, { isDraft: true, update });
    await app.admin("POST", `${path}/${draft.id}/updates`, { step: "identified", text: "Two" });
    assert.deepEqual(told, []);
    await app.admin("POST", `${path}/${draft.id}/publish`, {});
    await assertRefused(app.admin("POST", `${path}/${draft.id}/publish`, {}), 409, "conflict");
    await app.admin("POST", `${path}/${draft.id}/updates`, {
      step: "resolved",
      text: "Three",
      notifies: false,
    });
    assert.deepEqual(told, [
      ["published", "Two", true],
      ["ended", "Three", false],
    ]);
    app.monitor.status.events.follow(() => Promise.reject(new Error("The outbox is full")));
    assert.equal((await app.admin("POST", path, { title: "Lost", update })).status, 500);
    const { items } = await readJson(await app.admin("GET", path));
    assert.equal((items as unknown[]).length, 1);
  });
});
