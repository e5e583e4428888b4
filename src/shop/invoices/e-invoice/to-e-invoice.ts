/** The e-invoice of a stored invoice or credit note, and why there is none. */
import { countryCodes } from "../../base/countries.ts";
import { exponentOf } from "../../base/money.ts";
import type { Address } from "../../base/postal-address.ts";
import { SHIPPING_PART } from "../../base/refund-part.ts";
import type { TaxKind } from "../../tax/schema.ts";
import { taxIn } from "../../tax/tax.ts";
import { toCompactVatId } from "../../tax/vat-id.ts";
import type { InvoiceLine, InvoiceRecord } from "../schema.ts";
import { type InvoiceWords, findInvoiceWords, isUnpaid, toClosing } from "../words.ts";
import {
  type EAddress,
  type EAllowance,
  type EInvoice,
  type ELine,
  type EParty,
  type EVat,
  type EVatTotal,
  type VatCategory,
  sumOf,
} from "./e-invoice.ts";

const UNTAXED: EVat = { category: "O", rate: 0 };

const categories: Readonly<Record<Exclude<TaxKind, "taxed">, VatCategory>> = {
  reverse_charge: "AE",
  intra_community: "K",
  export: "G",
  exempt: "E",
  // "O" would allow nothing else on the document (BR-O-11).
  voucher: "E",
};

function toVat(kind: TaxKind | undefined, rate = 0): EVat {
  if (kind === undefined) return UNTAXED;
  if (kind !== "taxed") return { category: categories[kind], rate: 0 };
  return { category: rate > 0 ? "S" : "Z", rate };
}

const keyOf = ({ category, rate }: EVat): string => `${category} ${rate}`;

/** VAT IDs begin with the code of a country (BR-CO-09); other texts are no VAT ID. */
function toVatId(typed: string): string | undefined {
  const text = toCompactVatId(typed);
  const isOfCountry = [...countryCodes, "EL", "XI"].includes(text.slice(0, 2));
  return isOfCountry && text.length > 2 ? text : undefined;
}

const orAbsent = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());

function toEAddress(address: Pick<Address, "country"> & Partial<Address>): EAddress {
  const { line1, line2, city, postalCode, region, country } = address;
  return { line1, line2, city, postalCode, region, country };
}

function toSeller({ seller, tax }: InvoiceRecord): EParty {
  const vatId = tax === undefined ? undefined : toVatId(seller.vatId);
  const taxNumber = orAbsent(seller.taxNumber) ?? (vatId === undefined ? orAbsent(seller.vatId) : undefined);
  const [scheme = "", id = ""] = seller.electronicAddress.split(/:(.*)/u);
  return {
    name: seller.name,
    // One of them is needed (BR-CO-26).
    id: vatId === undefined ? (taxNumber ?? orAbsent(seller.register)) : undefined,
    vatId,
    taxNumber,
    legalForm: orAbsent(seller.register),
    address: toEAddress(seller),
    contact: { name: orAbsent(seller.contact) ?? seller.name, phone: seller.phone, email: seller.email },
    endpoint:
      id !== "" ? { scheme, id } : seller.email === "" ? undefined : { scheme: "EM", id: seller.email },
  };
}

function toBuyer({ billingAddress, country = "", email, vatId = "", tax }: InvoiceRecord): EParty {
  const { name = "", company = "" } = billingAddress ?? {};
  return {
    name: company.trim() === "" ? name : company,
    vatId: tax === undefined ? undefined : toVatId(vatId),
    address: toEAddress(billingAddress ?? { country }),
    contact: { name: company.trim() === "" ? undefined : name, email },
    endpoint: { scheme: "EM", id: email },
  };
}

