/** Pages such as terms: Markdown that is safe to show, languages, and versions that orders can name. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { renderMarkdown } from "../../../src/shop/legal/markdown.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
  await app.setSite({ languages: ["en", "de", "zh"] });
});

interface Page {
  title: string;
  body: string;
  html: string;
  language: string;
  pageVersion: number;
  changedAt?: string;
}

const get = async (slug: string, query = ""): Promise<Page> =>
  read(await app.send("GET", `/api/site/pages/${slug}${query}`));
const put = async (...pages: object[]): Promise<{ pages: { pageVersion: number; changedAt: string }[] }> =>
  read(await app.admin("PATCH", "/api/admin/site", { pages }));
const terms = {
  slug: "terms",
  title: "Terms",
  body: "One",
  translations: { de: { title: "AGB", body: "Eins" }, "zh-Hant": { title: "條款", body: "一" } },
};

describe("Markdown", () => {
  it("becomes headings, lists, tables and links", () => {
    const html = renderMarkdown(
      "# A\n\n- b **c**\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n[d](https://example.org)",
    );
    for (const part of [
      "<h1>A</h1>",
      "<strong>c</strong>",
      "<td>2</td>",
      '<a href="https://example.org">d</a>',
    ])
      assert.ok(html.includes(part), html);
  });

  const attacks = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](vbscript:x)",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "![a](https://tracker.example.org/x.png)",
    '<https://example.org/"onclick=alert(1)>',
    "&#x3C;script&#x3E;alert(1)&#x3C;/script&#x3E;",
    "```html\n<script>alert(1)</script>\n```",
  ];
  for (const text of attacks)
    it(`holds no script and no picture: ${text.slice(0, 40).replaceAll("\n", " ")}`, () => {
      const html = renderMarkdown(text);
      assert.doesNotMatch(html, /<(?:script|img|iframe|style)/iu);
      assert.doesNotMatch(html, /href="(?:javascript|vbscript|data):/iu);
      assert.doesNotMatch(html, /<a [^>]*"\s*on\w+=/iu);
    });
});

describe("a page", () => {
  it("is shown in the requested language, or its own", async () => {
    await put(terms);
    const queries = ["", "?language=de", "?language=de-AT", "?language=zh-CN", "?language=fr"];
    const shown = await Promise.all(queries.map((query) => get("terms", query)));
    assert.deepEqual(
      shown.map(({ title, language }) => [title, language]),
      [
        ["Terms", "en"],
        ["AGB", "de"],
        ["AGB", "de"],
        ["條款", "zh-Hant"],
        ["Terms", "en"],
      ],
    );
    assert.equal(shown[1]?.html, "<p>Eins</p>\n");
    assert.deepEqual(await code(await app.send("GET", "/api/site/pages/none")), [404, "not_found"]);
    assert.equal((await app.send("GET", "/api/site/pages/terms?language=%20")).status, 422);
  });

  it("counts the changes of its words alone, whatever a request says of version and date", async () => {
    const first = (await put(terms)).pages[0];
    assert.deepEqual([first?.pageVersion, first?.changedAt], [1, "2026-01-31T12:00:00.000+00:00"]);
    app.clock.advance(60_000);
    const forged = { ...terms, pageVersion: 77, changedAt: "2020-01-01T00:00:00Z" };
    const second = (await put(forged, { slug: "imprint", title: "Imprint", body: "x" })).pages[0];
    assert.deepEqual(second, { ...terms, pageVersion: 1, changedAt: first?.changedAt });
    const translated = { ...terms, translations: { de: { title: "AGB", body: "Zwei" } } };
    assert.equal((await put(translated)).pages[0]?.pageVersion, 2);
    await put();
    assert.equal((await put(terms)).pages[0]?.pageVersion, 3);
  });

  it("is kept as it was in each version", async () => {
    await put(terms);
    await put({ ...terms, body: "Two" });
    assert.equal((await get("terms")).body, "Two");
    const old = await get("terms", "?pageVersion=1&language=de");
    const now = await get("terms", "?pageVersion=2");
    assert.deepEqual([old.title, old.html, old.pageVersion], ["AGB", "<p>Eins</p>\n", 1]);
    assert.deepEqual([now.body, now.pageVersion], ["Two", 2]);
    const none = await app.send("GET", "/api/site/pages/terms?pageVersion=9");
    assert.deepEqual(await code(none), [404, "not_found"]);
    assert.equal((await app.send("GET", "/api/site/pages/terms?pageVersion=0")).status, 422);
  });

  it("of a shop from before has a first version, which stays when it is changed", async () => {
    await app.setSite({ pages: [{ slug: "terms", title: "Terms", body: "Old" }] });
    assert.equal((await get("terms")).pageVersion, 1);
    await put({ slug: "terms", title: "Terms", body: "New" });
    assert.equal((await get("terms")).pageVersion, 2);
    assert.equal((await get("terms", "?pageVersion=1")).body, "Old");
  });
});
