/** What every page enforces for every visitor: cross-site forms, caches, frames, errors, languages, planted URLs. */
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, beforeEach, describe, it, mock } from "node:test";
import { gzipSync } from "node:zlib";
import { createAuthApp } from "../../../src/auth/app/app.ts";
import { createHealth } from "../../../src/kit/observe/health.ts";
import { createMetrics } from "../../../src/kit/observe/metrics.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { loadConsoleAssets, loadPageAssets } from "../../../src/kit/http/web-assets.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { runProcess } from "../../support/process.ts";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { createOutboundTo } from "../upstream/providers.ts";
import { createBrowser, locationOf, signIn } from "./browser.ts";

const CALLBACK = "https://notes.example.org/auth/callback";
/** The ways to an application that uses the center, and to a site that a proxy protects. */
const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/oauth/authorize": {
    response_type: "code",
    client_id: "notes",
    redirect_uri: CALLBACK,
    state: "s-1",
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
  },
  "/sign-in/application": { to: "https://notes.example.org", state: "s-1" },
};

/** Forms that other sites may send: they do nothing, and lead to the same address with what they hold as a query. */
const ledOn = ["/oauth/authorize", "/oauth/logout"];

/** The configured provider does not respond, and no sign-in has begun there. */
const withoutProvider: Readonly<Record<string, number>> = {
  "/sign-in/with/:id": 503,
  "/sign-in/with/:id/callback": 400,
};
const outbound = createOutboundTo(new Map());

/** The URL of a page about a record, with more parameters. */
function fill(path: string, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...asked[path], ...more }).toString();
  return path.replace(":name", "ann").replace(":id", "other") + (query === "" ? "" : `?${query}`);
}

const withoutTidy =
  findProgram("tidy") === undefined && tellSkipped("tidy is not in PATH (on Debian: apt-get install tidy)");

/** Attributes of the standard that are newer than the tidy of the distributions. */
const NEWER = /proprietary attribute "(?:autocapitalize|inputmode|aria-current)"$/u;

let app: TestApp;
/** All routes of pages, from the application itself: a new page is tested without a word. */
let pages: { readonly method: string; readonly path: string }[] = [];

before(async () => {
  const { auth, clock } = await createTestApp();
  const made = createAuthApp(auth, {
    version: "0",
    log: silentLog,
    clock,
    metrics: createMetrics(),
    health: createHealth({ version: "0", clock, checks: {} }),
    tokenHashes: [],
    metricsPublic: false,
    allowedOrigins: [],
    trustedProxies: [],
    assets: await loadPageAssets(),
    consoleAssets: await loadConsoleAssets("auth"),
    consoles: [],
  });
  // The console is a program of its own, which has no forms and no session before it has run. Pages on applications'
  // hosts have tests of their own (test/auth/forward).
  const programs =
    /^\/(?:api|admin|swagger|openapi|assets|brand|metrics|favicon|\.well-known|\.trivet|oauth\/(?:token|userinfo|device_authorization|par|revoke)\/?$|\*|$)/u;
  pages = made.routes
    .filter(({ method, path }) => method !== "ALL" && !programs.test(path))
    .map(({ method, path }) => ({ method, path }));
  assert.ok(pages.length > 60, String(pages.length));
  for (const path of Object.keys(asked)) assert.ok(pages.some((page) => page.path === path));
});

beforeEach(async () => {
  app = await createTestApp({ outbound });
  const { user } = await app.signUp("ann");
  await app.auth.profiles.patch(user.id, { fields: { visibility: "public" }, version: undefined });
  const notes = { id: "notes", name: "Notes", redirectUris: [CALLBACK], consent: "once" };
  const made = await app.admin("POST", "/api/admin/clients", {
    ...notes,
    protectedOrigins: ["https://notes.example.org"],
  });
  assert.equal(made.status, 201);
  const provider = { id: "other", title: "Other", clientId: "center", issuer: "https://login.example.com" };
  assert.equal((await app.admin("POST", "/api/admin/upstreams", provider)).status, 201);
});

describe("every form", () => {
  it("is refused when another site sent it, and changes nothing", async () => {
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    const posts = pages.filter(({ method, path }) => method === "POST" && !ledOn.includes(path));
    assert.ok(posts.length > 30);
    for (const { path } of posts) {
      const senders: Record<string, string>[] = [
        { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
        { "sec-fetch-site": "same-site", origin: "http://localhost" },
        { "sec-fetch-site": "none" },
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "https://localhost" },
        {},
      ];
      for (const headers of senders) {
        const response = await browser.post(fill(path), { form: "forged" }, headers);
        assert.equal(response.status, 403, `${path} ${JSON.stringify(headers)}`);
        assert.match(await response.text(), /Access denied/u);
      }
    }
    for (const path of ledOn) {
      const response = await browser.post(path, { state: "s-1" }, { origin: "https://evil.example" });
      assert.equal(locationOf(response), `${path}?state=s-1`);
    }
    assert.equal((await browser.get("/account")).status, 200);
  });

  it("is taken from this origin, and from a browser that says nothing but has the form's token", async () => {
    const browser = createBrowser(app);
    const html = await (await browser.get("/sign-in")).text();
    const form = /name="form" value="([^"]+)"/u.exec(html)?.[1] ?? "";
    const fields = { identifier: "ann", password: PASSWORD };
    assert.equal(locationOf(await browser.post("/sign-in", { ...fields, form }, {})), "/account");
    const other = createBrowser(app);
    await other.get("/sign-in");
    assert.equal((await other.post("/sign-in", { ...fields, form }, {})).status, 403);
    assert.equal(
      locationOf(await other.post("/sign-in", fields, { origin: "http://localhost" })),
      "/account",
    );
  });
});