/** The price of a unit in as few digits as give the net of the line when multiplied and rounded. */
export function toUnitPrice(net: number, quantity: number, currency: string): string {
  const exponent = exponentOf(currency);
  for (let digits = exponent; ; digits += 1) {
    const scale = 10n ** BigInt(digits - exponent);
    const [wanted, units] = [BigInt(net) * scale, BigInt(quantity)];
    const price = (wanted * 2n + units) / (units * 2n);
    const isExact = (price * units * 2n + scale) / (scale * 2n) === BigInt(net);
    if (!isExact) continue;
    const text = String(price).padStart(digits + 1, "0");
    const fraction = digits === 0 ? "" : text.slice(-digits);
    return fraction === "" ? text : `${text.slice(0, -digits)}.${fraction}`;
  }
}

/** A line of the document, and the part of the discount that belongs to it; amounts without VAT. */
interface NetLine {
  readonly line: ELine;
  readonly discount: number;
}

function toNetLine(line: InvoiceLine, invoice: InvoiceRecord, words: InvoiceWords): NetLine {
  const { title, sku, options, discount, total, taxRate = 0, taxKind, lineId } = line;
  const isCredit = invoice.kind === "credit_note";
  const isGross = isCredit || invoice.pricesIncludeTax === true;
  const net = isGross ? total - (line.tax ?? 0) : total;
  const before = total + discount;
  const withDiscount = isGross ? before - taxIn(before, taxKind === "taxed" ? taxRate : 0) : before;
  const full = discount === 0 ? net : Math.max(net, withDiscount);
  const quantity = Math.max(1, line.quantity);
  return {
    discount: full - net,
    line: {
      name: title === "" && lineId === SHIPPING_PART ? words.shipping : title,
      sku,
      attributes: Object.entries(options).filter(
        ([name, value]) => name.trim() !== "" && value.trim() !== "",
      ),
      quantity,
      price: toUnitPrice(full, quantity, invoice.currency),
      net: full,
      vat: toVat(taxKind, taxRate),
    },
  };
}

/** A credit note of an amount that names no lines has a line for each rate. */
function toRateLines(invoice: InvoiceRecord, totals: readonly EVatTotal[], words: InvoiceWords): NetLine[] {
  const name = `${words.corrects} ${invoice.corrects?.number ?? ""}`.trim();
  return totals.map(({ vat, net }) => ({
    discount: 0,
    line: {
      name,
      sku: "",
      attributes: [],
      quantity: 1,
      price: toUnitPrice(net, 1, invoice.currency),
      net,
      vat,
    },
  }));
}

function toReason(
  { category }: EVat,
  { notes, seller, tax }: InvoiceRecord,
  words: InvoiceWords,
): Pick<EVatTotal, "reason" | "reasonCode"> {
  const isSmall = tax?.rates.some(({ kind }) => kind === "exempt") === true;
  switch (category) {
    case "AE":
      return { reason: words["taxNote.reverse_charge"], reasonCode: "VATEX-EU-AE" };
    case "K":
      return { reason: words["taxNote.intra_community"], reasonCode: "VATEX-EU-IC" };
    case "G":
      return { reason: words["taxNote.export"], reasonCode: "VATEX-EU-G" };
    case "O":
      return { reason: words.untaxed, reasonCode: "VATEX-EU-O" };
    case "E":
      return {
        reason: notes.join(" ") || words["taxNote.exempt"],
        reasonCode: isSmall && seller.country === "FR" ? "VATEX-FR-FRANCHISE" : undefined,
      };
    case "S":
    case "Z":
      return {};
  }
}

/** The rates of the document, those of several countries together: the standard has no country in them. */
function toVatTotals(invoice: InvoiceRecord, words: InvoiceWords): EVatTotal[] {
  const { tax, total } = invoice;
  const rows = tax?.rates.map(({ kind, rate, net, tax: amount }) => ({
    vat: toVat(kind, rate),
    net,
    amount,
  }));
  const totals = new Map<string, EVatTotal>();
  for (const { vat, net, amount } of rows ?? [{ vat: UNTAXED, net: total, amount: 0 }]) {
    const before = totals.get(keyOf(vat));
    const sums = { net: (before?.net ?? 0) + net, tax: (before?.tax ?? 0) + amount };
    totals.set(keyOf(vat), { vat, ...sums, ...toReason(vat, invoice, words) });
  }
  return [...totals.values()];
}

