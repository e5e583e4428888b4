/** Settings of VAT, the seller and invoices that are fields alone. */
import { listCountriesOrNone } from "../ui/choices.ts";
import type { FieldSection } from "../site/site-data.ts";

const vat: readonly FieldSection[] = [
  {
    title: "shop.shipping.vat",
    fields: [
      { key: "tax/enabled", label: "shop.shipping.vat.on", kind: "tick" },
      { key: "tax/pricesIncludeTax", label: "shop.shipping.vat.include", kind: "tick" },
      {
        key: "tax/destination",
        label: "shop.shipping.vat.destination",
        kind: { choices: ["seller", "buyer"] },
      },
      { key: "tax/vatIds", label: "shop.shipping.vat.ids", kind: { choices: ["off", "checked"] } },
      { key: "tax/netWhereUntaxed", label: "shop.shipping.vat.net", kind: "tick" },
    ],
  },
  {
    title: "shop.shipping.vat.small",
    fields: [
      {
        key: "tax/smallBusiness",
        label: "shop.shipping.vat.small.on",
        kind: "tick",
      },
      { key: "tax/smallBusinessNote", label: "shop.shipping.vat.small.note", kind: "line" },
    ],
  },
];

const seller: readonly FieldSection[] = [
  {
    title: "shop.shipping.seller",
    fields: [
      { key: "seller/name", label: "shop.shipping.seller.name", kind: "line" },
      { key: "seller/line1", label: "shop.shipping.seller.line1", kind: "line" },
      { key: "seller/line2", label: "shop.shipping.seller.line2", kind: "line" },
      { key: "seller/postalCode", label: "shop.shipping.seller.postalCode", kind: "line" },
      { key: "seller/city", label: "shop.shipping.seller.city", kind: "line" },
      { key: "seller/region", label: "shop.shipping.seller.region", kind: "line" },
      { key: "seller/country", label: "shop.ui.country", kind: { listed: listCountriesOrNone } },
      { key: "seller/email", label: "shop.ui.email", kind: "line" },
      { key: "seller/phone", label: "shop.ui.phone", kind: "line" },
    ],
  },
  {
    title: "shop.shipping.seller.numbers",
    fields: [
      { key: "seller/vatId", label: "shop.shipping.seller.vatId", kind: "line" },
      { key: "seller/taxNumber", label: "shop.shipping.seller.taxNumber", kind: "line" },
      { key: "seller/register", label: "shop.shipping.seller.register", kind: "line" },
    ],
  },
];

const invoices: readonly FieldSection[] = [
  {
    title: "shop.shipping.invoices",
    fields: [
      { key: "invoices/enabled", label: "shop.shipping.invoices.on", kind: "tick" },
      {
        key: "invoices/issueOn",
        label: "shop.shipping.invoices.issueOn",
        kind: { choices: ["payment", "delivery"] },
      },
      { key: "invoices/footer", label: "shop.shipping.invoices.footer", kind: "long" },
    ],
  },
  {
    title: "shop.shipping.invoices.numbers",
    fields: [
      { key: "invoices/format", label: "shop.shipping.invoices.format", kind: "line" },
      {
        key: "invoices/restart",
        label: "shop.shipping.invoices.restart",
        kind: { choices: ["yearly", "never"] },
      },
      {
        key: "invoices/firstNumber",
        label: "shop.shipping.invoices.first",
        kind: { min: 1, max: 1_000_000_000 },
      },
      {
        key: "invoices/creditNotes",
        label: "shop.shipping.invoices.credit",
        kind: { choices: ["own", "same"] },
      },
      { key: "invoices/creditFormat", label: "shop.shipping.invoices.creditFormat", kind: "line" },
    ],
  },
];

/** Tabs of fields alone, by name. */
export const fieldTabs = { vat, seller, invoices } as const;
