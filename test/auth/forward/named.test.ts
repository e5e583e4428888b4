/** The application that a proxy names: its rules apply to every host, and people return to its sites. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { type Browser, createBrowser } from "../pages/browser.ts";
import { CENTER, createSite, enter, openCenter, pathAt } from "./proxied-site.ts";

const HOST = "https://home.example";
/** Two applications on ports of one host, the first one on two of them. */
const NOTES = `${HOST}:8443`;
const NOTES_TOO = `${HOST}:9443`;
const BLOG = HOST;

let app: TestApp;
let ann: SignedIn;
let center: Browser;

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann");
  await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
  for (const client of [
    { id: "notes", name: "Notes", protectedOrigins: [NOTES, NOTES_TOO], allowedGroups: ["family"] },
    { id: "blog", name: "Blog", protectedOrigins: [BLOG] },
  ])
    await read(await app.admin("POST", "/api/admin/clients", client), 201);
  center = await openCenter(app, ann);
});

const join = (): Promise<Response> => app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);

/** What the center answers a proxy that asks for `application` about `origin`, with Ann's token. */
async function ask(application: string, origin: string): Promise<readonly [number, string, string]> {
  const { protocol, host } = new URL(origin);
  const answer = await app.raw(`/api/auth/forward${application}`, {
    headers: {
      authorization: `Bearer ${ann.accessToken}`,
      accept: "application/json",
      "x-forwarded-proto": protocol.slice(0, -1),
      "x-forwarded-host": host,
      "x-forwarded-uri": "/",
    },
  });
  if (answer.status === 204) return [204, "", ""];
  const { code: name, detail }: { code: string; detail: string } = await answer.json();
  return [answer.status, name, detail];
}

async function listRefusals(id: string): Promise<readonly { reason: string; sent: string }[]> {
  const { items }: { items: { reason: string; sent: string }[] } = await (
    await app.admin("GET", `/api/admin/clients/${id}/refusals`)
  ).json();
  return items.map(({ reason, sent }) => ({ reason, sent }));
}

