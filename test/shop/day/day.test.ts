/**
 * A day of a shop over HTTP: 200 products by CSV, three providers, 500 orders in three languages with coupons, tax and
 * shipping, refunds, files, withdrawals, invoices without a gap, webhooks out; in the evening the books are right. Then
 * staff corrects orders, gift cards are sold and spent, and licenses renew.
 */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { read } from "../app-fixture.ts";
import { giftCards } from "../../../src/shop/gift-cards/records.ts";
import { checkCards } from "../../../src/shop/gift-cards/report.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import { type DayShop, openDayShop } from "./day-shop.ts";
import { makeBytes } from "../files/files-fixture.ts";
import { checkInvoiceNumbers, checkStock } from "../../../src/shop/operation/records-check.ts";
import { readPapers, toNumbers } from "./papers.ts";
import { renewLicenses, tradeGiftCards } from "./later.ts";
import { correctSome } from "./staff.ts";
import {
  type Placed,
  ORDERS,
  downloadFiles,
  callOff,
  expireUnpaid,
  payOrders,
  readRefunded,
  refundSome,
  withdrawSome,
  placeOrders,
  readOrders,
} from "./buyers.ts";

/** Documents without a gap that say what each order keeps, and records that agree with each other. */
async function assertBooks(shop: DayShop): Promise<void> {
  const papers = await readPapers(shop);
  for (const kind of ["invoice", "credit_note"] as const) {
    const numbers = papers.filter((paper) => paper.kind === kind).map(({ number }) => number);
    assert.deepEqual(numbers.sort(), toNumbers(kind === "invoice" ? "R" : "G", numbers.length));
  }
  for (const { id, amountPaid, paymentStatus } of await readOrders(shop)) {
    const own = papers.filter(({ orderId }) => orderId === id);
    const kept = own.reduce((sum, { kind, total }) => sum + (kind === "invoice" ? total : -total), 0);
    if (own.length > 0) assert.equal(kept, paymentStatus === "overpaid" ? kept : amountPaid, id);
  }
  assert.deepEqual((await checkLedger(shop.app.store)).faults, []);
  assert.deepEqual(await checkStock(shop.app.store), []);
  assert.deepEqual(await checkInvoiceNumbers(shop.app.store), []);
}

