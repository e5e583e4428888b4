/** What must be true of the documents of one order, whatever was done to it. */
import assert from "node:assert/strict";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { sumPapers } from "./edit-room.ts";

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** The tax rows of a document add up to it, and its lines to them. */
function assertColumns(paper: InvoiceRecord): void {
  const { kind, lines, shipping, subtotal, discount, total, tax, pricesIncludeTax, number } = paper;
  for (const { net, tax: part, gross } of tax?.rates ?? []) {
    assert.equal(net + part, gross, number);
    assert.ok(net >= 0 && part >= 0, number);
  }
  if (tax !== undefined) {
    assert.equal(sum(tax.rates.map(({ gross }) => gross)), total, number);
    assert.equal(sum(tax.rates.map((row) => row.tax)), tax.amount, number);
  }
  if (kind === "credit_note") {
    if (lines.length > 0) assert.equal(sum(lines.map((line) => line.total)), total, number);
    for (const { rate, kind: taxKind, country, gross, tax: part } of tax?.rates ?? []) {
      const own = lines.filter(
        (line) => line.taxRate === rate && line.taxKind === taxKind && line.taxCountry === country,
      );
      if (lines.length === 0) continue;
      assert.equal(sum(own.map((line) => line.total)), gross, number);
      assert.equal(sum(own.map((line) => line.tax ?? 0)), part, number);
    }
    return;
  }
  assert.equal(sum(lines.map((line) => line.unitPrice * line.quantity)), subtotal, number);
  assert.equal(sum(lines.map((line) => line.discount)), discount, number);
  const onTop = pricesIncludeTax === false ? (tax?.amount ?? 0) : 0;
  assert.equal(subtotal - discount + shipping + onTop, total, number);
}

/** A credit note names its invoice, is made out to the same buyer, and never credits more of an item than it has. */
function assertNotes(all: readonly InvoiceRecord[]): void {
  for (const invoice of all.filter(({ kind }) => kind === "invoice")) {
    const notes = all.filter(({ corrects }) => corrects?.id === invoice.id);
    const isOnTop = invoice.pricesIncludeTax === false;
    for (const note of notes) {
      const { id, number, issuedOn } = invoice;
      assert.deepEqual(note.corrects, { id, number, issuedOn });
      const who = ({
        email,
        language,
        billingAddress,
        vatId,
        country,
        pricesIncludeTax,
        currency,
      }: InvoiceRecord) => {
        return { email, language, billingAddress, vatId, country, pricesIncludeTax, currency };
      };
      if (note.isReplaced === true || note.isVoid === true) assert.deepEqual(who(note), who(invoice));
      assert.ok(note.issuedAt >= invoice.issuedAt && note.total > 0);
    }
    assert.ok(sum(notes.map(({ total }) => total)) <= invoice.total);
    const known = new Set(["shipping", ...invoice.lines.map(({ lineId = "" }) => lineId)]);
    for (const { lines } of notes)
      for (const { lineId = "", title } of lines)
        assert.ok(known.has(lineId), `${title} is not on ${invoice.number}`);
    for (const line of invoice.lines) {
      const own = notes.flatMap(({ lines }) => lines.filter(({ lineId }) => lineId === line.lineId));
      const gross = line.total + (isOnTop ? (line.tax ?? 0) : 0);
      assert.ok(sum(own.map(({ total }) => total)) <= gross, `${invoice.number} ${line.title}`);
      assert.ok(sum(own.map(({ quantity }) => quantity)) <= line.quantity, `${invoice.number} ${line.title}`);
    }
    const next = all.filter(({ kind, sequence }) => kind === "invoice" && sequence > invoice.sequence);
    // What was replaced or voided is credited as a whole.
    if (next.length > 0) assert.equal(sum(notes.map(({ total }) => total)), invoice.total);
  }
}

/** Titles of payment methods, as invoices print them. */
type Titles = Readonly<Record<string, string>>;

