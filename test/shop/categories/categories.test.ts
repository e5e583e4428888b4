import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { carryOverCategories } from "../../../src/shop/categories/former-categories.ts";
import { settings } from "../../../src/shop/site/records.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import { addProduct } from "../goods.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { png } from "../../auth/pictures.ts";

const PATH = "/api/admin/categories";

interface Category {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly parentId?: string;
  readonly status: string;
  readonly sortOrder: number;
  readonly image?: { readonly hash: string; readonly srcset: string };
}

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly parentId: string;
  readonly products: number;
  readonly image?: { readonly url: string };
}

let shop: TestShop;

async function create(body: object): Promise<Category> {
  return read<Category>(await shop.admin("POST", PATH, body), 201);
}

async function listShown(query = ""): Promise<readonly Shown[]> {
  return (await read<{ items: Shown[] }>(await shop.send("GET", `/api/site/categories${query}`))).items;
}

const ids = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id);

beforeEach(async () => {
  shop = await createTestShop();
});

describe("/api/admin/categories", () => {
  it("lets only administrators in", async () => {
    for (const [method, path] of [
      ["GET", PATH],
      ["POST", PATH],
      ["PUT", `${PATH}/order`],
      ["PATCH", `${PATH}/mugs`],
      ["DELETE", `${PATH}/mugs`],
      ["PUT", `${PATH}/mugs/image`],
    ] as const)
      assert.equal((await shop.raw(path, { method })).status, 401, `${method} ${path}`);
  });

  it("creates, changes and deletes one; its ID comes from the title", async () => {
    await create({ title: "Kitchen" });
    const made = await create({ title: "Große Tassen", parentId: "kitchen" });
    assert.deepEqual([made.id, made.parentId, made.version], ["grosse-tassen", "kitchen", 1]);
    assert.equal((await create({ title: "杯子" })).id, "bei-zi");
    assert.deepEqual(await code(await shop.admin("POST", PATH, { title: "K", id: "kitchen" })), [
      409,
      "already_exists",
    ]);
    const path = `${PATH}/${made.id}`;
    const top = await read<Category>(await shop.admin("PATCH", path, { parentId: null, version: 1 }));
    assert.deepEqual([top.parentId, top.version], [undefined, 2]);
    assert.deepEqual(await code(await shop.admin("PATCH", path, { title: "T", version: 1 })), [
      409,
      "version_conflict",
    ]);
    const stale = { "if-match": '"1"' };
    assert.deepEqual(await code(await shop.admin("DELETE", path, undefined, stale)), [
      412,
      "version_conflict",
    ]);
    assert.equal((await shop.admin("DELETE", path)).status, 204);
    assert.deepEqual(await code(await shop.admin("GET", path)), [404, "not_found"]);
    assert.deepEqual(await code(await shop.admin("POST", PATH, { title: "" })), [422, "invalid"]);
  });

  it("keeps a tree: no circle, no parent that is not there", async () => {
    await create({ title: "A" });
    await create({ title: "B", parentId: "a" });
    for (const parentId of ["b", "a", "none"])
      assert.deepEqual(await code(await shop.admin("PATCH", `${PATH}/a`, { parentId })), [422, "invalid"]);
    const items = [
      { id: "b", parentId: null },
      { id: "a", parentId: "b" },
    ];
    await read(await shop.admin("PUT", `${PATH}/order`, { items }));
    assert.deepEqual(
      (await listShown()).map(({ id, parentId }) => [id, parentId]),
      [
        ["b", ""],
        ["a", "b"],
      ],
    );
    const circle = { items: [{ id: "b", parentId: "a" }] };
    assert.deepEqual(await code(await shop.admin("PUT", `${PATH}/order`, circle)), [422, "invalid"]);
    const twice = { items: [{ id: "b" }, { id: "b" }] };
    assert.deepEqual(await code(await shop.admin("PUT", `${PATH}/order`, twice)), [422, "invalid"]);
  });

  it("does not delete one that products or others are in", async () => {
    await create({ title: "Kitchen" });
    await create({ title: "Mugs", parentId: "kitchen" });
    await addProduct(shop, { categoryId: "mugs", status: "draft" });
    for (const id of ["kitchen", "mugs"])
      assert.deepEqual(await code(await shop.admin("DELETE", `${PATH}/${id}`)), [409, "conflict"]);
  });

  it("takes a picture, and shows it with its sizes", async () => {
    await create({ title: "Mugs" });
    const bytes = png(400, 300);
    const headers = { "content-type": "image/png", "x-admin-token": ADMIN_TOKEN };
    const init = { method: "PUT", headers, body: bytes };
    const { image } = await read<Category>(await shop.fetch(`${PATH}/mugs/image?alt=Three%20mugs`, init));
    const url = `/api/images/${image?.hash}`;
    assert.equal(image?.srcset, `${url}?w=160 160w, ${url}?w=320 320w, ${url} 400w`);
    assert.equal((await listShown())[0]?.image?.url, url);
    assert.deepEqual(await code(await shop.fetch(`${PATH}/none/image`, init)), [404, "not_found"]);
    await read(await shop.admin("DELETE", `${PATH}/mugs/image`));
    assert.equal((await listShown())[0]?.image, undefined);
  });
});

