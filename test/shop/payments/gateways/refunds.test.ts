/** Refunds through payment services, and how their settings are tried and changed, with every stand-in. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { findKind } from "../../../../src/shop/payments/providers/kinds.ts";
import { code, read } from "../../app-fixture.ts";
import { addProduct } from "../../goods.ts";
import { type Checkout, type GatewayShop, WORD, createGatewayShop } from "./gateway-shop.ts";
import { gateways } from "./gateways.ts";

const MINUTE = 60_000;

for (const [name, create] of Object.entries(gateways)) {
  describe(`payments with ${name}`, () => {
    let shop: GatewayShop;
    const kind = findKind(name) ?? assert.fail(name);
    beforeEach(async () => {
      shop = await createGatewayShop(create);
    });
    afterEach(() => shop.assertBooks());

    describe("that are given back", () => {
      interface Refunded {
        readonly paymentStatus: string;
        readonly amountRefunded: number;
        readonly refund: { readonly status: string; readonly said: string };
      }
      const giveBack = async (id: string, body: Record<string, unknown>): Promise<Response> =>
        shop.app.admin("POST", `/api/admin/orders/${id}/refund`, body);
      let placed: Checkout;
      beforeEach(async () => {
        placed = await shop.checkOut();
        await shop.assertHeard(await shop.notify(await shop.pay(placed)));
      });

      it("move through the service where it can, and are recorded elsewhere", async () => {
        const { id } = placed.order;
        assert.deepEqual(await code(await giveBack(id, {})), [422, "invalid"]);
        assert.deepEqual(await code(await giveBack(id, { amount: 2_000 })), [422, "invalid"]);
        // Some services give back whole payments alone.
        const { refund, ...order } = await read<Refunded>(await giveBack(id, { amount: 1_999 }));
        if (kind.refund === undefined) {
          assert.deepEqual([refund.status, order.amountRefunded], ["recorded", 1_999]);
          return;
        }
        assert.ok(["moved", "pending"].includes(refund.status), refund.status);
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
        if (refund.status === "moved") assert.equal(order.amountRefunded, 1_999);
      });

      it("are recorded only when they were given back elsewhere", async () => {
        const { id } = placed.order;
        const { refund } = await read<Refunded>(await giveBack(id, { amount: 300, reference: "cash 7" }));
        assert.equal(refund.status, "recorded");
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 0);
        assert.equal((await shop.order(id)).amountRefunded, 300);
        if (kind.refund !== undefined) return;
        const through = await giveBack(id, { amount: 1, through: "service" });
        assert.deepEqual(await code(through), [409, "conflict"]);
      });

      it("are tried again as the same refund when the answer was lost", async () => {
        if (kind.refund === undefined) return;
        const { id } = placed.order;
        shop.setOutage("lost");
        const lost = await read<Refunded>(await giveBack(id, { amount: 1_999 }));
        assert.equal(lost.refund.status, "pending");
        assert.deepEqual(await code(await giveBack(id, { amount: 1 })), [422, "invalid"]);
        shop.setOutage("none");
        for (let minute = 0; minute < 5; minute += 1) {
          shop.clock.advance(MINUTE);
          await shop.app.shop.refunds.run();
        }
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
        const path = `/api/admin/orders/${id}/refunds`;
        const { items } = await read<{ items: { status: string }[] }>(await shop.app.admin("GET", path));
        assert.equal(items.length, 1);
        assert.ok(["moved", "pending", "unclear"].includes(items[0]?.status ?? ""), items[0]?.status);
        if (items[0]?.status === "moved") assert.equal((await shop.order(id)).amountRefunded, 1_999);
        else assert.ok((await shop.order(id)).history.some(({ event }) => event.startsWith("refund_")));
      });

      it("are tried again for hours while something on the way redirects", async () => {
        if (kind.refund === undefined) return;
        const { id } = placed.order;
        shop.setOutage("away");
        await read<Refunded>(await giveBack(id, { amount: 1_999, through: "service" }));
        shop.setOutage("moved");
        for (let minute = 0; minute < 90; minute += 1) {
          shop.clock.advance(MINUTE);
          await shop.app.shop.refunds.run();
        }
        assert.equal((await shop.order(id)).attention.includes("refund_unclear"), false);
        shop.setOutage("none");
        shop.clock.advance(60 * MINUTE);
        await shop.app.shop.refunds.run();
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
      });

      it("are reported as rejected when the reason has characters that a store cannot keep", async () => {
        if (kind.refund === undefined) return;
        const { id } = placed.order;
        shop.setOutage("garbled");
        const answer = await giveBack(id, { amount: 1_999, through: "service" });
        if (answer.status !== 200) assert.deepEqual(await code(answer), [502, "payment_service_failed"]);
        shop.setOutage("none");
        for (let minute = 0; minute < 5; minute += 1) {
          shop.clock.advance(MINUTE);
          await shop.app.shop.refunds.run();
        }
        const before = shop.gateway.payments.at(-1)?.refunded ?? 0;
        if (before === 0) {
          const { refund } = await read<Refunded>(await giveBack(id, { amount: 1_999 }));
          assert.ok(["moved", "pending"].includes(refund.status), refund.status);
        }
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
      });

      describe("and with an unknown outcome", () => {
        const flagOf = async (id: string): Promise<boolean> =>
          (await shop.order(id)).attention.includes("refund_unclear");
        const statuses = async (id: string): Promise<string[]> => {
          const path = `/api/admin/orders/${id}/refunds`;
          const { items } = await read<{ items: { status: string }[] }>(await shop.app.admin("GET", path));
          return items.map(({ status }) => status);
        };
        /** The service does not answer for longer than it remembers keys. */
        const lose = async (): Promise<string> => {
          const { id } = placed.order;
          shop.setOutage("away");
          await read(await giveBack(id, { amount: 1_999, through: "service" }));
          assert.equal(await flagOf(id), false);
          for (let hour = 0; hour < 14; hour += 1) {
            shop.clock.advance(60 * MINUTE);
            await shop.app.shop.refunds.run();
          }
          shop.setOutage("none");
          assert.deepEqual([await statuses(id), await flagOf(id)], [["unclear"], true]);
          return id;
        };

        it("flag their order until that money is recorded", async () => {
          if (kind.refund === undefined) return;
          const id = await lose();
          await read(await giveBack(id, { amount: 300, reference: "cash 7" }));
          assert.deepEqual([await statuses(id), await flagOf(id)], [["unclear"], true]);
        });

        it("are settled by a record of the same amount", async () => {
          if (kind.refund === undefined) return;
          const id = await lose();
          await read(await giveBack(id, { amount: 1_999, reference: "seen at the service" }));
          assert.deepEqual([await statuses(id), await flagOf(id)], [["moved"], false]);
          assert.equal((await shop.order(id)).amountRefunded, 1_999);
        });

        it("can be given back again once a person has looked", async () => {
          if (kind.refund === undefined) return;
          const id = await lose();
          assert.deepEqual(await code(await giveBack(id, { amount: 1_999 })), [422, "invalid"]);
          const path = `/api/admin/orders/${id}/resolve`;
          await read(await shop.app.admin("POST", path, { flags: ["refund_unclear"] }));
          assert.deepEqual([await statuses(id), await flagOf(id)], [["failed"], false]);
          const { refund } = await read<Refunded>(await giveBack(id, { amount: 1_999 }));
          assert.ok(["moved", "pending"].includes(refund.status), refund.status);
        });
      });

      it("say what the service refused", async () => {
        if (kind.refund === undefined) return;
        const payment = shop.gateway.payments.at(-1) ?? assert.fail("no payment");
        payment.refunded = payment.amount;
        const response = await giveBack(placed.order.id, { amount: 1_999 });
        // Where a service knows no repeats, what it has given back already counts as done.
        if (response.status === 200) return;
        assert.deepEqual(await code(response), [502, "payment_service_failed"]);
        assert.equal((await shop.order(placed.order.id)).amountRefunded, 0);
        payment.refunded = 0;
        const done = await read<Refunded>(await giveBack(placed.order.id, { amount: 1_999 }));
        assert.ok(["moved", "pending"].includes(done.refund.status));
      });
    });

    it("have settings that can be tried, with the service's own words", async () => {
      const path = "/api/admin/site/providers/paid/test";
      const { result, message } = await read<{ result: string; message: string }>(
        await shop.app.admin("POST", path),
      );
      assert.equal(result, "ok", message);
      if (shop.requested.length === 0) return;
      shop.setOutage("away");
      const failed = await read<{ result: string; part?: string }>(await shop.app.admin("POST", path));
      assert.deepEqual([failed.result, failed.part], ["failed", "url"]);
    });

    it("are warned of, and not offered, only where the shop sells in another currency", async () => {
      const warnings = async (): Promise<string[]> => {
        const site = await read<{ warnings: { code: string }[] }>(
          await shop.app.admin("GET", "/api/admin/site"),
        );
        return site.warnings.map((warning) => warning.code);
      };
      assert.deepEqual(await warnings(), []);
      await shop.app.setSite({ currency: "XAF" });
      const takes = kind.currencies === undefined;
      assert.deepEqual(await warnings(), takes ? [] : ["provider_currency"]);
      const { items } = await read<{ items: { word: string }[] }>(
        await shop.app.send("GET", "/api/site/payment-methods"),
      );
      assert.deepEqual(
        items.map(({ word }) => word),
        takes ? [WORD] : [],
      );
      if (takes) return;
      await addProduct(shop.app, { id: "prd_other" });
      const body = {
        items: [{ productId: "prd_other", quantity: 1 }],
        contact: { email: "ann@example.org" },
      };
      const order = (extra: object): Promise<Response> =>
        shop.app.send("POST", "/api/checkout", { body: { ...body, ...extra } });
      assert.deepEqual(await code(await order({})), [403, "checkout_closed"]);
      const { errors } = await read<{ errors: { pointer: string; message: string }[] }>(
        await order({ paymentMethod: WORD }),
        422,
      );
      assert.deepEqual(
        errors.map(({ pointer, message }) => `${pointer} ${message}`),
        ["/paymentMethod does not support XAF"],
      );
    });

    it("keep their credentials from another host unless they are typed again", async () => {
      const path = "/api/admin/site/providers/paid";
      const { options, credentials } = shop.gateway;
      const moved = Object.fromEntries(
        Object.entries(options).map(([field, value]) =>
          typeof value === "string" && value.startsWith("https://gateway.test")
            ? [field, value.replace("gateway.test", "elsewhere.test")]
            : [field, value],
        ),
      );
      if (JSON.stringify(moved) === JSON.stringify(options)) return;
      const refused = await shop.app.admin("PATCH", path, { options: moved });
      assert.match(await refused.clone().text(), /must be entered again/u);
      assert.deepEqual(await code(refused), [422, "invalid"]);
      await read(await shop.app.admin("PATCH", path, { options, title: "Another title" }));
      const taken = await read<{ credentialsSet: string[] }>(
        await shop.app.admin("PATCH", path, { options: moved, credentials }),
      );
      assert.deepEqual(taken.credentialsSet, Object.keys(credentials).sort());
      assert.doesNotMatch(JSON.stringify(taken), new RegExp(Object.values(credentials)[0] ?? "x", "u"));
    });
  });
}
