/** Signing in to the monitor at a real auth center, and how such sessions end. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { PASSWORD, type SignedIn } from "../../auth/app-fixture.ts";
import { addFactor } from "../../auth/http/people.ts";
import { type Browser, createBrowser, signIn } from "../../auth/pages/browser.ts";
import { type OwnCenter, cookiesOf, openOwnCenter } from "../../support/own-center.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { adminSessions } from "../../../src/monitor/access/records.ts";
import { code } from "../http/requests.ts";
import { createTestStore } from "../fixtures.ts";

const own = { origin: "http://localhost" };
const MINUTE_MS = 60_000;

describe("signing in at the auth center", () => {
  let center: OwnCenter;
  let app: TestApp;
  let other: TestApp;
  let ann: SignedIn;
  let browser: Browser;

  before(async () => {
    center = await openOwnCenter();
  });
  after(() => center.close());
  beforeEach(async () => {
    center.isUp = true;
    await center.reset();
    const store = createTestStore();
    const node = async (): Promise<TestApp> =>
      createTestApp({
        store,
        clock: center.auth.clock,
        center: await center.connect("monitor"),
        publicUrl: "http://localhost",
      });
    [app, other] = [await node(), await node()];
    ann = await center.auth.signUp("ann", { role: "admin" });
    browser = createBrowser(center.auth);
    await signIn(browser, "ann", PASSWORD);
  });

  const get = (path: string, cookie = "", at = app): Promise<Response> =>
    at.raw(path, { headers: { cookie } });
  /** Through the center and back; gives the answer of the callback. */
  async function enter(path = "/admin"): Promise<Response> {
    const begun = await get(`/sign-in?rd=${encodeURIComponent(path)}`);
    return get(await center.passThrough(browser, begun), cookiesOf(begun));
  }
  const status = async (cookie: string, at = app): Promise<number> =>
    (await get("/api/admin/auth", cookie, at)).status;
  const note = (access: object): Promise<Response> => app.admin("PATCH", "/api/admin/settings", { access });

  it("lets an administrator in without anything typed here, on every node, and the audit names them", async () => {
    const entered = await enter("/admin/servers?q=a");
    assert.deepEqual([entered.status, entered.headers.get("location")], [303, "/admin/servers?q=a"]);
    assert.match(
      entered.headers.get("set-cookie") ?? "",
      /^trivet_monitor_session=ses_[^;]+;.*HttpOnly; SameSite=Lax$/u,
    );
    const cookie = cookiesOf(entered);
    assert.deepEqual([await status(cookie), await status(cookie, other)], [200, 200]);
    const add = (headers: Record<string, string>): Promise<Response> =>
      app.fetch("/api/admin/servers", {
        method: "POST",
        headers: { cookie, "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "web-1" }),
      });
    assert.deepEqual(await code(await add({})), [403, "origin_refused"]);
    assert.deepEqual(await code(await add({ origin: "https://evil.example" })), [403, "origin_refused"]);
    assert.equal((await add(own)).status, 201);
    const audit = JSON.stringify(await (await app.admin("GET", "/api/admin/audit")).json());
    assert.match(audit, /"actor":"account ann","action":"server\.create"/u);
    const kept = JSON.stringify(await app.store.read((tx) => tx.list(adminSessions, "id", { limit: 10 })));
    assert.ok(!/acc_|ref_/u.test(kept), "no token in clear");
  });

  it("ends with the sign-in at the center, and the sign-in there with it", async () => {
    const cookie = cookiesOf(await enter());
    center.auth.clock.advance(4_000);
    assert.equal(await status(cookie), 200);
    await browser.post("/sign-out", {});
    assert.equal(await status(cookie), 200, "an answer of the last seconds");
    center.auth.clock.advance(4_000);
    assert.deepEqual([await status(cookie), await status(cookie, other)], [401, 401]);
    await signIn(browser, "ann", PASSWORD);
    const second = cookiesOf(await enter());
    const out = await app.fetch("/api/admin/auth", { method: "DELETE", headers: { cookie: second, ...own } });
    assert.equal(out.status, 204);
    assert.match((await browser.get("/account")).headers.get("location") ?? "", /^\/sign-in/u);
  });

  it("ends for who loses the role, and lasts while tokens are renewed", async () => {
    const cookie = cookiesOf(await enter());
    for (let i = 0; i < 4; i += 1) {
      center.auth.clock.advance(14 * MINUTE_MS);
      assert.deepEqual([await status(cookie), await status(cookie, other)], [200, 200]);
    }
    await center.auth.signUp("bob", { role: "admin" });
    const demoted = await center.auth.admin("PATCH", `/api/admin/users/${ann.user.id}`, { role: "user" });
    assert.equal(demoted.status, 200);
    center.auth.clock.advance(4_000);
    assert.equal(await status(cookie), 401);
  });

  it("counts for a quarter of an hour while the center is away, and the token always does", async () => {
    const cookie = cookiesOf(await enter());
    const way = async (): Promise<string> => (await (await get("/api/access")).json()).way;
    assert.equal(await way(), "page");
    center.isUp = false;
    center.auth.clock.advance(10 * MINUTE_MS);
    assert.deepEqual([await status(cookie), await way()], [200, "away"]);
    center.auth.clock.advance(6 * MINUTE_MS);
    assert.equal(await status(cookie), 401);
    assert.equal((await app.admin("GET", "/api/admin/servers")).status, 200);
    center.isUp = true;
    center.auth.clock.advance(6_000);
    assert.deepEqual([await status(cookie), await way()], [200, "page"]);
  });

  it("takes members of the group, and says why others get no further", async () => {
    await center.auth.signUp("bob");
    const bob = createBrowser(center.auth);
    await signIn(bob, "bob", PASSWORD);
    browser = bob;
    const leads = async (): Promise<string | null> => (await enter()).headers.get("location");
    assert.equal(await leads(), "/admin?sign-in=refused");
    const { items } = await (await center.auth.admin("GET", "/api/admin/users?q=bob")).json();
    await center.auth.admin("POST", "/api/admin/groups", { id: "trivet-admins", title: "Administrators" });
    await center.auth.admin("PUT", `/api/admin/groups/trivet-admins/members/${items[0].id}`, {});
    assert.equal(await leads(), "/admin");
    await addFactor(center.auth, ann.accessToken);
    assert.equal(await leads(), "/admin?sign-in=second-factor");
    await note({ isPrivate: true, viewers: { who: "everyone" } });
    const viewer = await enter("/");
    assert.equal(viewer.headers.get("location"), "/");
    assert.equal((await (await get("/api/access", cookiesOf(viewer))).json()).right, "view");
  });

  it("takes no callback that another browser began, and leads nowhere else", async () => {
    const begun = await get("/sign-in?rd=https://evil.example/");
    const back = await center.passThrough(browser, begun);
    assert.equal((await get(back)).status, 400);
    assert.equal((await get(back, cookiesOf(begun))).headers.get("location"), "/");
    assert.equal((await get(back, cookiesOf(begun))).status, 303, "a request that is sent twice");
    app.clock.advance(11_000);
    assert.equal((await get(back, cookiesOf(begun))).status, 400, "a code counts once");
  });
});
