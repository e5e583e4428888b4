/** An administrator of the auth center in a buyer's account, as the shop treats them. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Order {
  readonly id: string;
  readonly number: string;
  readonly total: number;
  readonly currency: string;
  readonly status: string;
  readonly lines: { delivered?: string[]; instructions?: string }[];
}

/** "ann", as the auth center reports her when someone impersonates her. */
const AS = "ann-by-opsadmin";

it("an administrator in a buyer's account sees the order and not the goods, and changes nothing", async () => {
  const app = await createTestShop();
  await setProvider(app);
  const { id: productId } = await addProduct(app, { keys: ["KEY-1"], instructions: "Type it in" });
  const body = {
    items: [{ productId, quantity: 1 }],
    contact: { email: "ann@example.org" },
    consents: { digitalContent: true },
  };
  const made = await app.send("POST", "/api/checkout", { as: "ann", body });
  const { order } = await read<{ order: Order }>(made, 201);
  await sendNotice(app, toNotice(order));
  const path = `/api/orders/${order.id}`;

  const own = await read<Order>(await app.send("GET", path, { as: "ann" }));
  assert.deepEqual([own.status, own.lines[0]?.delivered], ["delivered", ["KEY-1"]]);
  const shown = await app.send("GET", path, { as: AS });
  assert.equal(shown.status, 200);
  const text = await shown.text();
  assert.ok(text.includes('"delivered"') && !text.includes("KEY-1") && !text.includes("Type it in"));
  for (const read of ["/api/orders", "/api/wishlist", "/api/chat/messages"])
    assert.equal((await app.send("GET", read, { as: AS })).status, 200, read);

  const changes: [string, string, unknown?][] = [
    ["POST", "/api/checkout", body],
    ["POST", "/api/orders", body],
    ["POST", `${path}/confirm`, { kind: "receipt" }],
    ["POST", `${path}/confirm`, { kind: "payment_claim" }],
    ["POST", `${path}/cancel`],
    ["POST", "/api/wishlist", { productId }],
    ["DELETE", `/api/wishlist/${productId}`],
    ["POST", "/api/chat/messages", { body: "not hers" }],
    ["POST", "/api/chat/read", { upTo: 1 }],
    ["GET", "/api/chat/stream"],
  ];
  for (const [method, target, sent] of changes) {
    const answer = await app.send(method, target, { as: AS, body: sent });
    assert.deepEqual(await code(answer), [403, "forbidden"], `${method} ${target}`);
  }
});
