import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { products, secrets } from "../../../src/shop/products/records.ts";
import { reserve } from "../../../src/shop/stock/stock.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/products";
let shop: TestShop;
let id: string;

interface Added {
  added: number;
  duplicates: number[];
}
interface Keys {
  items: { id: string; state: string; value: string }[];
  nextCursor?: string;
}
interface Product {
  id: string;
  stock: { onHand: number };
  sharedSecretSet: boolean;
  variants: { id: string; stock: { onHand: number } }[];
}

beforeEach(async () => {
  shop = await createTestShop();
  const fields = { title: "Licence", price: 5, deliveryType: "auto_secret" };
  ({ id } = await read<Product>(await shop.admin("POST", PATH, fields), 201));
});

const keysPath = (): string => `${PATH}/${id}/secrets`;

async function onHand(): Promise<number> {
  return (await read<Product>(await shop.admin("GET", `${PATH}/${id}`))).stock.onHand;
}

describe("POST /api/admin/products/{id}/secrets", () => {
  it("adds keys, tells duplicates, and raises the units by the new ones", async () => {
    const first = await read<Added>(
      await shop.admin("POST", keysPath(), ["AAAA-1111", "BBBB-2222", "AAAA-1111"]),
    );
    assert.deepEqual(first, { added: 2, duplicates: [3] });
    assert.equal(await onHand(), 2);
    const again = await read<Added>(await shop.admin("POST", keysPath(), [" BBBB-2222 ", "CCCC-3333"]));
    assert.deepEqual(again, { added: 1, duplicates: [1] });
    assert.equal(await onHand(), 3);
  });

  it("reads files as spreadsheets save them, and shows the keys before they are added", async () => {
    const send = (path: string, type: string, body: Uint8Array<ArrayBuffer>): Promise<Response> => {
      const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": type };
      return shop.fetch(`${keysPath()}${path}`, { method: "POST", headers, body });
    };
    const latin = (text: string): Uint8Array<ArrayBuffer> =>
      Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
      Uint8Array.from(
        Array.from(`\ufeff${text}`).flatMap((each) => [each.charCodeAt(0) & 0xff, each.charCodeAt(0) >> 8]),
      );
    const readKeys = async (type: string, body: Uint8Array<ArrayBuffer>): Promise<string[]> =>
      (await read<{ keys: string[] }>(await send("/read", type, body))).keys;
    const table = latin('Nummer;Lizenzschl\u00fcssel;Notiz\r\n1;AAAA-1;"f\u00fcr ""Bo"""\r\n2;BBBB-2;\r\n');
    assert.deepEqual(await readKeys("text/csv", table), ["AAAA-1", "BBBB-2"]);
    assert.deepEqual(await readKeys("text/csv", latin("AAAA-1\rBBBB-2\r")), ["AAAA-1", "BBBB-2"]);
    assert.deepEqual(await readKeys("text/csv", utf16("code\tsold\nA;1\tno\n")), ["A;1"]);
    assert.deepEqual(await readKeys("text/plain", utf16("AAAA;x\r\nBBBB,y\r\n")), ["AAAA;x", "BBBB,y"]);
    assert.deepEqual(await code(await send("/read", "text/csv", latin("AAAA,1\nBBBB,2\n"))), [
      400,
      "bad_request",
    ]);
    assert.deepEqual(await code(await send("/read", "text/csv", latin("PK\u0003\u0004"))), [
      400,
      "bad_request",
    ]);
    assert.equal(await onHand(), 0);
    assert.deepEqual(await read<Added>(await send("", "text/csv", table)), { added: 2, duplicates: [] });
    assert.equal(await onHand(), 2);
  });

  it("takes lines of text", async () => {
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "text/plain; charset=utf-8" };
    const body = "\ufeffAAAA\r\n\r\n  BBBB  \nAAAA\n";
    const added = await read<Added>(await shop.fetch(keysPath(), { method: "POST", headers, body }));
    assert.deepEqual(added, { added: 2, duplicates: [3] });
    const bad = new Uint8Array([0x41, 0x81]);
    assert.deepEqual(await code(await shop.fetch(keysPath(), { method: "POST", headers, body: bad })), [
      400,
      "bad_request",
    ]);
    const long = "x".repeat(2_001);
    assert.deepEqual(await code(await shop.fetch(keysPath(), { method: "POST", headers, body: long })), [
      422,
      "invalid",
    ]);
    const xml = { ...headers, "content-type": "text/xml" };
    assert.equal((await shop.fetch(keysPath(), { method: "POST", headers: xml, body: "a" })).status, 415);
    assert.equal((await shop.fetch(keysPath(), { method: "POST", headers, body: "\n" })).status, 422);
  });

  it("takes 10,000 at once, in several transactions, and no more", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `KEY-${index}`);
    assert.deepEqual(await read(await shop.admin("POST", keysPath(), many)), {
      added: 10_000,
      duplicates: [],
    });
    assert.equal(await onHand(), 10_000);
    assert.deepEqual(await code(await shop.admin("POST", keysPath(), [...many, "one more"])), [
      422,
      "invalid",
    ]);
    const { items } = await shop.store.read((tx) => tx.list(auditCollection, "id", { limit: 20 }));
    assert.equal(items.filter(({ action }) => action === "product.keys.add").length, 10);
  });

  it("keeps keys of variants apart, and refuses products that have none", async () => {
    const fields = {
      title: "B",
      deliveryType: "auto_secret",
      variants: [
        { sku: "A", price: 1 },
        { sku: "B", price: 2 },
      ],
    };
    const product = await read<Product>(await shop.admin("POST", PATH, fields), 201);
    const [first, second] = product.variants;
    const path = `${PATH}/${product.id}/secrets`;
    assert.equal((await shop.admin("POST", path, ["K"])).status, 422);
    for (const variant of [first, second])
      assert.equal(
        (await read<Added>(await shop.admin("POST", `${path}?variantId=${variant?.id}`, ["K"]))).added,
        1,
      );
    const removed = { variants: [{ sku: "A", price: 1 }] };
    assert.deepEqual(await code(await shop.admin("PATCH", `${PATH}/${product.id}`, removed)), [
      409,
      "conflict",
    ]);
    const manual = await read<Product>(await shop.admin("POST", PATH, { title: "M", price: 1 }), 201);
    assert.deepEqual(await code(await shop.admin("POST", `${PATH}/${manual.id}/secrets`, ["K"])), [
      409,
      "conflict",
    ]);
    assert.deepEqual(await code(await shop.admin("POST", `${PATH}/prd_none/secrets`, ["K"])), [
      404,
      "not_found",
    ]);
  });

  it("turns the free keys into the units of a product that gets this delivery type again", async () => {
    await read(await shop.admin("POST", keysPath(), ["A", "B"]));
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { deliveryType: "manual" }));
    await read(await shop.admin("POST", `${PATH}/${id}/stock`, { onHand: 50, reason: "Count" }));
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { deliveryType: "auto_secret" }));
    assert.equal(await onHand(), 2);
  });
});

