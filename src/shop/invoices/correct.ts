/** Replaces the invoice of an order whose printed facts changed: a credit note over its rest, and a new invoice. */
import { nameDiscounts } from "../coupons/order-discounts.ts";
import type { Tx } from "../../store/store.ts";
import { type RefundPart, SHIPPING_PART } from "../base/refund-part.ts";
import { invoices } from "./collections.ts";
import type { CreditedOrder } from "./invoiced-order.ts";
import { type Issue, insertCreditNote, issueInvoice, listDocuments, toInvoicedOrder } from "./issue.ts";
import type { InvoiceLine, InvoiceRecord } from "./schema.ts";
import { findInvoiceWords } from "./words.ts";

/** JSON with the members of objects in one order: databases may keep them in another. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

type Printed = Pick<
  InvoiceRecord,
  | ("email" | "language" | "billingAddress" | "shippingAddress" | "country" | "vatId" | "shippingTitle")
  | ("couponCode" | "subtotal" | "discount" | "shipping" | "total" | "tax" | "pricesIncludeTax")
> & { readonly lines: readonly InvoiceLine[] };

/** What an edit of an order can change on its invoice. */
function toPrinted(printed: Printed): string {
  const { email, language, billingAddress, shippingAddress, country, vatId, shippingTitle } = printed;
  const { couponCode, subtotal, discount, shipping, total, tax, pricesIncludeTax } = printed;
  const lines = printed.lines.map((line) => [
    ...[line.title, line.sku, line.options, line.quantity, line.unitPrice, line.discount, line.total],
    ...[line.taxRate, line.taxKind, line.tax],
  ]);
  return toText([
    ...[email, language, billingAddress, shippingAddress, country, vatId, shippingTitle, couponCode],
    ...[subtotal, discount, shipping, total, tax, pricesIncludeTax, lines],
  ]);
}

function isUpToDate(invoice: InvoiceRecord, order: CreditedOrder): boolean {
  const printed = Object.assign({}, order, {
    language: findInvoiceWords(order.language).language,
    billingAddress: order.billingAddress ?? order.shippingAddress,
    couponCode: nameDiscounts(order),
  });
  return toPrinted(invoice) === toPrinted(printed);
}

/** What earlier credit notes left of each item, with tax. */
function listRest(
  invoice: InvoiceRecord,
  order: CreditedOrder,
  earlier: readonly InvoiceRecord[],
): RefundPart[] {
  const isOnTop = invoice.pricesIncludeTax === false;
  const credited = earlier.flatMap(({ lines }) => lines);
  const toRest = (lineId: string, gross: number, quantity?: number): RefundPart[] => {
    const own = credited.filter((line) => line.lineId === lineId);
    const amount = own.reduce((rest, { total }) => rest - total, gross);
    const left = own.reduce((rest, line) => rest - line.quantity, quantity ?? 0);
    return amount > 0 ? [{ lineId, amount, quantity: left > 0 ? left : undefined }] : [];
  };
  const shipping = invoice.shipping + (isOnTop ? (invoice.tax?.shipping ?? 0) : 0);
  return [
    ...order.lines.flatMap(({ id, total, tax = 0, quantity }) =>
      toRest(id, total + (isOnTop ? tax : 0), quantity),
    ),
    ...toRest(SHIPPING_PART, shipping),
  ];
}

/** The new invoice, and the credit note over what earlier ones left of the former; undefined if all of it was credited. */
export interface Corrected {
  /** Undefined for an order that has become free. */
  readonly invoice: InvoiceRecord | undefined;
  readonly note: InvoiceRecord | undefined;
}

/** Replaces the invoice of an order; undefined where it has none, or where nothing of what it prints changed. */
export async function correctInvoice(
  tx: Tx,
  order: CreditedOrder,
  issue: Issue,
): Promise<Corrected | undefined> {
  const former = order.invoiceId === undefined ? undefined : await tx.get(invoices, order.invoiceId);
  if (former === undefined || isUpToDate(former, order)) return undefined;
  const documents = await listDocuments(tx, order.id);
  const note = await creditRest(tx, order, { ...issue, former, documents, isReplaced: true });
  const count = documents.filter(({ kind }) => kind === "invoice").length + 1;
  const invoice = await issueInvoice(tx, { ...order, invoiceId: undefined }, issue, count);
  return { invoice, note };
}

/** Credits the rest of the invoice of an order that will not be paid; undefined where all of it was credited. */
export async function voidInvoice(
  tx: Tx,
  order: CreditedOrder,
  issue: Issue,
): Promise<InvoiceRecord | undefined> {
  const former = order.invoiceId === undefined ? undefined : await tx.get(invoices, order.invoiceId);
  if (former === undefined) return undefined;
  return creditRest(tx, order, {
    ...issue,
    former,
    documents: await listDocuments(tx, order.id),
    isVoid: true,
  });
}

async function creditRest(
  tx: Tx,
  order: CreditedOrder,
  {
    former,
    documents,
    isReplaced,
    isVoid,
    ...issue
  }: Issue & {
    readonly former: InvoiceRecord;
    readonly documents: readonly InvoiceRecord[];
    readonly isReplaced?: boolean;
    readonly isVoid?: true;
  },
): Promise<InvoiceRecord | undefined> {
  const earlier = documents.filter(({ corrects }) => corrects?.id === former.id);
  const total = earlier.reduce((rest, each) => rest - each.total, former.total);
  const credited = toInvoicedOrder(order, former);
  const parts = listRest(former, credited, earlier);
  const details = { invoice: former, total, documents, parts, isReplaced, isVoid };
  return total <= 0 ? undefined : insertCreditNote(tx, credited, { ...issue, ...details });
}
