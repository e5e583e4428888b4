/** The owner's brand on the pages: accent, logo, links and rules of their own. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { beforeEach, describe, it } from "node:test";
import { settings } from "../../../src/auth/settings/records.ts";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { realPng } from "../pictures.ts";
import { type Browser, createBrowser, signIn } from "./browser.ts";

let app: TestApp;
let browser: Browser;
beforeEach(async () => {
  app = await createTestApp();
  browser = createBrowser(app);
});

const change = (fields: object): Promise<Response> =>
  app.admin("PATCH", "/api/admin/settings/branding", fields);
const signInPage = async (): Promise<string> => (await browser.get("/sign-in")).text();
const toAddress = (type: string, text: string): string => `data:${type};base64,${btoa(text)}`;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

/** Pointers of the refused members. */
async function refusedAt(fields: object): Promise<string[]> {
  const response = await change(fields);
  assert.equal(response.status, 422);
  const { errors }: { errors: { pointer: string }[] } = await response.json();
  return errors.map(({ pointer }) => pointer);
}

describe("the brand of the pages", () => {
  it("is the product's by default", async () => {
    assert.ok(!(await signInPage()).includes("/brand/"));
    assert.equal((await browser.get("/brand/x/logo")).status, 404);
    assert.equal(await (await browser.get("/brand/x/custom.css")).text(), "");
  });

  it("brings accent and own rules in one sheet after the product's, whose address changes with them", async () => {
    const accent = { light: "#5522aa", dark: "#ccaaff" };
    assert.equal((await change({ accent, customCss: ".page { max-width: 60rem }" })).status, 200);
    const path =
      /\.css"\/><link rel="stylesheet" href="(\/brand\/[\w-]{20,}\/custom\.css)"/u.exec(
        await signInPage(),
      )?.[1] ?? "";
    const sheet = await browser.get(path);
    assert.equal(sheet.headers.get("content-type"), "text/css; charset=utf-8");
    assert.match(sheet.headers.get("cache-control") ?? "", /immutable/u);
    const css = await sheet.text();
    assert.match(css, /^\[data-theme="light"\]\{--accent:#5522aa/u);
    assert.match(css, /\n\.page \{ max-width: 60rem \}$/u);
    await change({ customCss: ".page { max-width: 50rem }" });
    assert.ok(!(await signInPage()).includes(path));
    const old = await browser.get(path);
    assert.equal(old.headers.get("cache-control"), "no-cache");
    assert.match(await old.text(), /50rem/u);
  });

  it("shows a logo in which nothing runs", async () => {
    await change({ logo: toAddress("image/svg+xml", SVG) });
    const path =
      /<img class="brand-logo" src="(\/brand\/[\w-]+\/logo)" alt=""/u.exec(await signInPage())?.[1] ?? "";
    const logo = await browser.get(path);
    assert.equal(logo.headers.get("content-type"), "image/svg+xml; charset=utf-8");
    assert.match(logo.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/u);
    assert.match(logo.headers.get("cache-control") ?? "", /immutable/u);
    assert.equal(await logo.text(), SVG);
  });

  it("refuses what cannot be read or could run, at its field", async () => {
    assert.deepEqual(await refusedAt({ accent: { light: "#ffff00" } }), ["/accent/light"]);
    assert.deepEqual(await refusedAt({ accent: { dark: "#000080" } }), ["/accent/dark"]);
    assert.deepEqual(await refusedAt({ logo: toAddress("image/svg+xml", "<svg onload=alert(1)>") }), [
      "/logo",
    ]);
    assert.deepEqual(await refusedAt({ logo: toAddress("image/png", SVG) }), ["/logo"]);
    assert.deepEqual(await refusedAt({ customCss: "a".repeat(30_001) }), ["/customCss"]);
    assert.deepEqual(await refusedAt({ privacyUrl: "javascript:alert(1)" }), ["/privacyUrl"]);
  });

  it("keeps a logo that an earlier version took until it is changed", async () => {
    await change({ logo: toAddress("image/svg+xml", SVG) });
    const former = toAddress("image/svg+xml", SVG.replace("<path", "<animate/><path"));
    await app.store.transact(async (tx) => {
      const record = await tx.get(settings, "branding");
      assert.ok(record !== undefined);
      await tx.put(settings, { ...record, fields: { ...record.fields, logo: former } });
    });
    assert.equal((await change({ privacyUrl: "https://example.org/privacy" })).status, 200);
    assert.match(await signInPage(), /class="brand-logo"/u);
    assert.equal((await change({ logo: "" })).status, 200);
    assert.deepEqual(await refusedAt({ logo: former }), ["/logo"]);
  });

  it("takes a logo of its full size", async () => {
    const padding = " ".repeat(65_536 - SVG.length);
    assert.equal((await change({ logo: toAddress("image/svg+xml", SVG + padding) })).status, 200);
    assert.deepEqual(await refusedAt({ logo: toAddress("image/svg+xml", `${SVG}${padding} `) }), ["/logo"]);
  });

  it("links terms, privacy and imprint in the language of the page", async () => {
    await app.set("registration", { termsUrl: "https://example.org/terms" });
    await change({ privacyUrl: "https://example.org/privacy", imprintUrl: "https://example.org/imprint" });
    const html = await (await browser.get("/sign-in", { "accept-language": "de" })).text();
    assert.match(
      html,
      /example\.org\/terms">Nutzungsbedingungen<.*example\.org\/privacy">Datenschutz<.*example\.org\/imprint">Impressum</su,
    );
  });
});

describe("one's own picture", () => {
  it("is shown to its owner though it is hidden from others", async () => {
    const { user } = await app.signUp("ann");
    await app.auth.avatars.put(user.id, { mediaType: "image/png", bytes: realPng });
    assert.equal((await browser.get("/account/picture")).status, 303);
    await signIn(browser, "ann", PASSWORD);
    const path = /<img class="avatar is-large" src="(\/account\/picture[^"]*)"/u.exec(
      await (await browser.get("/account/profile")).text(),
    );
    const picture = await browser.get(path?.[1] ?? "");
    assert.equal(picture.headers.get("content-type"), "image/png");
    assert.equal(picture.headers.get("cache-control"), "no-store");
    assert.equal((await browser.get("/api/public/users/ann/avatar")).status, 404);
  });
});

describe("docs/branding.md", () => {
  it("names classes and properties that the style sheet has", async () => {
    const paper = await readFile(new URL("../../../docs/branding.md", import.meta.url), "utf8");
    const html = await signInPage();
    const path = /href="(\/assets\/pages-\w+\.css)"/u.exec(html)?.[1] ?? "";
    const built = new URL("../../../src/web/built/", import.meta.url);
    // Status pages and the looks of a shop have style sheets of their own.
    const own = (await readdir(built)).filter((name) =>
      /^(?:public-status|storefront-\w+)-.*\.css$/u.test(name),
    );
    const sheets = await Promise.all(own.map((name) => readFile(new URL(name, built), "utf8")));
    const css = [await (await browser.get(path)).text(), ...sheets].join("\n");
    const names = [...paper.matchAll(/`((?:\.[a-z][a-z.-]+)|--[a-z0-9-]+)`/gu)].map(([, name = ""]) => name);
    assert.ok(names.length > 40);
    const isThere = (name: string): boolean =>
      name.startsWith("--")
        ? css.includes(`${name}:`)
        : css.includes(name) || html.includes(`class="${name.slice(1)}"`);
    assert.deepEqual(
      names.filter((name) => !isThere(name)),
      [],
    );
  });
});
