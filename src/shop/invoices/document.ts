/** An invoice or a credit note as a printed document. */
import { toAddressRows } from "../base/address-formats.ts";
import type { Address } from "../base/postal-address.ts";
import { toDecimal } from "../base/money.ts";
import { SHIPPING_PART } from "../base/refund-part.ts";
import type { Seller } from "../site/selling-schema.ts";
import { taxIn } from "../tax/tax.ts";
import type { PrintColumn, PrintDocument, PrintRow } from "./print-document.ts";
import type { InvoiceLine, InvoiceRecord } from "./schema.ts";
import { type InvoiceWords, findInvoiceWords, toClosing } from "./words.ts";

/** "1,234.50 EUR", "1.234,50 EUR": the same wherever it is made, which formats of a runtime are not. */
export function toPrintAmount(
  amount: number,
  { currency, language }: { readonly currency: string; readonly language: string },
): string {
  const [whole = "0", fraction] = toDecimal(amount, currency).split(".");
  const [group, point] = language === "de" ? [".", ","] : [",", "."];
  const digits = whole.replace("-", "");
  const grouped = Array.from(digits, (digit, index) =>
    index > 0 && (digits.length - index) % 3 === 0 ? `${group}${digit}` : digit,
  ).join("");
  return `${amount < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : `${point}${fraction}`} ${currency}`;
}

/** "19 %", "5.5 %". */
function toPercent(rate: number, language: string): string {
  const exact = String(rate / 100); // basis points are exact in as many digits
  return `${language === "de" ? exact.replace(".", ",") : exact} %`;
}

/** "21.11.2026" where days are written so. */
export function toPrintDay(day: string, language: string): string {
  return language === "de" ? day.split("-").toReversed().join(".") : day;
}

/** A country's name by its code; the code where the document has none. */
type CountryNames = (code: string) => string;

export function toAddressLines(address: Address, nameOf: CountryNames): string[] {
  const { company = "", name, country } = address;
  // The company is the customer, the person its contact.
  const named = company === "" ? address : { ...address, name: company, company: name };
  return [...toAddressRows(named), nameOf(country)].filter((line) => line !== "");
}

/** The lines of the seller, with what identifies it. */
export function toSenderLines(seller: Seller, words: InvoiceWords, nameOf: CountryNames): string[] {
  const { name, line1, line2, postalCode, city, region, country, vatId, taxNumber, register } = seller;
  const place = [postalCode, city].filter((part) => part !== "").join(" ");
  return [
    name,
    line1,
    line2,
    place,
    region,
    nameOf(country),
    vatId === "" ? "" : `${words.vatId}: ${vatId}`,
    taxNumber === "" ? "" : `${words.taxNumber}: ${taxNumber}`,
    register,
    seller.email,
    seller.phone,
  ].filter((line) => line !== "");
}

interface Printing {
  readonly words: InvoiceWords;
  readonly amount: (value: number) => string;
  readonly percent: (rate: number) => string;
  readonly day: (text: string) => string;
  readonly nameOf: CountryNames;
}

function toPrinting({ language, currency, countries = {} }: InvoiceRecord): Printing {
  const names = new Map(Object.entries(countries));
  const { words } = findInvoiceWords(language);
  return {
    words,
    amount: (value) => toPrintAmount(value, { currency, language }),
    percent: (rate) => toPercent(rate, language),
    day: (text) => toPrintDay(text, language),
    nameOf: (code) => names.get(code) ?? code,
  };
}

function toRecipient(invoice: InvoiceRecord, { words, nameOf }: Printing): string[] {
  const { billingAddress, email, country = "", vatId = "" } = invoice;
  return [
    ...(billingAddress === undefined
      ? [email, nameOf(country)]
      : [...toAddressLines(billingAddress, nameOf), email]),
    vatId === "" ? "" : `${words.yourVatId}: ${vatId}`,
  ].filter((line) => line !== "");
}

function toFacts(invoice: InvoiceRecord, { words, day }: Printing): (readonly [string, string])[] {
  const { number, issuedOn, orderNumber, orderedOn, paidOn, deliveredOn, payment, corrects, dueOn } = invoice;
  const when = (label: string, text: string | undefined): (readonly [string, string])[] =>
    text === undefined ? [] : [[label, day(text)]];
  return [
    [words.number, number],
    ...when(words.date, issuedOn),
    ...(corrects === undefined
      ? []
      : [[words.corrects, `${corrects.number} ${words.of} ${day(corrects.issuedOn)}`] as const]),
    [words.order, orderNumber],
    ...when(words.orderedOn, orderedOn),
    ...when(words.paidOn, paidOn),
    ...when(words.dueOn, paidOn === undefined ? dueOn : undefined),
    ...when(words.deliveredOn, deliveredOn),
    ...(payment === "" ? [] : [[words.payment, payment] as const]),
    ...(invoice.buyerReference === undefined
      ? []
      : [[words.buyerReference, invoice.buyerReference] as const]),
    ...(invoice.orderReference === undefined
      ? []
      : [[words.orderReference, invoice.orderReference] as const]),
  ];
}

/** The price of a unit without tax. */
function toUnitNet({ unitPrice, taxRate = 0 }: InvoiceLine, pricesIncludeTax: boolean): number {
  return pricesIncludeTax ? unitPrice - taxIn(unitPrice, taxRate) : unitPrice;
}

