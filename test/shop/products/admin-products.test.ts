import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { toSlug } from "../../../src/shop/products/slug.ts";
import { reserve, take, type StockLine } from "../../../src/shop/stock/stock.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

interface Stock {
  mode: string;
  onHand: number;
  reserved: number;
  available?: number;
  sold: number;
}
interface Product {
  id: string;
  slug: string;
  status: string;
  title: string;
  price: number;
  currency: string;
  categoryId?: string;
  compareAtPrice?: number;
  variants: { id: string; sku: string; price: number; stock: Stock }[];
  stock: Stock;
  publishedAt?: string;
  version: number;
}
interface Page {
  items: Product[];
  nextCursor?: string;
}
interface Problem {
  code: string;
  detail: string;
  errors?: { pointer: string; code: string }[];
  reserved?: number;
  sold?: number;
}

const PATH = "/api/admin/products";
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop();
});

async function create(fields: object): Promise<Product> {
  return read<Product>(await shop.admin("POST", PATH, fields), 201);
}

function lineOf(productId: string, stockId: string, quantity: number): StockLine {
  return { productId, stockId, stockMode: "tracked", quantity };
}

async function pointers(response: Response): Promise<string[]> {
  const problem = await read<Problem>(response, 422);
  return (problem.errors ?? []).map(({ pointer }) => pointer);
}

describe("POST /api/admin/products", () => {
  it("creates a draft with defaults, a URL from the title, and stock", async () => {
    const made = await shop.admin("POST", PATH, { title: "Grüne Tasse", price: 1_290, onHand: 5 });
    const product = await read<Product>(made.clone(), 201);
    assert.equal(made.headers.get("etag"), '"1"');
    assert.equal(made.headers.get("location"), `${PATH}/${product.id}`);
    assert.deepEqual(
      [product.slug, product.status, product.currency, product.publishedAt],
      ["grune-tasse", "draft", "EUR", undefined],
    );
    assert.deepEqual(product.stock, { mode: "tracked", onHand: 5, reserved: 0, available: 5, sold: 0 });
    const again = await read<Product>(await shop.admin("GET", `${PATH}/${product.id}`));
    assert.deepEqual(again, product);
  });

  it("gives taken addresses a number, and names a product by its id when its title has no letter", async () => {
    const slugs: string[] = [];
    for (const title of ["Mug", "mug!", "MUG"]) slugs.push((await create({ title, price: 1 })).slug);
    assert.deepEqual(slugs, ["mug", "mug-2", "mug-3"]);
    const other = await create({ title: "—!—", price: 1 });
    assert.equal(other.slug, other.id.replace("_", "-"));
    const taken = await shop.admin("POST", PATH, { title: "Other", slug: "mug", price: 1 });
    assert.deepEqual(await code(taken), [409, "already_exists"]);
  });

  it("creates variants with IDs, their units, and the lowest price", async () => {
    const product = await create({
      title: "Shirt",
      status: "published",
      variants: [
        { sku: "L", price: 2_000, onHand: 3, options: { size: "L" } },
        { sku: "M", price: 1_500 },
      ],
    });
    assert.equal(product.price, 1_500);
    assert.ok(product.variants.every(({ id }) => id.startsWith("var_")));
    assert.deepEqual(
      product.variants.map((variant) => variant.stock.onHand),
      [3, 0],
    );
    assert.equal(product.stock.onHand, 3);
    assert.ok(product.publishedAt);
  });

  it("says what is wrong, each at its field", async () => {
    const refused = async (fields: object): Promise<string[]> =>
      pointers(await shop.admin("POST", PATH, fields));
    assert.deepEqual(await refused({ title: "A" }), ["/price"]);
    assert.deepEqual(await refused({ title: "A", price: 1, currency: "USD" }), ["/currency"]);
    assert.deepEqual(await refused({ title: "A", price: 1, categoryId: "none" }), ["/categoryId"]);
    assert.deepEqual(await refused({ title: "A", price: 1, minQuantity: 3, maxQuantity: 2 }), [
      "/maxQuantity",
    ]);
    const twice = [
      { sku: "A", price: 1 },
      { sku: "A", price: 2 },
    ];
    assert.deepEqual(await refused({ title: "A", variants: twice }), ["/variants/1/sku"]);
    assert.deepEqual(await refused({ title: "A", variants: [{ id: "var_x", price: 1 }] }), [
      "/variants/0/id",
    ]);
    const keyed = { title: "A", price: 1, deliveryType: "auto_secret" };
    assert.deepEqual(await refused({ ...keyed, stockMode: "unlimited" }), ["/stockMode"]);
    assert.deepEqual(await refused({ ...keyed, onHand: 2 }), ["/onHand"]);
    assert.deepEqual(await refused({ title: "A", price: -1, unknown: true }), ["/price", ""]);
    assert.deepEqual(await read(await shop.admin("GET", PATH)), { items: [] });
  });
});