describe("every page", () => {
  it("is never cached or framed, and runs nothing inline", async () => {
    const signedIn = createBrowser(app);
    await signIn(signedIn, "ann", PASSWORD);
    const stranger = createBrowser(app);
    const hooks = mock.method(AsyncLocalStorage.prototype, "run");
    let shown = 0;
    for (const { path } of pages.filter(({ method }) => method === "GET")) {
      for (const browser of [signedIn, stranger]) {
        const response = await browser.get(fill(path));
        if (response.status === 303) continue;
        assert.equal(response.status, withoutProvider[path] ?? 200, path);
        shown += 1;
        assert.equal(response.headers.get("cache-control"), "no-store", path);
        // Addresses hold codes of mails and of sign-ins.
        assert.equal(response.headers.get("referrer-policy"), "same-origin", path);
        const policy = response.headers.get("content-security-policy") ?? "";
        assert.match(policy, /frame-ancestors 'none'/u);
        assert.ok(!policy.includes("unsafe-inline"));
        const html = await response.text();
        assert.ok(
          !/<script(?! type="module" src="\/assets\/passkeys-\w+\.js"><\/script>)|<style| style=| on[a-z]+=/u.test(
            html,
          ),
          path,
        );
        assert.equal([...html.matchAll(/<h1/gu)].length, 1, path);
        assert.ok(html.length < 60_000, path);
        // Text browsers have no style sheet to keep words apart.
        assert.doesNotMatch(html, /<\/(?:a|button|span)><(?:a|button|span)/u, path);
        const ids = [...html.matchAll(/ id="([^"]+)"/gu)].map(([, id]) => id);
        assert.deepEqual(ids, [...new Set(ids)], path);
      }
    }
    assert.ok(shown > 20, String(shown));
    // Once used, they cost every promise of the process (src/html/render.ts).
    assert.equal(hooks.mock.callCount(), 0);
    hooks.mock.restore();
  });

  it("ignores a planted cookie, and never adopts it", async () => {
    const victim = createBrowser(app);
    for (const { method, path } of pages) {
      victim.cookies.clear();
      await victim.get("/sign-in");
      for (const name of ["trivet_session", "trivet_step"]) victim.cookies.set(name, "ref_planted");
      const response = await (method === "GET" ? victim.get(fill(path)) : victim.post(fill(path), {}));
      assert.ok(!response.headers.getSetCookie().some((line) => line.includes("ref_planted")), path);
      assert.doesNotMatch(await response.text(), /action="\/sign-out"/u, path);
      if (/^\/(?:account|oauth)/u.test(path))
        assert.match(locationOf(response), /^\/(?:sign-in|signed-out|account|oauth)/u, path);
    }
  });

  it("is valid HTML: tidy finds nothing to mend", { skip: withoutTidy }, async () => {
    const signedIn = createBrowser(app);
    await signIn(signedIn, "ann", PASSWORD);
    const folder = await mkdtemp(join(tmpdir(), "trivet-tidy-"));
    const files: string[] = [];
    for (const { path } of [...pages.filter(({ method }) => method === "GET"), { path: "/nothing/here" }])
      for (const [who, browser] of [
        ["signed in", signedIn],
        ["a stranger", createBrowser(app)],
      ] as const) {
        const response = await browser.get(fill(path));
        if (response.status === 303) continue;
        const file = `${path.slice(1).replaceAll("/", " ")}, ${who}.html`;
        await writeFile(join(folder, file), await response.text());
        files.push(file);
      }
    assert.ok(files.length > 20, String(files.length));
    const args = ["-q", "-e", "--gnu-emacs", "yes", ...files];
    const { output } = await runProcess({ command: "tidy", args, cwd: folder, timeoutMs: 60_000 });
    await rm(folder, { recursive: true });
    assert.deepEqual(
      output.split("\n").filter((line) => line !== "" && !NEWER.test(line)),
      [],
    );
  });

  it("is light: 30 KB for the sign-in and 60 KB for any other, compressed, with its style sheet", async () => {
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    const html = await (await createBrowser(app).get("/sign-in")).text();
    const style = /href="(\/assets\/pages-\w+\.css)"/u.exec(html)?.[1] ?? "";
    const sheet = await app.raw(style, { headers: { "accept-encoding": "gzip" } });
    assert.equal(sheet.headers.get("content-encoding"), "gzip");
    assert.match(sheet.headers.get("cache-control") ?? "", /immutable/u);
    const sheetBytes = (await sheet.arrayBuffer()).byteLength;
    assert.ok(sheetBytes + gzipSync(html).length < 30_000, String(sheetBytes));
    const profile = await (await browser.get("/account/profile")).text();
    assert.ok(sheetBytes + gzipSync(profile).length < 60_000);
  });

  it("shows the text of planted addresses as text", async () => {
    const browser = createBrowser(app);
    const evil = `"><img src=x onerror=alert(1)>`;
    for (const { path } of pages.filter(({ method }) => method === "GET")) {
      const names = "rd done email code token q invite method month add state to user_code".split(" ");
      const all = Object.fromEntries(names.map((name) => [name, evil]));
      const each = Object.keys(asked[path] ?? {}).map((name) => ({ [name]: evil }));
      for (const fields of [all, ...each]) {
        const response = await browser.get(fill(path, fields));
        assert.ok(!(await response.text()).includes("<img src=x"), path);
        assert.ok(!response.headers.get("refresh")?.includes(evil), path);
      }
    }
  });

  it("answers any form, however it is filled, as text, uncached, and leads to no other site", async () => {
    const evil = `"><img src=x onerror=alert(1)>\r\nSet-Cookie: planted=1`;
    const names =
      "identifier password code method email sendTo username inviteCode token address id displayName bio website " +
      "location visibility likePolicy language timeZone confirmation clientId currentPassword emailCode factorCode user_code";
    const fields = Object.fromEntries(names.split(" ").map((name) => [name, evil]));
    let answered = 0;
    for (const { path } of pages.filter(({ method }) => method === "POST"))
      for (const rd of ["//evil.example/", "https://evil.example/", "/\r\nSet-Cookie: planted=1"]) {
        const browser = createBrowser(app, { from: `198.51.100.${answered % 250}` });
        if (path.startsWith("/account")) await signIn(browser, "ann", PASSWORD);
        else await browser.get("/sign-in");
        const response = await browser.post(fill(path), { ...fields, rd });
        answered += 1;
        assert.ok(response.status < 500, `${path} ${response.status}`);
        const location = response.headers.get("location") ?? "/";
        assert.match(location, /^\/(?![/\\])/u, path);
        assert.ok(!response.headers.getSetCookie().some((line) => line.startsWith("planted")), path);
        if (response.status < 400) continue;
        const html = await response.text();
        assert.ok(!html.includes("<img src=x"), path);
        assert.equal(response.headers.get("cache-control"), "no-store", path);
        assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/u, path);
      }
    assert.ok(answered > 90, String(answered));
  });

  it("speaks the language of the cookie, then of the account, then of the browser", async () => {
    const browser = createBrowser(app);
    const german = { "accept-language": "fr;q=0.9, de-AT;q=0.8, en;q=0.1" };
    assert.match(await (await browser.get("/sign-in", german)).text(), /<html lang="de".*Anmelden/u);
    const chosen = await browser.post("/language", { language: "zh", rd: "/sign-up?rd=%2Fpeople" });
    assert.equal(locationOf(chosen), "/sign-up?rd=%2Fpeople");
    assert.match(await (await browser.get("/sign-in", german)).text(), /<html lang="zh".*登录/u);
    const away = await browser.post("/language", { language: "en", rd: "https://evil.example/" });
    assert.equal(locationOf(away), "/");
  });
});

