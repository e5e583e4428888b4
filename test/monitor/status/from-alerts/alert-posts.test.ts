/** What status pages say of alerts: drafts with one click, and incidents that publish and end themselves. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
// First: it brings the schemas' OpenAPI parts.
import { type TestApp, createTestApp } from "../../app-fixture.ts";
import type { Directory } from "../../../../src/monitor/checks/directory.ts";
import type { CheckState } from "../../../../src/monitor/checks/schema.ts";
import { AlertPosts } from "../../../../src/monitor/status/from-alerts/alert-posts.ts";
import type { PostView } from "../../../../src/monitor/status/post-schema.ts";
import { found } from "../../alerts/fake-checks.ts";

const PAGES = "/api/admin/status-pages";
const tcp = { kind: "tcp", host: "10.9.8.7", port: 5_432 };

let app: TestApp;
/** Ids by the names of checks. */
let ids: Map<string, string>;

beforeEach(async () => {
  app = await createTestApp();
  // From now on this process judges; nothing is tried, since nothing ticks again.
  await app.monitor.checkWatch.tick();
  ids = new Map();
  for (const name of ["internal-shop", "internal-blog"]) {
    const made = await app.admin("POST", "/api/admin/checks", { name, target: tcp });
    assert.equal(made.status, 201, await made.clone().text());
    ids.set(name, ((await made.json()) as { id: string }).id);
  }
});

async function addPage(more: object = {}): Promise<string> {
  const component = (name: string, checkId: string | undefined) => ({
    name,
    source: { type: "check", checkId },
  });
  const made = await app.admin("POST", PAGES, {
    slug: "main",
    title: "Example",
    components: [component("Shop", ids.get("internal-shop")), component("Blog", ids.get("internal-blog"))],
    ...more,
  });
  assert.equal(made.status, 201, await made.clone().text());
  return ((await made.json()) as { id: string }).id;
}

function stand(name: string, state: CheckState): void {
  // `as`: what fills the directory knows it whole.
  const directory = app.monitor.checkDirectory as Directory;
  const id = ids.get(name) ?? "";
  const places = state === "up" ? [found()] : [found({ fault: "refused", detail: "ECONNREFUSED 10.9.8.7" })];
  directory.take({ id, version: 1, revision: 1, state, since: app.clock.now(), places });
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    app.clock.advance(1_000);
    app.monitor.tick();
    await app.monitor.alerts.tick();
    await app.monitor.alertPosts.follow();
  }
}

async function listPosts(pageId: string): Promise<readonly PostView[]> {
  const response = await app.admin("GET", `${PAGES}/${pageId}/posts`);
  return ((await response.json()) as { items: PostView[] }).items;
}