describe("GET /api/admin/products", () => {
  it("lists the newest first by pages, by status and by search", async () => {
    for (const [index, title] of ["Red mug", "Blue mug", "Plate"].entries()) {
      shop.clock.advance(1_000);
      await create({ title, price: 1, status: index === 1 ? "published" : "draft", sku: `S-${index}` });
    }
    const first = await read<Page>(await shop.admin("GET", `${PATH}?limit=2`));
    assert.deepEqual(
      first.items.map(({ title }) => title),
      ["Plate", "Blue mug"],
    );
    const second = await read<Page>(await shop.admin("GET", `${PATH}?limit=2&cursor=${first.nextCursor}`));
    assert.deepEqual([second.items.map(({ title }) => title), second.nextCursor], [["Red mug"], undefined]);
    const drafts = await read<Page>(await shop.admin("GET", `${PATH}?status=draft`));
    assert.deepEqual(
      [drafts.items.map(({ title }) => title), drafts.nextCursor],
      [["Plate", "Red mug"], undefined],
    );
    const mugs = await read<Page>(await shop.admin("GET", `${PATH}?q=MUG&limit=1`));
    assert.deepEqual(
      mugs.items.map(({ title }) => title),
      ["Blue mug"],
    );
    const rest = await read<Page>(await shop.admin("GET", `${PATH}?q=MUG&limit=1&cursor=${mugs.nextCursor}`));
    assert.deepEqual([rest.items.map(({ title }) => title), rest.nextCursor], [["Red mug"], undefined]);
    const bySku = await read<Page>(await shop.admin("GET", `${PATH}?q=s-0`));
    assert.deepEqual(
      bySku.items.map(({ title }) => title),
      ["Red mug"],
    );
  });

  it("refuses cursors that are none", async () => {
    assert.deepEqual(await code(await shop.admin("GET", `${PATH}?cursor=nonsense`)), [400, "bad_request"]);
    assert.deepEqual(await code(await shop.admin("GET", `${PATH}?q=a&cursor=nonsense`)), [
      400,
      "bad_request",
    ]);
  });
});

