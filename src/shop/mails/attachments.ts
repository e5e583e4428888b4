/** E-invoices that go with mails, created when the mail leaves. */
import type { MailAttachment, MailMessage } from "../../kit/mail/mail.ts";
import type { ReadTx } from "../../store/store.ts";
import { invoices } from "../invoices/collections.ts";
import { hasXRechnung, toAttachment } from "../invoices/invoices.ts";
import { toPrintLogo } from "../invoices/print-logo.ts";
import type { InvoiceRecord } from "../invoices/schema.ts";
import { readSite } from "../site/settings.ts";

/** The PDF is an e-invoice by itself; who named a buyer reference expects XRechnung. */
function wantsXRechnung(invoice: InvoiceRecord): boolean {
  return invoice.buyerReference !== undefined && hasXRechnung(invoice);
}

/** The files of documents; undefined when none of them is an e-invoice. */
export async function toAttachments(
  tx: ReadTx,
  documents: readonly string[] = [],
): Promise<MailMessage["attach"]> {
  const found: InvoiceRecord[] = [];
  for (const id of documents) {
    const invoice = await tx.get(invoices, id);
    if (invoice?.eInvoice === true) found.push(invoice);
  }
  if (found.length === 0) return undefined;
  const logo = toPrintLogo(await readSite(tx));
  return async () => {
    const files: MailAttachment[] = [];
    for (const invoice of found) {
      files.push(await toAttachment(invoice, { format: "pdf", logo }));
      if (wantsXRechnung(invoice)) files.push(await toAttachment(invoice, { format: "xrechnung" }));
    }
    return files;
  };
}
