/** The shop's brand at the auth center: taken over, corrected, kept through outages, and removed. */
import assert from "node:assert/strict";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { contrastOf, hardestSurfaces } from "../../../src/kit/brand/accent.ts";
import { keepOwnClient } from "../../../src/auth/applications/own-clients.ts";
import { clients } from "../../../src/auth/applications/records.ts";
import { shopBrands } from "../../../src/auth/shop-brand/records.ts";
import { keepShopBrand } from "../../../src/auth/shop-brand/shop-brand.ts";
import { createBrandRead } from "../../../src/service/center/brand-read.ts";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
const toLogo = (svg: string): string => `data:image/svg+xml;base64,${btoa(svg)}`;
const brand = { name: "Harbour Goods", logo: toLogo(SVG), color: "#ffd000", accent: { light: "", dark: "" } };

let app: TestApp;
let browser: Browser;

const take = (published: unknown): Promise<string> =>
  keepShopBrand(app.auth, () =>
    Promise.resolve(published === undefined ? undefined : JSON.stringify(published)),
  );

/** The page of the sign-in to which an application sends its visitors. */
async function comeFrom(id: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: `https://${id}.example/callback`,
    response_type: "code",
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
    scope: "openid",
  });
  const path = locationOf(await browser.get(`/oauth/authorize?${query.toString()}`));
  return (await browser.get(path)).text();
}

const sheetOf = async (page: string): Promise<string> => {
  const path = /href="(\/brand\/shop\/brand\/[^"]+\.css)"/u.exec(page)?.[1] ?? "";
  return (await browser.get(path)).text();
};

