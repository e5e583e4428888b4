/** Withdrawals that came by letter, telephone or mail. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";
import { EMAIL, type Placed, type View } from "./statement.ts";

const DAY = 86_400_000;
let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  await app.setSite({ timeZone: "Europe/Berlin" });
});

async function buy(): Promise<Placed> {
  const product = await addProduct(app);
  const placed = await order(app, [{ productId: product.id, quantity: 2 }]);
  assert.equal((await sendNotice(app, toNotice(placed.order))).status, 200);
  return placed.order;
}

describe("a withdrawal that an administrator writes down", () => {
  it("is received on the day that it came, acknowledged, and flags its order", async () => {
    const { id, lines } = await buy();
    app.clock.advance(3 * DAY);
    const receivedAt = new Date(app.clock.now() - 2 * DAY).toISOString();
    const body = {
      orderId: id,
      what: "by letter",
      lines: [{ lineId: lines[0]?.id, quantity: 1 }],
      receivedAt,
    };
    const written = await read<View>(await app.admin("POST", "/api/admin/withdrawals", body), 201);
    assert.deepEqual([written.state, written.orderId, written.suggestedRefund], ["received", id, 1_000]);
    assert.equal(written.refundBy.slice(0, 10), "2026-02-16");
    assert.deepEqual(
      (await read<{ attention: string[] }>(await app.admin("GET", `/api/admin/orders/${id}`))).attention,
      ["withdrawal"],
    );
    assert.equal((await app.mails(EMAIL)).filter(({ kind }) => kind === "withdrawal_received").length, 1);
  });

  it("comes after its order, of an order that there is", async () => {
    const { id } = await buy();
    const write = (body: object): Promise<Response> => app.admin("POST", "/api/admin/withdrawals", body);
    for (const day of [-1, 1]) {
      const receivedAt = new Date(app.clock.now() + day * DAY).toISOString();
      assert.deepEqual(await code(await write({ orderId: id, receivedAt })), [422, "invalid"]);
    }
    assert.deepEqual(await code(await write({ orderId: "ord_none" })), [404, "not_found"]);
    assert.equal((await app.send("POST", "/api/withdrawals", { body: { orderId: id } })).status, 422);
    assert.equal((await app.send("POST", "/api/admin/withdrawals", { body: { orderId: id } })).status, 401);
  });
});
