/** Orders as administrators move them, with the books kept right. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { sumLedger } from "../../../src/shop/payments/ledger.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
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

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
});

async function place(...goods: readonly GoodsOptions[]): Promise<void> {
  const items: { productId: string }[] = [];
  for (const one of goods.length === 0 ? [{}] : goods)
    items.push({ productId: (await addProduct(app, one)).id });
  placed = (await order(app, items, { userId: "usr_ann" })).order;
}

async function pay(): Promise<void> {
  assert.equal((await sendNotice(app, toNotice(placed))).status, 200);
}

const admin = (move: string, body: object = {}): Promise<Response> =>
  app.admin("POST", `/api/admin/orders/${placed.id}/${move}`, body);
const mine = (move = "", method = "GET", body?: unknown): Promise<Response> =>
  app.send(method, `/api/orders/${placed.id}${move}`, { as: "ann", body });
const stockOf = async (id = placed.lines[0]?.stockId ?? "") => {
  const record = await app.store.read((tx) => tx.get(stock, id));
  return [record?.onHand, record?.reserved, record?.sold];
};

/** Applied notices − refunds = amountPaid, for each order of the shop. */
async function assertBooks(): Promise<void> {
  const all = await app.store.read(async (tx) => ({
    orders: (await tx.list(orders, "id", { limit: 1_000 })).items,
    notices: (await tx.list(notices, "id", { limit: 1_000 })).items,
  }));
  for (const { id, amountPaid, amountRefunded } of all.orders) {
    const books = sumLedger(all.notices.filter((notice) => notice.orderId === id));
    assert.deepEqual([amountPaid, amountRefunded], [books.received - books.refunded, books.refunded]);
  }
}

