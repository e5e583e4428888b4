/** The demo's shop is made as a seller makes one: through the API, in an empty shop alone, with books that add up. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkLedger } from "../../src/shop/payments/ledger-check.ts";
import { ADMIN_TOKEN, type TestShop, createTestShop, read } from "../shop/app-fixture.ts";
import { createApi } from "./demo/shop/api.ts";
import { fillShop } from "./demo/shop/fill.ts";

const signIn = (name: string) => Promise.resolve({ authorization: `Bearer token-${name}` });

function fill(app: TestShop, isAdding = false): Promise<void> {
  const send = (path: string, init: RequestInit): Promise<Response> => app.fetch(path, init);
  return fillShop(createApi({ send, adminToken: ADMIN_TOKEN }), { isAdding, say: () => undefined, signIn });
}

describe("the demo's shop", () => {
  it("has goods with pictures in three languages, orders in many states, and books that add up", async () => {
    const app = await createTestShop({ publicUrl: "http://127.0.0.1:8081" });
    await fill(app);
    const shown = async <T>(path: string): Promise<T> => read<T>(await app.send("GET", path));
    const listed = async <T>(path: string): Promise<T> => read<T>(await app.admin("GET", path));
    interface Product {
      readonly title: string;
      readonly images: readonly unknown[];
    }
    const { items } = await shown<{ items: readonly Product[] }>("/api/products?limit=50&lang=de");
    assert.equal(items.length, 24);
    assert.ok(items.every(({ images }) => images.length > 0));
    assert.ok(items.some(({ title }) => title === "Hafen-T-Shirt"));
    const { items: categories } = await shown<{ items: readonly unknown[] }>("/api/site/categories");
    assert.equal(categories.length, 4);

    interface Order {
      readonly status: string;
      readonly paymentStatus: string;
    }
    const { items: orders } = await listed<{ items: readonly Order[] }>("/api/admin/orders?limit=50");
    assert.equal(orders.length, 18);
    const states = new Set(orders.flatMap(({ status, paymentStatus }) => [status, paymentStatus]));
    for (const state of [
      "pending_payment",
      "paid",
      "delivered",
      "completed",
      "canceled",
      "unpaid",
      "partial",
      "overpaid",
      "refunded",
      "partially_refunded",
    ])
      assert.ok(states.has(state), `no order is ${state}`);
    assert.deepEqual((await checkLedger(app.store)).faults, []);
    const { items: talks } = await listed<{ items: readonly unknown[] }>("/api/admin/chat/conversations");
    assert.equal(talks.length, 2);
    const methods = await shown<{ items: readonly { word: string }[] }>("/api/site/payment-methods");
    assert.ok(!methods.items.some(({ word }) => word === "demo"), "the demo payment stayed on");
  });

  it("is not put into one with products, unless requested", async () => {
    const app = await createTestShop({ publicUrl: "http://127.0.0.1:8081" });
    await read(await app.admin("POST", "/api/admin/products", { title: "Own", price: 100 }), 201);
    await assert.rejects(fill(app), /has products already/u);
    const before = await read<{ name: string }>(await app.admin("GET", "/api/admin/site"));
    await fill(app, true);
    const after = await read<{ name: string }>(await app.admin("GET", "/api/admin/site"));
    assert.equal(after.name, before.name);
  });

  it("is not put into one that sends mails", async () => {
    const app = await createTestShop({ publicUrl: "http://127.0.0.1:8081" });
    await read(
      await app.admin("PATCH", "/api/admin/smtp", {
        enabled: true,
        host: "mail.example.org",
        fromAddress: "shop@example.org",
      }),
    );
    await assert.rejects(fill(app), /switch SMTP off/u);
  });
});
