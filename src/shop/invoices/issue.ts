/** Creates invoices and credit notes of orders, in the transaction that gives the reason. */
import { nameDiscounts } from "../coupons/order-discounts.ts";
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

export interface Issue {
  readonly site: SiteSettings;
  readonly nowMs: number;
}

/** The ID of an order's invoice; `count` is its place among those that replace each other. */
export function toInvoiceId(orderId: string, count = 1): string {
  return count === 1 ? `inv_${orderId}` : `inv_${orderId}_${count}`;
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

function toLine(line: CreditedOrder["lines"][number]): InvoiceLine {
  const { id: lineId, title, sku, options, quantity, unitPrice, discount, total } = line;
  const { taxRate, taxKind, taxCountry, tax } = line;
  return {
    lineId,
    title,
    sku,
    options,
    quantity,
    unitPrice,
    discount,
    total,
    taxRate,
    taxKind,
    taxCountry,
    tax,
  };
}

/** Gift cards that pay for an order; undefined without any. */
function toCards({ giftCards = [] }: InvoicedOrder): InvoiceRecord["giftCards"] {
  const cards = giftCards.filter(({ isReleased }) => isReleased !== true);
  return cards.length === 0 ? undefined : cards.map(({ lastFour, amount }) => ({ lastFour, amount }));
}

/** Writes the invoice of an order; undefined for one of nothing, or that has one. `count`: see {@link toInvoiceId}. */
export async function issueInvoice(
  tx: Tx,
  order: CreditedOrder,
  issue: Issue,
  count = 1,
): Promise<InvoiceRecord | undefined> {
  if (order.total === 0 || order.invoiceId !== undefined) return undefined;
  const { subtotal, discount, shipping, total, tax, shippingTitle } = order;
  const couponCode = nameDiscounts(order);
  const facts = await toFacts(tx, order, { ...issue, kind: "invoice" });
  const document = {
    id: toInvoiceId(order.id, count),
    ...facts,
    dueOn: order.dueAt === undefined ? undefined : formatDay(order.dueAt, issue.site.timeZone),
    subtotal,
    discount,
    shipping,
    total,
    tax,
    shippingTitle,
    couponCode,
    giftCards: toCards(order),
    lines: order.lines.map(toLine),
  };
  return tx.insert(invoices, markEInvoice(document, wantsEInvoice(order, issue.site)));
}

/**
 * The order as an invoice says it, for a credit note of it. Lines of earlier releases have no ID: their place counts.
 */
export function toInvoicedOrder(order: CreditedOrder, invoice: InvoiceRecord): CreditedOrder {
  const rates = invoice.tax?.rates ?? [];
  const countryOf = ({ taxRate, taxKind, taxCountry }: InvoiceLine): string | undefined =>
    taxCountry ?? rates.find(({ rate, kind }) => rate === taxRate && kind === taxKind)?.country;
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  return Object.assign({}, order, {
    email: invoice.email,
    emailLower: invoice.emailLower,
    language: invoice.language,
    billingAddress: invoice.billingAddress,
    shippingAddress: invoice.shippingAddress,
    country: invoice.country,
    vatId: invoice.vatId,
    lines: invoice.lines.map((line, index) =>
      Object.assign({ id: line.lineId ?? String(index) }, line, { taxCountry: countryOf(line) }),
    ),
    subtotal: invoice.subtotal,
    discount: invoice.discount,
    shipping: invoice.shipping,
    total: invoice.total,
    tax: invoice.tax,
    pricesIncludeTax: invoice.pricesIncludeTax,
    shippingTitle: invoice.shippingTitle,
    couponCode: invoice.couponCode,
    buyerReference: invoice.buyerReference,
    orderReference: invoice.orderReference,
  });
}

interface Credited {
  readonly invoice: InvoiceRecord;
  /** Credited by it. */
  readonly total: number;
  /** Documents of the order before it. */
  readonly documents: readonly InvoiceRecord[];
  readonly parts?: readonly RefundPart[] | undefined;
  readonly isSpread?: boolean | undefined;
  readonly isReplaced?: boolean | undefined;
  readonly isVoid?: true | undefined;
  readonly reason?: string | undefined;
}

/** Writes a credit note of an invoice; `order` is what its lines and addresses are taken from. */
export async function insertCreditNote(
  tx: Tx,
  order: CreditedOrder,
  { invoice, total, documents, parts, isSpread, isReplaced, isVoid, reason, ...issue }: Credited & Issue,
): Promise<InvoiceRecord> {
  const notes = documents.filter(({ kind }) => kind === "credit_note");
  const earlier = notes.filter(({ corrects }) => corrects?.id === invoice.id);
  const facts = await toFacts(tx, order, { ...issue, kind: "credit_note" });
  const credit = toCredit(order, invoice, { total, parts, earlier });
  const document = {
    id: `crn_${order.id}_${notes.length + 1}`,
    ...facts,
    subtotal: total,
    discount: 0,
    shipping: 0,
    total,
    ...credit,
    isSpread: isSpread === true || credit.isSpread === true ? true : undefined,
    isReplaced,
    isVoid,
    corrects: { id: invoice.id, number: invoice.number, issuedOn: invoice.issuedOn },
    reason,
  };
  // As the invoice: who got one as a file gets its correction as a file.
  return tx.insert(invoices, markEInvoice(document, invoice.eInvoice === true));
}

/** Invoices and credit notes of an order, the oldest first. */
export async function listDocuments(tx: Tx, orderId: string): Promise<readonly InvoiceRecord[]> {
  return (await tx.list(invoices, "byOrder", { prefix: [orderId], limit: 1_000 })).items;
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
  const invoice = order.invoiceId === undefined ? undefined : await tx.get(invoices, order.invoiceId);
  if (invoice === undefined) return undefined;
  // While a balance is due, the invoice is that of the order before its lines were edited.
  const missing = Math.max(0, invoice.total - order.amountPaid);
  const total = Math.min(amount, missing, invoice.total - (order.credited ?? 0));
  if (total <= 0) return undefined;
  const documents = await listDocuments(tx, order.id);
  const credited = order.balanceDue === undefined ? order : toInvoicedOrder(order, invoice);
  return insertCreditNote(tx, credited, { invoice, total, documents, parts, isSpread, reason, ...issue });
}