describe("GET /api/auth/forward/{application}", () => {
  it("holds the rules of the application that the proxy names, whatever host it tells", async () => {
    assert.deepEqual((await ask("/notes", NOTES)).slice(0, 2), [403, "forbidden"]);
    assert.equal((await ask("/blog", BLOG))[0], 204);
    const [status, name, detail] = await ask("/notes", BLOG);
    assert.deepEqual([status, name], [400, "bad_request"]);
    assert.match(detail, /Set X-Forwarded-Proto and X-Forwarded-Host .* or add this origin/u);
    await join();
    assert.equal((await ask("/notes", BLOG))[0], 400);
    for (const origin of [NOTES, NOTES_TOO]) assert.equal((await ask("/notes", origin))[0], 204);
    assert.deepEqual(await listRefusals("notes"), [{ reason: "protected_origin", sent: BLOG }]);
  });

  it("knows an application by its exact ID", async () => {
    await join();
    for (const [path, status] of [
      ["/Notes", 404],
      ["/NOTES", 404],
      ["/note", 404],
      ["/notes.", 404],
      ["/notes/", 404],
      ["/notes/x", 404],
      ["/notes/../blog", 400],
      ["/blog/%2e%2e/notes", 204],
      ["/..%2fforward%2fnotes", 422],
      ["/notes%2f", 422],
      ["/notes%00", 422],
      ["/%6eotes", 204],
      ["/notes;x", 422],
      ["//notes", 404],
      [`/${"n".repeat(65)}`, 422],
    ] as const)
      assert.equal((await ask(path, NOTES))[0], status, path);
    assert.match(
      (await ask("/note", NOTES))[2],
      /application "note" does not exist\. Set the application ID/u,
    );
    const unknown = await listRefusals("unknown");
    assert.ok(unknown.some(({ reason, sent }) => reason === "unknown_client" && sent === "NOTES"));
  });

  it("leads to the sign-in and back on every port, for two applications of one host in one browser", async () => {
    await join();
    // All ports of a host share their cookies.
    const browser = createBrowser(app);
    const [notes, notesToo, blog] = [
      createSite(app, { origin: NOTES, application: "notes", browser }),
      createSite(app, { origin: NOTES_TOO, application: "notes", browser }),
      createSite(app, { origin: BLOG, application: "blog", browser }),
    ];
    const sites = [notes, notesToo, blog];
    for (const site of sites)
      assert.equal((await enter({ center, site }, "/page")).headers.get("location"), `${site.origin}/page`);
    assert.deepEqual([...browser.cookies.keys()].filter((name) => name.includes("trivet_app_")).toSorted(), [
      "__Host-trivet_app_blog",
      "__Host-trivet_app_notes~8443",
      "__Host-trivet_app_notes~9443",
    ]);
    for (const site of sites) assert.equal((await site.ask("/")).status, 204, site.origin);
    const page = await (await notes.own("/.trivet/sign-out")).text();
    assert.match(page, /action="https:\/\/home\.example:8443\//u);
    const out = await notes.post("/.trivet/sign-out", { rd: "/x" });
    assert.equal(out.headers.get("refresh"), `0; url=${NOTES}/x`);
    assert.match(pathAt(CENTER, await notes.ask("/")), /%3Fto%3Dhttps%253A%252F%252Fhome\.example%253A8443/u);
  });

  it("tells a person whom to notify when the proxy's file is wrong, and only tells programs the reason", async () => {
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "other.example",
      "sec-fetch-mode": "navigate",
      accept: "text/html",
    };
    for (const [path, status, console] of [
      ["/notes", 400, "/admin/applications/notes"],
      ["/none", 404, "/admin/applications"],
      ["", 400, "/admin/applications"],
    ] as const) {
      const page = await app.raw(`/api/auth/forward${path}`, { headers });
      assert.equal(page.status, status, path);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/u);
      const text = await page.text();
      assert.match(text, /isn’t set up correctly[^]*include this reference: \S+/u);
      assert.ok(text.includes(`href="${CENTER}${console}"`), path);
      assert.match(text, /href="https:\/\/other\.example\/\.trivet\/assets\/pages-/u);
      assert.doesNotMatch(text, /X-Forwarded|protect/u);
    }
    const nothing = await app.raw("/api/auth/forward/notes", { headers: { accept: "text/html" } });
    assert.equal(nothing.status, 400);
  });

  it("shows who may not use it the page of the application that the proxy names", async () => {
    await join();
    const site = createSite(app, { origin: NOTES, application: "notes" });
    await enter({ center, site }, "/");
    await app.admin("DELETE", `/api/admin/groups/family/members/${ann.user.id}`);
    const refused = await site.ask("/");
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /You can’t use Notes/u);
  });
});

describe("GET /api/auth/forward without a name", () => {
  it("is off: it answers with what to change in the proxy's file, and notes it at the application", async () => {
    await join();
    const [status, name, detail] = await ask("", NOTES);
    assert.deepEqual([status, name], [400, "bad_request"]);
    assert.match(detail, /Use \/api\/auth\/forward\/notes instead of/u);
    assert.match((await ask("", "https://other.example"))[2], /\/api\/auth\/forward\/\{application\}/u);
    assert.deepEqual(await listRefusals("notes"), [{ reason: "unnamed_route", sent: NOTES }]);
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": new URL(NOTES).host };
    const browser = { ...headers, "sec-fetch-mode": "navigate", accept: "text/html" };
    assert.equal((await app.raw("/api/auth/forward", { headers: browser })).status, 400);
  });

  it("goes by the host while the setting allows it", async () => {
    await read(
      await app.admin("PATCH", "/api/admin/settings/registration", { unnamedForwardRoute: true }),
      200,
    );
    assert.equal((await ask("", BLOG))[0], 204);
    assert.equal((await ask("", NOTES))[0], 403);
    assert.deepEqual(await code(await app.raw("/api/auth/forward", {})), [400, "bad_request"]);
    await read(
      await app.admin("PATCH", "/api/admin/settings/registration", { unnamedForwardRoute: false }),
      200,
    );
    assert.equal((await ask("", BLOG))[0], 400);
  });
});