/** What reduced the items, as invoices print it. */
function toDiscountName({ discounts, couponCode }: OrderRecord): string | undefined {
  if (discounts === undefined) return couponCode;
  const titles = discounts.flatMap(({ amount, title }) => (amount > 0 ? [title] : []));
  return titles.length > 0 ? titles.join(", ") : undefined;
}

/** The newest invoice says what the order says. */
function assertNewest(newest: InvoiceRecord, order: OrderRecord, titles: Titles): void {
  const { id, number, orderId, email, billingAddress, shippingAddress, country, vatId, subtotal } = newest;
  assert.deepEqual([order.invoiceId, order.invoiceNumber, orderId], [id, number, order.id]);
  assert.equal(newest.payment, titles[order.paymentMethod] ?? order.paymentMethod);
  if (order.balanceDue !== undefined) return;
  assert.deepEqual(
    [email, billingAddress, shippingAddress, country, vatId, subtotal, newest.total, newest.tax],
    [
      ...[order.email, order.billingAddress ?? order.shippingAddress, order.shippingAddress, order.country],
      ...[order.vatId, order.subtotal, order.total, order.tax],
    ],
  );
  assert.deepEqual(
    newest.lines.map((line) => [
      line.lineId,
      line.quantity,
      line.unitPrice,
      line.discount,
      line.total,
      line.tax,
    ]),
    order.lines.map((line) => [line.id, line.quantity, line.unitPrice, line.discount, line.total, line.tax]),
  );
  assert.deepEqual(
    [newest.shipping, newest.discount, newest.shippingTitle, newest.couponCode],
    [order.shipping, order.discount, order.shippingTitle, toDiscountName(order)],
  );
}

/** Invoices − credit notes = money kept, by rate; an invoice that is not paid yet counts as a whole. */
export function assertPapers(
  order: OrderRecord,
  all: readonly InvoiceRecord[],
  titles: Titles = { test: "Test" },
): void {
  for (const paper of all) assertColumns(paper);
  assertNotes(all);
  const sums = sumPapers(all);
  const invoiced = sums["total"] ?? 0;
  const newest = all.findLast(({ kind }) => kind === "invoice");
  assert.ok(
    Object.values(sums).every((part) => part >= 0),
    JSON.stringify(sums),
  );
  const isOpen = order.status === "pending_payment";
  // An unpaid order that an edit made free has no invoice, as one that ended unpaid.
  const isFree = order.total === 0;
  const isOver =
    isFree || order.status === "expired" || (order.status === "canceled" && order.paidAt === undefined);
  // An order that was free, from the start or by an edit, has its invoice once the balance of an edit is paid.
  const wasFree = order.invoiceId === undefined && order.balanceDue !== undefined;
  if (isOver || wasFree || newest === undefined) {
    assert.deepEqual([invoiced, order.invoiceId], [0, undefined]);
    if (!isOver && !wasFree && !isOpen) assert.fail("a paid order has an invoice");
    return;
  }
  assertNewest(newest, order, titles);
  const kept = isOpen ? newest.total : Math.min(newest.total, order.amountPaid);
  // Payments of a part of a balance have no document yet.
  if (order.balanceDue === undefined) assert.equal(invoiced, kept);
  else assert.ok(invoiced <= kept && invoiced >= newest.total - order.amountRefunded);
  const own = all.filter(({ corrects }) => corrects?.id === newest.id);
  assert.equal(order.credited ?? 0, sum(own.map(({ total }) => total)));
  if (order.amountRefunded > 0 || order.balanceDue !== undefined) return;
  for (const { kind, country, rate, gross, tax } of order.tax?.rates ?? []) {
    assert.equal(sums[`${kind} ${country} ${rate} gross`] ?? 0, gross);
    assert.equal(sums[`${kind} ${country} ${rate} tax`] ?? 0, tax);
  }
}
