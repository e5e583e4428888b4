/** The home page of sections: what is shown, what is left out, and what the console learns of it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import sharp from "sharp";
import { createMemoryBlobs } from "../../../src/shop/base/blobs.ts";
import type { HomePreview } from "../../../src/shop/pages/home/answer-schema.ts";
import { settings } from "../../../src/shop/site/records.ts";
import { ADMIN_TOKEN, type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

const hero = { id: "hero", type: "hero", title: "Mugs that last", button: "Shop now", link: "/products" };
const questions = {
  id: "faq",
  type: "questions",
  title: "Questions",
  items: [{ question: "How long?", answer: "Two **days**." }],
};

const asPerson = (language = "en") => ({ headers: { accept: "text/html", "accept-language": language } });

async function readHome(app: TestShop, language?: string): Promise<string> {
  const answer = await app.raw("/", asPerson(language));
  assert.equal(answer.status, 200);
  return answer.text();
}

const setSections = (app: TestShop, sections: readonly object[]): Promise<Response> =>
  app.admin("PATCH", "/api/admin/site", { storefront: { sections } });

async function preview(app: TestShop, body: object): Promise<HomePreview> {
  return read<HomePreview>(await app.admin("POST", "/api/admin/site/preview", body));
}

interface Picture {
  readonly hash: string;
  readonly url: string;
}

async function addPicture(app: TestShop): Promise<Picture> {
  const png = sharp({ create: { width: 40, height: 20, channels: 3, background: "#aa3311" } }).png();
  const answer = await app.raw("/api/admin/site/pictures?alt=Hills", {
    method: "POST",
    headers: { "content-type": "image/png", "x-admin-token": ADMIN_TOKEN },
    body: new Uint8Array(await png.toBuffer()),
  });
  return read<Picture>(answer, 201);
}

describe("the home page of sections", () => {
  it("shows them in their order with one title, in each language, and keeps a page of all products", async () => {
    const app = await createTestShop();
    const { title } = await addProduct(app);
    await app.setSite({ languages: ["en", "de"] });
    const german = { de: { title: "Becher, die halten", button: "Ansehen" } };
    const sections = [{ ...hero, translations: german }, questions, { id: "all", type: "products" }];
    await read(await setSections(app, sections));
    const page = await readHome(app);
    assert.deepEqual(
      Array.from(page.matchAll(/<h([12]) id="([^"]+)"/gu), ([, level, id]) => `${level} ${id}`),
      ["1 section-hero", "2 section-faq", "2 all"],
    );
    assert.match(page, /<a class="button primary" href="\/products">Shop now<\/a>/u);
    assert.match(page, /<summary>How long\?<\/summary><div class="text"><p>Two <strong>days<\/strong>/u);
    assert.ok(page.includes(title));
    assert.match(await readHome(app, "de"), /<h1 id="section-hero">Becher, die halten<[^]*>Ansehen<\/a>/u);
    const all = await (await app.raw("/products?sort=newest", asPerson())).text();
    assert.match(all, /<h1 id="all">All products<[^]*action="\/products"/u);
    assert.match(page, /<a href="\/products">All products<\/a>/u);
  });

  it("is as before without sections, also once they are removed", async () => {
    const app = await createTestShop();
    await addProduct(app);
    const before = await readHome(app);
    await read(await setSections(app, [hero]));
    assert.doesNotMatch(await readHome(app), /id="all"/u);
    await read(await setSections(app, []));
    const tokens = /name="form" value="[^"]+"/gu;
    assert.equal((await readHome(app)).replaceAll(tokens, ""), before.replaceAll(tokens, ""));
  });

  it("leaves out a section whose collection or picture is gone, and says why", async () => {
    const blobs = createMemoryBlobs();
    const app = await createTestShop({ blobs });
    const { hash, url } = await addPicture(app);
    await read(await app.admin("POST", "/api/admin/collections", { id: "mugs", title: "Our mugs" }), 201);
    const { url: _url, ...image } = { ...(await addPicture(app)), srcset: undefined };
    const sections = [
      { ...hero, image },
      { id: "mugs", type: "collection", collectionId: "mugs" },
      { id: "old", type: "collection", collectionId: "gone" },
      { id: "why", type: "columns", items: [] },
      questions,
    ];
    await read(await setSections(app, sections));
    assert.match(await readHome(app), new RegExp(`<img class="home-picture[^>]*src="${url}`, "u"));
    assert.deepEqual((await preview(app, {})).problems, [
      { id: "mugs", problem: "collection_empty" },
      { id: "old", problem: "collection_gone" },
      { id: "why", problem: "empty" },
    ]);
    await blobs.remove(hash);
    await read(await setSections(app, [...sections, { id: "all", type: "products" }]));
    const page = await readHome(app);
    assert.doesNotMatch(page, /home-hero|Our mugs|home-columns/u);
    assert.match(page, /home-questions/u);
    assert.deepEqual((await preview(app, {})).problems[0], { id: "hero", problem: "picture_gone" });
  });

  it("reads no picture for a request, but once for each state of the settings", async () => {
    const blobs = createMemoryBlobs();
    let reads = 0;
    const counted = { ...blobs, get: (hash: string) => ((reads += 1), blobs.get(hash)) };
    const app = await createTestShop({ blobs: counted });
    const { url: _url, ...image } = await addPicture(app);
    await read(await setSections(app, [{ ...hero, image }]));
    reads = 0;
    for (const language of ["en", "de", "en"]) await readHome(app, language);
    await addProduct(app);
    await readHome(app);
    assert.equal(reads, 1);
  });

  it("keeps a section of a newer version, and takes none from a request", async () => {
    const app = await createTestShop();
    await read(await setSections(app, [hero]));
    const newer = { id: "reel", type: "video", source: { clip: "a.mp4" } };
    await app.store.transact(async (tx) => {
      const record = await tx.get(settings, "site");
      assert.ok(record !== undefined);
      await tx.put(settings, {
        ...record,
        fields: { ...record.fields, storefront: { sections: [newer, hero] } },
      });
    });
    const { storefront } = await read<{ storefront: { sections: object[] } }>(
      await app.admin("GET", "/api/admin/site"),
    );
    assert.deepEqual(storefront.sections[0], newer);
    const changed = await setSections(app, [{ ...hero, title: "Other" }, newer]);
    const after = await read<{ storefront: { sections: object[] } }>(changed);
    assert.deepEqual(after.storefront.sections[1], newer);
    assert.match(await readHome(app), /Other/u);
    assert.deepEqual((await preview(app, {})).problems, [{ id: "reel", problem: "unknown_type" }]);
    const refused = await setSections(app, [{ ...newer, id: "another" }]);
    const { errors } = await read<{ errors: { pointer: string; message: string }[] }>(refused, 422);
    assert.equal(errors[0]?.pointer, "/storefront/sections/0/type");
    assert.match(errors[0].message, /must be one of hero/u);
  });

  it("refuses at its field what could run or lead elsewhere, and shows everything else as text", async () => {
    const app = await createTestShop();
    for (const [section, pointer] of [
      [{ ...hero, link: "javascript:alert(1)" }, "/storefront/sections/0/link"],
      [{ ...hero, link: "//evil.example" }, "/storefront/sections/0/link"],
      [{ ...hero, image: { hash: "../../x" } }, "/storefront/sections/0/image/hash"],
      [{ ...hero, columns: 3 }, "/storefront/sections/0"],
      [{ ...questions, items: [{ question: "a\u0000b" }] }, "/storefront/sections/0/items/0/question"],
    ] as const) {
      const { errors } = await read<{ errors: { pointer: string }[] }>(
        await setSections(app, [section]),
        422,
      );
      assert.equal(errors[0]?.pointer, pointer);
    }
    assert.equal((await code(await setSections(app, [hero, hero])))[0], 422);
    await read(
      await setSections(app, [{ ...hero, title: "<script>alert(1)</script>", text: '"><img src=x>' }]),
    );
    assert.doesNotMatch(await readHome(app), /<script>alert|<img src=x/u);
  });
});

describe("the preview of the home page", () => {
  it("shows settings that are not stored, in a look, a color, a theme and a language", async () => {
    const app = await createTestShop();
    await app.setSite({ languages: ["en", "de"] });
    const { html } = await preview(app, {
      storefront: { look: "market", pictures: "portrait", sections: [hero] },
      branding: { color: "#ffee88" },
      language: "de",
      theme: "dark",
    });
    assert.match(
      html,
      /<html lang="de" dir="ltr" data-theme="dark" data-look="market" data-pictures="portrait">/u,
    );
    assert.match(html, /href="\/assets\/market\.css"[^]*href="\/brand\/color\/ffee88\.css"/u);
    assert.match(html, /Mugs that last/u);
    assert.doesNotMatch(html, /<script type="module"/u);
    assert.doesNotMatch(await readHome(app), /Mugs that last/u);
    const sheet = await (await app.raw("/brand/color/ffee88.css")).text();
    assert.match(sheet, /data-theme="dark"\]\{--accent:#ffee88/u);
    assert.doesNotMatch(sheet, /data-theme="light"\]\{--accent:#ffee88/u);
    assert.equal((await app.raw("/brand/color/red.css")).status, 404);
  });

  it("is for administrators, who may read settings", async () => {
    const app = await createTestShop();
    assert.equal((await app.send("POST", "/api/admin/site/preview", { body: {} })).status, 401);
  });
});
