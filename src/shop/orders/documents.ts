/** Invoices and credit notes that go with the moves of an order, in their transaction. */
import type { Tx } from "../../store/store.ts";
import { correctInvoice, voidInvoice } from "../invoices/correct.ts";
import { issueCreditNote, issueInvoice, listDocuments } from "../invoices/issue.ts";
import type { InvoiceRecord } from "../invoices/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import type { OrderEffect } from "./order.ts";
import type { OrderRecord } from "./schema.ts";

const documentKinds: ReadonlySet<OrderEffect["kind"]> = new Set([
  ...(["invoice", "credit_note", "correct_invoice", "void_invoice"] as const),
]);

type Credit = Omit<Extract<OrderEffect, { kind: "credit_note" }>, "kind">;

async function withInvoice(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<OrderRecord> {
  const issue = { site, nowMs: order.updatedAt };
  // Only the invoice of an order that had one before its payment can have been voided.
  const former = order.dueAt === undefined ? [] : await listDocuments(tx, order.id);
  const count = former.filter(({ kind }) => kind === "invoice").length + 1;
  const invoice = await issueInvoice(tx, order, issue, count);
  if (invoice === undefined) return order;
  const next = { ...order, invoiceId: invoice.id, invoiceNumber: invoice.number };
  // Given back before there was an invoice: it is corrected at once.
  return withCreditNote(tx, next, { site, amount: order.amountRefunded, parts: order.refundParts });
}

async function withCreditNote(
  tx: Tx,
  order: OrderRecord,
  { site, amount, parts, isSpread, reason }: Credit & { site: SiteSettings },
): Promise<OrderRecord> {
  // Its invoice asks for the whole payment still.
  if (order.status === "pending_payment") return order;
  const credit = { amount, parts, isSpread, reason };
  const note = await issueCreditNote(tx, order, { site, nowMs: order.updatedAt, ...credit });
  return note === undefined
    ? order
    : { ...order, creditNoteId: note.id, credited: (order.credited ?? 0) + note.total };
}

/** The order without its invoice, all of which was credited. */
function withoutInvoice(order: OrderRecord, note: InvoiceRecord | undefined): OrderRecord {
  const { invoiceId: _id, invoiceNumber: _number, credited: _credited, ...rest } = order;
  return { ...rest, creditNoteId: note?.id ?? order.creditNoteId };
}

async function withVoid(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<OrderRecord> {
  if (order.invoiceId === undefined) return order;
  return withoutInvoice(order, await voidInvoice(tx, order, { site, nowMs: order.updatedAt }));
}

/** A balance that is due is paid first: an invoice says what was paid. */
async function withCorrection(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<OrderRecord> {
  if (order.balanceDue !== undefined) return order;
  const corrected = await correctInvoice(tx, order, { site, nowMs: order.updatedAt });
  if (corrected === undefined) return order;
  if (corrected.invoice === undefined) return withoutInvoice(order, corrected.note);
  const { id: invoiceId, number: invoiceNumber } = corrected.invoice;
  const next = { ...order, invoiceId, invoiceNumber, credited: undefined };
  // What was refunded stays credited, now of the new invoice; also a refund of a balance that had no document then.
  const refunded = (order.refundParts ?? []).reduce((sum, part) => sum + part.amount, 0);
  const amount = Math.max(order.credited ?? 0, refunded);
  return withCreditNote(tx, next, { site, amount, parts: order.refundParts });
}

/** Writes the documents that a move gives reason for; resolves with the order that names them. */
export async function issueDocuments(
  tx: Tx,
  {
    order,
    effects,
    site,
  }: { order: OrderRecord; effects: readonly OrderEffect[]; site?: SiteSettings | undefined },
): Promise<OrderRecord> {
  let next = order;
  for (const effect of effects) {
    if (!documentKinds.has(effect.kind)) continue;
    const settings = site ?? (await readSite(tx));
    if (effect.kind === "correct_invoice") next = await withCorrection(tx, next, settings);
    else if (effect.kind === "void_invoice") next = await withVoid(tx, next, settings);
    else if (effect.kind === "invoice") {
      const { enabled, issueOn } = settings.invoices;
      const isDue = effect.on === "order" || issueOn === effect.on;
      if (enabled && isDue) next = await withInvoice(tx, next, settings);
    } else if (effect.kind === "credit_note" && next.invoiceId !== undefined) {
      next = await withCreditNote(tx, { ...next, creditNoteId: undefined }, { ...effect, site: settings });
    }
  }
  return next;
}