describe("a day of a shop", () => {
  let shop: DayShop;
  let placed: readonly Placed[] = [];

  before(async () => {
    shop = await openDayShop();
  });

  it("takes 500 orders, each at the shop's own prices with tax, shipping and coupon", async () => {
    placed = await placeOrders(shop);
    assert.equal(placed.length, ORDERS);
    assert.equal(new Set(placed.map(({ order }) => order.number)).size, ORDERS);
  });

  it("is paid through three providers, and unpaid orders expire or are canceled", async () => {
    await payOrders(shop, placed);
    await callOff(shop, placed);
    await shop.deliverAll();
    await expireUnpaid(shop);
    await shop.deliverAll();
    const counts = new Map<string, number>();
    for (const { status } of await readOrders(shop)) counts.set(status, (counts.get(status) ?? 0) + 1);
    // Digital goods alone are handed over at once; parcels wait for a person.
    const wanted = { delivered: 75, fulfilling: 200, paid: 180, expired: 25, canceled: 20 };
    assert.deepEqual(Object.fromEntries(counts), wanted);
  });

  it("hands over files and keys to who paid", async () => {
    const withFiles = placed.filter(
      ({ fate, items }) => fate === "paid" && items.some((one) => one.goods === "files"),
    );
    for (const one of withFiles.slice(0, 20)) {
      const files = await downloadFiles(shop, one);
      assert.equal(files.length, one.items.filter(({ goods }) => goods === "files").length);
      for (const bytes of files) assert.deepEqual(bytes, makeBytes(3_000));
    }
  });

  it("has written an invoice for each paid order, without a gap", async () => {
    const papers = await readPapers(shop);
    const invoices = papers.filter(({ kind }) => kind === "invoice");
    const paid = placed.filter(({ fate }) => fate === "paid");
    assert.deepEqual(invoices.map(({ number }) => number).sort(), toNumbers("R", paid.length));
    const totals = new Map(invoices.map(({ orderId, total }) => [orderId, total]));
    for (const { order } of paid) assert.equal(totals.get(order.id), order.total, order.number);
    const pdf = await shop.app.admin("GET", `/api/admin/invoices/${invoices[0]?.id ?? ""}/pdf`);
    assert.equal((await pdf.text()).slice(0, 5), "%PDF-");
  });

  it("gives money back through the services, and says where it only notes that", async () => {
    const refunded = await refundSome(shop, placed);
    for (const { placed: one, amount, status } of refunded) {
      const isBank = one.provider === "bank";
      assert.equal(status, isBank ? "recorded" : "moved", one.order.number);
      assert.equal(readRefunded(shop, one), isBank ? 0 : amount, one.order.number);
    }
    const notes = (await readPapers(shop)).filter(({ kind }) => kind === "credit_note");
    assert.deepEqual(notes.map(({ number }) => number).sort(), toNumbers("G", refunded.length));
    const given = refunded.reduce((sum, { amount }) => sum + amount, 0);
    const credited = notes.reduce((sum, { total }) => sum + total, 0);
    assert.equal(Math.abs(credited), given);
    await shop.deliverAll();
  });

  it("has books that are right in the evening", async () => {
    assert.deepEqual((await checkLedger(shop.app.store)).faults, []);
  });

  it("has mailed each buyer in their language, naming what they ordered", () => {
    const kinds = { en: "Thing", de: "Ding", zh: "商品" };
    for (const { order, email, language, items, fate } of placed) {
      const mails = shop.mails.filter(({ to, text }) => to === email && text.includes(order.number));
      assert.ok(mails.length >= (fate === "paid" ? 2 : 1), `${order.number}: ${mails.length} mails`);
      for (const { text } of mails)
        for (const { slug } of items) assert.ok(text.includes(`${kinds[language]} ${slug.slice(6)}`), text);
    }
  });

  it("takes withdrawals, acknowledges them, and shows them to its owner", async () => {
    const count = await withdrawSome(shop, placed);
    await shop.deliverAll();
    const { items } = await read<{
      items: { orderNumber: string; email: string; language: "en" | "de" | "zh" }[];
    }>(await shop.app.admin("GET", "/api/admin/withdrawals?limit=100"));
    assert.equal(items.length, count);
    assert.ok(count > 2);
    const words = { en: "withdrawal", de: "Widerruf", zh: "撤" };
    for (const { orderNumber, email, language } of items) {
      const mail = shop.mails.findLast(({ to, text }) => to === email && text.includes(orderNumber));
      assert.ok(mail?.text.toLowerCase().includes(words[language].toLowerCase()), mail?.text);
    }
    assert.equal(shop.receiver.received.filter(({ type }) => type === "order.withdrawal").length, count);
  });

  it("has told everything to the webhook, signed", async () => {
    const { received } = shop.receiver;
    const webhook = new Webhook(shop.endpoint.secret);
    for (const { request } of received) {
      const { headers = {}, body = "" } = request;
      // Signed when it was sent, days ago: `verify` would look at the machine's clock.
      const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      assert.equal(headers["webhook-signature"], webhook.sign(headers["webhook-id"] ?? "", sentAt, body));
    }
    assert.equal(received.filter(({ type }) => type === "order.placed").length, ORDERS);
    await read(await shop.app.admin("GET", "/api/admin/orders?limit=1"));
  });

  it("is corrected by staff: edits, drafts and refunds by line, with books that are right after each", async () => {
    const before = await readPapers(shop);
    const counts = await correctSome(shop, placed);
    assert.deepEqual(counts, { edited: 12, drafts: 9, refunded: 12 });
    assert.ok((await readPapers(shop)).length > before.length + counts.edited);
    await assertBooks(shop);
  });

  it("sells gift cards, which are spent, given back and refunded, with books that are right after it", async () => {
    const { sold, liability } = await tradeGiftCards(shop);
    await assertBooks(shop);
    const { faults, count } = await checkCards(shop.app.store);
    assert.deepEqual([faults, count], [[], sold]);
    const { items } = await shop.app.store.read((tx) => tx.list(giftCards, "byCreated", { limit: 50 }));
    assert.equal(
      items.reduce((sum, { balance }) => sum + balance, 0),
      liability,
    );
  });

  it("renews licenses for months: each period paid once, with books that are right after it", async () => {
    assert.deepEqual(await renewLicenses(shop), { periods: 6, ended: 2 });
    await assertBooks(shop);
  });
});
