/** Wishlists, and the mails about what is back or costs less. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { products, stock } from "../../../src/shop/products/records.ts";
import { wishes } from "../../../src/shop/wishlist/records.ts";
import type { WishRecord } from "../../../src/shop/wishlist/schema.ts";
import { createWishNotices } from "../../../src/shop/wishlist/wish-notices.ts";
import { MAX_WISHES } from "../../../src/shop/wishlist/wishlist.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "./wish-fixture.ts";

const PATH = "/api/wishlist";
const EMAIL = "ann@example.org";

interface Entry {
  productId: string;
  variantId?: string;
  note: string;
  email?: string;
  emailVerified?: boolean;
  notifyRestock: boolean;
  priceAtAdd: number;
  isAvailable: boolean;
  product?: { title: string; price: number };
}

interface List {
  items: Entry[];
  nextCursor?: string;
}

async function change(app: TestShop, fields: Partial<ProductRecord>): Promise<void> {
  await app.store.transact(async (tx) => {
    const product = await tx.get(products, "prd_1");
    assert.ok(product !== undefined);
    await tx.put(products, { ...product, ...fields });
  });
}

async function setStock(app: TestShop, fields: { onHand: number; reserved?: number }): Promise<void> {
  await app.store.transact(async (tx) => {
    const record = await tx.get(stock, "prd_1");
    assert.ok(record !== undefined);
    await tx.put(stock, { ...record, reserved: 0, ...fields });
  });
}

async function insertWishes(app: TestShop, all: readonly Partial<WishRecord>[]): Promise<void> {
  await app.store.transact(async (tx) => {
    for (const fields of all) {
      const base = {
        userId: "usr_ann",
        productId: "prd_1",
        note: "",
        notifyRestock: false,
        notifyPriceDrop: false,
      };
      const price = { priceAtAdd: 500, currency: "EUR", language: "en", wasInStock: true, addedAt: 1 };
      const record = { ...base, ...price, ...fields };
      await tx.insert(wishes, { ...record, id: `${record.userId}:${record.productId}` });
    }
  });
}

function wish(app: TestShop, body: object, as = "ann"): Promise<Response> {
  return app.send("POST", PATH, { as, body: { productId: "prd_1", ...body } });
}

function list(app: TestShop, as = "ann"): Promise<List> {
  return app.send("GET", PATH, { as }).then((response) => read<List>(response));
}

describe("/api/wishlist", () => {
  it("keeps a product with its price, and shows the present one", async () => {
    const app = await createTestShop();
    await addProduct(app);
    const added = await read<Entry>(await wish(app, { note: "for Bob" }), 201);
    assert.deepEqual([added.priceAtAdd, added.isAvailable, added.note], [500, true, "for Bob"]);
    await change(app, { price: 400 });
    await setStock(app, { onHand: 0 });
    const { items } = await list(app);
    assert.equal(items.length, 1);
    assert.deepEqual(
      [items[0]?.priceAtAdd, items[0]?.product?.price, items[0]?.isAvailable],
      [500, 400, false],
    );
  });

  it("has one entry a product, which a second POST changes", async () => {
    const app = await createTestShop();
    await addProduct(app);
    await wish(app, { note: "one" });
    const again = await read<Entry>(await wish(app, { notifyRestock: true, email: EMAIL }), 200);
    assert.deepEqual([again.note, again.notifyRestock, (await list(app)).items.length], ["one", true, 1]);
  });

  it("shows products that are no longer sold as unavailable", async () => {
    const app = await createTestShop();
    await addProduct(app);
    await wish(app, {});
    await change(app, { status: "archived" });
    const { items } = await list(app);
    assert.deepEqual([items[0]?.isAvailable, items[0]?.product], [false, undefined]);
  });

  it("is about one variant, when told", async () => {
    const app = await createTestShop();
    const variant = { sku: "", options: {} };
    const variants = [
      { ...variant, id: "var_1", price: 700 },
      { ...variant, id: "var_2", price: 600 },
    ];
    await addProduct(app, { variants });
    assert.equal((await read<Entry>(await wish(app, { variantId: "var_1" }), 201)).priceAtAdd, 700);
    assert.deepEqual(await code(await wish(app, { variantId: "var_9" })), [422, "invalid"]);
    const path = `${PATH}/prd_1`;
    const other = await app.send("PATCH", path, { as: "ann", body: { variantId: "var_2" } });
    assert.equal((await read<Entry>(other)).priceAtAdd, 600);
    const any = await read<Entry>(await app.send("PATCH", path, { as: "ann", body: { variantId: null } }));
    assert.deepEqual([any.variantId, any.priceAtAdd], [undefined, 600]);
  });

  it("sends notices to a verified address of the account alone, the primary one unless told", async () => {
    const app = await createTestShop();
    await addProduct(app);
    app.setAddresses("ann", [EMAIL, "Ann@work.example"]);
    for (const email of ["x", "a@example.org\r\nBcc: b@example.org", "third.party@example.org"])
      assert.deepEqual(await code(await wish(app, { notifyRestock: true, email })), [422, "invalid"]);
    const first = await read<Entry>(await wish(app, { notifyRestock: true }), 201);
    assert.deepEqual([first.email, first.emailVerified], [EMAIL, true]);
    assert.equal(
      (await read<Entry>(await wish(app, { email: "ann@WORK.example" }))).email,
      "Ann@work.example",
    );
    // Left out, the one of before stays.
    assert.equal((await read<Entry>(await wish(app, { notifyPriceDrop: true }))).email, "Ann@work.example");
    app.setAddresses("bob", []);
    assert.deepEqual(await code(await wish(app, { notifyPriceDrop: true }, "bob")), [422, "invalid"]);
    await read(await wish(app, { note: "no notice" }, "bob"), 201);
    const gone = await app.send("PATCH", `${PATH}/prd_1`, { as: "ann", body: { email: null } });
    assert.deepEqual(await code(gone), [422, "invalid"]);
  });

  it("keeps a wish without a notice when the auth center tells no addresses", async () => {
    const app = await createTestShop();
    await addProduct(app);
    app.setAuth("no_addresses");
    assert.deepEqual(await code(await wish(app, { notifyRestock: true })), [503, "auth_unavailable"]);
    await read(await wish(app, { note: "for Bob", notifyRestock: false }), 201);
  });

  it("belongs to one person", async () => {
    const app = await createTestShop();
    await addProduct(app);
    await wish(app, {});
    assert.deepEqual(await list(app, "bob"), { items: [] });
    for (const method of ["PATCH", "DELETE"]) {
      const options = { as: "bob", ...(method === "PATCH" ? { body: { note: "x" } } : {}) };
      assert.deepEqual(await code(await app.send(method, `${PATH}/prd_1`, options)), [404, "not_found"]);
    }
    assert.equal((await app.send("DELETE", `${PATH}/prd_1`, { as: "ann" })).status, 204);
    assert.equal((await app.send("DELETE", `${PATH}/prd_1`, { as: "ann" })).status, 404);
  });

  it("refuses guests, unknown products and members, and what is malformed", async () => {
    const app = await createTestShop();
    await addProduct(app, { status: "draft" });
    assert.deepEqual(await code(await wish(app, {})), [404, "not_found"]);
    assert.deepEqual(await code(await wish(app, { productId: "__proto__" })), [404, "not_found"]);
    assert.deepEqual(await code(await wish(app, { userId: "usr_bob" })), [422, "invalid"]);
    assert.deepEqual(await code(await wish(app, { note: "a\nb" })), [422, "invalid"]);
    assert.equal((await wish(app, { note: "x".repeat(300_000) })).status, 413);
    const bad = await app.send("GET", `${PATH}?cursor=x`, { as: "ann" });
    assert.deepEqual(await code(bad), [400, "bad_request"]);
    for (const [method, path] of [
      ["GET", PATH],
      ["POST", PATH],
      ["PATCH", `${PATH}/prd_1`],
      ["DELETE", `${PATH}/prd_1`],
    ] as const) {
      const body = method === "POST" || method === "PATCH" ? { body: { productId: "prd_1" } } : {};
      assert.deepEqual(await code(await app.send(method, path, body)), [401, "unauthenticated"]);
      const headers = { authorization: "Bearer other" };
      assert.deepEqual(await code(await app.send(method, path, { ...body, headers })), [
        401,
        "token_invalid",
      ]);
      app.setAuth("down");
      const down = await app.send(method, path, { ...body, as: "ann" });
      assert.deepEqual(await code(down), [503, "auth_unavailable"]);
      app.setAuth("up");
    }
  });

  it("holds a bounded number of products, page by page", async () => {
    const app = await createTestShop();
    await addProduct(app);
    await insertWishes(
      app,
      Array.from({ length: MAX_WISHES }, (_, i) => ({ productId: `prd_old${i}`, addedAt: i })),
    );
    assert.deepEqual(await code(await wish(app, {})), [409, "conflict"]);
    const page = await read<List>(await app.send("GET", `${PATH}?limit=200`, { as: "ann" }));
    assert.deepEqual([page.items.length, page.items[0]?.productId], [200, "prd_old499"]);
    assert.ok(page.nextCursor !== undefined);
    assert.equal((await app.send("DELETE", `${PATH}/prd_old3`, { as: "ann" })).status, 204);
    assert.equal((await wish(app, {})).status, 201);
  });
});

describe("createWishNotices", () => {
  async function watch(app: TestShop, onHand = 5): Promise<void> {
    await addProduct(app, {}, onHand);
    await read(await wish(app, { notifyRestock: true, notifyPriceDrop: true, email: EMAIL }), 201);
  }
  async function told(app: TestShop): Promise<string[]> {
    await app.shop.wishNotices.run();
    return (await app.mails(EMAIL)).map(({ kind }) => kind).toSorted();
  }

  it("tells once that a product is back", async () => {
    const app = await createTestShop();
    await watch(app, 0);
    assert.deepEqual(await told(app), []);
    await setStock(app, { onHand: 3 });
    assert.deepEqual(await told(app), ["restock"]);
    assert.deepEqual(await told(app), ["restock"]);
    const [mail] = await app.mails(EMAIL);
    assert.equal(mail?.subject, "Trivet shop: Back in stock — Mug");
    assert.match(mail?.text ?? "", /€5\.00[^]*because you turned on notifications on your wishlist/u);
    await setStock(app, { onHand: 0 });
    await told(app);
    await setStock(app, { onHand: 1 });
    assert.deepEqual(await told(app), ["restock", "restock"]);
  });

  it("does not take units that are only promised for gone", async () => {
    const app = await createTestShop();
    await watch(app, 1);
    await setStock(app, { onHand: 1, reserved: 1 });
    assert.deepEqual(await told(app), []);
    await setStock(app, { onHand: 1 });
    assert.deepEqual(await told(app), []);
  });

  it("tells each fall below the first price once, and no rise", async () => {
    const app = await createTestShop();
    await watch(app);
    const prices: [number, number][] = [
      [600, 0],
      [400, 1],
      [400, 1],
      [450, 1],
      [420, 2],
      [900, 2],
      [500, 2],
      [499, 3],
    ];
    for (const [price, mails] of prices) {
      await change(app, { price });
      assert.equal((await told(app)).length, mails, String(price));
    }
  });

  it("tells nothing of another currency, of what is gone, or to who does not want it", async () => {
    const app = await createTestShop();
    await watch(app);
    await change(app, { currency: "JPY", price: 1 });
    assert.deepEqual(await told(app), []);
    await change(app, { currency: "EUR", price: 500, status: "archived" });
    assert.deepEqual(await told(app), []);
    await change(app, { status: "published" });
    assert.deepEqual(await told(app), ["restock"]);
    const body = { notifyRestock: false, notifyPriceDrop: false };
    await app.send("PATCH", `${PATH}/prd_1`, { as: "ann", body });
    await change(app, { price: 100 });
    assert.deepEqual(await told(app), ["restock"]);
  });

  it("writes one mail when two processes look at the same time", async () => {
    const app = await createTestShop();
    await watch(app, 0);
    await setStock(app, { onHand: 3 });
    const other = createWishNotices(app.shop.deps);
    await Promise.all([app.shop.wishNotices.run(), other.run(), app.shop.wishNotices.run()]);
    assert.equal((await app.mails(EMAIL)).length, 1);
  });

  it("sends no email to an unverified address of an earlier version, until the notification is set again", async () => {
    const app = await createTestShop();
    await addProduct(app, {}, 0);
    await insertWishes(app, [{ notifyRestock: true, watched: "yes", email: EMAIL, wasInStock: false }]);
    await setStock(app, { onHand: 1 });
    assert.deepEqual(await told(app), []);
    assert.equal((await list(app)).items[0]?.emailVerified, false);
    await read(await wish(app, { notifyRestock: true }));
    await setStock(app, { onHand: 0 });
    assert.deepEqual(await told(app), []);
    await setStock(app, { onHand: 1 });
    assert.deepEqual(await told(app), ["restock"]);
  });

  it("goes on where a bounded run ended", async () => {
    const app = await createTestShop();
    await addProduct(app, {}, 0);
    const watched = { notifyRestock: true, watched: "yes", email: EMAIL } as const;
    const of = (i: number): Partial<WishRecord> => ({
      ...watched,
      userId: `usr_${i}`,
      wasInStock: i !== 2_299,
    });
    await insertWishes(
      app,
      Array.from({ length: 2_300 }, (_, i) => of(i)),
    );
    assert.equal(await app.shop.wishNotices.run(), true);
    assert.equal(await app.shop.wishNotices.run(), false);
    const left = await app.store.read((tx) =>
      tx.list(wishes, "byProduct", { prefix: ["prd_1"], limit: 1_000 }),
    );
    assert.ok(left.items.every(({ wasInStock }) => !wasInStock));
  });
});
