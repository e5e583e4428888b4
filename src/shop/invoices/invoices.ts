/** Invoices and credit notes as they are found again, printed and exported. */
import { AppError } from "../../kit/errors.ts";
import type { MailAttachment } from "../../kit/mail/mail.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { Page, PageOptions, ReadTx, Store } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { invoices } from "./collections.ts";
import { toInvoiceDocument } from "./document.ts";
import { toCii } from "./e-invoice/cii.ts";
import { type EInvoiceFormat, listProblems } from "./e-invoice/problems.ts";
import { toEInvoice } from "./e-invoice/to-e-invoice.ts";
import { toUbl } from "./e-invoice/ubl.ts";
import { toHtml } from "./html.ts";
import { toPdf } from "./pdf.ts";
import type { PrintDocument, PrintLogo } from "./print-document.ts";
import type { InvoiceKind, InvoiceRecord } from "./schema.ts";

const PURPOSE = "invoice";
const PREFIX = "it_";

export const printFormats = ["html", "pdf"] as const;
export type PrintFormat = (typeof printFormats)[number];
/** "xrechnung": UBL; "facturx": the XML of Factur-X and ZUGFeRD, which their PDF contains. */
export const invoiceFormats = [...printFormats, "xrechnung", "facturx"] as const;
export type InvoiceFormat = (typeof invoiceFormats)[number];

/** A filter; absent members match all. Times in epoch milliseconds, `to` exclusive. */
export interface InvoiceFilter {
  /** A number, the number of an order, or an e-mail address, whole. */
  readonly q?: string | undefined;
  readonly kind?: InvoiceKind | undefined;
  readonly orderId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The key of a document's URL: replacing an order's token invalidates old URLs. */
interface DocumentKey {
  readonly invoiceId: string;
  readonly tokenRenewals?: number | undefined;
}

function toMac(box: ShopDeps["box"], { invoiceId, tokenRenewals = 0 }: DocumentKey): string {
  return `${PREFIX}${box.mac(`${invoiceId} ${tokenRenewals}`, PURPOSE)}`;
}

/** Where a document opens without a sign-in. */
export function toDocumentUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  key: DocumentKey,
  format: InvoiceFormat,
): string {
  return `${publicUrl}/api/documents/${key.invoiceId}/${toMac(box, key)}/${format}`;
}

/** Whether a token opens a document, compared in constant time. */
export function isDocumentToken(box: ShopDeps["box"], key: DocumentKey, token: string): boolean {
  return isSameText(token, toMac(box, key));
}

/** @throws AppError `not_found` */
export async function getInvoice(tx: ReadTx, id: string): Promise<InvoiceRecord> {
  const invoice = await tx.get(invoices, id);
  if (invoice === undefined) throw new AppError("not_found", "This invoice does not exist");
  return invoice;
}

/** The documents of an order, the oldest first. */
export async function listOfOrder(tx: ReadTx, orderId: string): Promise<readonly InvoiceRecord[]> {
  return (await tx.list(invoices, "byOrder", { prefix: [orderId], limit: 1_000 })).items;
}

/** Documents, the newest first. Throws `bad_request` for filters that do not go together, `bad_cursor`. */
export function listInvoices(
  store: Store,
  filter: InvoiceFilter,
  page: PageOptions,
): Promise<Page<InvoiceRecord>> {
  const { kind, orderId, from, to } = filter;
  const q = filter.q?.trim() ?? "";
  if ([q, kind ?? "", orderId ?? ""].filter((one) => one !== "").length > 1)
    throw new AppError(
      "bad_request",
      "Only one of q, kind and orderId is allowed, optionally with from and to",
    );
  const range = {
    ...page,
    from: from === undefined ? [] : [from],
    to: to === undefined ? undefined : [to],
    reverse: true,
  };
  return store.read(async (tx) => {
    if (orderId !== undefined) return tx.list(invoices, "byOrder", { ...range, prefix: [orderId] });
    if (kind !== undefined) return tx.list(invoices, "byKind", { ...range, prefix: [kind] });
    if (q === "") return tx.list(invoices, "byIssued", range);
    const found = await tx.by(invoices, "byNumber", [q]);
    if (found !== undefined) return { items: [found] };
    return q.includes("@")
      ? tx.list(invoices, "byEmail", { ...range, prefix: [q.toLowerCase()] })
      : tx.list(invoices, "byOrderNumber", { ...range, prefix: [q.toUpperCase()] });
  });
}

