/** Forward-auth for browsers: the way to the sign-in and back, what the site receives, and who is denied. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, PASSWORD, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";
import {
  CENTER,
  NAVIGATION,
  type ProxiedSite,
  createSite,
  enter,
  openCenter,
  passCenter,
  pathAt,
} from "./proxied-site.ts";

const NOTES = "https://notes.example";

let app: TestApp;
let ann: SignedIn;
let center: Browser;
let site: ProxiedSite;

async function register(id: string, fields: object): Promise<void> {
  await read(await app.admin("POST", "/api/admin/clients", { id, name: `The ${id}`, ...fields }), 201);
}

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann", { displayName: "Zoë" });
  await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
  await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
  await register("notes", { protectedOrigins: [NOTES, "http://localhost:9000"], allowedGroups: ["family"] });
  center = await openCenter(app, ann);
  site = createSite(app, { origin: NOTES });
});

describe("a person at a protected site", () => {
  it("is led to the sign-in, and by its form back to the page that they wanted", async () => {
    const begun = await site.ask("/a/b?c=%20d&e=f");
    assert.equal(begun.status, 302);
    const path = pathAt(CENTER, begun);
    assert.match(path, /^\/sign-in\?rd=%2Fsign-in%2Fapplication%3Fto%3Dhttps/u);
    const fresh = createBrowser(app);
    assert.equal((await fresh.get(path)).status, 200);
    const rd = new URL(path, CENTER).searchParams.get("rd") ?? "";
    const posted = await fresh.post("/sign-in", { identifier: "ann", password: PASSWORD, rd });
    const next = posted.headers.get("location") ?? "";
    // After a form no redirect leads to another site: a page of the center goes on.
    const left = await fresh.get(next, { "sec-fetch-site": "same-origin" });
    assert.equal(left.status, 200);
    const back = pathAt(NOTES, left);
    assert.ok((await left.text()).includes("Continuing to The notes"));
    const entered = await site.own(back);
    assert.equal(entered.headers.get("location"), `${NOTES}/a/b?c=%20d&e=f`);
    const [name, ...attributes] = entered.headers.getSetCookie()[0]?.split("; ") ?? [];
    assert.match(name ?? "", /^__Host-trivet_app_notes=ses_/u);
    for (const each of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) assert.ok(attributes.includes(each));
    const allowed = await site.ask("/a/b");
    assert.equal(allowed.status, 204);
    const headers = Object.fromEntries([...allowed.headers].filter(([key]) => key.startsWith("x-auth-")));
    const { "x-auth-session-id": sessionId, "x-auth-assertion": assertion, ...others } = headers;
    assert.match(sessionId ?? "", /^ses_/u);
    assert.match(assertion ?? "", /^ey[\w-]+\.[\w-]+\.[\w-]+$/u);
    assert.deepEqual(others, {
      "x-auth-user-id": ann.user.id,
      "x-auth-username": "ann",
      "x-auth-display-name": "Zo%C3%AB",
      "x-auth-email": "ann@example.org",
      "x-auth-email-verified": "1",
      "x-auth-groups": "family",
      "x-auth-impersonated-by": "",
      "x-auth-role": "user",
    });
  });

  it("is not led away by a page's script, a picture or a program", async () => {
    const asks: Record<string, string>[] = [
      { "sec-fetch-mode": "cors" },
      { "sec-fetch-mode": "no-cors", accept: "text/html" },
      { accept: "application/json" },
      { accept: "*/*" },
    ];
    for (const headers of asks) {
      assert.deepEqual(await code(await site.ask("/", headers)), [401, "unauthenticated"]);
      assert.equal((await site.own("/.trivet/enter", headers)).status, 401);
    }
    assert.equal((await site.ask("/", { accept: "text/html,*/*" })).status, 302);
    const headers = { authorization: `Bearer ${ann.accessToken}`, "sec-fetch-mode": "cors" };
    assert.equal((await site.ask("/", headers)).status, 204);
  });

  it("goes through without a question where the center knows them, and comes in by nginx' way too", async () => {
    assert.equal((await enter({ center, site }, "/x")).headers.get("location"), `${NOTES}/x`);
    const other = createSite(app, { origin: NOTES });
    const begun = await other.own("/.trivet/enter", { ...NAVIGATION, "x-forwarded-uri": "/y" });
    const back = await passCenter({ center, site: other }, begun);
    assert.equal((await other.own(back)).headers.get("location"), `${NOTES}/y`);
  });

  it("is out with the next request when the session ends, the account is suspended or leaves the group", async () => {
    await enter({ center, site }, "/");
    await app.admin("DELETE", `/api/admin/groups/family/members/${ann.user.id}`);
    assert.equal((await site.ask("/")).status, 403);
    await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
    assert.equal((await site.ask("/")).status, 204);
    await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, { reason: "test" });
    assert.equal((await site.ask("/")).status, 302);
    await app.admin("POST", `/api/admin/users/${ann.user.id}/unsuspend`);
    center = await openCenter(app, ann);
    await enter({ center, site }, "/");
    assert.equal((await site.ask("/")).status, 204);
    await center.post("/sign-out", {});
    assert.equal((await site.ask("/")).status, 302);
  });

  it("stays signed in by using sites alone", async () => {
    await enter({ center, site }, "/");
    for (let day = 0; day < 20; day += 1) {
      assert.equal((await site.ask("/")).status, 204, `day ${day}`);
      app.clock.advance(86_400_000);
    }
    app.clock.advance(11 * 86_400_000);
    assert.equal((await site.ask("/")).status, 302);
  });

  it("is counted among the application's uses, and only where they may use it", async () => {
    await enter({ center, site }, "/");
    await site.ask("/");
    const bob = await app.signUp("bob");
    await site.ask("/", { authorization: `Bearer ${bob.accessToken}` });
    await app.auth.activity.flush();
    for (const [person, isKnown] of [
      [ann, true],
      [bob, false],
    ] as const) {
      const used = await app.auth.applications.list(person.user.id);
      assert.equal(
        used.some(({ clientId }) => clientId === "notes"),
        isKnown,
      );
    }
  });

  it("signs out at the site, which ends the session", async () => {
    await enter({ center, site }, "/");
    const page = await site.own("/.trivet/sign-out");
    assert.match(await page.text(), /action="https:\/\/notes\.example\/\.trivet\/sign-out"/u);
    assert.equal((await site.ask("/")).status, 204);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}])
      assert.equal((await site.post("/.trivet/sign-out", {}, headers as Record<string, string>)).status, 403);
    assert.equal((await site.ask("/")).status, 204);
    const out = await site.post("/.trivet/sign-out", {});
    assert.match(await out.text(), /You’re signed out/u);
    assert.equal(out.headers.get("refresh"), null);
    assert.equal((await site.ask("/")).status, 302);
    assert.equal((await center.get("/account")).status, 303);
  });

  it("signs out in a text browser with the form's own token", async () => {
    await enter({ center, site }, "/");
    const text = await (await site.own("/.trivet/sign-out")).text();
    const form = /name="form" value="([\w-]+)"/u.exec(text)?.[1] ?? "";
    assert.equal((await site.post("/.trivet/sign-out", { form }, {})).status, 200);
    assert.equal((await site.ask("/")).status, 302);
  });
});

