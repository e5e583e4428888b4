/** A buyer who pays by a former attempt of an order, and a service whose notices count only when it says the same. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { read } from "../../app-fixture.ts";
import { createAlipayGateway } from "./alipay.ts";
import { createEpayGateway } from "./epay.ts";
import { createGatewayShop } from "./gateway-shop.ts";

for (const [name, create] of [
  ["Epay", createEpayGateway],
  ["Alipay", createAlipayGateway],
] as const)
  describe(`a former attempt at ${name}`, () => {
    it("counts when it is paid, once", async () => {
      const shop = await createGatewayShop(create);
      const cash = { title: "Cash", kind: "manual" };
      await read(await shop.app.admin("PUT", "/api/admin/site/providers/cash", cash));
      const { order, accessToken } = await shop.checkOut();
      const [first] = shop.gateway.payments;
      for (const method of ["cash", "paid"])
        await read(
          await shop.app.send("POST", `/api/orders/${order.id}/payment`, {
            headers: { "x-order-token": accessToken },
            body: { method },
          }),
        );
      assert.equal(shop.gateway.payments.length, 2);
      assert.ok(first !== undefined);
      const notice = await shop.gateway.pay(first);
      for (let time = 0; time < 2; time += 1) {
        const answer = await shop.notify(notice);
        assert.equal(await answer.text(), shop.gateway.expects);
      }
      const { status, amountPaid, total } = await shop.order(order.id);
      assert.deepEqual([status, amountPaid], ["paid", total]);
      const applied = (await shop.ledger()).filter(({ state }) => state === "applied");
      assert.equal(applied.length, 1);
      await shop.assertBooks();
    });
  });