describe("GET /api/admin/products/{id}/secrets", () => {
  it("masks keys, shows them when asked, and notes that in the audit", async () => {
    await read(await shop.admin("POST", keysPath(), ["AAAA-BBBB-CCCC", "short"]));
    const masked = await read<Keys>(await shop.admin("GET", keysPath()));
    assert.deepEqual(new Set(masked.items.map(({ value }) => value)), new Set(["••••CCCC", "••••"]));
    assert.deepEqual([masked.items.length, masked.nextCursor], [2, undefined]);
    const page = await shop.admin("GET", `${keysPath()}?reveal=true&state=free&limit=1`);
    assert.equal(page.headers.get("cache-control"), "no-store");
    const open = await read<Keys>(page);
    const rest = await read<Keys>(
      await shop.admin("GET", `${keysPath()}?reveal=true&state=free&cursor=${open.nextCursor}`),
    );
    assert.deepEqual(
      new Set([...open.items, ...rest.items].map(({ value }) => value)),
      new Set(["AAAA-BBBB-CCCC", "short"]),
    );
    const { items } = await shop.store.read((tx) => tx.list(auditCollection, "id", { limit: 20 }));
    assert.equal(items.filter(({ action }) => action === "product.keys.reveal").length, 2);
    const kept = await shop.store.read((tx) => tx.list(secrets, "id", { limit: 10 }));
    assert.doesNotMatch(JSON.stringify([kept.items, items]), /AAAA-BBBB|short/u);
    assert.deepEqual(await read(await shop.admin("GET", `${keysPath()}?state=given`)), { items: [] });
  });
});

