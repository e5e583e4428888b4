/** Forward-auth under attack: other sites, other browsers, other applications, forged headers, and rounds without end. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { type Browser } from "../pages/browser.ts";
import {
  CENTER,
  type ProxiedSite,
  createSite,
  enter,
  openCenter,
  passCenter,
  pathAt,
} from "./proxied-site.ts";

const NOTES = "https://notes.example";
const WIKI = "https://wiki.example";

let app: TestApp;
let ann: SignedIn;
let center: Browser;
let site: ProxiedSite;

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann");
  for (const [id, origin] of [
    ["notes", NOTES],
    ["wiki", WIKI],
  ]) {
    const fields = { id, name: `The ${id}`, protectedOrigins: [origin, `${origin}:8443`] };
    await read(await app.admin("POST", "/api/admin/clients", fields), 201);
  }
  center = await openCenter(app, ann);
  site = createSite(app, { origin: NOTES });
});

/** The names and values of a way back. */
function partsOf(back: string): { code: string; state: string } {
  const { searchParams } = new URL(back, NOTES);
  return { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
}

const isIn = async (at: ProxiedSite): Promise<boolean> => (await at.ask("/")).status === 204;

describe("a code", () => {
  it("opens once, of 16 at the same time too", async () => {
    const back = await passCenter({ center, site }, await site.ask("/"));
    const answers = await Promise.all(Array.from({ length: 16 }, () => site.own(back)));
    const cookies = answers.filter((each) =>
      each.headers.getSetCookie().some((line) => /_app_notes=/u.test(line)),
    );
    assert.equal(cookies.length, 1);
    const stolen = createSite(app, { origin: NOTES });
    for (const [name, value] of site.browser.cookies)
      if (name.includes("begin")) stolen.browser.cookies.set(name, value);
    const late = await stolen.own(back);
    assert.equal(late.status, 400);
    assert.match(await late.text(), /sign-in expired/u);
  });

  it("is of no use a minute later, or after the session has ended", async () => {
    const back = await passCenter({ center, site }, await site.ask("/"));
    app.clock.advance(60_000);
    assert.equal((await site.own(back)).status, 400);
    const next = await passCenter({ center, site }, await site.ask("/"));
    await center.post("/sign-out", {});
    assert.equal((await site.own(next)).status, 400);
    assert.equal(await isIn(site), false);
  });

  it("is of use to the browser alone that began", async () => {
    const back = await passCenter({ center, site }, await site.ask("/"));
    // Login CSRF with an attacker's link: the browser never began, or began another time.
    const victim = createSite(app, { origin: NOTES });
    const strange = await victim.own(back);
    assert.equal(strange.status, 400);
    assert.match(await strange.text(), /complete your sign-in/u);
    const own = partsOf(await passCenter({ center, site: victim }, await victim.ask("/")));
    const injected = new URLSearchParams({ code: partsOf(back).code, state: own.state });
    assert.equal((await victim.own(`/.trivet/callback?${injected.toString()}`)).status, 400);
    assert.equal(await isIn(victim), false);
  });

  it("for one site is of no use at another, nor at another port", async () => {
    for (const origin of [WIKI, `${NOTES}:8443`]) {
      const other = createSite(app, { origin });
      const there = partsOf(await passCenter({ center, site: other }, await other.ask("/")));
      const here = partsOf(await passCenter({ center, site }, await site.ask("/")));
      for (const pair of [here, { code: here.code, state: there.state }]) {
        const query = new URLSearchParams(pair).toString();
        assert.equal((await other.own(`/.trivet/callback?${query}`)).status, 400);
      }
      assert.equal(await isIn(other), false);
    }
  });
});

describe("a site's cookie", () => {
  it("is of no use at another site, at the center, or changed", async () => {
    await enter({ center, site }, "/");
    assert.equal(await isIn(site), true);
    const [name = "", value = ""] = [...site.browser.cookies].find(([key]) => key.includes("_app_")) ?? [];
    const wiki = createSite(app, { origin: WIKI });
    for (const cookie of [name, "__Host-trivet_app_wiki"]) wiki.browser.cookies.set(cookie, value);
    assert.equal(await isIn(wiki), false);
    for (const cookie of ["__Host-trivet_session", "trivet_session"]) wiki.browser.cookies.set(cookie, value);
    assert.equal((await wiki.browser.get("/account")).status, 303);
    assert.deepEqual(await code(await app.send("GET", "/api/auth/validate", { token: value })), [
      401,
      "token_invalid",
    ]);
    const [session = "", at = "", mac = ""] = value.split(".");
    for (const forged of [
      `${session}.${at}.${"A".repeat(43)}`,
      `${session}.${Number(at) + 1}.${mac}`,
      `ses_0.${at}.${mac}`,
      "",
      "%00",
    ]) {
      site.browser.cookies.set(name, forged);
      assert.equal(await isIn(site), false, forged);
    }
  });
});

describe("the way back", () => {
  it("leads to a path of the site alone", async () => {
    for (const path of [
      "//evil.example/",
      "/\\evil.example",
      "https://evil.example/",
      "/.//evil.example",
      "/\t/evil.example",
      "/.trivet/sign-out",
      `/${"a".repeat(1_300)}`,
      "",
    ]) {
      const fresh = createSite(app, { origin: NOTES });
      const entered = await enter({ center, site: fresh }, path);
      assert.equal(entered.headers.get("location"), `${NOTES}/`, path);
    }
    const long = `/${"a".repeat(1_100)}`;
    assert.equal((await enter({ center, site }, long)).headers.get("location"), NOTES + long);
  });

  it("leads to registered sites alone", async () => {
    for (const to of [
      "https://evil.example",
      "https://notes.example.evil.example",
      `${NOTES}@evil.example`,
      "",
      CENTER,
    ]) {
      const query = new URLSearchParams({ to, state: "x" }).toString();
      const answer = await center.get(`/sign-in/application?${query}`, { "sec-fetch-site": "none" });
      assert.equal(answer.status, 404, to);
      assert.equal(answer.headers.get("location") ?? answer.headers.get("refresh"), null);
    }
    const begun = await site.ask("/");
    const rd = new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "";
    const bad = rd.replace("notes.example", "notes.example%0d%0aset-cookie:%20a=b");
    assert.equal((await center.get(bad)).status, 404);
  });
});

describe("what a proxy asks", () => {
  it("must name a site that is registered, exactly", async () => {
    for (const host of ["evil.example", "notes.example:444", "notes.example.", "xnotes.example"])
      for (const [path, status] of [
        ["/api/auth/forward/notes", 400],
        ["/.trivet/enter", 403],
        ["/.trivet/callback", 403],
      ] as const) {
        const headers = { "x-forwarded-proto": "https", "x-forwarded-host": host, accept: "text/html" };
        assert.equal((await site.browser.get(path, headers)).status, status, `${path} ${host}`);
      }
    for (const [proto, host] of [
      ["https", ""],
      ["", "notes.example"],
      ["javascript", "notes.example"],
      ["https", "notes.example, evil.example"],
      ["https", "evil.example/@notes.example"],
      ["https", "a@notes.example"],
    ] as const) {
      const headers = { "x-forwarded-proto": proto, "x-forwarded-host": host, accept: "application/json" };
      assert.deepEqual(await code(await site.browser.get("/api/auth/forward/notes", headers)), [
        400,
        "bad_request",
      ]);
    }
    assert.equal((await createSite(app, { origin: "http://notes.example" }).ask("/")).status, 400);
  });

  it("has nothing to do with the X-Auth-… that a client sends", async () => {
    const forged = {
      "x-auth-user-id": "usr_1",
      "x-auth-groups": "admins",
      "x-auth-role": "admin",
      "sec-fetch-mode": "cors",
    };
    assert.equal((await site.ask("/", forged)).status, 401);
    await enter({ center, site }, "/");
    const answer = await site.ask("/", { ...forged, "x-auth-client": "wiki" });
    assert.deepEqual(
      ["user-id", "groups", "role"].map((name) => answer.headers.get(`x-auth-${name}`)),
      [ann.user.id, "", "user"],
    );
  });

  it("is authorized per request", async () => {
    for (const answer of [await site.ask("/"), await enter({ center, site }, "/"), await site.ask("/")])
      assert.equal(answer.headers.get("cache-control"), "no-store");
  });
});

describe("a round without end", () => {
  it("stops where a browser refuses cookies", async () => {
    const refusing = createSite(app, { origin: NOTES, keepsCookies: false });
    const back = await passCenter({ center, site: refusing }, await refusing.ask("/"));
    const page = await refusing.own(back);
    assert.equal(page.status, 400);
    assert.match(await page.text(), /blocks cookies/u);
    assert.equal(page.headers.get("refresh"), null);
  });

  it("stops where a proxy asks without the cookies that the browser sends", async () => {
    await enter({ center, site }, "/");
    app.clock.advance(1_000);
    const known = [...site.browser.cookies];
    for (const [name] of known) if (name.includes("_app_")) site.browser.cookies.delete(name);
    const begun = await site.ask("/");
    for (const [name, value] of known) site.browser.cookies.set(name, value);
    const page = await site.own(await passCenter({ center, site }, begun));
    assert.equal(page.status, 400);
    assert.match(await page.text(), /forward the Cookie header/u);
    const entrance = await site.own("/.trivet/enter");
    assert.equal(entrance.status, 400);
    assert.equal(entrance.headers.get("location"), null);
  });

  it("does not keep several tabs from coming in at once", async () => {
    const begun = [await site.ask("/1"), await site.ask("/2"), await site.ask("/3")];
    app.clock.advance(5_000);
    const backs = await Promise.all(begun.map((each) => passCenter({ center, site }, each)));
    for (const [index, back] of backs.entries())
      assert.equal((await site.own(back)).headers.get("location"), `${NOTES}/${index + 1}`);
  });
});