describe("an administrator", () => {
  it("records a payment that came in another way", async () => {
    await place();
    const part = await read<View>(await admin("mark-paid", { amount: 400, reference: "bank 1" }));
    assert.deepEqual([part.status, part.paymentStatus, part.amountDue], ["pending_payment", "partial", 600]);
    const paid = await read<View>(await admin("mark-paid", { note: "the rest, in cash" }));
    assert.deepEqual([paid.status, paid.paymentStatus, paid.attention], ["paid", "paid", []]);
    assert.deepEqual(await code(await admin("mark-paid")), [409, "illegal_transition"]);
    await assertBooks();
    await place();
    assert.deepEqual(await code(await admin("mark-paid", { reference: "bank 1", amount: 1 })), [
      409,
      "conflict",
    ]);
  });

  it("records one also long after the order had expired, while there is stock", async () => {
    await place({ onHand: 1 });
    app.clock.advance(30 * 86_400_000);
    await app.shop.orderJobs.expire();
    assert.deepEqual(await stockOf(), [1, 0, 0]);
    assert.equal((await read<View>(await admin("mark-paid"))).status, "paid");
    assert.deepEqual(await stockOf(), [0, 0, 1]);
    const productId = placed.lines[0]?.productId ?? "";
    await app.store.transact((tx) => tx.adjust(stock, productId, { field: "onHand", by: 1 }));
    placed = (await order(app, [{ productId }], { userId: "usr_ann" })).order;
    app.clock.advance(86_400_000);
    await app.shop.orderJobs.expire();
    await app.store.transact((tx) => tx.adjust(stock, productId, { field: "onHand", by: -1 }));
    assert.deepEqual(await code(await admin("mark-paid")), [409, "out_of_stock"]);
    await assertBooks();
  });

  it("hands over line by line, with what the buyer gets", async () => {
    await place({}, {});
    assert.deepEqual(await code(await admin("deliver")), [409, "illegal_transition"]);
    await pay();
    const [one, two] = placed.lines.map(({ id }) => id);
    const wrong = { lines: [{ lineId: "lin_none" }] };
    assert.deepEqual(await code(await admin("deliver", wrong)), [422, "invalid"]);
    const half = await read<View>(
      await admin("deliver", { lines: [{ lineId: one, content: "secret word" }] }),
    );
    assert.equal(half.status, "fulfilling");
    const whole = await read<View>(await admin("deliver", { lines: [{ lineId: two }], note: "enjoy" }));
    assert.equal(whole.status, "delivered");
    const seen = await read<View>(await mine());
    assert.deepEqual(
      seen.lines.map(({ delivered }) => delivered),
      [["secret word"], []],
    );
    const mails = (await app.mails("ann@example.org")).filter(({ kind }) => kind === "order_delivered");
    assert.equal(mails.length, 1);
    assert.match(mails[0]?.text ?? "", /secret word/u);
    assert.deepEqual(await code(await admin("deliver")), [409, "illegal_transition"]);
  });

  it("adds keys that were missing, and hands them over", async () => {
    await place({ keys: ["KEY-1"] });
    const { stockId = "", productId = "" } = placed.lines[0] ?? {};
    const { secrets } = await import("../../../src/shop/products/records.ts");
    await app.store.transact(async (tx) => {
      const { items } = await tx.list(secrets, "byState", { prefix: [stockId, "free"], limit: 1 });
      await tx.remove(secrets, items[0]?.id ?? "");
    });
    await pay();
    const waiting = await read<View>(await app.admin("GET", `/api/admin/orders/${placed.id}`));
    assert.deepEqual([waiting.status, waiting.attention], ["paid", ["stock_shortfall"]]);
    const { box } = app.shop.deps;
    await app.store.transact((tx) =>
      tx.insert(secrets, {
        id: "sec_late",
        productId,
        stockId,
        sealed: box.seal("KEY-2", "secret"),
        mac: "m",
        state: "free",
        addedAt: 0,
      }),
    );
    const done = await read<View>(await admin("deliver"));
    assert.deepEqual([done.status, done.attention, done.lines[0]?.delivered], ["delivered", [], ["KEY-2"]]);
  });

  it("gives money back and cancels only after that; units that were not handed over come back", async () => {
    await place({}, {});
    await pay();
    const lineId = placed.lines[0]?.id ?? "";
    await read(await admin("deliver", { lines: [{ lineId }] }));
    assert.deepEqual(await code(await admin("cancel")), [409, "illegal_transition"]);
    assert.deepEqual(await code(await admin("refund", { amount: 2_001 })), [422, "invalid"]);
    assert.equal(
      (await read<View>(await admin("refund", { amount: 500 }))).paymentStatus,
      "partially_refunded",
    );
    assert.deepEqual(await code(await admin("cancel")), [409, "illegal_transition"]);
    const all = await read<View>(await admin("refund", { amount: 1_500, note: "sorry" }));
    assert.deepEqual([all.paymentStatus, all.amountPaid, all.status], ["refunded", 0, "fulfilling"]);
    assert.equal((await read<View>(await admin("cancel"))).status, "canceled");
    assert.deepEqual(await stockOf(placed.lines[0]?.stockId), [9, 0, 1]);
    assert.deepEqual(await stockOf(placed.lines[1]?.stockId), [10, 0, 0]);
    const kinds = (await app.mails("ann@example.org")).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === "order_refunded").length, 2);
    assert.equal(kinds.filter((kind) => kind === "order_canceled").length, 1);
    await assertBooks();
  });

  it("is refused for a version that is not the present one", async () => {
    await place();
    await pay();
    const { version } = await read<View>(await app.admin("GET", `/api/admin/orders/${placed.id}`));
    assert.deepEqual(await code(await admin("deliver", { version: version - 1 })), [409, "version_conflict"]);
    assert.equal((await admin("deliver", { version })).status, 200);
  });

  it("finds orders by state, person, number and time", async () => {
    await place();
    const first = placed;
    app.clock.advance(1_000);
    await place();
    await pay();
    const find = async (query: string): Promise<string[]> => {
      const page = await read<{ items: { id: string }[]; nextCursor?: string }>(
        await app.admin("GET", `/api/admin/orders?${query}`),
      );
      return [...page.items.map(({ id }) => id), ...(page.nextCursor === undefined ? [] : ["more"])];
    };
    assert.deepEqual(await find(""), [placed.id, first.id]);
    assert.deepEqual(await find("status=paid"), [placed.id]);
    assert.deepEqual(await find("paymentStatus=unpaid"), [first.id]);
    assert.deepEqual(await find("attention=true"), []);
    assert.deepEqual(await find("userId=usr_ann"), [placed.id, first.id]);
    assert.deepEqual(await find(`q=${first.number.toLowerCase()}`), [first.id]);
    assert.deepEqual(await find("q=Ann%40example.org&limit=1"), [placed.id, "more"]);
    const time = encodeURIComponent(new Date(app.clock.now()).toISOString());
    assert.deepEqual(await find(`from=${time}`), [placed.id]);
    assert.deepEqual(await find(`to=${time}`), [first.id]);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/orders?status=paid&userId=usr_ann")), [
      400,
      "bad_request",
    ]);
    const lines = (await (await app.admin("GET", "/api/admin/orders/export")).text()).trim().split("\n");
    assert.deepEqual(
      lines.map((line): string => JSON.parse(line).id),
      [placed.id, first.id],
    );
  });

  it("is only the holder of the token", async () => {
    await place();
    const paths = [
      ["GET", "/api/admin/orders"],
      ["GET", "/api/admin/orders/export"],
      ["GET", `/api/admin/orders/${placed.id}`],
      ["POST", `/api/admin/orders/${placed.id}/mark-paid`],
      ["POST", `/api/admin/orders/${placed.id}/refund`],
      ["GET", "/api/admin/orders/payments"],
      ["POST", "/api/admin/orders/payments/pay_1/assign"],
    ] as const;
    for (const [method, path] of paths) {
      const body = method === "POST" ? {} : undefined;
      assert.deepEqual(
        await code(await app.send(method, path, { body, as: "ann" })),
        [401, "unauthenticated"],
        path,
      );
    }
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/orders/ord_none")), [404, "not_found"]);
    assert.deepEqual(await code(await admin("mark-paid", { amount: 0 })), [422, "invalid"]);
  });
});
