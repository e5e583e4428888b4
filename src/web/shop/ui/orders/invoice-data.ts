/** Invoices and credit notes as the administration's routes give them. */
import type { InvoiceRecord } from "../../../../shop/invoices/schema.ts";
import type { WithTimes } from "../../../ui/forms/with-times.ts";

type Shown =
  | "id"
  | "kind"
  | "number"
  | "orderId"
  | "orderNumber"
  | "issuedOn"
  | "email"
  | "currency"
  | "total";

export type InvoiceView = WithTimes<
  Pick<InvoiceRecord, Shown | "issuedAt" | "billingAddress" | "corrects">,
  "issuedAt"
>;

export const INVOICES = "/api/admin/invoices";