describe("GET /api/site/categories", () => {
  it("counts published products, also of those below, and follows changes", async () => {
    await create({ title: "Kitchen" });
    await create({ title: "Mugs", parentId: "kitchen" });
    const product = await addProduct(shop, { categoryId: "mugs" });
    await addProduct(shop, { categoryId: "mugs", status: "draft" });
    await addProduct(shop, { categoryId: "kitchen" });
    const counts = async (): Promise<number[]> => (await listShown()).map(({ products }) => products);
    assert.deepEqual(await counts(), [2, 1]);
    const first = await shop.send("GET", "/api/site/categories");
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    assert.equal((await shop.send("GET", "/api/site/categories", { headers })).status, 304);
    await read(await shop.admin("PATCH", `/api/admin/products/${product.id}`, { status: "archived" }));
    assert.deepEqual(await counts(), [1, 0]);
    assert.equal((await shop.send("GET", "/api/site/categories", { headers })).status, 200);
  });

  it("speaks the languages of the shop", async () => {
    await shop.setSite({ languages: ["en", "de"] });
    await create({ title: "Mugs", translations: { de: { title: "Tassen" } } });
    assert.equal((await listShown())[0]?.title, "Mugs");
    assert.equal((await listShown("?lang=de"))[0]?.title, "Tassen");
  });

  it("shows nothing of a hidden one, nor of those below it", async () => {
    await create({ title: "Secret", status: "hidden" });
    await create({ title: "Below", parentId: "secret" });
    await addProduct(shop, { id: "prd_x", categoryId: "below" });
    assert.deepEqual(await listShown(), []);
    const list = async (query: string) =>
      (await read<{ items: { categoryId?: string }[] }>(await shop.send("GET", `/api/products${query}`)))
        .items;
    assert.deepEqual(await list("?category=below"), []);
    assert.deepEqual(await list("?category=secret"), []);
    assert.equal((await list(""))[0]?.categoryId, undefined);
    await read(await shop.admin("PATCH", `${PATH}/secret`, { status: "published" }));
    assert.equal((await list("?category=secret"))[0]?.categoryId, "below");
  });
});

describe("categories of the site's settings", () => {
  const category = { description: "", parentId: "", sortOrder: 0 };

  it("become records at the start, once", async () => {
    const list = [
      { ...category, id: "mugs", title: "Mugs", parentId: "kitchen" },
      { ...category, id: "kitchen", title: "K" },
    ];
    const fields = { name: "Shop", categories: list };
    await shop.store.transact((tx) => tx.insert(settings, { id: "site", fields }));
    assert.equal(await carryOverCategories(shop.shop.deps), 2);
    assert.deepEqual(ids(await listShown()), ["kitchen", "mugs"]);
    assert.deepEqual((await shop.store.read(readSite)).categories, []);
    await read(await shop.admin("PATCH", `${PATH}/mugs`, { title: "Cups" }));
    assert.equal(await carryOverCategories(shop.shop.deps), 0);
    assert.equal((await listShown()).find(({ id }) => id === "mugs")?.title, "Cups");
  });

  it("can still be sent and read there; what the list does not know stays", async () => {
    await create({ title: "Old" });
    await create({ title: "Mugs", status: "hidden", translations: { de: { title: "Tassen" } } });
    const patch = {
      categories: [
        { id: "mugs", title: "Cups" },
        { id: "new", title: "New", parentId: "mugs" },
      ],
    };
    const site = await read<{ categories: object[]; version: number }>(
      await shop.admin("PATCH", "/api/admin/site", patch),
    );
    assert.deepEqual(site.categories, [
      { ...category, id: "mugs", title: "Cups" },
      { ...category, id: "new", title: "New", parentId: "mugs" },
    ]);
    const { items } = await read<{ items: Category[] }>(await shop.admin("GET", PATH));
    assert.deepEqual(
      items.map(({ id, title, status }) => [id, title, status]),
      [
        ["mugs", "Cups", "hidden"],
        ["new", "New", "published"],
      ],
    );
    await read(await shop.admin("PATCH", "/api/admin/site", { name: "Other" }));
    assert.equal((await read<{ items: object[] }>(await shop.admin("GET", PATH))).items.length, 2);
  });
});
