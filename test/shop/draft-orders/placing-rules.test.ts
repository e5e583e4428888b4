/** What placing a draft refuses, and how long its invoice may stay unpaid. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toGuestId } from "../../../src/shop/customers/identity.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { code, read } from "../app-fixture.ts";
import { load, openShop, placeOrder } from "../order-edits/edit-room.ts";
import { act, write } from "./draft-room.ts";

const DAY_MS = 86_400_000;
const own = { items: [{ title: "Own", quantity: 1, unitPrice: 500, taxClass: "standard", isSent: false }] };

describe("placing a draft", () => {
  it("refuses a payment of a day to come, and a blocked customer", async () => {
    const app = await openShop();
    const draft = await write(app, own);
    const tomorrow = new Date(app.clock.now() + DAY_MS).toISOString().slice(0, 10);
    const later = await act(app, draft, "mark-paid", { method: "cash", paidOn: tomorrow });
    assert.deepEqual(await code(later), [422, "invalid"]);
    await placeOrder(app, [{ price: 100, quantity: 1 }]);
    const path = `/api/admin/customers/${toGuestId(app.shop.deps.box, "ann@example.org")}`;
    await read(await app.admin("PATCH", path, { blocked: true }));
    const refused = await act(app, draft, "mark-paid", { method: "cash" });
    assert.equal((await code(refused))[1], "order_refused");
    await read(await app.admin("PATCH", path, { blocked: false }));
    await read(await act(app, draft, "mark-paid", { method: "cash" }), 201);
  });

  it("gives an invoice 30 days after its due date before the order expires", async () => {
    const app = await openShop();
    const draft = await write(app, own);
    const dueOn = new Date(app.clock.now() + 10 * DAY_MS).toISOString().slice(0, 10);
    const order = await read<OrderRecord>(await act(app, draft, "invoice", { dueOn }), 201);
    const { expiresAt } = await load(app, { order, accessToken: "" });
    assert.equal(expiresAt, Date.parse(`${dueOn}T23:59:59.999Z`) + 30 * DAY_MS);
  });
});
