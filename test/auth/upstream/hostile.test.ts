/** What must not pass on the way to a provider and back: answers of others, answers twice, and providers that lie or are away. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { TestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf } from "../pages/browser.ts";
import { type Pair, UPSTREAM, begin, comeBy, createPair, createUpstream, signInThere } from "./providers.ts";

const CALLBACK = "/sign-in/with/other/callback";
const MINUTE = 60_000;

let made: Awaited<ReturnType<typeof createUpstream>>;
let pair: Pair;
let center: TestApp;
let here: Browser;
let there: Browser;

before(async () => {
  made = await createUpstream();
});
beforeEach(async () => {
  pair = await createPair(made, { fields: { emailAuthoritative: true } });
  ({ center } = pair);
  ({ here, there } = pair.browse());
});

/** The page says why, with a way back; no one is signed in. */
async function assertStopped(response: Response, status: number, words: RegExp): Promise<void> {
  assert.equal(response.status, status);
  const page = await response.text();
  assert.match(page, words);
  assert.match(page, /href="\/sign-in\?rd=%2F/u);
  assert.equal((await here.get("/account")).status, 303);
}

/** The callback with other parameters. */
function withParameters(path: string, change: (parameters: URLSearchParams) => void): string {
  const url = new URL(path, "http://localhost");
  change(url.searchParams);
  return url.pathname + url.search;
}

/** Lets the provider answer otherwise to what goes to a path. */
function rewrite(path: string, answer: (body: Record<string, unknown>) => Record<string, unknown>): void {
  const site = pair.sites.get(UPSTREAM) ?? assert.fail("No provider");
  pair.sites.set(UPSTREAM, async (request) => {
    const said = await site(request);
    if (new URL(request.url).pathname !== path) return said;
    return Response.json(answer(await said.json()));
  });
}

describe("an answer", () => {
  it("is good once", async () => {
    const back = await signInThere(there, await begin(here));
    const cookies = new Map(here.cookies);
    assert.equal(locationOf(await here.get(back)), "/sign-in/identity");
    here.cookies.clear();
    for (const [name, value] of cookies) here.cookies.set(name, value);
    await assertStopped(await here.get(back), 400, /Sign-in expired/u);
  });

  it("is good in the browser that began alone, for ten minutes", async () => {
    const back = await signInThere(there, await begin(here));
    await assertStopped(await createBrowser(center).get(back), 400, /Sign-in expired/u);
    center.clock.advance(10 * MINUTE);
    await assertStopped(await here.get(back), 400, /Sign-in expired/u);
  });

  it("needs its state, and one of another leaves what this browser began", async () => {
    const back = await signInThere(there, await begin(here));
    for (const forged of [
      CALLBACK,
      `${CALLBACK}?error=access_denied`,
      withParameters(back, (parameters) => parameters.delete("state")),
      withParameters(back, (parameters) => parameters.set("state", "state_x")),
    ])
      await assertStopped(await here.get(forged), 400, /Sign-in expired/u);
    assert.equal(locationOf(await here.get(back)), "/sign-in/identity");
  });

  it("of an attacker who began elsewhere signs in no one", async () => {
    const attacker = pair.browse();
    const back = await signInThere(attacker.there, await begin(attacker.here));
    await begin(here);
    await assertStopped(await here.get(back), 400, /Sign-in expired/u);
  });

  it("names another issuer: refused before the code goes anywhere", async () => {
    const back = await signInThere(there, await begin(here));
    const sent = pair.sent.length;
    const mixed = withParameters(back, (parameters) => parameters.set("iss", "https://evil.example"));
    await assertStopped(await here.get(mixed), 400, /Couldn’t sign in with/u);
    assert.equal(pair.sent.length, sent);
  });

  it("has no issuer where the provider says that it names one", async () => {
    rewrite("/.well-known/openid-configuration", (server) => ({
      ...server,
      authorization_response_iss_parameter_supported: true,
    }));
    const back = await signInThere(there, await begin(here));
    const stripped = withParameters(back, (parameters) => parameters.delete("iss"));
    await assertStopped(await here.get(stripped), 400, /Couldn’t sign in with/u);
  });

  it("comes to another provider's address", async () => {
    const more = { id: "more", title: "More", clientId: "c", issuer: "https://more.example.net" };
    await center.admin("POST", "/api/admin/upstreams", more);
    const back = await signInThere(there, await begin(here));
    const sent = pair.sent.length;
    await assertStopped(await here.get(back.replace("/other/", "/more/")), 400, /Sign-in expired/u);
    assert.equal(pair.sent.length, sent);
  });

  it("says that the person did not want to", async () => {
    const asked = await begin(here, "/sign-in/with/other?rd=%2Faccount%2Fprofile");
    const state = asked.searchParams.get("state") ?? "";
    const denied = new URLSearchParams({ error: "access_denied", state, iss: UPSTREAM }).toString();
    const response = await here.get(`${CALLBACK}?${denied}`);
    assert.match(await response.clone().text(), /href="\/sign-in\/with\/other\?rd=%2Faccount%2Fprofile"/u);
    await assertStopped(response, 403, /You didn’t allow/u);
  });

  it("leads to no other site, whatever was requested", async () => {
    for (const rd of ["https://evil.example/", "//evil.example", "/\\evil.example", "/%09/evil.example"]) {
      const one = pair.browse();
      await comeBy({ here: one.here, there }, `/sign-in/with/other?rd=${encodeURIComponent(rd)}`);
      const joined = await one.here.post("/sign-in/identity", { username: "ann", email: "ann@example.org" });
      const location = joined.status === 303 ? locationOf(joined) : "/account";
      assert.ok(location.startsWith("/") && !location.startsWith("//") && !location.includes("\\"), location);
    }
  });
});

describe("a provider", () => {
  /** The ID token with other claims, and the signature of before. */
  const forge = (change: Record<string, unknown>) => (body: Record<string, unknown>) => {
    const [head = "", claims = "", signature = ""] = String(body["id_token"]).split(".");
    const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), ...change };
    const written = Buffer.from(JSON.stringify(changed)).toString("base64url");
    return { ...body, id_token: [head, written, signature].join(".") };
  };

  for (const [what, change] of [
    ["another subject, with the signature of before", { sub: "usr_of_somebody" }],
    ["another audience", { aud: "another" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an end long ago", { exp: 1 }],
  ] as const)
    it(`returns an ID token with ${what}: no one is signed in`, async () => {
      const back = await signInThere(there, await begin(here));
      rewrite("/oauth/token", forge(change));
      await assertStopped(await here.get(back), 400, /Couldn’t sign in with/u);
    });

  it("gives a well-signed ID token for another beginning", async () => {
    const asked = await begin(here);
    asked.searchParams.set("nonce", "another");
    await assertStopped(await here.get(await signInThere(there, asked)), 400, /Couldn’t sign in with/u);
  });

  it("claims at its discovery to be another one", async () => {
    rewrite("/.well-known/openid-configuration", (server) => ({ ...server, issuer: "https://evil.example" }));
    await here.get("/sign-in");
    await assertStopped(await here.get("/sign-in/with/other"), 400, /Couldn’t sign in with/u);
    const test = await center.admin("POST", "/api/admin/upstreams/other/test");
    assert.equal((await test.json()).status, "failed");
  });

  it("is away, before and after: the page says so, and the password stays", async () => {
    const back = await signInThere(there, await begin(here));
    pair.sites.delete(UPSTREAM);
    await assertStopped(await here.get(back), 503, /Other isn’t responding/u);
    const other = await createPair(made);
    other.sites.clear();
    const browser = createBrowser(other.center);
    await browser.get("/sign-in");
    assert.equal((await browser.get("/sign-in/with/other")).status, 503);
    const probe = await (await other.center.admin("POST", "/api/admin/upstreams/other/test")).json();
    assert.deepEqual([probe.status, /refused the connection/u.test(probe.reason)], ["failed", true]);
  });

  it("returns a redirect from the token endpoint: it is not followed", async () => {
    const back = await signInThere(there, await begin(here));
    const site = pair.sites.get(UPSTREAM) ?? assert.fail("No provider");
    pair.sites.set(UPSTREAM, (request) =>
      new URL(request.url).pathname === "/oauth/token"
        ? Response.redirect("https://evil.example/", 307)
        : site(request),
    );
    await assertStopped(await here.get(back), 400, /Couldn’t sign in with/u);
    assert.ok(pair.sent.every(({ followRedirects }) => followRedirects === false));
  });

  it("cannot be used to sign in when it is disabled or unknown, and its button disappears", async () => {
    for (const path of ["/sign-in", "/sign-up"])
      assert.match(await (await here.get(path)).text(), /Continue with Other/u);
    await center.admin("PATCH", "/api/admin/upstreams/other", { registration: "off" });
    assert.doesNotMatch(await (await here.get("/sign-up")).text(), /Continue with Other/u);
    await center.admin("PATCH", "/api/admin/upstreams/other", { enabled: false });
    assert.doesNotMatch(await (await here.get("/sign-in")).text(), /Continue with Other/u);
    for (const path of ["/sign-in/with/other", CALLBACK, "/sign-in/with/nobody", "/sign-in/with/%2e%2e"])
      assert.equal((await here.get(path)).status, 404, path);
  });
});
