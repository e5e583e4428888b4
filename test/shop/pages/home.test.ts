/** The first page of the shop, and a product by itself. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listOnPages } from "../../../src/shop/payments/services/offered.ts";
import { createTestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

const asPerson = { headers: { accept: "text/html", "accept-language": "de" } };

describe("the storefront", () => {
  it("shows people what is sold, and programs what the service is", async () => {
    const app = await createTestShop();
    await app.setSite({ languages: ["en", "de", "zh"] });
    const empty = await (await app.raw("/", asPerson)).text();
    assert.match(empty, /Es gibt noch keine Produkte/u);
    const { slug, title } = await addProduct(app);
    const answer = await app.raw("/", asPerson);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "private, no-cache");
    const page = await answer.text();
    assert.ok(page.includes(`href="/p/${slug}"`) && page.includes(title), page);
    const program = await app.fetch("/");
    assert.match(program.headers.get("content-type") ?? "", /json/u);
  });

  it("shows a product, and of one that is not on sale as much as of one that there is not", async () => {
    const app = await createTestShop();
    const { slug, title } = await addProduct(app);
    const page = await app.raw(`/p/${slug}`, asPerson);
    assert.equal(page.status, 200);
    assert.ok((await page.text()).includes(`<h1>${title}</h1>`));
    assert.equal((await app.raw("/p/nothing", asPerson)).status, 404);
  });
});

describe("ways to pay on pages", () => {
  it("leave out what says neither where nor how to pay, unless there is nothing else", async () => {
    const app = await createTestShop({ publicUrl: "http://127.0.0.1:8081" });
    const names = (): string[] => listOnPages(app.shop.catalogue.site(), "EUR").map(({ word }) => word);
    assert.deepEqual(names(), ["generic"]);
    await app.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
    assert.deepEqual(names(), ["demo"]);
    await app.admin("PATCH", "/api/admin/site/providers/generic", { instructions: "IBAN DE02…" });
    assert.deepEqual(names(), ["generic", "demo"]);
  });
});