async function listIncidentIds(): Promise<readonly string[]> {
  const response = await app.admin("GET", "/api/admin/incidents");
  return ((await response.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
}

async function draft(incidentId: string, body: object = {}): Promise<Response> {
  return app.admin("POST", `/api/admin/incidents/${incidentId}/draft`, body);
}

describe("a draft of an alert", () => {
  it("is created once with one click, names components and nothing of the check, and is not public", async () => {
    const pageId = await addPage();
    stand("internal-shop", "down");
    await pass(2);
    const [incidentId = ""] = await listIncidentIds();
    const made = await draft(incidentId);
    assert.equal(made.status, 201, await made.clone().text());
    const post = (await made.json()) as PostView;
    assert.deepEqual(
      [post.pageId, post.state, post.step, post.title, post.impact],
      [pageId, "draft", "investigating", "Shop is unavailable", "critical"],
    );
    assert.deepEqual(post.alertIncidentIds, [incidentId]);
    assert.doesNotMatch(JSON.stringify(post), /internal|10\.9\.8\.7|ECONN/u);
    const again = await draft(incidentId, { pageId });
    assert.equal(again.status, 200);
    assert.equal(((await again.json()) as PostView).id, post.id);
    assert.doesNotMatch(await (await app.raw("/status/main")).text(), /Shop is unavailable/u);
    stand("internal-shop", "up");
    await pass(2);
    assert.equal((await listPosts(pageId))[0]?.state, "draft");
  });

  it("is refused without a page, and of an incident that is not there", async () => {
    stand("internal-shop", "down");
    await pass(1);
    const [incidentId = ""] = await listIncidentIds();
    assert.equal((await draft(incidentId)).status, 409);
    await addPage();
    assert.equal((await draft("inc_none")).status, 404);
    assert.equal((await draft(incidentId, { pageId: "stp_none" })).status, 404);
    assert.equal((await draft(incidentId, { other: 1 })).status, 422);
  });
});

describe("a page that publishes alerts", () => {
  it("tells of all that is wrong in one incident, which ends when all of it is over", async () => {
    const pageId = await addPage({ publishesAlerts: true });
    stand("internal-shop", "down");
    await pass(3);
    const [begun, ...more] = await listPosts(pageId);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [begun?.state, begun?.title, begun?.isAutomatic, Object.values(begun?.components ?? {})],
      ["open", "Shop is unavailable", true, ["major_outage"]],
    );
    stand("internal-blog", "down");
    await pass(2);
    stand("internal-shop", "up");
    await pass(2);
    const [going, ...others] = await listPosts(pageId);
    assert.deepEqual(others, []);
    assert.deepEqual(
      going?.updates.map(({ step, text }) => `${step}: ${text}`),
      [
        "investigating: Our monitoring detected a problem with Shop. We’re investigating.",
        "investigating: Also affected: Blog.",
        "investigating: Recovered: Shop.",
      ],
    );
    assert.deepEqual(
      Object.values(going.components).toSorted((a, b) => a.localeCompare(b)),
      ["major_outage", "operational"],
    );
    stand("internal-blog", "up");
    await pass(5);
    const [ended] = await listPosts(pageId);
    assert.deepEqual(
      [ended?.state, ended?.updates.at(-1)?.step, ended?.updates.at(-1)?.text],
      ["ended", "resolved", "All affected systems have recovered. The incident lasted 8 s."],
    );
    assert.ok(Object.values(ended?.components ?? {}).every((status) => status === "operational"));
    assert.doesNotMatch(JSON.stringify(ended), /internal|10\.9\.8\.7|ECONN/u);
  });

  it("leaves what people ended or deleted, and says nothing of muted checks and other alerts", async () => {
    const pageId = await addPage({ publishesAlerts: true, language: "de" });
    stand("internal-shop", "down");
    await pass(2);
    const [post] = await listPosts(pageId);
    assert.equal(post?.title, "Shop ist nicht verfügbar");
    const path = `${PAGES}/${pageId}/posts/${post.id}`;
    const ended = await app.admin("POST", `${path}/updates`, { step: "resolved", text: "Gone" });
    assert.ok(ended.ok, await ended.clone().text());
    await pass(4);
    assert.equal((await listPosts(pageId)).length, 1);
    assert.equal((await app.admin("DELETE", path)).status, 204);
    await pass(4);
    assert.deepEqual(await listPosts(pageId), []);
    await app.admin("PATCH", `/api/admin/checks/${ids.get("internal-blog")}`, { mute: {} });
    stand("internal-blog", "down");
    await pass(4);
    assert.deepEqual(await listPosts(pageId), []);
  });

  it("leaves what people deleted also when another node leads from then on", async () => {
    const pageId = await addPage({ publishesAlerts: true });
    const { store, status, alerts } = app.monitor;
    const nodes = { isLeader: false };
    const other = new AlertPosts({ store, clock: app.clock, status, alerts, nodes });
    stand("internal-shop", "down");
    await pass(2);
    await other.follow();
    const [post] = await listPosts(pageId);
    assert.equal(post?.state, "open");
    assert.equal((await app.admin("DELETE", `${PAGES}/${pageId}/posts/${post.id}`)).status, 204);
    await other.follow();
    nodes.isLeader = true;
    await other.follow();
    assert.deepEqual(await listPosts(pageId), []);
  });

  it("keeps deleted posts deleted, even if the process restarts while the alert goes on", async () => {
    const pageId = await addPage({ publishesAlerts: true });
    stand("internal-shop", "down");
    await pass(2);
    const [post] = await listPosts(pageId);
    assert.equal((await app.admin("DELETE", `${PAGES}/${pageId}/posts/${post?.id}`)).status, 204);
    await pass(601);
    const { store, status, alerts } = app.monitor;
    const deps = { store, clock: app.clock, status, alerts, nodes: { isLeader: true } };
    const restarted = new AlertPosts(deps);
    for (let run = 0; run < 2; run += 1) await restarted.follow();
    assert.deepEqual(await listPosts(pageId), []);
    stand("internal-blog", "down");
    await app.monitor.alerts.tick();
    await restarted.follow();
    assert.equal((await listPosts(pageId)).length, 1, "and says what begins from then on");
  });

  it("says nothing where it does not publish alerts", async () => {
    const pageId = await addPage();
    stand("internal-shop", "down");
    await pass(4);
    assert.deepEqual(await listPosts(pageId), []);
  });
});
