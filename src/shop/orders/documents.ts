/** Invoices and credit notes that go with the moves of an order, in their transaction. */
import type { Tx } from "../../store/store.ts";
import { correctInvoice } from "../invoices/correct.ts";
import { issueCreditNote, issueInvoice } from "../invoices/issue.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import type { OrderEffect } from "./order.ts";
import type { OrderRecord } from "./schema.ts";

type Credit = Omit<Extract<OrderEffect, { kind: "credit_note" }>, "kind">;

async function withInvoice(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<OrderRecord> {
  const issue = { site, nowMs: order.updatedAt };
  const invoice = await issueInvoice(tx, order, issue);
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
  const credit = { amount, parts, isSpread, reason };
  const note = await issueCreditNote(tx, order, { site, nowMs: order.updatedAt, ...credit });
  return note === undefined
    ? order
    : { ...order, creditNoteId: note.id, credited: (order.credited ?? 0) + note.total };
}

/** A balance that is due is paid first: an invoice says what was paid. */
async function withCorrection(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<OrderRecord> {
  if (order.balanceDue !== undefined) return order;
  const corrected = await correctInvoice(tx, order, { site, nowMs: order.updatedAt });
  if (corrected === undefined) return order;
  const { id: invoiceId, number: invoiceNumber } = corrected.invoice;
  const next = { ...order, invoiceId, invoiceNumber, credited: undefined };
  // What was refunded stays credited, now of the new invoice.
  return withCreditNote(tx, next, { site, amount: order.credited ?? 0, parts: order.refundParts });
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
    const { kind } = effect;
    if (kind !== "invoice" && kind !== "credit_note" && kind !== "correct_invoice") continue;
    const settings = site ?? (await readSite(tx));
    if (effect.kind === "correct_invoice") next = await withCorrection(tx, next, settings);
    else if (effect.kind === "invoice") {
      const { enabled, issueOn } = settings.invoices;
      if (enabled && issueOn === effect.on) next = await withInvoice(tx, next, settings);
    } else if (next.invoiceId !== undefined) {
      next = await withCreditNote(tx, { ...next, creditNoteId: undefined }, { ...effect, site: settings });
    }
  }
  return next;
}