/** The amounts of each rate; rates without any are left out. */
function toAllowances(
  totals: readonly EVatTotal[],
  amountOf: (total: EVatTotal) => number,
  reason: Pick<EAllowance, "reason" | "reasonCode">,
): EAllowance[] {
  return totals.flatMap((total) => {
    const amount = amountOf(total);
    return amount === 0 ? [] : [{ ...reason, amount, vat: total.vat }];
  });
}

function toPayment({ paymentMeans, payment, orderNumber, seller, currency }: InvoiceRecord) {
  const facts = { title: payment, reference: orderNumber };
  if (paymentMeans === "online") return { ...facts, code: "68" };
  if (paymentMeans !== "transfer" || seller.iban === "") return { ...facts, code: "1" };
  return { ...facts, code: currency === "EUR" ? "58" : "30", iban: seller.iban };
}

/** The e-invoice of a document; it may lack what `listProblems` names. */
export function toEInvoice(invoice: InvoiceRecord): EInvoice {
  const { words } = findInvoiceWords(invoice.language);
  const { shippingAddress, couponCode, deliveredOn, footer, reason = "" } = invoice;
  const isCredit = invoice.kind === "credit_note";
  const all = toVatTotals(invoice, words);
  const named = invoice.lines.map((line) => toNetLine(line, invoice, words));
  const lines =
    named.length === 0
      ? toRateLines(
          invoice,
          all.filter(({ net }) => net > 0),
          words,
        )
      : named;
  const ofRate = (vat: EVat) => lines.filter(({ line }) => keyOf(line.vat) === keyOf(vat));
  const vatTotals = all.filter(({ vat, net }) => net > 0 || ofRate(vat).length > 0);
  const discountOf = ({ vat }: EVatTotal): number => sumOf(ofRate(vat).map(({ discount }) => discount));
  const shippingOf = (total: EVatTotal): number =>
    invoice.shipping === 0
      ? 0
      : total.net - sumOf(ofRate(total.vat).map(({ line, discount }) => line.net - discount));
  return {
    isCredit,
    number: invoice.number,
    issuedOn: invoice.issuedOn,
    currency: invoice.currency,
    buyerReference: invoice.buyerReference ?? invoice.orderReference ?? invoice.orderNumber,
    orderReference: invoice.orderReference,
    orderNumber: invoice.orderNumber,
    notes: [
      reason === "" ? "" : `${words.reason}: ${reason}`,
      invoice.isSpread === true ? words.spread : "",
      footer,
    ].filter((note) => note.trim() !== ""),
    corrects: invoice.corrects,
    seller: toSeller(invoice),
    buyer: toBuyer(invoice),
    deliverTo: shippingAddress && {
      name: shippingAddress.company?.trim() || shippingAddress.name,
      address: toEAddress(shippingAddress),
    },
    deliveredOn,
    period: deliveredOn === undefined ? { from: invoice.orderedOn, to: invoice.issuedOn } : undefined,
    payment: toPayment(invoice),
    terms: words[toClosing(invoice)],
    dueOn: isUnpaid(invoice) ? (invoice.dueOn ?? invoice.issuedOn) : invoice.issuedOn,
    lines: lines.map(({ line }) => line),
    allowances: toAllowances(vatTotals, discountOf, {
      reason: couponCode === undefined ? words.discount : `${words.discount} (${couponCode})`,
      reasonCode: "95",
    }),
    charges: toAllowances(vatTotals, shippingOf, {
      reason: invoice.shippingTitle ?? words.shipping,
      reasonCode: "FC",
    }),
    vatTotals,
    net: invoice.total - (invoice.tax?.amount ?? 0),
    tax: invoice.tax?.amount ?? 0,
    total: invoice.total,
    prepaid: isUnpaid(invoice) ? sumOf((invoice.giftCards ?? []).map(({ amount }) => amount)) : invoice.total,
  };
}
