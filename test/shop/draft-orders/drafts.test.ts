/** Draft orders: their prices, the payment link, and how they become orders exactly once. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { invoices } from "../../../src/shop/invoices/collections.ts";
import { checkStock } from "../../../src/shop/operation/records-check.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { products, stock } from "../../../src/shop/products/records.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { edit, load, openShop, papers, pay, place, sumPapers } from "../order-edits/edit-room.ts";
import { DRAFTS, type Draft, act, loadDraft, sendLink, write } from "./draft-room.ts";

let app: TestShop;
let mug: string;
beforeEach(async () => {
  app = await openShop();
  mug = (await addProduct(app, { title: "Mug", price: 1_200, deliveryType: "shipping", onHand: 5 })).id;
});

const unitsOf = (id: string): Promise<unknown> =>
  app.store.read(async (tx) => {
    const { onHand, reserved, sold } = (await tx.get(stock, id)) ?? assert.fail();
    return [onHand, reserved, sold];
  });
const countOrders = (): Promise<number> => app.store.read((tx) => tx.count(orders));

async function assertBooks(): Promise<void> {
  assert.deepEqual((await checkLedger(app.store)).faults, []);
  assert.deepEqual(await checkStock(app.store), []);
}

async function setPrice(price: number): Promise<void> {
  await app.store.transact(async (tx) => {
    const product = (await tx.get(products, mug)) ?? assert.fail();
    await tx.put(products, { ...product, price });
  });
}

const placed = (order: Pick<OrderRecord, "id">) => {
  return { order: { id: order.id, number: "", total: 0, currency: "EUR" }, accessToken: "" };
};

describe("a draft order", () => {
  it("costs what the same cart costs at the checkout, and takes no stock and no number", async () => {
    const items = [{ productId: mug, quantity: 2 }];
    const body = { items, shippingAddress: place, contact: { email: "ann@example.org" } };
    const cart = await read<{ total: number; tax: object }>(
      await app.send("POST", "/api/checkout/preview", { body }),
    );
    const draft = await write(app, { items });
    const { quoted } = await loadDraft(app, draft);
    assert.deepEqual([quoted?.total, quoted?.tax], [cart.total, cart.tax]);
    assert.deepEqual([await unitsOf(mug), await countOrders()], [[5, 0, 0], 0]);
  });

  it("has custom items, prices and a discount of its own, with their tax", async () => {
    const draft = await write(app, {
      items: [
        { title: "Engraving", quantity: 1, unitPrice: 500, taxClass: "reduced" },
        { productId: mug, quantity: 2, unitPrice: 1_000, reason: "agreed" },
      ],
      discount: { kind: "percent", value: 1_000, reason: "regular" },
      shipping: { fee: 300, title: "Courier" },
    });
    const { quoted } = await loadDraft(app, draft);
    assert.deepEqual(
      [quoted?.subtotal, quoted?.discount, quoted?.shipping, quoted?.total],
      [2_500, 250, 300, 2_550],
    );
    assert.deepEqual(
      quoted?.tax?.rates.map(({ rate, gross }) => [rate, gross]),
      [
        [2_000, 2_100],
        [550, 450],
      ],
    );
    assert.equal(quoted?.shippingTitle, "Courier");
    const wrong = { items: [{ productId: mug, quantity: 1, unitPrice: 1 }] };
    assert.deepEqual(await code(await app.admin("POST", DRAFTS, wrong)), [422, "invalid"]);
  });

  it("keeps without a price what cannot be priced yet, and names the item when it is placed", async () => {
    const draft = await write(app, {
      items: [
        { title: "Engraving", quantity: 1, unitPrice: 500 },
        { productId: "prd_gone", quantity: 1 },
      ],
    });
    assert.equal(draft.quoted, undefined);
    const refused = await app.admin("POST", `${DRAFTS}/${draft.id}/mark-paid`, {
      version: draft.version,
      expectedTotal: 500,
      method: "cash",
    });
    const problem = await read<{ errors: { pointer: string }[] }>(refused, 422);
    assert.deepEqual(
      problem.errors.map(({ pointer }) => pointer),
      ["/items/1/productId"],
    );
  });

  it("is found by its state and buyer, duplicated, and deleted until it is an order", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    const copy = await read<Draft>(await app.admin("POST", `${DRAFTS}/${draft.id}/duplicate`), 201);
    assert.notEqual(copy.items[0]?.id, draft.items[0]?.id);
    await read(await act(app, draft, "mark-paid", { method: "cash" }), 201);
    const list = async (query: string): Promise<string[]> => {
      const page = await read<{ items: Draft[] }>(await app.admin("GET", `${DRAFTS}?${query}`));
      return page.items.map(({ id }) => id);
    };
    assert.deepEqual(await list("state=open&q=ANN@"), [copy.id]);
    assert.deepEqual(await list("state=ordered"), [draft.id]);
    assert.equal((await app.admin("DELETE", `${DRAFTS}/${copy.id}`)).status, 204);
    assert.deepEqual(await code(await app.admin("DELETE", `${DRAFTS}/${draft.id}`)), [409, "conflict"]);
  });
});

describe("a draft that was paid in cash", () => {
  it("becomes a paid order with its invoice, its payment on the day, and one email that confirms it", async () => {
    const draft = await write(app, {
      items: [
        { productId: mug, quantity: 2 },
        { title: "Gift wrap", quantity: 1, unitPrice: 300 },
      ],
    });
    const answer = await act(app, draft, "mark-paid", {
      method: "cash",
      paidOn: "2026-01-29",
      note: "counter",
    });
    const order = await load(app, placed(await read<OrderRecord>(answer, 201)));
    assert.deepEqual(
      [order.status, order.paymentStatus, order.total, order.amountPaid],
      ["paid", "paid", 3_290, 3_290],
    );
    assert.deepEqual(await unitsOf(mug), [3, 0, 2]);
    const [invoice] = await papers(app, placed(order));
    assert.deepEqual([invoice?.total, invoice?.paidOn, invoice?.payment], [3_290, "2026-01-29", "cash"]);
    const mails = await app.mails("ann@example.org");
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ["order_paid"],
    );
    await assertBooks();
  });

  it("is placed once by two people and two clicks", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    const answers = await Promise.all(
      [1, 2, 3].map((reference) =>
        act(app, draft, "mark-paid", { method: "cash", reference: `r${reference}` }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409],
    );
    assert.equal(await countOrders(), 1);
    await assertBooks();
  });

  it("waits for who looks again after another price, another version, or sold-out stock", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 5 }] });
    await setPrice(1_300);
    const problem = await read<{ code: string; changes: { field: string }[] }>(
      await act(app, draft, "mark-paid", { method: "cash" }),
      409,
    );
    assert.equal(problem.code, "price_changed");
    assert.deepEqual(
      problem.changes.map(({ field }) => field),
      ["items", "total"],
    );
    const stale = await act(app, draft, "mark-paid", { method: "cash", version: draft.version + 1 });
    assert.deepEqual(await code(stale), [409, "version_conflict"]);
    await app.store.transact((tx) => tx.adjust(stock, mug, { field: "onHand", by: -1 }));
    const short = await act(app, draft, "mark-paid", { method: "cash", expectedTotal: 7_090 });
    assert.deepEqual(await code(short), [409, "out_of_stock"]);
    assert.equal(await countOrders(), 0);
  });
});

describe("a payment link", () => {
  it("leads the buyer to an order that any provider collects, once", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 2 }] });
    const link = await sendLink(app, draft, { message: "As agreed" });
    const [mail] = await app.mails("ann@example.org");
    assert.ok(
      mail?.text.includes(`https://shop.example.org/pay/${draft.number}?token=${link.token}`),
      mail?.text,
    );
    assert.ok(mail?.text.includes("As agreed"));
    const shown = await read<{ total: number; paymentMethods: { id: string }[] }>(await link.open());
    assert.deepEqual([shown.total, shown.paymentMethods.map(({ id }) => id)], [2_990, ["test"]]);
    const answers = await Promise.all([link.order(), link.order()]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 201],
    );
    const results = await Promise.all(
      answers.map((answer) => answer.json() as Promise<{ order: OrderRecord; accessToken: string }>),
    );
    assert.equal(new Set(results.map(({ order }) => order.id)).size, 1);
    const [{ order, accessToken } = assert.fail()] = results;
    assert.equal(order.status, "pending_payment");
    await pay(app, { order, accessToken });
    assert.equal((await load(app, placed(order))).status, "paid");
    const opened = await read<{ order: { number: string } }>(await link.open());
    assert.equal(opened.order.number, order.number);
    await assertBooks();
  });

  it("tells the buyer what staff changed while the page was open, and what the shop's prices changed", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    const link = await sendLink(app, draft);
    const before = await loadDraft(app, draft);
    const items = [{ id: draft.items[0]?.id, productId: mug, quantity: 2 }];
    const body = { version: before.version, email: "ann@example.org", shippingAddress: place, items };
    const saved = await read<Draft>(await app.admin("PATCH", `${DRAFTS}/${draft.id}`, body));
    const problem = await read<{ code: string; changes: { field: string; from: string; to: string }[] }>(
      await link.order(),
      409,
    );
    assert.equal(problem.code, "version_conflict");
    assert.deepEqual(problem.changes[0], {
      field: "items",
      from: "1 × Mug (12.00 EUR)",
      to: "2 × Mug (12.00 EUR)",
    });
    await setPrice(1_500);
    const shown = await read<{ total: number; changes: { field: string }[] }>(await link.open());
    assert.deepEqual([shown.total, shown.changes.map(({ field }) => field)], [3_590, ["items", "total"]]);
    const now = { version: saved.version };
    assert.deepEqual(await code(await link.order({ ...now, expectedTotal: 2_990 })), [409, "price_changed"]);
    await read(await link.order({ ...now, expectedTotal: 3_590 }), 201);
  });

  it("accepts a page that was opened before the same draft was sent again", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    const link = await sendLink(app, draft);
    await sendLink(app, draft);
    await read(await link.order(), 201);
  });

  it("ends with its time, with the draft, and when the draft goes to another mailbox", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    const link = await sendLink(app, draft, { expiresInDays: 1 });
    app.clock.advance(86_400_000);
    assert.deepEqual(await code(await link.open()), [410, "link_expired"]);
    assert.deepEqual(await code(await link.order()), [410, "link_expired"]);
    const { version } = await loadDraft(app, draft);
    const body = {
      version,
      email: "bob@example.org",
      shippingAddress: place,
      items: [{ productId: mug, quantity: 1 }],
    };
    await read(await app.admin("PATCH", `${DRAFTS}/${draft.id}`, body));
    const next = await sendLink(app, draft);
    assert.deepEqual(await code(await link.open()), [404, "not_found"]);
    await read(await next.open());
    assert.equal((await app.admin("DELETE", `${DRAFTS}/${draft.id}`)).status, 204);
    assert.deepEqual(await code(await next.open()), [404, "not_found"]);
  });

  it("wants the consents of the checkout", async () => {
    await app.setSite({ eu: { ...app.shop.catalogue.site().eu, termsConsent: true } });
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    const link = await sendLink(app, draft);
    assert.deepEqual(await code(await link.order()), [422, "invalid"]);
    await read(await link.order({ consents: { terms: true } }), 201);
  });
});

describe("a draft with an invoice", () => {
  async function invoiced(dueOn = "2026-02-14"): Promise<OrderRecord> {
    const draft = await write(app, { items: [{ productId: mug, quantity: 2 }] });
    const order = await read<OrderRecord>(await act(app, draft, "invoice", { dueOn }), 201);
    return load(app, placed(order));
  }

  it("becomes an unpaid order with an invoice that says when it is due, and is paid later", async () => {
    const order = await invoiced();
    assert.deepEqual([order.status, await unitsOf(mug)], ["pending_payment", [5, 2, 0]]);
    const [invoice] = await papers(app, placed(order));
    assert.deepEqual([invoice?.total, invoice?.dueOn, invoice?.paidOn], [2_990, "2026-02-14", undefined]);
    const [mail] = await app.mails("ann@example.org");
    assert.equal(mail?.kind, "order_placed");
    assert.match(mail?.text ?? "", /Feb(?:ruary)? 14, 2026[\s\S]*\/api\/documents\//u);
    await pay(app, { order, accessToken: "" });
    assert.equal((await load(app, placed(order))).status, "paid");
    assert.equal((await papers(app, placed(order))).length, 1);
    await assertBooks();
  });

  it("is credited as a whole when it is canceled or expires, and gets another invoice when it is paid late", async () => {
    const order = await invoiced();
    app.clock.advance(60 * 86_400_000);
    await app.shop.orderJobs.expire();
    assert.equal((await load(app, placed(order))).status, "expired");
    assert.deepEqual(sumPapers(await papers(app, placed(order)))["total"], 0);
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/mark-paid`, {}));
    const all = await papers(app, placed(order));
    assert.deepEqual(
      all.map(({ kind, isVoid }) => [kind, isVoid]),
      [
        ["invoice", undefined],
        ["credit_note", true],
        ["invoice", undefined],
      ],
    );
    assert.equal(sumPapers(all)["total"], 2_990);
    const other = await invoiced("2026-05-01");
    await read(await app.admin("POST", `/api/admin/orders/${other.id}/cancel`, {}));
    assert.equal(sumPapers(await papers(app, placed(other)))["total"], 0);
    await assertBooks();
  });

  it("gets another invoice when it is edited before it is paid, and none for a part of the payment that goes back", async () => {
    const order = await invoiced();
    const lines = [{ lineId: order.lines[0]?.id, quantity: 3 }];
    await read(await edit(app, placed(order), { lines, expectedTotal: 4_190 }));
    const edited = await load(app, placed(order));
    assert.ok(edited.expiresAt >= order.expiresAt);
    assert.equal(sumPapers(await papers(app, placed(order)))["total"], 4_190);
    await pay(app, { order: edited, accessToken: "" }, { id: "part", amount: 1_000 });
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, { amount: 1_000 }));
    assert.equal(sumPapers(await papers(app, placed(order)))["total"], 4_190);
    await assertBooks();
  });

  it("needs invoices, and a day that is to come", async () => {
    const draft = await write(app, { items: [{ productId: mug, quantity: 1 }] });
    assert.deepEqual(await code(await act(app, draft, "invoice", { dueOn: "2026-01-30" })), [422, "invalid"]);
    await app.setSite({ invoices: { ...app.shop.catalogue.site().invoices, enabled: false } });
    assert.deepEqual(await code(await act(app, draft, "invoice", { dueOn: "2026-02-14" })), [
      409,
      "conflict",
    ]);
    assert.equal(await app.store.read((tx) => tx.count(invoices)), 0);
  });
});

describe("an order of a draft", () => {
  it("keeps the discount of staff when its items are edited", async () => {
    const draft = await write(app, {
      items: [
        { productId: mug, quantity: 2 },
        { title: "Engraving", quantity: 1, unitPrice: 1_000 },
      ],
      discount: { kind: "percent", value: 1_000, reason: "regular" },
    });
    const order = await load(
      app,
      placed(await read<OrderRecord>(await act(app, draft, "mark-paid", { method: "cash" }), 201)),
    );
    assert.equal(order.discount, 340);
    const [line] = order.lines;
    const answer = await edit(app, placed(order), {
      lines: [{ lineId: line?.id, quantity: 1 }],
      expectedTotal: 2_570,
    });
    assert.equal((await read<OrderRecord>(answer)).discount, 220);
    assert.deepEqual(sumPapers(await papers(app, placed(order)))["total"], 2_570);
    await assertBooks();
  });

  it("has more of an item without a product after an edit, and no stock of it", async () => {
    const draft = await write(app, { items: [{ title: "Engraving", quantity: 1, unitPrice: 1_000 }] });
    const order = await load(
      app,
      placed(await read<OrderRecord>(await act(app, draft, "mark-paid", { method: "cash" }), 201)),
    );
    const lines = [{ lineId: order.lines[0]?.id, quantity: 3 }];
    await read(await edit(app, placed(order), { lines, expectedTotal: 3_000 }));
    assert.equal((await load(app, placed(order))).balanceDue, 2_000);
    await assertBooks();
  });

  it("waives no right of withdrawal without the buyer", async () => {
    const key = await addProduct(app, { title: "Key", price: 900, keys: ["K-1"] });
    const draft = await write(app, { items: [{ productId: key.id, quantity: 1 }] });
    const order = await load(
      app,
      placed(await read<OrderRecord>(await act(app, draft, "mark-paid", { method: "cash" }), 201)),
    );
    assert.deepEqual([order.lines[0]?.withdrawal, order.consents], ["open", undefined]);
  });
});
