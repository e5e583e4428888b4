/** Settings of VAT, the seller and invoices that are fields alone. */
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { part } from "../site/groups.ts";
import { listCountriesOrNone } from "../ui/choices.ts";

const vat = part([
  {
    title: "shop.shipping.vat",
    fields: [
      { name: "tax/enabled", label: "shop.shipping.vat.on" },
      { name: "tax/pricesIncludeTax", label: "shop.shipping.vat.include" },
      { name: "tax/destination", label: "shop.shipping.vat.destination" },
      { name: "tax/vatIds", label: "shop.shipping.vat.ids" },
      { name: "tax/viesAway", label: "shop.shipping.vat.viesAway" },
      { name: "tax/rounding", label: "shop.shipping.vat.rounding" },
      { name: "tax/netWhereUntaxed", label: "shop.shipping.vat.net" },
    ],
  },
  {
    title: "shop.shipping.vat.small",
    fields: [
      { name: "tax/smallBusiness", label: "shop.shipping.vat.small.on" },
      { name: "tax/smallBusinessNote", label: "shop.shipping.vat.small.note" },
    ],
  },
]);

const seller = part([
  {
    title: "shop.shipping.seller",
    hint: "shop.shipping.seller.hint",
    fields: [
      { name: "seller/name", label: "shop.shipping.seller.name" },
      { name: "seller/line1", label: "shop.shipping.seller.line1" },
      { name: "seller/line2", label: "shop.shipping.seller.line2" },
      { name: "seller/postalCode", label: "shop.shipping.seller.postalCode" },
      { name: "seller/city", label: "shop.shipping.seller.city" },
      { name: "seller/region", label: "shop.shipping.seller.region" },
      { name: "seller/country", label: "shop.ui.country", kind: listedKind(listCountriesOrNone) },
      { name: "seller/email", label: "shop.ui.email" },
      { name: "seller/phone", label: "shop.ui.phone" },
    ],
  },
  {
    title: "shop.shipping.seller.numbers",
    fields: [
      { name: "seller/vatId", label: "shop.shipping.seller.vatId" },
      { name: "seller/taxNumber", label: "shop.shipping.seller.taxNumber" },
      { name: "seller/register", label: "shop.shipping.seller.register" },
      { name: "seller/iban", label: "shop.shipping.seller.iban" },
      { name: "seller/contact", label: "shop.shipping.seller.contact" },
      { name: "seller/electronicAddress", label: "shop.shipping.seller.electronic" },
    ],
  },
]);

const invoices = part([
  {
    title: "shop.shipping.invoices",
    hint: "shop.shipping.invoices.hint",
    fields: [
      { name: "invoices/enabled", label: "shop.shipping.invoices.on" },
      { name: "invoices/issueOn", label: "shop.shipping.invoices.issueOn" },
      { name: "invoices/footer", label: "shop.shipping.invoices.footer" },
    ],
  },
  {
    title: "shop.shipping.eInvoices",
    hint: "shop.shipping.eInvoices.hint",
    fields: [
      { name: "invoices/eInvoices", label: "shop.shipping.eInvoices.who" },
      { name: "invoices/attachEInvoices", label: "shop.shipping.eInvoices.attach" },
    ],
  },
  {
    title: "shop.shipping.invoices.numbers",
    hint: "shop.shipping.invoices.numbers.hint",
    fields: [
      { name: "invoices/format", label: "shop.shipping.invoices.format" },
      { name: "invoices/restart", label: "shop.shipping.invoices.restart" },
      { name: "invoices/firstNumber", label: "shop.shipping.invoices.first" },
      { name: "invoices/creditNotes", label: "shop.shipping.invoices.credit" },
      { name: "invoices/creditFormat", label: "shop.shipping.invoices.creditFormat" },
    ],
  },
]);

/** Tabs of fields alone, by name. */
export const fieldTabs = { vat, seller, invoices } as const;
