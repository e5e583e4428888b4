import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { png } from "../../auth/pictures.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { setProvider } from "../goods.ts";

const PATH = "/api/admin/products";

interface Product {
  readonly id: string;
  readonly version: number;
  readonly images: readonly { readonly hash: string }[];
  readonly variants: readonly {
    readonly id: string;
    readonly imageHash?: string;
    readonly imageUrl?: string;
    readonly compareAtPrice?: number;
    readonly stock: { readonly onHand: number };
  }[];
  readonly stock: { readonly onHand: number };
}

let shop: TestShop;

async function create(fields: object): Promise<Product> {
  return read<Product>(await shop.admin("POST", PATH, { status: "published", title: "Mug", ...fields }), 201);
}

beforeEach(async () => {
  shop = await createTestShop();
  await setProvider(shop);
});

describe("a product that is made in one call", () => {
  it("has its units at once, with no variant, with one, with several", async () => {
    assert.equal((await create({ price: 5, onHand: 7 })).stock.onHand, 7);
    assert.equal((await create({ variants: [{ price: 5 }], onHand: 3 })).variants[0]?.stock.onHand, 3);
    const two = [
      { price: 5, onHand: 1 },
      { price: 6, onHand: 2 },
    ];
    assert.equal((await create({ variants: two })).stock.onHand, 3);
    const body = { title: "Mug", variants: two, onHand: 3 };
    assert.deepEqual(await code(await shop.admin("POST", PATH, body)), [422, "invalid"]);
  });

  it("can be ordered, previewed, wished for and counted without a variant when it has only one", async () => {
    const { id, variants } = await create({ variants: [{ price: 500, sku: "L" }], onHand: 3 });
    const items = [{ productId: id, quantity: 2 }];
    const body = { items, contact: { email: "ann@example.org" } };
    const preview = await read<{ total: number }>(await shop.send("POST", "/api/checkout/preview", { body }));
    assert.equal(preview.total, 1_000);
    const { order } = await read<{ order: { lines: { variantId: string; sku: string }[] } }>(
      await shop.send("POST", "/api/checkout", { body, headers: { "idempotency-key": "one" } }),
      201,
    );
    assert.deepEqual(
      order.lines.map(({ variantId, sku }) => [variantId, sku]),
      [[variants[0]?.id, "L"]],
    );
    await read(await shop.send("POST", "/api/wishlist", { as: "ann", body: { productId: id } }), 201);
    const change = { onHand: 9, reason: "Counted" };
    const stock = await read<{ items: { onHand: number }[] }>(
      await shop.admin("POST", `${PATH}/${id}/stock`, change),
    );
    assert.deepEqual(
      stock.items.map(({ onHand }) => onHand),
      [9],
    );
  });
});

describe("variants", () => {
  it("show one of the product's pictures, until it is taken off", async () => {
    const { id } = await create({
      variants: [
        { sku: "L", price: 5 },
        { sku: "M", price: 6, compareAtPrice: 9 },
      ],
    });
    const headers = { "content-type": "image/png", "x-admin-token": ADMIN_TOKEN };
    const added = await read<{ items: { hash: string }[] }>(
      await shop.fetch(`${PATH}/${id}/images`, { method: "POST", headers, body: png(200, 100) }),
      201,
    );
    const imageHash = added.items[0]?.hash;
    const variant = { sku: "L", price: 5 };
    const patch = async (imageHashOfIt?: string | null): Promise<Product> =>
      read<Product>(
        await shop.admin("PATCH", `${PATH}/${id}`, {
          variants: [
            { ...variant, imageHash: imageHashOfIt },
            { sku: "M", price: 6 },
          ],
        }),
      );
    assert.equal((await patch(imageHash)).variants[0]?.imageHash, imageHash);
    const kept = await patch();
    assert.deepEqual([kept.variants[0]?.imageHash, kept.variants[1]?.compareAtPrice], [imageHash, 9]);
    const shown = await read<Product>(await shop.send("GET", `/api/products/${id}`));
    assert.deepEqual(
      shown.variants.map(({ imageUrl, compareAtPrice }) => [imageUrl, compareAtPrice]),
      [
        [`/api/images/${imageHash}`, undefined],
        [undefined, 9],
      ],
    );
    const wrong = { variants: [{ ...variant, imageHash: "0".repeat(64) }] };
    assert.deepEqual(await code(await shop.admin("PATCH", `${PATH}/${id}`, wrong)), [422, "invalid"]);
    assert.equal((await patch(null)).variants[0]?.imageHash, undefined);
    await patch(imageHash);
    await read(await shop.admin("DELETE", `${PATH}/${id}/images/${imageHash}`));
    assert.equal(
      (await read<Product>(await shop.admin("GET", `${PATH}/${id}`))).variants[0]?.imageHash,
      undefined,
    );
  });
});
