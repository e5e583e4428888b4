/** Orders after checkout: what buyers may do, and what time does. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { toOrderToken } from "../../../src/shop/orders/token.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { type GoodsOptions, addProduct, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface View {
  readonly status: string;
  readonly paymentStatus: string;
  readonly amountPaid: number;
  readonly amountDue: number;
  readonly version: number;
  readonly attention?: string[];
  readonly lines: { id: string; delivered?: string[]; deliveredAt?: string }[];
  readonly history: { event: string; by: string; note?: string }[];
}

let app: TestShop;
let placed: OrderRecord;
let token: string;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
});

async function place(...goods: readonly GoodsOptions[]): Promise<void> {
  const items: { productId: string }[] = [];
  for (const one of goods.length === 0 ? [{}] : goods)
    items.push({ productId: (await addProduct(app, one)).id });
  placed = (await order(app, items, { userId: "usr_ann" })).order;
  token = toOrderToken(app.shop.deps.box, placed);
}

async function pay(): Promise<void> {
  assert.equal((await sendNotice(app, toNotice(placed))).status, 200);
}

const admin = (move: string, body: object = {}): Promise<Response> =>
  app.admin("POST", `/api/admin/orders/${placed.id}/${move}`, body);
const mine = (move = "", method = "GET", body?: unknown): Promise<Response> =>
  app.send(method, `/api/orders/${placed.id}${move}`, { as: "ann", body });

describe("the state of a payment", () => {
  it("is shown to the user, the holder of the token and administrators, with nothing personal", async () => {
    await place();
    const path = `/api/orders/${placed.id}/payment-status`;
    for (const response of [
      await mine("/payment-status"),
      await app.send("GET", path, { headers: { "x-order-token": token } }),
      await app.admin("GET", path),
    ]) {
      const status = await read<Record<string, unknown>>(response);
      assert.deepEqual([status["status"], status["amountDue"]], ["pending_payment", 1_000]);
      assert.equal(JSON.stringify(status).includes("example.org"), false);
    }
    assert.deepEqual(await code(await app.send("GET", path)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await app.send("GET", path, { as: "bob" })), [404, "not_found"]);
    assert.deepEqual(await code(await mine("/payment-status?wait=26")), [422, "invalid"]);
    app.setAuth("down");
    assert.deepEqual(await code(await mine("/payment-status")), [503, "auth_unavailable"]);
    assert.equal((await app.send("GET", path, { headers: { "x-order-token": token } })).status, 200);
  });

  it("comes when it changes, to who waits for it", async () => {
    await place();
    const waiting = mine("/payment-status?wait=25");
    // The first read of the waiting request comes before the notice, whichever is answered first.
    await app.store.read((tx) => tx.get(orders, placed.id));
    await pay();
    const status = await read<{ paymentStatus: string; paidAt?: string }>(await waiting);
    assert.equal(status.paymentStatus, "paid");
    assert.match(status.paidAt ?? "", /\+00:00$/u);
  });
});

describe("a buyer", () => {
  it("confirms what was delivered, and nothing else", async () => {
    await place();
    assert.deepEqual(await code(await mine("/confirm", "POST")), [409, "illegal_transition"]);
    await pay();
    await read(await admin("deliver"));
    assert.equal((await read<View>(await mine("/confirm", "POST", { kind: "receipt" }))).status, "completed");
    assert.equal((await read<View>(await mine("/confirm", "POST"))).status, "completed");
    assert.deepEqual(await code(await mine("/confirm", "POST", { kind: "gift" })), [422, "invalid"]);
  });

  it("says that it is paid: an administrator is mailed once, and nothing is paid by it", async () => {
    await app.setSmtp({ adminAddress: "owner@example.org" });
    await place();
    for (let time = 0; time < 2; time += 1) {
      const body = { kind: "payment_claim", note: "sent at noon" };
      assert.equal((await read<View>(await mine("/confirm", "POST", body))).status, "pending_payment");
    }
    assert.equal((await app.mails("owner@example.org")).length, 1);
    const view = await read<View>(await app.admin("GET", `/api/admin/orders/${placed.id}`));
    assert.deepEqual(view.attention, ["payment_claim"]);
    await pay();
    assert.deepEqual(
      (await read<View>(await app.admin("GET", `/api/admin/orders/${placed.id}`))).attention,
      [],
    );
    assert.deepEqual(await code(await mine("/confirm", "POST", { kind: "payment_claim" })), [
      409,
      "illegal_transition",
    ]);
  });

  it("cancels what is not paid", async () => {
    await place();
    await sendNotice(app, toNotice(placed, { amount: 1 }));
    assert.deepEqual(await code(await mine("/cancel", "POST")), [409, "illegal_transition"]);
    await place();
    assert.equal((await read<View>(await mine("/cancel", "POST"))).status, "canceled");
    await place();
    await pay();
    const refused = await mine("/cancel", "POST");
    const problem: { from: string; allowed: string[] } = await refused.clone().json();
    assert.deepEqual(await code(refused), [409, "illegal_transition"]);
    assert.deepEqual([problem.from, problem.allowed], ["paid", ["fulfilling", "canceled"]]);
  });

  it("sees the newest of many orders first, page by page", async () => {
    await app.setSite({ maxPending: { user: 10, address: 10, email: 10 } });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      await place();
      ids.unshift(placed.id);
      app.clock.advance(1);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await read<{ items: { id: string }[]; nextCursor?: string }>(
        await app.send("GET", `/api/orders?limit=2${cursor}`, { as: "ann" }),
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor === undefined ? "" : `&cursor=${page.nextCursor}`;
    } while (cursor !== "");
    assert.deepEqual(seen, ids);
    assert.deepEqual(await code(await app.send("GET", "/api/orders?cursor=x", { as: "ann" })), [
      400,
      "bad_request",
    ]);
  });
});

describe("time", () => {
  it("completes what was delivered two weeks ago, also after a stop", async () => {
    await place({ keys: ["KEY-1"] });
    await pay();
    app.clock.advance(14 * 86_400_000 - 1);
    assert.equal(await app.shop.orderJobs.complete(), 0);
    app.clock.advance(1);
    assert.equal(await app.shop.orderJobs.complete(), 1);
    assert.equal((await read<View>(await mine())).status, "completed");
  });

  it("leaves what is paid in the last moment paid", async () => {
    await place();
    app.clock.advance(15 * 60_000);
    await pay();
    assert.equal(await app.shop.orderJobs.expire(), 0);
    assert.equal((await read<View>(await mine())).status, "paid");
  });
});
