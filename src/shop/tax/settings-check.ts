/** Rules for the settings of seller, tax and invoices beyond their schema. */
import type { FieldError } from "../../kit/errors.ts";
import type { SiteSettings } from "../site/schema.ts";
import { hasVatForm, hasVatPrefix } from "./vat-id.ts";

/** Missing or wrong settings. */
export function listTaxProblems({ seller, tax, invoices }: SiteSettings): FieldError[] {
  const errors: FieldError[] = [];
  const need = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "required", message });
  };
  if ((tax.enabled || invoices.enabled) && seller.country === "")
    need("/seller/country", "is required for tax and invoices");
  if (invoices.enabled && seller.name === "") need("/seller/name", "is required for invoices");
  if (invoices.enabled && (seller.line1 === "" || seller.city === ""))
    need("/seller/line1", "is required: invoices need the full address of the seller");
  if (invoices.enabled && invoices.eInvoices !== "never") {
    if (seller.postalCode === "") need("/seller/postalCode", "is required for e-invoices");
    if (seller.phone === "") need("/seller/phone", "is required for e-invoices: XRechnung wants a contact");
    if (seller.email === "") need("/seller/email", "is required for e-invoices");
    if (seller.vatId === "" && seller.taxNumber === "")
      need("/seller/taxNumber", "or a VAT ID is required for e-invoices");
  }
  if (hasVatPrefix(seller.vatId) && !hasVatForm(seller.vatId))
    errors.push({
      pointer: "/seller/vatId",
      code: "invalid",
      message: "does not have the format of its country",
    });
  return errors;
}
