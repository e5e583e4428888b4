/** Slugs in Latin letters or in those of the title, and former URLs. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toSlug } from "../../../src/shop/products/slug.ts";
import { code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/products";

describe("toSlug", () => {
  it("writes titles of any script in Latin letters", () => {
    const titles = [
      "Grüße, Ørsted!",
      "茶杯",
      "كوب شاي",
      "Чашка",
      "コーヒー",
      "Φλιτζάνι",
      "👑 Mug",
      "Kid's T-shirt",
    ];
    const slugs = titles.map((title) => toSlug(title));
    assert.deepEqual(slugs.slice(0, 2), ["grusse-orsted", "cha-bei"]);
    assert.equal(slugs[3], "chashka");
    assert.equal(slugs[7], "kids-t-shirt");
    for (const slug of slugs) assert.match(slug, /^[a-z0-9]+(?:-[a-z0-9]+)*$/u);
  });

  it("keeps the letters of the title, but no marks of direction and no look-alikes", () => {
    assert.deepEqual(
      ["Grüße, Ørsted!", "茶杯 2", "كوب شاي", "\u202eMug\u202c", "Cafe\u0301", "rаypal"].map((title) =>
        toSlug(title, "letters"),
      ),
      ["grüße-ørsted", "茶杯-2", "كوب-شاي", "mug", "café", "raypal"],
    );
  });
});

describe("slugs of products", () => {
  it("follow the choice of the shop, are percent-encoded where programs read them, and are found in any form", async () => {
    const shop = await createTestShop();
    const mug = { title: "茶杯", price: 500, status: "published" };
    assert.equal((await read<{ slug: string }>(await shop.admin("POST", PATH, mug), 201)).slug, "cha-bei");
    await shop.setSite({ slugStyle: "letters" });
    const kept = await read<{ slug: string }>(
      await shop.admin("POST", PATH, { ...mug, title: "Crème 茶" }),
      201,
    );
    assert.equal(kept.slug, "crème-茶");
    const encoded = `/p/${encodeURIComponent("crème-茶")}`;
    const html = { headers: { accept: "text/html" } };
    const page = await shop.raw(encoded, html);
    assert.equal(page.status, 200);
    assert.ok(
      (await page.text()).includes(`<link rel="canonical" href="https://shop.example.org${encoded}"`),
    );
    const decomposed = `/p/${encodeURIComponent("crème-茶".normalize("NFD"))}`;
    assert.equal((await shop.raw(decomposed, html)).status, 200);
    for (const path of ["/sitemap.xml", "/feed.xml"])
      assert.ok(
        (await (await shop.raw(path)).text()).includes(`https://shop.example.org${encoded}<`) ||
          path === "/feed.xml",
      );
    assert.ok((await (await shop.raw("/feed.xml")).text()).includes(`https://shop.example.org${encoded}"`));
  });

  it("are refused by hand with marks of direction, capitals and look-alikes", async () => {
    const shop = await createTestShop();
    for (const slug of ["mug\u202e", "Mug", "rаypal", "a--b", "-a", "a/b", "a b", "\u0301a"])
      assert.deepEqual(
        await code(await shop.admin("POST", PATH, { title: "Mug", price: 1, slug })),
        [422, "invalid"],
        slug,
      );
    const made = await read<{ slug: string }>(
      await shop.admin("POST", PATH, { title: "Mug", price: 1, slug: "чашка-1" }),
      201,
    );
    assert.equal(made.slug, "чашка-1");
  });

  it("that change leave a redirect, until another product takes the path", async () => {
    const shop = await createTestShop();
    const body = { title: "Mug", price: 500, status: "published" };
    const { id } = await read<{ id: string }>(await shop.admin("POST", PATH, body), 201);
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { slug: "чашка" }));
    const html = { headers: { accept: "text/html" } };
    const moved = await shop.raw("/p/mug?v=1", html);
    assert.deepEqual(
      [moved.status, moved.headers.get("location")],
      [301, `/p/${encodeURIComponent("чашка")}?v=1`],
    );
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { slug: "cup" }));
    assert.equal((await shop.raw("/p/mug", html)).headers.get("location"), "/p/cup");
    await read(await shop.admin("POST", PATH, { ...body, slug: "mug" }), 201);
    assert.equal((await shop.raw("/p/mug", html)).status, 200);
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { status: "draft" }));
    assert.equal((await shop.raw(`/p/${encodeURIComponent("чашка")}`, html)).status, 404);
  });
});
