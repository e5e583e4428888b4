/** Buyers and administrators who sign in to the shop at a real auth center. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { PASSWORD } from "../../auth/app-fixture.ts";
import { addFactor } from "../../auth/http/people.ts";
import { type Browser, createBrowser, signIn } from "../../auth/pages/browser.ts";
import { signLogoutToken } from "../../support/logout-token.ts";
import { type OwnCenter, cookiesOf, openOwnCenter } from "../../support/own-center.ts";
import { type TestShop, code, createTestShop } from "../app-fixture.ts";

const own = { "sec-fetch-site": "same-origin" };

describe("signing in to the shop", () => {
  let center: OwnCenter;
  let shop: TestShop;
  let browser: Browser;

  before(async () => {
    center = await openOwnCenter();
  });
  after(() => center.close());
  beforeEach(async () => {
    center.isUp = true;
    await center.reset();
    shop = await createTestShop({
      clock: center.auth.clock,
      center: await center.connect("shop"),
      publicUrl: "http://localhost",
    });
    await center.auth.signUp("ann");
    browser = createBrowser(center.auth);
    await signIn(browser, "ann", PASSWORD);
  });

  const ask = (path: string, cookie: string): Promise<Response> => shop.raw(path, { headers: { cookie } });
  async function enter(path = "/"): Promise<Response> {
    const begun = await ask(`/sign-in?rd=${encodeURIComponent(path)}`, "");
    return ask(await center.passThrough(browser, begun), cookiesOf(begun));
  }
  const send = (
    method: string,
    path: string,
    cookie: string,
    headers: Record<string, string> = own,
  ): Promise<Response> => shop.send(method, path, { headers: { cookie, ...headers } });

  it("opens what an access token opens, and takes changes from pages of the shop alone", async () => {
    const entered = await enter("/api/orders");
    assert.deepEqual([entered.status, entered.headers.get("location")], [303, "/api/orders"]);
    assert.match(
      entered.headers.get("set-cookie") ?? "",
      /^shop_session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/u,
    );
    const cookie = cookiesOf(entered);
    assert.equal((await send("GET", "/api/orders", cookie)).status, 200);
    assert.deepEqual(await code(await send("GET", "/api/orders", "shop_session=x")), [
      401,
      "unauthenticated",
    ]);
    const write = (headers: Record<string, string>): Promise<Response> =>
      shop.send("POST", "/api/chat/messages", {
        body: { body: "Hello", clientId: "m-1" },
        headers: { cookie, ...headers },
      });
    assert.deepEqual(await code(await write({})), [403, "origin_refused"]);
    assert.deepEqual(await code(await write({ origin: "https://evil.example" })), [403, "origin_refused"]);
    assert.deepEqual(await code(await write({ "sec-fetch-site": "cross-site" })), [403, "origin_refused"]);
    assert.equal((await write(own)).status, 201);
    const { items } = await (await shop.admin("GET", "/api/admin/chat/conversations")).json();
    assert.equal(items[0].displayName ?? items[0].user?.displayName ?? items[0].username, "ann");
  });

  it("renews its tokens, and gives them to the browser", async () => {
    const first = cookiesOf(await enter());
    center.auth.clock.advance(16 * 60_000);
    const renewed = await send("GET", "/api/orders", first);
    assert.equal(renewed.status, 200);
    const second = cookiesOf(renewed);
    assert.match(second, /^shop_session=/u);
    const quiet = await send("GET", "/api/orders", second);
    assert.deepEqual([quiet.status, quiet.headers.get("set-cookie")], [200, null]);
  });

  it("ends with the sign-in at the center, at once when the center says so, and buys on as a guest", async () => {
    const cookie = cookiesOf(await enter());
    assert.equal((await send("GET", "/api/orders", cookie)).status, 200);
    await browser.post("/sign-out", {});
    assert.equal((await send("GET", "/api/orders", cookie)).status, 200, "an answer of the last seconds");
    const told = (token: string): Promise<Response> =>
      shop.raw("/backchannel-logout", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
    const token = await signLogoutToken(center.auth, { aud: "shop" });
    for (const wrong of [
      "no.jwt.atall",
      await signLogoutToken(center.auth, { aud: "monitor" }),
      await signLogoutToken(center.auth, { aud: "shop", iss: "https://evil.example" }),
      await signLogoutToken(center.auth, { aud: "shop", nonce: "n" }),
      await signLogoutToken(center.auth, { aud: "shop", events: {} }),
      `${token.slice(0, -4)}AAAA`,
    ])
      assert.deepEqual(await code(await told(wrong)), [400, "bad_request"]);
    assert.equal((await send("GET", "/api/orders", cookie)).status, 200, "nothing was forgotten");
    assert.equal((await told(token)).status, 200);
    assert.deepEqual(await code(await told(token)), [400, "bad_request"], "it counts once");
    const ended = await send("GET", "/api/orders", cookie);
    assert.match(ended.headers.get("set-cookie") ?? "", /^shop_session=;.*Max-Age=0/u);
    assert.deepEqual(await code(ended), [401, "unauthenticated"]);
    const guest = await shop.send("POST", "/api/checkout/preview", {
      body: { items: [{ productId: "none", quantity: 1 }] },
      headers: { cookie, ...own },
    });
    assert.ok(guest.status !== 401, `${guest.status}`);
  });

  it("signs out here and at the center", async () => {
    const cookie = cookiesOf(await enter());
    const out = (headers: Record<string, string>): Promise<Response> =>
      shop.raw("/sign-out", { method: "POST", headers: { cookie, ...headers } });
    assert.deepEqual(await code(await out({ "sec-fetch-site": "cross-site" })), [403, "origin_refused"]);
    const ended = await out(own);
    assert.deepEqual([ended.status, ended.headers.get("location")], [303, "/"]);
    assert.equal((await send("GET", "/api/orders", cookie)).status, 401);
    assert.match((await browser.get("/account")).headers.get("location") ?? "", /^\/sign-in/u);
  });

  it("lets administrators in by their account, with the second factor where it is wanted", async () => {
    const STATUS = "/api/admin/verify";
    const cookie = cookiesOf(await enter());
    assert.deepEqual(await code(await send("GET", STATUS, cookie)), [403, "forbidden"]);
    const boss = await center.auth.signUp("boss", { role: "admin" });
    browser = createBrowser(center.auth);
    await signIn(browser, "boss", PASSWORD);
    const bosses = cookiesOf(await enter());
    assert.equal((await send("GET", STATUS, bosses)).status, 200);
    const product = { title: "Book", priceMinor: 100, currency: "EUR" };
    const made = (headers: Record<string, string>): Promise<Response> =>
      shop.send("POST", "/api/admin/coupons", { body: product, headers: { cookie: bosses, ...headers } });
    assert.deepEqual(await code(await made({})), [403, "origin_refused"]);
    assert.equal((await made(own)).status, 422, "it is looked at");
    const bearer = { authorization: `Bearer ${boss.accessToken}` };
    assert.deepEqual(await code(await shop.send("GET", STATUS, { headers: bearer })), [
      401,
      "unauthenticated",
    ]);
    center.isUp = false;
    center.auth.clock.advance(4_000);
    assert.deepEqual(await code(await send("GET", STATUS, bosses)), [503, "auth_unavailable"]);
    assert.equal((await shop.admin("GET", STATUS)).status, 200, "the token works without the center");
    center.isUp = true;
    await addFactor(center.auth, boss.accessToken);
    assert.deepEqual(await code(await send("GET", STATUS, bosses)), [403, "forbidden"]);
  });
});