function toRow(line: InvoiceLine, invoice: InvoiceRecord, { words, amount, percent }: Printing): PrintRow {
  const { title, sku, options, quantity, unitPrice, discount, total, taxRate } = line;
  const isGross = invoice.pricesIncludeTax === true;
  const chosen = Object.entries(options).map(([name, value]) => `${name}: ${value}`);
  if (invoice.kind === "credit_note")
    return {
      cells: [
        line.lineId === SHIPPING_PART && title === "" ? words.shipping : title,
        quantity === 0 ? "" : String(quantity),
        ...(taxRate === undefined ? [] : [percent(taxRate)]),
        amount(total),
      ],
      details: [
        ...(chosen.length === 0 ? [] : [chosen.join(", ")]),
        ...(sku === "" ? [] : [`${words.sku}: ${sku}`]),
      ],
    };
  return {
    cells: [
      title,
      String(quantity),
      amount(unitPrice),
      ...(taxRate === undefined ? [] : [percent(taxRate)]),
      // Before the discount, which has a row below: so the column adds up. Former invoices stay as they were.
      amount(invoice.countries === undefined ? total : total + discount),
    ],
    details: [
      ...(chosen.length === 0 ? [] : [chosen.join(", ")]),
      ...(sku === "" ? [] : [`${words.sku}: ${sku}`]),
      ...(taxRate !== undefined && isGross ? [`${words.unitNet}: ${amount(toUnitNet(line, isGross))}`] : []),
      ...(discount === 0 ? [] : [`${words.discount}: ${amount(-discount)}`]),
    ],
  };
}

function toColumns(words: InvoiceWords, { kind, tax, lines }: InvoiceRecord): PrintColumn[] {
  const { item, quantity, unitPrice, taxRate, amount, gross } = words;
  if (kind === "credit_note" && lines.length === 0) return [];
  const rates = tax === undefined ? [] : [taxRate];
  const numbers =
    kind === "credit_note"
      ? [quantity, ...rates, tax === undefined ? amount : gross]
      : [quantity, unitPrice, ...rates, amount];
  return [{ label: item }, ...numbers.map((label) => ({ label, isNumber: true }))];
}

function toSums(invoice: InvoiceRecord, { words, amount }: Printing): (readonly [string, string])[] {
  const { kind, subtotal, discount, shipping, total, tax, pricesIncludeTax, couponCode } = invoice;
  if (kind === "credit_note")
    return [
      [invoice.isReplaced === true || invoice.isVoid === true ? words.total : words.credited, amount(total)],
    ];
  const named = couponCode === undefined ? words.discount : `${words.discount} (${couponCode})`;
  const rows: (readonly [string, string])[] = [[words.subtotal, amount(subtotal)]];
  if (discount > 0) rows.push([named, amount(-discount)]);
  if (shipping > 0) rows.push([invoice.shippingTitle ?? words.shipping, amount(shipping)]);
  if (tax !== undefined && pricesIncludeTax !== true) {
    rows.push([words.totalNet, amount(total - tax.amount)]);
    rows.push([words.tax, amount(tax.amount)]);
  }
  rows.push([words.total, amount(total)]);
  const { giftCards = [] } = invoice;
  const t = findInvoiceWords(invoice.language);
  for (const card of giftCards)
    rows.push([t("giftCard", { code: `••••${card.lastFour}` }), amount(-card.amount)]);
  if (giftCards.length > 0)
    rows.push([words.giftCardRest, amount(giftCards.reduce((rest, card) => rest - card.amount, total))]);
  return rows;
}

function toSummary(
  { tax, kind }: InvoiceRecord,
  { words, amount, percent, nameOf }: Printing,
): PrintDocument["summary"] {
  if (tax === undefined || tax.rates.every(({ kind }) => kind === "exempt")) return undefined;
  return {
    columns: [words.taxRate, words.net, words.tax, words.gross],
    rows: tax.rates
      .filter(({ gross }) => kind === "invoice" || gross > 0)
      .map((row) => [
        `${percent(row.rate)} ${nameOf(row.country)}`,
        amount(row.net),
        amount(row.tax),
        amount(row.gross),
      ]),
  };
}

/** The document of a record: the same for the same record, always. */
export function toInvoiceDocument(invoice: InvoiceRecord): PrintDocument {
  const printing = toPrinting(invoice);
  const { words, nameOf } = printing;
  const { kind, notes, lines, tax, reason, shippingAddress, footer } = invoice;
  const sentTo = shippingAddress === undefined ? [] : toAddressLines(shippingAddress, nameOf);
  const isElsewhere =
    sentTo.join() !== (invoice.billingAddress ? toAddressLines(invoice.billingAddress, nameOf).join() : "");
  const isCredit = kind === "credit_note";
  return {
    language: invoice.language,
    title: words[kind],
    createdAt: invoice.issuedAt,
    sender: toSenderLines(invoice.seller, words, nameOf),
    recipient: toRecipient(invoice, printing),
    facts: toFacts(invoice, printing),
    columns: toColumns(words, invoice),
    rows: lines.map((line) => toRow(line, invoice, printing)),
    sums: toSums(invoice, printing),
    summary: toSummary(invoice, printing),
    notes: [
      ...(reason === undefined || reason === "" ? [] : [`${words.reason}: ${reason}`]),
      ...(!isCredit && tax !== undefined && tax.amount > 0 && invoice.pricesIncludeTax === true
        ? [words.included]
        : []),
      ...(invoice.isSpread === true ? [words.spread] : []),
      ...notes,
      ...(!isCredit && isElsewhere && sentTo.length > 0 ? [`${words.shippedTo}: ${sentTo.join(", ")}`] : []),
      words[toClosing(invoice)],
    ],
    footer: footer === "" ? [] : footer.split("\n"),
    pageWords: words.page,
  };
}
