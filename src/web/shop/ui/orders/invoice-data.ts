/** Invoices and credit notes as the administration's routes give them. */

export interface InvoiceView {
  readonly id: string;
  readonly kind: "invoice" | "credit_note";
  readonly number: string;
  readonly orderId: string;
  readonly orderNumber: string;
  /** A day in the shop's zone. */
  readonly issuedOn: string;
  readonly issuedAt: string;
  readonly email: string;
  readonly billingAddress?: { readonly name: string; readonly company?: string };
  readonly currency: string;
  readonly total: number;
  readonly corrects?: { readonly id: string; readonly number: string };
}

export const INVOICES = "/api/admin/invoices";