describe("who may not use the application", () => {
  it("gets a page that says so at the center and at the site, and comes with another account", async () => {
    const bob = await app.signUp("bob", { locale: "de" });
    const other = await openCenter(app, bob);
    const begun = await site.ask("/wanted");
    const rd = new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "";
    const refused = await other.get(rd);
    assert.equal(refused.status, 403);
    const text = await refused.text();
    assert.match(text, /Sie dürfen The notes nicht verwenden/u);
    const state = new URL(rd, CENTER).searchParams.get("state") ?? "";
    const posted = await other.post("/sign-in/application/another", { to: NOTES, state });
    assert.equal(posted.headers.get("location"), `/sign-in?rd=${encodeURIComponent(rd)}`);
    assert.equal((await signIn(other, "ann", PASSWORD)).status, 303);
    assert.equal((await site.own(await passCenter({ center: other, site }, begun))).status, 302);
    await app.admin("DELETE", `/api/admin/groups/family/members/${ann.user.id}`);
    for (const page of [await site.ask("/wanted"), await site.own("/.trivet/enter")]) {
      assert.equal(page.status, 403);
      const body = await page.text();
      assert.match(body, /You can’t use The notes/u);
      // Nothing on it leads to a path that the application has.
      assert.doesNotMatch(body, /(?:href|src|action)="\/(?!\/)/u);
      assert.match(body, /href="https:\/\/notes\.example\/\.trivet\/assets\/pages-/u);
    }
    const script = { "sec-fetch-mode": "cors" };
    assert.deepEqual(await code(await site.ask("/", script)), [403, "forbidden"]);
    assert.equal((await site.own("/.trivet/enter", script)).status, 403);
    const again = await site.post("/.trivet/sign-out", { rd: "/wanted" });
    assert.equal(again.headers.get("refresh"), `0; url=${NOTES}/wanted`);
    assert.equal((await site.ask("/")).status, 302);
  });

  it("is noted at the application, to which the page leads an administrator", async () => {
    await enter({ center, site }, "/");
    await app.admin("DELETE", `/api/admin/groups/family/members/${ann.user.id}`);
    const reason = `${CENTER}/admin/applications/notes`;
    assert.ok(!(await (await site.ask("/")).text()).includes(reason));
    await app.set("registration", { adminSecondFactor: "off" });
    const boss = await app.signUp("boss", { role: "admin" });
    const atCenter = await openCenter(app, boss);
    const begun = await createSite(app, { origin: NOTES }).ask("/");
    const refused = await atCenter.get(new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "");
    assert.match(await refused.text(), new RegExp(`href="${reason}">Open “Why did it fail”`, "u"));
    const { items }: { items: { reason: string; username: string }[] } = await (
      await app.admin("GET", "/api/admin/clients/notes/refusals")
    ).json();
    assert.deepEqual(items.map(({ reason: why, username }) => `${why} ${username}`).toSorted(), [
      "group ann",
      "group boss",
    ]);
  });

  it("does not find it among what they may open, and who may does", async () => {
    await app.admin("PATCH", "/api/admin/clients/notes", { launchUrl: `${NOTES}/start` });
    const bob = await app.signUp("bob");
    for (const [person, isListed] of [
      [ann, true],
      [bob, false],
    ] as const) {
      const page = await (await openCenter(app, person)).get("/account/applications");
      assert.equal((await page.text()).includes(`href="${NOTES}/start"`), isListed);
    }
  });

  it("is everyone while it is off", async () => {
    await enter({ center, site }, "/");
    await app.admin("PATCH", "/api/admin/clients/notes", { enabled: false });
    const refused = await site.ask("/");
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /turned this application off/u);
  });

  it("is no one when it names no groups", async () => {
    await register("open", { protectedOrigins: ["https://open.example"] });
    const bob = await app.signUp("bob");
    const open = createSite(app, { origin: "https://open.example" });
    await enter({ center: await openCenter(app, bob), site: open }, "/");
    assert.equal((await open.ask("/")).status, 204);
  });
});
