/** A new token for an order whose old one may have been seen by others. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, noOrderLimits, setProvider } from "../goods.ts";

interface Made {
  readonly order: { readonly id: string };
  readonly accessToken: string;
  readonly payment: { readonly url?: string };
}

let app: TestShop;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app, { payUrlTemplate: "https://pay.example.org/?order={orderId}&t={token}" });
});

async function place(as?: string, headers: Record<string, string> = {}): Promise<Made> {
  const { id } = await addProduct(app, { id: "prd_mug" }).catch(() => ({ id: "prd_mug" }));
  const body = {
    items: [{ productId: id, quantity: 1 }],
    contact: { email: "ann@example.org" },
    consents: { digitalContent: true },
  };
  const response = await app.send("POST", "/api/checkout", { body, as, headers });
  assert.ok(response.status < 300, await response.clone().text());
  return response.json();
}

function renew(id: string, who: { token?: string; as?: string }): Promise<Response> {
  const headers: Record<string, string> = who.token === undefined ? {} : { "x-order-token": who.token };
  return app.send("POST", `/api/orders/${id}/renew-token`, { as: who.as, headers });
}

async function opens(id: string, token: string, page = ""): Promise<number> {
  const headers = { "x-order-token": token };
  return (await app.send("GET", `/api/orders/${id}${page}`, { headers })).status;
}

/** The token of the newest mail. */
async function mailedToken(): Promise<string> {
  const [newest] = await app.mails("ann@example.org");
  return /ot_\S+/u.exec(newest?.text ?? "")?.[0] ?? "";
}

describe("POST /api/orders/{id}/renew-token", () => {
  it("voids the old token and mails the new one, which no answer shows", async () => {
    const { order, accessToken } = await place();
    const answer = await renew(order.id, { token: accessToken });
    assert.deepEqual([answer.status, await answer.text()], [204, ""]);
    assert.equal(await opens(order.id, accessToken), 404);
    assert.equal(await opens(order.id, accessToken, "/payment-status"), 404);
    const token = await mailedToken();
    assert.notEqual(token, accessToken);
    assert.equal(await opens(order.id, token), 200);
    assert.deepEqual(await code(await renew(order.id, { token: accessToken })), [404, "not_found"]);
    assert.equal((await renew(order.id, { token })).status, 204);
    assert.equal(await opens(order.id, token), 404);
    assert.equal(await opens(order.id, await mailedToken()), 200);
  });

  it("leaves the address of the payment as it is, and later mails name the new token", async () => {
    const { order, accessToken, payment } = await place();
    const payToken = new URL(payment.url ?? "").searchParams.get("t") ?? "";
    await renew(order.id, { token: accessToken });
    const token = await mailedToken();
    assert.equal(await opens(order.id, payToken, "/payment-status"), 200);
    await app.admin("POST", `/api/admin/orders/${order.id}/mark-paid`, {});
    const [newest] = await app.mails("ann@example.org");
    assert.deepEqual([newest?.kind, await mailedToken()], ["order_paid", token]);
  });

  it("is for the order's owner, three times a day, and for no other user", async () => {
    const { order } = await place("ann");
    assert.deepEqual(await code(await renew(order.id, {})), [401, "unauthenticated"]);
    for (const who of [{ as: "bo" }, { token: "ot_guess" }])
      assert.deepEqual(await code(await renew(order.id, who)), [404, "not_found"]);
    for (let count = 0; count < 3; count += 1)
      assert.equal((await renew(order.id, { as: "ann" })).status, 204);
    assert.deepEqual(await code(await renew(order.id, { as: "ann" })), [429, "rate_limited"]);
    const path = `/api/orders/${order.id}/renew-token`;
    assert.deepEqual(await code(await app.admin("POST", path)), [401, "unauthenticated"]);
  });

  it("is mailed also where mails about orders are switched off", async () => {
    const off = { order_placed: false, order_paid: false, order_delivered: false, order_canceled: false };
    const { notify } = await read<{ notify: Record<string, boolean> }>(
      await app.admin("GET", "/api/admin/smtp"),
    );
    await read(await app.admin("PATCH", "/api/admin/smtp", { notify: { ...notify, ...off } }));
    const { order, accessToken } = await place();
    assert.equal((await app.mails()).length, 0);
    assert.equal((await renew(order.id, { token: accessToken })).status, 204);
    assert.equal(await opens(order.id, await mailedToken()), 200);
  });

  it("is refused while nothing may be mailed about the order, and the token stays", async () => {
    await app.setSite({ orderLimits: { ...noOrderLimits, mailedPerDay: 1 } });
    await place();
    const { order, accessToken } = await place();
    assert.deepEqual(await code(await renew(order.id, { token: accessToken })), [409, "conflict"]);
    assert.equal(await opens(order.id, accessToken), 200);
  });
});

describe("POST /api/admin/orders/{id}/renew-token", () => {
  it("does the same for administrators, and is recorded in the audit", async () => {
    const { order, accessToken } = await place();
    const path = `/api/admin/orders/${order.id}/renew-token`;
    const body = { note: "the buyer had posted a link" };
    const view = await read<{ history: { event: string; by: string }[] }>(
      await app.admin("POST", path, body),
    );
    const last = view.history.at(-1);
    assert.deepEqual([last?.event, last?.by], ["token_renewed", "admin"]);
    assert.ok(!JSON.stringify(view).includes("ot_"));
    assert.equal(await opens(order.id, accessToken), 404);
    assert.equal(await opens(order.id, await mailedToken()), 200);
    const audit = await app.store.read((tx) => tx.list(auditCollection, "id", { limit: 10 }));
    assert.ok(
      audit.items.some(({ action, target }) => action === "order.renew-token" && target === order.id),
    );
    const missing = await app.admin("POST", "/api/admin/orders/ord_none/renew-token", {});
    assert.deepEqual(await code(missing), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("POST", path, { version: 1 })), [409, "version_conflict"]);
  });
});