describe("what goes wrong", () => {
  it("is a page for people and a problem document for programs", async () => {
    const browser = createBrowser(app);
    const page = await browser.get("/nothing/here");
    assert.equal(page.status, 404);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.match(await page.text(), /Page not found/u);
    const api = await browser.get("/api/nothing");
    assert.match(api.headers.get("content-type") ?? "", /^application\/problem\+json/u);
    const program = await app.raw("/nothing/here", { headers: { accept: "application/json" } });
    assert.match(program.headers.get("content-type") ?? "", /^application\/problem\+json/u);
    assert.equal((await browser.get("/people/nobody-of-that-name")).status, 404);
  });

  it("leads people at the root to their account, and gives programs the descriptor as before", async () => {
    const browser = createBrowser(app);
    assert.equal(locationOf(await browser.get("/")), "/account");
    const descriptor = await app.raw("/", { headers: { accept: "*/*" } });
    assert.equal(descriptor.headers.get("vary"), "Accept");
    const document: { name: string } = await descriptor.json();
    assert.equal(document.name, "auth");
    assert.equal(locationOf(await browser.get("/.well-known/change-password")), "/account/security");
  });

  it("leads visitors without a session, or with an expired one, to the sign-in and back", async () => {
    const browser = createBrowser(app);
    for (const { method, path } of pages.filter((page) => page.path.startsWith("/account/"))) {
      await browser.get("/sign-in");
      const response = method === "GET" ? await browser.get(fill(path)) : await browser.post(fill(path), {});
      const location = locationOf(response);
      // The address of a form leads to its page, which leads to the sign-in.
      assert.match(location, /^\/(?:sign-in(?:\?rd=%2Faccount|$)|account(?:\/|$))/u, `${method} ${path}`);
      if (method === "POST") assert.match(location, /^\/sign-in(?:\?rd=|$)/u, path);
    }
  });
});
