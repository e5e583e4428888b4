import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { reserve, type StockLine } from "../../../src/shop/stock/stock.ts";
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
}
interface Problem {
  code: string;
  detail: string;
  errors?: { pointer: string; code: string }[];
  reserved?: number;
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

describe("/api/admin/products/{id}/stock", () => {
  it("sets and moves the units with a reason, never below what is reserved", async () => {
    const { id } = await create({ title: "Mug", price: 5, onHand: 4 });
    const path = `${PATH}/${id}/stock`;
    const set = await read<{ items: Stock[] }>(
      await shop.admin("POST", path, { onHand: 10, reason: "Count" }),
    );
    assert.equal(set.items[0]?.onHand, 10);
    await shop.store.transact((tx) => reserve(tx, [lineOf(id, id, 3)]));
    const low = await read<Problem>(await shop.admin("POST", path, { change: -8, reason: "Broken" }), 409);
    assert.equal(low.reserved, 3);
    const less = await read<{ items: Stock[] }>(
      await shop.admin("POST", path, { change: -7, reason: "Broken" }),
    );
    assert.deepEqual([less.items[0]?.onHand, less.items[0]?.available], [3, 0]);
    const { items } = await shop.store.read((tx) => tx.list(auditCollection, "id", { limit: 10 }));
    assert.deepEqual(items.at(-1)?.changes, ["onHand: 10 → 3", "reason: Broken"]);
    assert.deepEqual(await pointers(await shop.admin("POST", path, { change: -4, reason: "x" })), [
      "/change",
    ]);
    assert.deepEqual(await pointers(await shop.admin("POST", path, { onHand: 1, change: 1, reason: "x" })), [
      "/onHand",
    ]);
    assert.deepEqual(await pointers(await shop.admin("POST", path, { onHand: 1, reason: "" })), ["/reason"]);
    const named = await shop.admin("POST", path, { onHand: 1, reason: "x", variantId: "var_none" });
    assert.deepEqual(await pointers(named), ["/variantId"]);
    assert.deepEqual(await read(await shop.admin("GET", path)), less);
  });

  it("leaves products alone whose units are their keys", async () => {
    const { id } = await create({ title: "Key", price: 5, deliveryType: "auto_secret" });
    const refused = await shop.admin("POST", `${PATH}/${id}/stock`, { onHand: 1, reason: "x" });
    assert.deepEqual(await code(refused), [409, "conflict"]);
  });
});

describe("access to the administration of products", () => {
  it("is for the administrator alone, and unknown products are 404", async () => {
    const routes = [
      ["GET", PATH],
      ["POST", PATH],
      ["GET", `${PATH}/prd_x`],
      ["PATCH", `${PATH}/prd_x`],
      ["PUT", `${PATH}/prd_x`],
      ["DELETE", `${PATH}/prd_x`],
      ["GET", `${PATH}/prd_x/stock`],
      ["POST", `${PATH}/prd_x/stock`],
      ["GET", `${PATH}/prd_x/secrets`],
      ["POST", `${PATH}/prd_x/secrets`],
      ["PUT", `${PATH}/prd_x/shared-secret`],
      ["PUT", `${PATH}/prd_x/images`],
    ] as const;
    for (const [index, [method, path]] of routes.entries()) {
      assert.deepEqual(
        await code(await shop.send(method, path)),
        [401, "unauthenticated"],
        `${method} ${path}`,
      );
      const wrong = await shop.send(method, path, {
        as: "ann",
        from: `198.51.100.${index}`,
        headers: { "x-admin-token": "wrong" },
      });
      assert.deepEqual(await code(wrong), [401, "unauthenticated"], `${method} ${path}`);
    }
    const missing = await Promise.all([
      shop.admin("GET", `${PATH}/prd_x`),
      shop.admin("PATCH", `${PATH}/prd_x`, { title: "A" }),
      shop.admin("PUT", `${PATH}/prd_x`, { title: "A", price: 1 }),
      shop.admin("DELETE", `${PATH}/prd_x`),
      shop.admin("GET", `${PATH}/prd_x/stock`),
      shop.admin("POST", `${PATH}/prd_x/stock`, { onHand: 1, reason: "x" }),
    ]);
    for (const response of missing) assert.deepEqual(await code(response), [404, "not_found"]);
  });

  it("works while the auth center is down", async () => {
    shop.setAuth("down");
    await read(await shop.admin("GET", PATH));
  });

  it("refuses malformed and huge bodies", async () => {
    const headers = { "x-admin-token": "adm_test-token-of-the-suite", "content-type": "application/json" };
    const broken = await shop.fetch(PATH, { method: "POST", headers, body: "{" });
    assert.deepEqual(await code(broken), [400, "bad_request"]);
    const text = await shop.fetch(PATH, {
      method: "POST",
      headers: { ...headers, "content-type": "text/plain" },
      body: "a",
    });
    assert.equal(text.status, 415);
    const huge = await shop.fetch(PATH, {
      method: "POST",
      headers: { ...headers, "content-length": "99999999" },
      body: "{}",
    });
    assert.deepEqual(await code(huge), [413, "too_large"]);
  });
});

describe("/api/admin/verify", () => {
  it("tells a right token by GET and POST, and no other", async () => {
    for (const method of ["GET", "POST"]) {
      assert.deepEqual(await read(await shop.admin(method, "/api/admin/verify")), { valid: true });
      assert.deepEqual(await code(await shop.send(method, "/api/admin/verify")), [401, "unauthenticated"]);
      const wrong = await shop.send(method, "/api/admin/verify", { headers: { "x-admin-token": "wrong" } });
      assert.deepEqual(await code(wrong), [401, "unauthenticated"]);
    }
  });
});
