/** How many units of a product one customer may have, over all of their orders. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Made {
  readonly order: { readonly id: string; readonly total: number; readonly currency: string };
  readonly accessToken: string;
}
interface Problem {
  readonly code: string;
  readonly errors: { readonly pointer: string; readonly code: string }[];
}

let app: TestShop;
let productId: string;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  productId = (await addProduct(app, { keys: ["A", "B", "C", "D", "E", "F"], maxPerCustomer: 2 })).id;
});

interface Wanted {
  readonly email?: string;
  readonly as?: string;
  readonly quantity?: number;
  readonly items?: readonly object[];
}

function toBody({ email = "ann@example.org", quantity = 1, items }: Wanted): object {
  return {
    items: items ?? [{ productId, quantity }],
    contact: { email },
    consents: { digitalContent: true },
  };
}

const buy = (wanted: Wanted = {}): Promise<Response> =>
  app.send("POST", "/api/checkout", { body: toBody(wanted), as: wanted.as });

const preview = (wanted: Wanted = {}): Promise<Response> =>
  app.send("POST", "/api/checkout/preview", { body: toBody(wanted), as: wanted.as });

async function assertRefused(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const problem: Problem = await response.json();
  assert.deepEqual([response.status, problem.code], [422, "quantity_limit"]);
  assert.deepEqual(
    problem.errors.map(({ pointer, code: reason }) => [pointer, reason]),
    [["/items/0/quantity", "quantity_limit"]],
  );
}

describe("maxPerCustomer", () => {
  it("bounds one order, with all variants together", async () => {
    await assertRefused(buy({ quantity: 3 }));
    const variants = ["S", "L"].map((size) => ({
      id: `var_${size}`,
      sku: size,
      options: { size },
      price: 1,
    }));
    const { id } = await addProduct(app, { variants, maxPerCustomer: 2 });
    const items = [2, 1].map((quantity, index) => ({
      productId: id,
      variantId: variants[index]?.id,
      quantity,
    }));
    assert.deepEqual(await code(await buy({ items })), [422, "quantity_limit"]);
    assert.equal((await buy({ items: items.slice(1) })).status, 201);
  });

  it("counts a guest's orders by mailbox, paid or not, ignoring a plus suffix", async () => {
    const { order } = await read<Made>(await buy({ email: "ann+1@example.org" }), 201);
    assert.equal((await sendNotice(app, toNotice(order))).status, 200);
    assert.equal((await buy()).status, 201);
    for (const email of ["ann+2@example.org", "Ann@Example.org"]) await assertRefused(buy({ email }));
    for (const email of ["ann+1@example.net", "annie@example.org", "bo@example.org"])
      assert.equal((await buy({ email })).status, 201, email);
  });

  it("holds for a guest who orders from several networks: what is paid beyond it waits for a person", async () => {
    const { id } = await addProduct(app, { onHand: 100, maxPerCustomer: 2 });
    const items = [{ productId: id, quantity: 2 }];
    const made: Made[] = [];
    for (let network = 1; network <= 5; network += 1) {
      const options = { body: toBody({ items }), from: `198.51.${network}.7` };
      made.push(await read<Made>(await app.send("POST", "/api/checkout", options), 201));
    }
    const states: unknown[] = [];
    for (const { order } of made) {
      const { result } = await read<{ result: string }>(await sendNotice(app, toNotice(order)));
      states.push(result);
    }
    assert.deepEqual(states, ["applied", ...Array.from({ length: 4 }, () => "needs_review")]);
  });

  it("counts a user's orders by the account, whatever address is named; no stranger uses them up", async () => {
    assert.equal((await buy({ quantity: 2 })).status, 201, "a guest with the user's address");
    assert.equal((await buy({ as: "ann", quantity: 2 })).status, 201);
    await assertRefused(buy({ as: "ann", email: "other@example.org" }));
    assert.equal((await buy({ as: "bo", email: "bo@example.org" })).status, 201);
  });

  it("does not count orders that were canceled or expired", async () => {
    const { order, accessToken } = await read<Made>(await buy({ quantity: 2 }), 201);
    await assertRefused(buy());
    await app.send("POST", `/api/orders/${order.id}/cancel`, { headers: { "x-order-token": accessToken } });
    assert.equal((await buy({ quantity: 2 })).status, 201);
    app.clock.advance(24 * 3_600_000);
    assert.equal(await app.shop.orderJobs.expire(), 1);
    assert.equal((await buy({ quantity: 2 })).status, 201);
  });

  it("holds for orders that are sent at once, and over any number of earlier ones", async () => {
    const other = (await addProduct(app, { onHand: 1_000 })).id;
    const most = (await addProduct(app, { onHand: 1_000, maxPerCustomer: 3 })).id;
    for (let count = 0; count < 120; count += 1)
      assert.equal((await buy({ items: [{ productId: other, quantity: 1 }] })).status, 201);
    const items = [{ productId: most, quantity: 1 }];
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy({ items })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  });

  it("is shown in the preview to a user; to a guest only by the order itself", async () => {
    await read<Made>(await buy({ as: "ann", quantity: 2 }), 201);
    await assertRefused(preview({ as: "ann" }));
    assert.equal((await preview()).status, 200, "nobody asks what an address has ordered");
    await assertRefused(preview({ quantity: 3 }));
  });

  it("keeps the late payment of an expired order for a person, who may accept it", async () => {
    const { order } = await read<Made>(await buy({ quantity: 2 }), 201);
    app.clock.advance(3_600_000);
    assert.equal(await app.shop.orderJobs.expire(), 1);
    assert.equal((await buy({ quantity: 1 })).status, 201);
    const answer = await read<{ result: string }>(await sendNotice(app, toNotice(order)));
    assert.equal(answer.result, "needs_review");
    const { items } = await read<{ items: { id: string }[] }>(
      await app.admin("GET", "/api/admin/orders/payments?open=true"),
    );
    const path = `/api/admin/orders/payments/${items[0]?.id}/assign`;
    assert.equal((await app.admin("POST", path, { orderId: order.id })).status, 200);
    const paid = await read<{ paymentStatus: string }>(
      await app.admin("GET", `/api/admin/orders/${order.id}`),
    );
    assert.equal(paid.paymentStatus, "paid");
  });

  it("is a field of products that administrators set and clear, and the public sees", async () => {
    const path = `/api/admin/products/${productId}`;
    const shown = async (): Promise<unknown> =>
      (await read<{ maxPerCustomer?: number }>(await app.send("GET", `/api/products/${productId}`)))
        .maxPerCustomer;
    assert.equal(await shown(), 2);
    assert.deepEqual(await code(await app.admin("PATCH", path, { maxPerCustomer: 0 })), [422, "invalid"]);
    assert.deepEqual(await code(await app.admin("PATCH", path, { minQuantity: 3 })), [422, "invalid"]);
    for (const [sent, kept] of [
      [{ maxPerCustomer: 5 }, 5],
      [{ title: "Key" }, 5],
      [{ maxPerCustomer: null }, undefined],
    ] as const) {
      const product = await read<{ maxPerCustomer?: number }>(await app.admin("PATCH", path, sent));
      assert.deepEqual([product.maxPerCustomer, await shown()], [kept, kept]);
    }
    assert.equal((await buy({ quantity: 3 })).status, 201);
  });
});
