/** Who gets into the console of the shop, what its cookie opens, and its page. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { PASSWORD } from "../../auth/app-fixture.ts";
import { addFactor } from "../../auth/http/people.ts";
import { type Browser, createBrowser, signIn } from "../../auth/pages/browser.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { sweepConsoleSessions } from "../../../src/records/console-sessions.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { type OwnCenter, cookiesOf, openOwnCenter } from "../../support/own-center.ts";
import { ADMIN_TOKEN, type TestShop, code, createTestShop } from "../app-fixture.ts";

const SESSION = "/api/console/session";
const STATS = "/api/admin/stats";
const own = { "sec-fetch-site": "same-origin" };
const consoles = [
  { service: "monitor" as const, url: "https://status.example.org", port: 8001 },
  { service: "shop" as const, url: undefined, port: 8003 },
];

/** A request of a browser's page to the shop, with its cookies. */
function createPage(shop: TestShop) {
  const send = (
    method: string,
    path: string,
    options: { cookie?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Response> => {
    const { cookie = "", headers = own, body } = options;
    return shop.send(method, path, { body, headers: { cookie, ...headers } });
  };
  const enter = async (): Promise<string> =>
    cookiesOf(await send("POST", SESSION, { body: { token: ADMIN_TOKEN } }));
  const show = async (cookie: string): Promise<unknown> => (await send("GET", SESSION, { cookie })).json();
  return { send, enter, show };
}

describe("a session of the shop's console", () => {
  let shop: TestShop;
  let page: ReturnType<typeof createPage>;
  beforeEach(async () => {
    shop = await createTestShop({ consoles, publicUrl: "http://localhost" });
    page = createPage(shop);
  });

  it("begins with the administrator token, in a cookie that no script reads and no other site sends", async () => {
    const response = await page.send("POST", SESSION, { body: { token: ADMIN_TOKEN } });
    assert.equal(response.status, 204);
    assert.match(
      response.headers.getSetCookie()[0] ?? "",
      /^shop_console=con_[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/u,
    );
    assert.equal((await page.send("GET", STATS, { cookie: cookiesOf(response) })).status, 200);
    const audit = await (await shop.admin("GET", "/api/admin/audit")).json();
    assert.match(JSON.stringify(audit), /"actor":"session [\w-]{6}","action":"console\.sign-in"/u);
  });

  it("reports no user, the holder of the token, and the URLs of the other consoles", async () => {
    assert.deepEqual(await page.show(""), { status: "signed_out", signIn: "unknown" });
    assert.deepEqual(await page.show(await page.enter()), {
      status: "signed_in",
      name: "",
      expiresAt: new Date(shop.clock.now() + 43_200_000).toISOString().replace("Z", "+00:00"),
      demoPayment: false,
      consoles: [
        { service: "monitor", url: "https://status.example.org/admin" },
        { service: "shop", url: "http://localhost:8003/admin" },
      ],
    });
  });

  it("refuses wrong tokens, more of them for longer, and forms of other sites", async () => {
    const send = (token: string, headers: Record<string, string> = own): Promise<Response> =>
      page.send("POST", SESSION, { body: { token }, headers });
    const foreign: Record<string, string>[] = [
      {},
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ];
    for (const headers of foreign)
      assert.deepEqual(await code(await send(ADMIN_TOKEN, headers)), [403, "origin_refused"]);
    for (let tries = 0; tries < 5; tries += 1)
      assert.deepEqual(await code(await send(`adm_wrong-${tries}`)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await send("adm_wrong")), [429, "rate_limited"]);
  });

  it("ends after 12 hours, at a sign-out, and with another administrator token", async () => {
    const first = await page.enter();
    const end = await page.send("DELETE", SESSION, { cookie: first });
    assert.deepEqual([end.status, cookiesOf(end)], [204, "shop_console="]);
    assert.deepEqual(await code(await page.send("GET", STATS, { cookie: first })), [401, "unauthenticated"]);
    const second = await page.enter();
    shop.clock.advance(43_200_000);
    assert.deepEqual(await code(await page.send("GET", STATS, { cookie: second })), [401, "unauthenticated"]);
    shop.clock.advance(1);
    assert.equal(await shop.store.transact((tx) => sweepConsoleSessions(tx, shop.clock.now())), 1);
    const store = createMemoryStore({ collections: shopCollections });
    const held = await createPage(await createTestShop({ store })).enter();
    const other = createPage(await createTestShop({ store, tokenHashes: [hashSecret("adm_another-one")] }));
    assert.deepEqual(await other.show(held), { status: "signed_out", signIn: "unknown" });
  });

  it("opens nothing to pages of other sites, whatever they ask", async () => {
    const cookie = await page.enter();
    for (const site of ["cross-site", "same-site"])
      assert.deepEqual(
        await code(await page.send("GET", STATS, { cookie, headers: { "sec-fetch-site": site } })),
        [403, "origin_refused"],
      );
    const change = (headers: Record<string, string>): Promise<Response> =>
      page.send("POST", "/api/admin/categories", { cookie, headers, body: {} });
    assert.deepEqual(await code(await change({})), [403, "origin_refused"]);
    assert.deepEqual(await code(await change({ origin: "https://evil.example" })), [403, "origin_refused"]);
    assert.equal((await change(own)).status, 422, "it is looked at");
  });

  it("has a cookie of this host alone where people come by https", async () => {
    const secure = createPage(await createTestShop({ publicUrl: "https://shop.example.org" }));
    const cookie = await secure.enter();
    assert.match(cookie, /^__Host-shop_console=/u);
    assert.equal((await secure.send("GET", STATS, { cookie })).status, 200);
  });
});

describe("a person at the shop's console", () => {
  let center: OwnCenter;
  let shop: TestShop;
  let page: ReturnType<typeof createPage>;

  before(async () => {
    center = await openOwnCenter();
  });
  after(() => center.close());
  beforeEach(async () => {
    center.isUp = true;
    await center.reset();
    const { clock } = center.auth;
    shop = await createTestShop({
      clock,
      consoles,
      publicUrl: "http://localhost",
      center: await center.connect("shop"),
    });
    page = createPage(shop);
  });

  async function comeAs(browser: Browser): Promise<string> {
    const begun = await shop.raw("/sign-in?rd=/admin/today");
    const path = await center.passThrough(browser, begun);
    const entered = await shop.raw(path, { headers: { cookie: cookiesOf(begun) } });
    assert.equal(entered.headers.get("location"), "/admin/today");
    return cookiesOf(entered);
  }
  async function signUp(name: string, role: "admin" | "user") {
    const account = await center.auth.signUp(name, { role });
    const browser = createBrowser(center.auth);
    await signIn(browser, name, PASSWORD);
    return { ...account, browser };
  }

  it("comes by the auth center, if they administer, and signs out there with the console", async () => {
    assert.deepEqual(await page.show(""), { status: "signed_out", signIn: "ready" });
    const [boss, bob] = [await signUp("boss", "admin"), await signUp("bob", "user")];
    const [bosses, bobs] = [await comeAs(boss.browser), await comeAs(bob.browser)];
    assert.match(
      JSON.stringify(await page.show(bosses)),
      /^\{"status":"signed_in","name":"boss","demoPayment":false,/u,
    );
    assert.deepEqual(await page.show(bobs), {
      status: "refused",
      name: "bob",
      reason: "role",
      accountUrl: "http://localhost",
    });
    const ended = await page.send("DELETE", SESSION, { cookie: bosses });
    assert.deepEqual([ended.status, cookiesOf(ended)], [204, "shop_console=; shop_session="]);
    assert.match((await boss.browser.get("/account")).headers.get("location") ?? "", /^\/sign-in/u);
    center.auth.clock.advance(4_000);
    assert.deepEqual(await page.show(bosses), { status: "signed_out", signIn: "ready" });
  });

  it("needs the second factor where the center wants it", async () => {
    const boss = await signUp("boss", "admin");
    const cookie = await comeAs(boss.browser);
    await addFactor(center.auth, boss.accessToken);
    center.auth.clock.advance(4_000);
    const shown = { status: "refused", name: "boss", reason: "second_factor_missing" };
    assert.deepEqual(await page.show(cookie), { ...shown, accountUrl: "http://localhost" });
  });

  it("reports that the center is unavailable, and the token works without it", async () => {
    const cookie = await comeAs((await signUp("boss", "admin")).browser);
    center.isUp = false;
    center.auth.clock.advance(4_000);
    assert.deepEqual(await page.show(cookie), { status: "signed_out", signIn: "away" });
    const held = `${cookie}; ${await page.enter()}`;
    assert.match(JSON.stringify(await page.show(held)), /"status":"signed_in","name":""/u);
    assert.equal((await page.send("GET", STATS, { cookie: held })).status, 200);
    assert.deepEqual(await code(await page.send("DELETE", SESSION, { cookie })), [503, "auth_unavailable"]);
  });
});

describe("the page of the shop's console", () => {
  it("is for browsers, contains no personal data, and only allows scripts from this origin", async () => {
    const shop = await createTestShop();
    await shop.setSite({ name: 'A <b>"&' });
    for (const path of ["/admin", "/admin/orders", "/admin/orders/ord_1"]) {
      const page = await shop.raw(path, { headers: { accept: "text/html" } });
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<title>A &lt;b&gt;&quot;&amp;<\/title>/u);
      assert.match(
        page.headers.get("content-security-policy") ?? "",
        /script-src 'self';.*frame-ancestors 'none'/u,
      );
      assert.equal(page.headers.get("cache-control"), "no-store");
    }
    for (const accept of [undefined, "*/*"]) {
      const plain = await shop.raw("/admin", accept === undefined ? {} : { headers: { accept } });
      assert.deepEqual([plain.status, plain.headers.get("content-type")], [200, "text/html; charset=UTF-8"]);
    }
    const program = await shop.raw("/admin", { headers: { accept: "application/json" } });
    assert.deepEqual(await code(program), [404, "not_found"]);
  });
});
