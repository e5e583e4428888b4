import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { addProduct } from "../goods.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/collections";

interface Collection {
  readonly id: string;
  readonly version: number;
  readonly productIds?: readonly string[];
}

interface Products {
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor?: string;
}

let shop: TestShop;

const ids = ({ items }: Products): string[] => items.map(({ id }) => id);

async function list(path: string): Promise<Products> {
  return read<Products>(await shop.send("GET", path));
}

beforeEach(async () => {
  shop = await createTestShop();
  await read(await shop.admin("POST", "/api/admin/categories", { title: "Cups" }), 201);
  await read(await shop.admin("POST", "/api/admin/categories", { title: "Mugs", parentId: "cups" }), 201);
  await addProduct(shop, { id: "a", categoryId: "mugs", price: 300, publishedAt: 1 });
  await addProduct(shop, { id: "b", categoryId: "cups", price: 200, publishedAt: 2, tags: ["Gift"] });
  await addProduct(shop, { id: "c", price: 100, publishedAt: 3, tags: ["gift"], onHand: 0 });
  await addProduct(shop, { id: "d", status: "draft", categoryId: "mugs", publishedAt: 4 });
});

describe("/api/admin/collections", () => {
  it("lets only administrators in, and keeps versions", async () => {
    for (const [method, path] of [
      ["POST", PATH],
      ["PUT", `${PATH}/x/products`],
      ["PUT", `${PATH}/order`],
    ] as const)
      assert.equal((await shop.raw(path, { method })).status, 401, path);
    const made = await read<Collection>(await shop.admin("POST", PATH, { title: "Summer" }), 201);
    assert.equal(made.id, "summer");
    const body = { title: "S", version: 7 };
    assert.deepEqual(await code(await shop.admin("PATCH", `${PATH}/summer`, body)), [
      409,
      "version_conflict",
    ]);
    assert.deepEqual(await code(await shop.admin("GET", `${PATH}/none`)), [404, "not_found"]);
    const rule = { categoryId: "none" };
    assert.deepEqual(await code(await shop.admin("POST", PATH, { title: "R", rule })), [422, "invalid"]);
  });

  it("has the products that were picked, in their order, and says so of the products", async () => {
    await read(await shop.admin("POST", PATH, { title: "Best" }), 201);
    const pick = async (...productIds: string[]): Promise<Collection> =>
      read<Collection>(await shop.admin("PUT", `${PATH}/best/products`, { productIds }));
    assert.deepEqual((await pick("c", "a", "d")).productIds, ["c", "a", "d"]);
    assert.deepEqual(ids(await list("/api/collections/best/products")), ["c", "a"]);
    const { collectionIds } = await read<{ collectionIds: string[] }>(
      await shop.admin("GET", "/api/admin/products/c"),
    );
    assert.deepEqual(collectionIds, ["best"]);
    await read(await shop.admin("PATCH", "/api/admin/products/b", { collectionIds: ["best"] }));
    assert.deepEqual(ids(await list("/api/collections/best/products")), ["c", "a", "b"]);
    assert.deepEqual((await pick("b", "a")).productIds, ["b", "a"]);
    assert.deepEqual(ids(await list("/api/collections/best/products")), ["b", "a"]);
    for (const productIds of [["none"], ["a", "a"]])
      assert.deepEqual(await code(await shop.admin("PUT", `${PATH}/best/products`, { productIds })), [
        422,
        "invalid",
      ]);
    assert.equal((await shop.admin("DELETE", `${PATH}/best`)).status, 204);
    assert.deepEqual(
      (await read<{ collectionIds: string[] }>(await shop.admin("GET", "/api/admin/products/b")))
        .collectionIds,
      [],
    );
  });

  it("has the products that its rule chooses", async () => {
    const make = async (id: string, rule: object): Promise<string[]> => {
      await read(await shop.admin("POST", PATH, { id, title: id, rule }), 201);
      return ids(await list(`/api/collections/${id}/products`));
    };
    assert.deepEqual(await make("newest", {}), ["c", "b", "a"]);
    assert.deepEqual(await make("two", { sort: "price", limit: 2 }), ["c", "b"]);
    assert.deepEqual(await make("cups", { categoryId: "cups" }), ["b", "a"]);
    assert.deepEqual(await make("gifts", { tag: "GIFT", inStock: true }), ["b"]);
    assert.deepEqual(await make("dear", { minPrice: 200, maxPrice: 250 }), ["b"]);
    const body = { productIds: ["a"] };
    assert.deepEqual(await code(await shop.admin("PUT", `${PATH}/gifts/products`, body)), [409, "conflict"]);
    const named = { collectionIds: ["gifts"] };
    assert.deepEqual(await code(await shop.admin("PATCH", "/api/admin/products/a", named)), [422, "invalid"]);
  });
});

describe("GET /api/collections", () => {
  it("lists published ones in their order, with entity tags", async () => {
    for (const title of ["One", "Two"]) await read(await shop.admin("POST", PATH, { title }), 201);
    await read(await shop.admin("POST", PATH, { title: "Three", status: "hidden" }), 201);
    await read(await shop.admin("PUT", `${PATH}/order`, { items: [{ id: "two" }, { id: "one" }] }));
    assert.deepEqual(ids(await list("/api/collections")), ["two", "one"]);
    for (const path of ["/api/collections/three", "/api/collections/three/products", "/api/collections/none"])
      assert.deepEqual(await code(await shop.send("GET", path)), [404, "not_found"]);
    for (const path of ["/api/collections", "/api/collections/one", "/api/collections/one/products"]) {
      const headers = { "if-none-match": (await shop.send("GET", path)).headers.get("etag") ?? "" };
      assert.equal((await shop.send("GET", path, { headers })).status, 304, path);
    }
  });

  it("pages through the products of one", async () => {
    await read(await shop.admin("POST", PATH, { title: "All", rule: { sort: "price" } }), 201);
    const first = await list("/api/collections/all/products?limit=2");
    assert.deepEqual(ids(first), ["c", "b"]);
    const rest = await list(`/api/collections/all/products?limit=2&cursor=${first.nextCursor}`);
    assert.deepEqual([ids(rest), rest.nextCursor], [["a"], undefined]);
    assert.deepEqual(await code(await shop.send("GET", "/api/collections/all/products?cursor=x")), [
      400,
      "bad_request",
    ]);
  });
});

describe("GET /api/products/{idOrSlug}/related", () => {
  it("shows what was chosen by hand, then what sells best of the category", async () => {
    assert.deepEqual(ids(await list("/api/products/c/related")), []);
    await addProduct(shop, { id: "e", categoryId: "mugs", publishedAt: 9 });
    assert.deepEqual(ids(await list("/api/products/a/related")), ["e"]);
    await read(await shop.admin("PATCH", "/api/admin/products/a", { relatedIds: ["c", "d"] }));
    assert.deepEqual(ids(await list("/api/products/a/related")), ["c", "e"]);
    assert.deepEqual(ids(await list("/api/products/a/related?limit=1")), ["c"]);
    for (const relatedIds of [["none"], ["a"]])
      assert.deepEqual(await code(await shop.admin("PATCH", "/api/admin/products/a", { relatedIds })), [
        422,
        "invalid",
      ]);
    assert.deepEqual(await code(await shop.send("GET", "/api/products/d/related")), [404, "not_found"]);
  });
});
