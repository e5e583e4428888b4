/** Creates invoices and credit notes of orders, in the transaction that gives the reason. */
import type { Tx } from "../../store/store.ts";
import { formatDay } from "../base/formats.ts";
import { invoices } from "./collections.ts";
import { type Provider, type SiteSettings, DEMO_SLUG } from "../site/schema.ts";
import { hasVatPrefix, toCompactVatId } from "../tax/vat-id.ts";
import { nameCountries } from "../base/countries.ts";
import { listTaxNotes } from "../tax/notes.ts";
import type { RefundPart } from "../base/refund-part.ts";
import { toCredit } from "./credit.ts";
import { listProblems } from "./e-invoice/problems.ts";
import { toEInvoice } from "./e-invoice/to-e-invoice.ts";
import type { CreditedOrder, InvoicedOrder } from "./invoiced-order.ts";
import { takeNumber } from "./numbers.ts";
import type { InvoiceKind, InvoiceLine, InvoiceRecord } from "./schema.ts";
import { findInvoiceWords } from "./words.ts";

interface Issue {
  readonly site: SiteSettings;
  readonly nowMs: number;
}

function toInvoiceId(orderId: string): string {
  return `inv_${orderId}`;
}

function toPaymentMeans(provider: Provider | undefined): InvoiceRecord["paymentMeans"] {
  if (provider === undefined || provider.word === DEMO_SLUG) return "other";
  const isByHand = provider.kind === undefined || provider.kind === "generic" || provider.kind === "manual";
  return isByHand && provider.payUrlTemplate === "" ? "transfer" : "online";
}

/** Whether the settings want an e-invoice for an order. */
function wantsEInvoice({ billingAddress, shippingAddress, vatId = "" }: InvoicedOrder, site: SiteSettings) {
  const { eInvoices } = site.invoices;
  const company = (billingAddress ?? shippingAddress)?.company ?? "";
  return eInvoices === "always" || (eInvoices === "companies" && `${company}${vatId}`.trim() !== "");
}

/** Notes on a document that it becomes an e-invoice, where the settings want it and its data suffice. */
function markEInvoice<T extends Omit<InvoiceRecord, "version">>(document: T, isWanted: boolean): T {
  const isOne = isWanted && listProblems(toEInvoice({ ...document, version: 1 }), "facturx").length === 0;
  return isOne ? { ...document, eInvoice: true } : document;
}

/** Common facts of both kinds of documents. */
async function toFacts(
  tx: Tx,
  order: InvoicedOrder,
  { site, nowMs, kind }: Issue & { readonly kind: InvoiceKind },
) {
  const { seller, tax: rules, invoices: settings, timeZone, paymentProviders } = site;
  const day = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : formatDay(ms, timeZone);
  const issuedOn = formatDay(nowMs, timeZone);
  const provider = paymentProviders.find(({ word }) => word === order.paymentMethod);
  const { language } = findInvoiceWords(order.language);
  const places = [
    seller.country,
    order.country,
    order.billingAddress?.country,
    order.shippingAddress?.country,
  ];
  const rates = (order.tax?.rates ?? []).map(({ country }) => country);
  const kinds = (order.tax?.rates ?? []).map((row) => row.kind);
  const noteOptions = { language, seller: seller.country, smallBusinessNote: rules.smallBusinessNote };
  return {
    kind,
    ...(await takeNumber(tx, settings, { kind, day: issuedOn })),
    orderId: order.id,
    orderNumber: order.number,
    userId: order.userId,
    issuedAt: nowMs,
    issuedOn,
    orderedOn: formatDay(order.createdAt, timeZone),
    paidOn: day(order.paidAt),
    deliveredOn: day(order.deliveredAt),
    language,
    currency: order.currency,
    seller: { ...seller, vatId: hasVatPrefix(seller.vatId) ? toCompactVatId(seller.vatId) : seller.vatId },
    countries: nameCountries([...places, ...rates], language),
    email: order.email,
    emailLower: order.emailLower,
    billingAddress: order.billingAddress ?? order.shippingAddress,
    shippingAddress: order.shippingAddress,
    country: order.country,
    vatId: order.vatId,
    pricesIncludeTax: order.pricesIncludeTax,
    payment: provider?.title ?? order.paymentMethod,
    paymentMeans: toPaymentMeans(provider),
    buyerReference: order.buyerReference,
    orderReference: order.orderReference,
    notes: listTaxNotes(kinds, noteOptions),
    footer: settings.footer,
  };
}

function toLine(line: InvoiceLine): InvoiceLine {
  const { title, sku, options, quantity, unitPrice, discount, total, taxRate, taxKind, tax } = line;
  return { title, sku, options, quantity, unitPrice, discount, total, taxRate, taxKind, tax };
}

/** Writes the invoice of an order; undefined for one of nothing, or that has one. */
export async function issueInvoice(
  tx: Tx,
  order: InvoicedOrder,
  issue: Issue,
): Promise<InvoiceRecord | undefined> {
  if (order.total === 0 || order.invoiceId !== undefined) return undefined;
  const { subtotal, discount, shipping, total, tax, shippingTitle, couponCode } = order;
  const facts = await toFacts(tx, order, { ...issue, kind: "invoice" });
  const document = {
    id: toInvoiceId(order.id),
    ...facts,
    subtotal,
    discount,
    shipping,
    total,
    tax,
    shippingTitle,
    couponCode,
    lines: order.lines.map(toLine),
  };
  return tx.insert(invoices, markEInvoice(document, wantsEInvoice(order, issue.site)));
}

/** Credit notes of an invoice. */
async function listCredits(tx: Tx, orderId: string): Promise<InvoiceRecord[]> {
  const { items } = await tx.list(invoices, "byOrder", { prefix: [orderId], limit: 1_000 });
  return items.filter(({ kind }) => kind === "credit_note");
}

/**
 * Writes the credit note for money that was given back of an invoiced order: of an overpaid one, what was paid too
 * much is no part of the invoice. Undefined where nothing is to be credited.
 */
export async function issueCreditNote(
  tx: Tx,
  order: CreditedOrder,
  {
    amount,
    parts,
    isSpread,
    reason,
    ...issue
  }: Issue & {
    readonly amount: number;
    readonly parts?: readonly RefundPart[] | undefined;
    readonly isSpread?: boolean | undefined;
    readonly reason?: string | undefined;
  },
): Promise<InvoiceRecord | undefined> {
  if (order.invoiceId === undefined) return undefined;
  const missing = Math.max(0, order.total - order.amountPaid);
  const total = Math.min(amount, missing, order.total - (order.credited ?? 0));
  const invoice = total <= 0 ? undefined : await tx.get(invoices, order.invoiceId);
  if (invoice === undefined) return undefined;
  const earlier = await listCredits(tx, order.id);
  const facts = await toFacts(tx, order, { ...issue, kind: "credit_note" });
  const document = {
    id: `crn_${order.id}_${earlier.length + 1}`,
    ...facts,
    subtotal: total,
    discount: 0,
    shipping: 0,
    total,
    ...toCredit(order, invoice, { total, parts, earlier }),
    isSpread: isSpread === true ? true : undefined,
    corrects: { id: invoice.id, number: invoice.number, issuedOn: invoice.issuedOn },
    reason,
  };
  // As the invoice: who got one as a file gets its correction as a file.
  return tx.insert(invoices, markEInvoice(document, invoice.eInvoice === true));
}