describe("the shop's brand", () => {
  beforeEach(async () => {
    app = await createTestApp();
    browser = createBrowser(app);
    await keepOwnClient(app.auth, {
      id: "shop",
      name: "Shop",
      secret: "own_secret",
      redirectUris: ["https://shop.example/callback"],
      postLogoutRedirectUris: [],
      logoutUrl: "",
    });
    await app.admin("POST", "/api/admin/clients", {
      id: "wiki",
      name: "Wiki",
      redirectUris: ["https://wiki.example/callback"],
    });
  });

  it("is on the pages of those who come from the shop, and on their account's pages after that", async () => {
    assert.equal(await take(brand), "changed");
    const page = await comeFrom("shop");
    assert.match(page, /Harbour Goods/u);
    assert.match(page, /to continue to Harbour Goods/u);
    const logo = /src="(\/brand\/shop\/brand\/[^"]+\/logo)"/u.exec(page)?.[1] ?? "";
    assert.match((await browser.get(logo)).headers.get("content-type") ?? "", /^image\/svg\+xml/u);
    await app.signUp("ann");
    await signIn(browser, "ann", PASSWORD);
    assert.match(await (await browser.get("/account")).text(), /brand\/shop\/brand/u);
  });

  it("is on no page of others, also after a visit to another application", async () => {
    await take(brand);
    assert.doesNotMatch(await (await browser.get("/sign-in")).text(), /Harbour Goods/u);
    await comeFrom("shop");
    assert.match(await (await browser.get("/sign-in")).text(), /Harbour Goods/u);
    assert.doesNotMatch(await comeFrom("wiki"), /Harbour Goods/u);
    assert.doesNotMatch(await (await browser.get("/sign-in")).text(), /Harbour Goods/u);
  });

  it("has shades that can be read in both themes", async () => {
    await take(brand);
    const css = await sheetOf(await comeFrom("shop"));
    for (const theme of ["light", "dark"] as const) {
      const [, color = ""] = new RegExp(`theme="${theme}"\\]\\{--accent:(#[\\da-f]{6})`, "u").exec(css) ?? [];
      assert.ok(contrastOf(color, hardestSurfaces[theme]) >= 4.5, `${theme}: ${color}`);
    }
  });

  it("leaves what an administrator set here", async () => {
    await take(brand);
    const accent = { light: "#5522aa", dark: "#ccaaff" };
    await app.admin("PATCH", "/api/admin/settings/branding", { accent, customCss: ".page { color: red }" });
    await app.admin("PATCH", "/api/admin/settings/registration", { siteName: "One account" });
    const page = await comeFrom("shop");
    assert.match(page, /One account/u);
    const css = await sheetOf(page);
    assert.match(css, /--accent:#5522aa/u);
    assert.match(css, /color: red/u);
    assert.match(page, /brand\/shop\/brand\/[^"]+\/logo/u);
  });

  it("names the application, unless an administrator named it", async () => {
    const nameOf = async (): Promise<string | undefined> =>
      (await app.store.read((tx) => tx.get(clients, "shop")))?.name;
    await take(brand);
    assert.equal(await nameOf(), "Harbour Goods");
    await take({ ...brand, name: "Harbour" });
    assert.equal(await nameOf(), "Harbour");
    await app.admin("PATCH", "/api/admin/clients/shop", { name: "My shop" });
    await take({ ...brand, name: "Again" });
    assert.equal(await nameOf(), "My shop");
  });

  it("stays while the shop is unavailable or answers nonsense", async () => {
    await take(brand);
    for (const answer of [undefined, "nonsense", [], { ...brand, color: "red" }, { ...brand, name: " " }])
      assert.equal(await take(answer), "unreadable");
    assert.match(await comeFrom("shop"), /Harbour Goods/u);
    assert.equal(await take(brand), "kept");
  });

  it("takes no logo in which something could run, and cuts what is too long", async () => {
    const script = toLogo('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    await take({ ...brand, logo: script, name: `A\u202e\n${"b".repeat(190)}` });
    const kept = await app.store.read((tx) => tx.get(shopBrands, "shop"));
    assert.equal(kept?.logo, "");
    assert.equal(kept?.name, `A ${"b".repeat(58)}`);
    for (const logo of ["https://evil.example/x.png", "data:text/html;base64,AAAA"]) {
      await take({ ...brand, logo });
      assert.equal((await app.store.read((tx) => tx.get(shopBrands, "shop")))?.logo, "");
    }
  });

  it("goes with its setting, and the application has its plain name again", async () => {
    await take(brand);
    await app.admin("PATCH", "/api/admin/settings/branding", { shopBrand: false });
    assert.doesNotMatch(await comeFrom("shop"), /brand\/shop/u);
    assert.equal(await take(brand), "removed");
    assert.equal(await app.store.read((tx) => tx.get(shopBrands, "shop")), undefined);
    assert.equal((await app.store.read((tx) => tx.get(clients, "shop")))?.name, "Shop");
  });

  it("is not taken for an application that someone registered as shop", async () => {
    await app.store.transact(async (tx) => {
      const client = await tx.get(clients, "shop");
      if (client !== undefined) await tx.put(clients, { ...client, isOwn: false });
    });
    assert.equal(await take(brand), "kept");
    assert.doesNotMatch(await comeFrom("shop"), /Harbour Goods/u);
  });
});

describe("createBrandRead", () => {
  const asked: string[] = [];
  let answer: { status: number; headers?: Record<string, string>; body: string };
  let server: Server;
  let shopUrl: string;
  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port
    shopUrl = `http://127.0.0.1:${port}`;
  });
  after(() => server.close());

  it("reads the configured address alone: it follows no redirect", async () => {
    const read = createBrandRead({ shopUrl, timeoutMs: 5_000 });
    answer = { status: 200, body: "{}" };
    assert.equal(await read(), "{}");
    answer = { status: 302, headers: { location: `${shopUrl}/secret` }, body: "" };
    assert.equal(await read(), undefined);
    assert.deepEqual(asked, ["/api/site/brand", "/api/site/brand"]);
  });

  it("reads no error and nothing that is too large, and survives a shop that is away", async () => {
    const read = createBrandRead({ shopUrl, timeoutMs: 5_000 });
    answer = { status: 500, body: "{}" };
    assert.equal(await read(), undefined);
    answer = { status: 200, body: "x".repeat(200_000) };
    assert.equal(await read(), undefined);
    const away = createBrandRead({ shopUrl: "http://127.0.0.1:1", timeoutMs: 5_000 });
    assert.equal(await away(), undefined);
  });
});
