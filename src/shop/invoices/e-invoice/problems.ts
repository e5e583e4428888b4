/** What a document lacks to be an e-invoice: rules of EN 16931 (BR-…) and of XRechnung (BR-DE-…). */
import { exponentOf, toDecimal } from "../../base/money.ts";
import { taxOn } from "../../tax/tax.ts";
import {
  type EAllowance,
  type EInvoice,
  type ELine,
  type EVat,
  type VatCategory,
  isWritable,
  sumOf,
} from "./e-invoice.ts";

/** "facturx": Factur-X and ZUGFeRD in the PDF; "xrechnung": UBL by itself. */
export type EInvoiceFormat = "facturx" | "xrechnung";

const isEmpty = (text: string | undefined): boolean => (text ?? "").trim() === "";

/** Categories that need the seller's VAT ID, and those that a tax number is enough for. */
const needsVatId: ReadonlySet<VatCategory> = new Set(["K", "G"]);

function listPartyProblems({ seller, buyer, vatTotals }: EInvoice): string[] {
  const has = (...wanted: VatCategory[]): boolean =>
    vatTotals.some(({ vat }) => wanted.includes(vat.category));
  const isReverse = has("AE", "K");
  const problems: (readonly [isMissing: boolean, problem: string])[] = [
    [isEmpty(seller.name), "The seller has no name (BR-06)"],
    [isEmpty(seller.address.country), "The seller has no country (BR-09)"],
    [isEmpty(buyer.name), "The order has no billing address with the buyer's name (BR-07)"],
    [isEmpty(buyer.address.country), "The order does not name the buyer's country (BR-11)"],
    [
      isEmpty(seller.vatId) && isEmpty(seller.id),
      "The seller has neither a VAT ID, a tax number, nor a register entry (BR-CO-26)",
    ],
    [
      isEmpty(seller.vatId) && vatTotals.some(({ vat }) => needsVatId.has(vat.category)),
      "Supplies to other countries without VAT require the seller's VAT ID (BR-IC-02, BR-G-02)",
    ],
    [
      isEmpty(seller.vatId) && isEmpty(seller.taxNumber) && !has("O"),
      "The seller has neither a VAT ID nor a tax number (BR-S-02)",
    ],
    [isReverse && isEmpty(buyer.vatId), "The buyer's VAT ID is missing (BR-AE-02, BR-IC-02)"],
  ];
  return problems.flatMap(([isMissing, problem]) => (isMissing ? [problem] : []));
}

/** One unit of the currency: the standard lets the VAT of a rate differ by less. */
function toUnit(currency: string): number {
  return 10 ** exponentOf(currency);
}

function listAmountProblems({ vatTotals, lines, allowances, charges, ...invoice }: EInvoice): string[] {
  const { currency, net, tax, total } = invoice;
  const amounts = [
    ...[net, tax, total],
    ...[...lines, ...vatTotals].map((row) => row.net),
    ...vatTotals.map((row) => row.tax),
    ...[...allowances, ...charges].map(({ amount }) => amount),
  ];
  const problems = amounts.every((amount) => isWritable(amount, currency))
    ? []
    : [`Amounts in ${currency} with more than two decimal places cannot be written (BR-DEC-12)`];
  const sumOfRate = (rows: readonly (EAllowance | ELine)[], { category, rate }: EVat): number =>
    sumOf(
      rows
        .filter(({ vat }) => vat.category === category && vat.rate === rate)
        .map((row) => ("net" in row ? row.net : row.amount)),
    );
  const isWhole =
    vatTotals.every(
      ({ vat, net: wanted }) =>
        sumOfRate(lines, vat) - sumOfRate(allowances, vat) + sumOfRate(charges, vat) === wanted,
    ) &&
    net + tax === total &&
    net === sumOf(vatTotals.map((row) => row.net)) &&
    tax === sumOf(vatTotals.map((row) => row.tax)) &&
    [...allowances, ...charges].every(({ amount }) => amount > 0);
  if (!isWhole) problems.push("The amounts do not add up (BR-CO-13)");
  for (const row of vatTotals) {
    const wanted = row.vat.rate === 0 ? 0 : taxOn(row.net, row.vat.rate);
    if (Math.abs(row.tax - wanted) < toUnit(currency)) continue;
    const difference = toDecimal(Math.abs(row.tax - wanted), currency);
    problems.push(
      `The VAT at ${row.vat.rate / 100} % was rounded per line and differs by ${difference} ${currency} from the VAT of their sum (BR-CO-17)`,
    );
  }
  return problems;
}

function listGermanProblems({ seller, buyer, deliverTo, vatTotals }: EInvoice): string[] {
  const isSupply = vatTotals.some(({ vat }) => vat.category === "K");
  const problems: (readonly [isMissing: boolean, problem: string])[] = [
    [isEmpty(seller.address.city), "The seller has no city (BR-DE-3)"],
    [isEmpty(seller.address.postalCode), "The seller has no postal code (BR-DE-4)"],
    [isEmpty(seller.contact.phone), "The seller has no phone number (BR-DE-6)"],
    [isEmpty(seller.contact.email), "The seller has no email address (BR-DE-7)"],
    [isEmpty(buyer.address.city), "The billing address has no city (BR-DE-8)"],
    [isEmpty(buyer.address.postalCode), "The billing address has no postal code (BR-DE-9)"],
    [
      isSupply && deliverTo !== undefined && isEmpty(deliverTo.address.postalCode),
      "The shipping address has no postal code (BR-DE-11)",
    ],
  ];
  return problems.flatMap(([isMissing, problem]) => (isMissing ? [problem] : []));
}

/** The reasons why a document cannot be written in a format; none if it can. */
export function listProblems(invoice: EInvoice, format: EInvoiceFormat): string[] {
  return [
    ...listPartyProblems(invoice),
    ...listAmountProblems(invoice),
    ...(format === "xrechnung" ? listGermanProblems(invoice) : []),
  ];
}