describe("removing keys", () => {
  it("removes free ones and lowers the units, but no given and no promised ones", async () => {
    await read(await shop.admin("POST", keysPath(), ["A", "B", "C"]));
    const { items } = await read<Keys>(await shop.admin("GET", keysPath()));
    const [a = { id: "" }, b = { id: "" }, c = { id: "" }] = items;
    assert.equal((await shop.admin("DELETE", `${keysPath()}/${a.id}`)).status, 204);
    assert.equal(await onHand(), 2);
    assert.deepEqual(await code(await shop.admin("DELETE", `${keysPath()}/${a.id}`)), [404, "not_found"]);
    await shop.store.transact(async (tx) => {
      await reserve(tx, [{ productId: id, stockId: id, stockMode: "tracked", quantity: 1 }]);
      const key = await tx.get(secrets, c.id);
      if (key !== undefined) await tx.put(secrets, { ...key, state: "given", orderId: "ord_x" });
    });
    const both = await shop.admin("POST", `${keysPath()}/remove`, { ids: [b.id, c.id] });
    assert.deepEqual(await code(both), [409, "conflict"]);
    assert.equal(await onHand(), 2);
    const other = await read<Product>(await shop.admin("POST", PATH, { title: "O", price: 1 }), 201);
    assert.equal((await shop.admin("DELETE", `${PATH}/${other.id}/secrets/${b.id}`)).status, 404);
    assert.deepEqual(await read(await shop.admin("POST", `${keysPath()}/remove`, { ids: [b.id, b.id] })), {
      removed: 1,
    });
    assert.equal(await onHand(), 1);
    assert.deepEqual(await code(await shop.admin("DELETE", `${PATH}/${id}`)), [409, "conflict"]);
  });

  it("keeps as many as orders were promised", async () => {
    await read(await shop.admin("POST", keysPath(), ["A"]));
    const { items } = await read<Keys>(await shop.admin("GET", keysPath()));
    await shop.store.transact((tx) =>
      reserve(tx, [{ productId: id, stockId: id, stockMode: "tracked", quantity: 1 }]),
    );
    const refused = await read<{ reserved: number }>(
      await shop.admin("DELETE", `${keysPath()}/${items[0]?.id}`),
      409,
    );
    assert.equal(refused.reserved, 1);
  });
});

describe("/api/admin/products/{id}/shared-secret", () => {
  it("seals it, shows it only when asked, and takes it away", async () => {
    const path = `${PATH}/${id}/shared-secret`;
    assert.deepEqual(await read(await shop.admin("GET", path)), { sharedSecretSet: false });
    assert.deepEqual(await read(await shop.admin("GET", `${path}?reveal=true`)), { sharedSecretSet: false });
    assert.deepEqual(await read(await shop.admin("PUT", path, { value: "open sesame" })), {
      sharedSecretSet: true,
    });
    assert.deepEqual(await read(await shop.admin("GET", path)), { sharedSecretSet: true });
    assert.deepEqual(await read(await shop.admin("GET", `${path}?reveal=true`)), {
      sharedSecretSet: true,
      value: "open sesame",
    });
    const shown = await shop.admin("GET", `${PATH}/${id}`);
    assert.equal((await read<Product>(shown.clone())).sharedSecretSet, true);
    assert.doesNotMatch(await shown.text(), /sesame|sealed/u);
    const kept = await shop.store.read((tx) => tx.get(products, id));
    assert.doesNotMatch(JSON.stringify(kept), /sesame/u);
    await read(await shop.admin("PATCH", `${PATH}/${id}`, { title: "Other" }));
    assert.deepEqual(await read(await shop.admin("GET", path)), { sharedSecretSet: true });
    assert.deepEqual(await read(await shop.admin("PUT", path, { value: null })), { sharedSecretSet: false });
    assert.deepEqual(await read(await shop.admin("GET", path)), { sharedSecretSet: false });
    assert.deepEqual(await code(await shop.admin("PUT", path, { value: "" })), [422, "invalid"]);
    assert.deepEqual(await code(await shop.admin("GET", `${PATH}/prd_none/shared-secret`)), [
      404,
      "not_found",
    ]);
  });
});
