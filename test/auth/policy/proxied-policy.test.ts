/** The access policy at a site behind a proxy: the way to the missing step and back, and refusals for programs. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TOTP } from "otpauth";
import { PASSWORD, type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import {
  CENTER,
  type ProxiedSite,
  createSite,
  enter,
  openCenter,
  passCenter,
  pathAt,
} from "../forward/proxied-site.ts";
import { addFactor } from "../http/people.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";

const MINUTE = 60_000;
const ORIGIN = "https://notes.example";

let app: TestApp;
let ann: SignedIn;
let center: Browser;
let site: ProxiedSite;

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann");
  const body = { id: "notes", name: "Notes", protectedOrigins: [ORIGIN] };
  assert.equal((await app.admin("POST", "/api/admin/clients", body)).status, 201);
  center = await openCenter(app, ann);
  site = createSite(app, { origin: ORIGIN });
  await enter({ center, site }, "/page");
  assert.equal((await site.ask("/page")).status, 204);
});

const govern = async (policy: object): Promise<void> => {
  assert.equal((await app.admin("PATCH", "/api/admin/clients/notes", { policy })).status, 200);
};

/** Sets up an authenticator app in the center's browser; resolves with where that leads. */
async function enrol(rd: string): Promise<string> {
  await center.post("/account/security/second-factor/begin", { rd });
  const text = await (await center.get("/account/security/second-factor")).text();
  const secret = /class="mono">([A-Z2-7 ]+)</u.exec(text)?.[1]?.replaceAll(" ", "") ?? assert.fail(text);
  const typed = new TOTP({ secret }).generate({ timestamp: app.clock.now() });
  await center.post("/account/security/second-factor", { code: typed, rd });
  return locationOf(await center.post("/account/security/recovery-codes/kept", {}));
}

/** Where the center leads from the site's redirect: the page that asks for more, with the way back. */
async function askMore(begun: Response): Promise<URL> {
  assert.equal(begun.status, 302);
  const enterPath = new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "";
  return new URL(locationOf(await center.get(enterPath)), CENTER);
}

describe("a proxied site whose policy became stricter", () => {
  it("leads users without a second factor through setting one up, back to the page, once", async () => {
    await govern({ minimumAssurance: "two-factor" });
    const page = await askMore(await site.ask("/page?x=1"));
    assert.equal(page.pathname, "/account/two-factor");
    const back = await enrol(page.searchParams.get("rd") ?? "");
    const left = await center.get(back, { "sec-fetch-site": "cross-site" });
    const landed = await site.own(pathAt(ORIGIN, left));
    assert.deepEqual([landed.status, landed.headers.get("location")], [302, `${ORIGIN}/page?x=1`]);
    assert.equal((await site.ask("/page?x=1")).status, 204);
  });

  it("the same from the page that nginx shows after a refusal", async () => {
    await govern({ minimumAssurance: "two-factor" });
    assert.equal((await askMore(await site.own("/.trivet/enter"))).pathname, "/account/two-factor");
  });

  it("asks for a fresh sign-in once the last one is too old", async () => {
    await govern({ maxSignInAgeMinutes: 5 });
    app.clock.advance(6 * MINUTE);
    const page = await askMore(await site.ask("/page"));
    assert.equal(page.pathname, "/account/confirm");
    const rd = page.searchParams.get("rd") ?? "";
    const back = locationOf(await center.post("/account/confirm", { password: PASSWORD, rd }));
    const left = await center.get(back, { "sec-fetch-site": "cross-site" });
    await site.own(pathAt(ORIGIN, left));
    assert.equal((await site.ask("/page")).status, 204);
  });

  it("shows a page to who comes from another network, and goes round nowhere", async () => {
    await govern({ networks: ["10.0.0.0/8"] });
    const refused = await site.ask("/page");
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /from your current network/u);
    assert.equal((await site.own("/.trivet/enter")).status, 403);
  });

  it("demands at the center what the proxy's address demands, though the center sees another", async () => {
    await govern({ networks: ["192.0.2.1"], twoFactorOutsideNetworks: true });
    const elsewhere = createSite(app, {
      origin: ORIGIN,
      browser: createBrowser(app, { from: "198.51.100.9" }),
    });
    const back = await passCenter({ center, site: elsewhere }, await elsewhere.ask("/page"));
    assert.equal((await elsewhere.own(back)).status, 302);
    const page = await askMore(await elsewhere.ask("/page"));
    assert.equal(page.pathname, "/account/two-factor");
    const left = await center.get(await enrol(page.searchParams.get("rd") ?? ""), {
      "sec-fetch-site": "cross-site",
    });
    await elsewhere.own(pathAt(ORIGIN, left));
    assert.equal((await elsewhere.ask("/page")).status, 204);
  });

  it("tells programs what to ask for (RFC 9470)", async () => {
    const program = { accept: "application/json", authorization: `Bearer ${ann.accessToken}` };
    const ask = () => createSite(app, { origin: ORIGIN }).ask("/page", program);
    await govern({ minimumAssurance: "two-factor" });
    const weak = await ask();
    assert.match(
      weak.headers.get("www-authenticate") ?? "",
      /^Bearer error="insufficient_user_authentication", acr_values="aal2"/u,
    );
    assert.deepEqual(await code(weak), [401, "insufficient_user_authentication"]);
    await govern({ minimumAssurance: "phishing-resistant" });
    assert.match((await ask()).headers.get("www-authenticate") ?? "", /acr_values="phr"/u);
    await govern({ minimumAssurance: null, maxSignInAgeMinutes: 5 });
    app.clock.advance(6 * MINUTE);
    assert.match((await ask()).headers.get("www-authenticate") ?? "", /max_age="300"/u);
    await addFactor(app, (await app.signIn(ann.user)).accessToken);
  });
});

describe("userinfo", () => {
  it("rejects tokens of a sign-in that the policy no longer allows (RFC 9470)", async () => {
    const redirect_uri = `${ORIGIN}/callback`;
    const change = { redirectUris: [redirect_uri], requirePkce: false };
    const rotated: { secret: string } = await (
      await app.admin("POST", "/api/admin/clients/notes/rotate-secret")
    ).json();
    await app.admin("PATCH", "/api/admin/clients/notes", change);
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    const query = new URLSearchParams({ client_id: "notes", redirect_uri, response_type: "code" });
    const left = await browser.get(`/oauth/authorize?${query.toString()}`, {
      "sec-fetch-site": "cross-site",
    });
    const given = new URL(left.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const tokens: { access_token: string } = await (
      await app.fetch("/oauth/token", {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`notes:${rotated.secret}`)}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ grant_type: "authorization_code", code: given, redirect_uri }).toString(),
      })
    ).json();
    const ask = () =>
      app.fetch("/oauth/userinfo", { headers: { authorization: `Bearer ${tokens.access_token}` } });
    assert.equal((await ask()).status, 200);
    await govern({ minimumAssurance: "phishing-resistant" });
    const refused = await ask();
    assert.equal(refused.status, 401);
    assert.match(
      refused.headers.get("www-authenticate") ?? "",
      /error="insufficient_user_authentication".*acr_values="phr"/u,
    );
  });
});