/** A document as a page or a file. */
export interface Printed {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Only its own style: it contains what buyers wrote. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'; sandbox";

const common = { "cache-control": "private, no-store", "x-robots-tag": "noindex" };

function toFileName(name: string, ending: string): string {
  return `${name.replaceAll(/[^A-Za-z0-9._-]/gu, "-")}.${ending}`;
}

/** Prints a document; `name` is that of the file, without its ending. */
export async function printDocument(
  document: PrintDocument,
  {
    format,
    name,
    eInvoice,
  }: {
    readonly format: PrintFormat;
    readonly name: string;
    /** XML for a PDF. */
    readonly eInvoice?: string | undefined;
  },
): Promise<Printed> {
  if (format === "html") {
    const type = { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY };
    return { body: toHtml(document), headers: { ...common, ...type } };
  }
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="${toFileName(name, "pdf")}"`,
  };
  return { body: await toPdf(document, eInvoice), headers: { ...common, ...headers } };
}

/**
 * The XML file of an invoice or a credit note.
 * @throws AppError `conflict` with the reasons where its data do not suffice
 */
export function toEInvoiceXml(invoice: InvoiceRecord, format: EInvoiceFormat): string {
  const eInvoice = toEInvoice(invoice);
  const problems = listProblems(eInvoice, format);
  if (problems.length === 0) return format === "xrechnung" ? toUbl(eInvoice) : toCii(eInvoice);
  const name = format === "xrechnung" ? "XRechnung" : "Factur-X";
  throw new AppError("conflict", `${invoice.number} cannot become an ${name} file. ${problems.join(". ")}`, {
    details: { problems },
  });
}

/** Whether a document is an e-invoice that can be written as XRechnung, too. */
export function hasXRechnung(invoice: InvoiceRecord): boolean {
  return invoice.eInvoice === true && listProblems(toEInvoice(invoice), "xrechnung").length === 0;
}

/** Prints an invoice or a credit note with the shop's logo, or writes its e-invoice. */
export async function printInvoice(
  invoice: InvoiceRecord,
  format: InvoiceFormat,
  logo?: PrintLogo,
): Promise<Printed> {
  const name = invoice.number;
  if (format === "html" || format === "pdf") {
    const isHybrid = format === "pdf" && invoice.eInvoice === true;
    const eInvoice = isHybrid ? toEInvoiceXml(invoice, "facturx") : undefined;
    return printDocument({ ...toInvoiceDocument(invoice), logo }, { format, name, eInvoice });
  }
  const headers = {
    "content-type": "application/xml; charset=utf-8",
    "content-disposition": `attachment; filename="${toFileName(`${name}-${format}`, "xml")}"`,
  };
  return { body: toEInvoiceXml(invoice, format), headers: { ...common, ...headers } };
}

/** A document as a file of a mail. */
export async function toAttachment(
  invoice: InvoiceRecord,
  { format, logo }: { readonly format: "pdf" | "xrechnung"; readonly logo?: PrintLogo | undefined },
): Promise<MailAttachment> {
  const { body } = await printInvoice(invoice, format, logo);
  const isPdf = format === "pdf";
  return {
    name: isPdf ? toFileName(invoice.number, "pdf") : toFileName(`${invoice.number}-xrechnung`, "xml"),
    contentType: isPdf ? "application/pdf" : "application/xml",
    content: typeof body === "string" ? new TextEncoder().encode(body) : body,
  };
}
