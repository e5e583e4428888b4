/** The page as the owner's: accent, manifest, what a shared link shows, and the page for unknown addresses. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, describe, it } from "node:test";
import {
  contrastOf,
  findAccentFault,
  hardestSurfaces,
  toAccentStyles,
} from "../../../src/kit/brand/accent.ts";
import { settings } from "../../../src/monitor/site/records.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";

const HTML = { headers: { accept: "text/html,application/xhtml+xml" } };

describe("the accent", () => {
  it("is measured as WCAG does", () => {
    assert.equal(contrastOf("#ffffff", "#000000"), 21);
    assert.equal(contrastOf("#777777", "#ffffff").toFixed(2), "4.48");
  });

  it("is measured on the surfaces of the style sheets", async () => {
    const tokens = await readFile(new URL("../../../src/web/styles/tokens.css", import.meta.url), "utf8");
    const found = [...tokens.matchAll(/--sunken: (#\w+);/gu)].map(([, colour]) => colour);
    assert.deepEqual(found, [hardestSurfaces.light, hardestSurfaces.dark, hardestSurfaces.dark]);
  });

  it("is refused where it cannot be read, with what to do", () => {
    assert.equal(findAccentFault("#0d6b5c", "light"), undefined);
    assert.match(findAccentFault("#77ccbb", "light") ?? "", /1\.\d:1 with the light theme.*darker/u);
    assert.match(findAccentFault("#0d6b5c", "dark") ?? "", /lighter/u);
    assert.equal(findAccentFault("#45c0a8", "dark"), undefined);
  });

  it("has a text colour that can be read on it", () => {
    assert.match(toAccentStyles({ light: "#5522aa", dark: "" }), /--accent-ink:#ffffff/u);
    assert.match(toAccentStyles({ light: "", dark: "#ffcc66" }), /--accent-ink:#000000/u);
    assert.equal(toAccentStyles({ light: "", dark: "" }), "");
  });
});

describe("the page of a site", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp();
  });

  const pageOf = async (path: string): Promise<string> => (await app.fetch(path, HTML)).text();

  it("links the owner's colours once they are set", async () => {
    assert.ok(!(await pageOf("/")).includes("/site.css"));
    const accent = { light: "#5522aa", dark: "#ccaaff" };
    const saved = await app.admin("PATCH", "/api/admin/settings", { accent });
    assert.equal(saved.status, 200);
    assert.match(await pageOf("/"), /<link rel="stylesheet" href="\/site\.css" \/>/u);
    const styles = await app.fetch("/site.css");
    assert.equal(styles.headers.get("content-type"), "text/css; charset=utf-8");
    assert.match(await styles.text(), /\[data-theme="light"\]\{--accent:#5522aa/u);
    const etag = styles.headers.get("etag") ?? "";
    assert.equal((await app.fetch("/site.css", { headers: { "if-none-match": etag } })).status, 304);
  });

  it("refuses colours that cannot be read, each at its field", async () => {
    for (const [accent, pointer] of [
      [{ light: "#ffff00" }, "/accent/light"],
      [{ dark: "#000080" }, "/accent/dark"],
      [{ light: "teal" }, "/accent/light"],
    ] as const) {
      const answer = await app.admin("PATCH", "/api/admin/settings", { accent });
      assert.equal(answer.status, 422);
      const { errors }: { errors: { pointer: string }[] } = await answer.json();
      assert.deepEqual(
        errors.map((error) => error.pointer),
        [pointer],
      );
    }
  });

  const toAddress = (type: string, text: string): string => `data:${type};base64,${btoa(text)}`;
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

  it("shows the owner's logo, in which nothing runs", async () => {
    assert.equal((await app.fetch("/site-logo/1")).status, 404);
    const logo = toAddress("image/svg+xml", SVG);
    assert.equal((await app.admin("PATCH", "/api/admin/settings", { logo })).status, 200);
    const site: { logo: string } = await (await app.fetch("/api/site")).json();
    const answer = await app.fetch(site.logo);
    assert.equal(answer.headers.get("content-type"), "image/svg+xml; charset=utf-8");
    assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none';.*sandbox/u);
    assert.equal(await answer.text(), SVG);
  });

  it("refuses a logo that is no picture, is large, or has something active in it", async () => {
    const png = "\u0089PNG\r\n\u001a\n";
    for (const logo of [
      "https://example.org/logo.png",
      toAddress("image/gif", "GIF89a"),
      "data:image/png;base64,???",
      toAddress("image/png", "<svg/>"),
      toAddress("image/png", png + "x".repeat(66_000)),
      toAddress("image/svg+xml", "plain words"),
      ...["<script>1</script>", '<a onclick = "x"/>', "<foreignObject/>", '<a href="javascript:x"/>'].map(
        (inner) => toAddress("image/svg+xml", `<svg>${inner}</svg>`),
      ),
    ]) {
      const answer = await app.admin("PATCH", "/api/admin/settings", { logo });
      assert.equal(answer.status, 422, logo.slice(0, 60));
      const { errors }: { errors: { pointer: string }[] } = await answer.json();
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        ["/logo"],
      );
    }
    assert.equal(
      (await app.admin("PATCH", "/api/admin/settings", { logo: toAddress("image/png", `${png}x`) })).status,
      200,
    );
  });

  it("keeps a logo that an earlier version took until it is changed", async () => {
    await app.admin("PATCH", "/api/admin/settings", { logo: toAddress("image/svg+xml", SVG) });
    const former = toAddress("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"><animate/></svg>');
    await app.store.transact(async (tx) => {
      const record = await tx.get(settings, "settings");
      assert.ok(record !== undefined);
      await tx.put(settings, { ...record, logo: former });
    });
    const renamed = await app.admin("PATCH", "/api/admin/settings", { siteTitle: "New", logo: former });
    assert.equal(renamed.status, 200);
    const site: { logo: string } = await (await app.fetch("/api/site")).json();
    assert.equal((await app.fetch(site.logo)).status, 200);
    const again = toAddress("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"> <animate/></svg>');
    const answer = await app.admin("PATCH", "/api/admin/settings", { logo: again });
    assert.match(await answer.text(), /has the element .{1,4}animate.{1,4}: export it as a plain SVG/u);
    assert.equal(answer.status, 422);
  });

  it("says nothing of a private site to strangers' link previews", async () => {
    assert.ok((await pageOf("/")).includes("og:title"));
    const answer = await app.admin("PATCH", "/api/admin/settings", { access: { isPrivate: true } });
    assert.equal(answer.status, 200);
    assert.ok(!(await pageOf("/")).includes("og:title"));
  });

  it("has a manifest and a shared link's words with the site's title", async () => {
    await app.admin("PATCH", "/api/admin/settings", { siteTitle: 'My "$&" <site>' });
    const answer = await app.fetch("/site.webmanifest");
    assert.equal(answer.headers.get("content-type"), "application/manifest+json");
    const manifest: { name: string; icons: { src: string; purpose?: string }[] } = await answer.json();
    assert.equal(manifest.name, 'My "$&" <site>');
    assert.ok(manifest.icons.some(({ purpose }) => purpose === "maskable"));
    for (const { src } of manifest.icons) {
      const { pathname } = new URL(src, "https://status.example/site.webmanifest");
      assert.equal((await app.fetch(pathname)).status, 200, src);
    }
    const page = await pageOf("/");
    assert.ok(page.includes('<meta property="og:title" content="My &quot;$&amp;&quot; &lt;site&gt;" />'));
    assert.match(page, /<link rel="manifest" href="\/site\.webmanifest"/u);
  });

  it("answers a browser with a page at unknown addresses, and a program with JSON", async () => {
    for (const path of ["/nonsense", "/servers/a/b", "/admin/a/b/c"]) {
      const page = await app.fetch(path, HTML);
      assert.equal(page.status, 404, path);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/u);
      assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'self'/u);
    }
    for (const [path, init] of [
      ["/nonsense", {}],
      ["/api/nonsense", HTML],
      ["/assets/nonsense", HTML],
      ["/nonsense", { method: "POST", headers: { accept: "application/json" } }],
    ] as const) {
      const answer = await app.fetch(path, init);
      assert.equal(answer.status, 404, path);
      assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/u);
    }
  });

  it("serves a flag for each country, to be kept for a week", async () => {
    const flag = await app.fetch("/assets/flag-de.svg");
    assert.equal(flag.status, 200);
    assert.equal(flag.headers.get("content-type"), "image/svg+xml; charset=utf-8");
    assert.equal(flag.headers.get("cache-control"), "public, max-age=604800");
    assert.match(await flag.text(), /^<svg /u);
    assert.equal((await app.fetch("/assets/flag-zz.svg")).status, 404);
  });
});