describe("PATCH and PUT /api/admin/products/{id}", () => {
  it("changes the given fields and keeps the others; null takes one away", async () => {
    await shop.setSite({
      categories: [{ id: "kitchen", title: "K", description: "", parentId: "", sortOrder: 0 }],
    });
    const { id, slug } = await create({ title: "Mug", price: 5, categoryId: "kitchen", compareAtPrice: 9 });
    const patch = { title: "New", categoryId: null, compareAtPrice: null, status: "published", version: 1 };
    const after = await read<Product>(await shop.admin("PATCH", `${PATH}/${id}`, patch));
    assert.deepEqual(
      [after.title, after.slug, after.price, after.categoryId, after.compareAtPrice, after.version],
      ["New", slug, 5, undefined, undefined, 2],
    );
    const { items } = await shop.store.read((tx) => tx.list(auditCollection, "id", { limit: 10 }));
    assert.deepEqual(items.at(-1)?.action, "product.change");
    assert.deepEqual(
      new Set(items.at(-1)?.changes),
      new Set(["title", "categoryId", "compareAtPrice", "status", "publishedAt"]),
    );
  });

  it("replaces all fields but address, pictures and dates", async () => {
    const { id, slug } = await create({ title: "Mug", price: 5, summary: "S", tags: ["a"] });
    const put = await read<Product & { summary: string; tags: string[] }>(
      await shop.admin("PUT", `${PATH}/${id}`, { title: "Cup", price: 7 }, { "if-match": '"1"' }),
    );
    assert.deepEqual([put.title, put.slug, put.summary, put.tags], ["Cup", slug, "", []]);
    assert.deepEqual(await pointers(await shop.admin("PUT", `${PATH}/${id}`, { title: "Cup" })), ["/price"]);
  });

  it("refuses a stale version: 409 for the body's, 412 for If-Match", async () => {
    const { id } = await create({ title: "Mug", price: 5 });
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { price: 6 }));
    const body = await shop.admin("PATCH", `${PATH}/${id}`, { price: 7, version: 1 });
    assert.deepEqual(await code(body), [409, "version_conflict"]);
    const header = await shop.admin("PATCH", `${PATH}/${id}`, { price: 7 }, { "if-match": '"1"' });
    assert.deepEqual(await code(header), [412, "version_conflict"]);
  });

  it("creates and removes stock with the variants, and finds a variant by its SKU", async () => {
    const { id } = await create({ title: "Shirt", price: 5, onHand: 4 });
    const withTwo = await read<Product>(
      await shop.admin("PATCH", `${PATH}/${id}`, {
        variants: [
          { sku: "L", price: 5, onHand: 2 },
          { sku: "M", price: 6 },
        ],
      }),
    );
    assert.equal(await shop.store.read((tx) => tx.get(stock, id)), undefined);
    const large = withTwo.variants[0];
    const withOne = await read<Product>(
      await shop.admin("PATCH", `${PATH}/${id}`, { variants: [{ sku: "L", price: 8 }] }),
    );
    assert.deepEqual(
      withOne.variants.map((variant) => [variant.id, variant.price, variant.stock.onHand]),
      [[large?.id, 8, 2]],
    );
    assert.equal(await shop.store.read((tx) => tx.count(stock, "byProduct", { prefix: [id] })), 1);
  });

  it("keeps a variant with reserved units, and the record of one that was sold", async () => {
    const { id, variants } = await create({
      title: "Shirt",
      variants: [
        { sku: "L", price: 5, onHand: 5 },
        { sku: "M", price: 6 },
      ],
    });
    const large = variants[0]?.id ?? "";
    await shop.store.transact((tx) => reserve(tx, [lineOf(id, large, 2)]));
    const only = { variants: [{ sku: "M", price: 6 }] };
    const refused = await read<Problem>(await shop.admin("PATCH", `${PATH}/${id}`, only), 409);
    assert.deepEqual([refused.code, refused.reserved], ["conflict", 2]);
    await shop.store.transact((tx) => take(tx, [lineOf(id, large, 2)]));
    const after = await read<Product>(await shop.admin("PATCH", `${PATH}/${id}`, only));
    assert.equal(after.variants.length, 1);
    const kept = await shop.store.read((tx) => tx.get(stock, large));
    assert.deepEqual([kept?.onHand, kept?.sold], [0, 2]);
  });
});

describe("DELETE /api/admin/products/{id}", () => {
  it("deletes what was never sold, and says to archive what was", async () => {
    const { id } = await create({ title: "Mug", price: 5, onHand: 4 });
    await shop.store.transact((tx) => reserve(tx, [lineOf(id, id, 1)]));
    assert.deepEqual(await code(await shop.admin("DELETE", `${PATH}/${id}`)), [409, "conflict"]);
    await shop.store.transact((tx) => take(tx, [lineOf(id, id, 1)]));
    const refused = await read<Problem>(await shop.admin("DELETE", `${PATH}/${id}`), 409);
    assert.equal(refused.sold, 1);
    assert.match(refused.detail, /archived/u);
    const other = await create({ title: "Plate", price: 5 });
    const stale = await shop.admin("DELETE", `${PATH}/${other.id}`, undefined, { "if-match": '"9"' });
    assert.equal(stale.status, 412);
    assert.equal((await shop.admin("DELETE", `${PATH}/${other.id}`)).status, 204);
    assert.deepEqual(await code(await shop.admin("GET", `${PATH}/${other.id}`)), [404, "not_found"]);
    assert.equal(await shop.store.read((tx) => tx.get(stock, other.id)), undefined);
  });
});

describe("toSlug", () => {
  it("writes in ASCII what it can", () => {
    assert.equal(toSlug("Grüße, Ørsted & Łódź!"), "grusse-orsted-lodz");
    assert.equal(toSlug("  --A  b--c  "), "a-b-c");
    assert.equal(toSlug("Rock’n’Roll ½"), "rocknroll-1-2");
    assert.equal(toSlug("杯子"), "bei-zi");
    assert.equal(toSlug("—!—"), "");
    assert.ok(toSlug("a-".repeat(500)).length <= 115);
    assert.doesNotMatch(toSlug(`${"a".repeat(114)} b`), /-$/u);
  });
});
