/** The layouts that documents are exported in: their columns, and the rows of a document. */
import { type Cell, type CsvStyle, csvStyles } from "../../kit/files/csv-line.ts";
import { toDecimal } from "../base/money.ts";
import { isInEu } from "../tax/eu-rates.ts";
import type { TaxKind, TaxRow } from "../tax/schema.ts";
import type { InvoiceRecord } from "./schema.ts";

/** A table that takes documents in their order. */
export interface Layout {
  readonly columns: readonly string[];
  /** Rows that can be written at once. */
  add(invoice: InvoiceRecord): readonly (readonly Cell[])[];
  /** Rows that are known once all documents were added. */
  finish(): readonly (readonly Cell[])[];
}

/** A row of the summary; of documents without tax, the total. */
type Row = Pick<TaxRow, "net" | "tax" | "gross"> & Partial<Pick<TaxRow, "kind" | "country" | "rate">>;

function rowsOf({ tax, total }: InvoiceRecord): readonly Row[] {
  return tax?.rates ?? [{ net: total, tax: 0, gross: total }];
}

function signOf({ kind }: InvoiceRecord): 1 | -1 {
  return kind === "credit_note" ? -1 : 1;
}

const documentColumns = [
  "kind",
  "number",
  "issuedOn",
  "paidOn",
  "deliveredOn",
  "orderNumber",
  "corrects",
  "name",
  "company",
  "email",
  "country",
  "vatId",
  "payment",
  "currency",
  "total",
  "taxKind",
  "taxCountry",
  "taxRate",
  "net",
  "tax",
  "gross",
];

/** A row for each rate of a document, credit notes with their sign turned. */
function toDocumentLayout({ decimalMark }: CsvStyle): Layout {
  const toMark = (decimal: string): string => decimal.replace(".", decimalMark);
  return {
    columns: documentColumns,
    add: (invoice) => {
      const { kind, number, issuedOn, paidOn = "", deliveredOn = "", orderNumber, corrects } = invoice;
      const { billingAddress, email, country = "", vatId = "", payment, currency, total } = invoice;
      const money = (amount: number) => ({ decimal: toMark(toDecimal(signOf(invoice) * amount, currency)) });
      return rowsOf(invoice).map((row) => [
        ...[kind, number, issuedOn, paidOn, deliveredOn, orderNumber, corrects?.number ?? ""],
        ...[billingAddress?.name ?? "", billingAddress?.company ?? "", email],
        ...[billingAddress?.country ?? country, vatId, payment, currency, money(total)],
        ...[row.kind ?? "", row.country ?? "", row.rate === undefined ? "" : toMark(String(row.rate / 100))],
        ...[money(row.net), money(row.tax), money(row.gross)],
      ]);
    },
    finish: () => [],
  };
}

/** The words of German bookkeeping for the kinds of tax. */
const germanKinds: Record<TaxKind, string> = {
  taxed: "steuerpflichtig",
  reverse_charge: "Reverse Charge",
  intra_community: "innergemeinschaftliche Lieferung",
  export: "Drittland",
  exempt: "steuerfrei (Kleinunternehmer)",
  voucher: "nicht steuerbar (Mehrzweck-Gutschein)",
};

const datevColumns = [
  "Umsatz (ohne Soll/Haben-Kz)",
  "Soll/Haben-Kennzeichen",
  "WKZ Umsatz",
  "Konto",
  "Gegenkonto (ohne BU-Schlüssel)",
  "Belegdatum",
  "Belegfeld 1",
  "Belegfeld 2",
  "Buchungstext",
  "EU-Land u. UStID (Bestimmung)",
  "EU-Steuersatz (Bestimmung)",
  "Sachverhalt",
  "Netto",
  "Steuer",
];

/** "2026-11-30" → "30.11.2026". */
function toGermanDay(day: string): string {
  return day.split("-").toReversed().join(".");
}

/**
 * The same with the column names of DATEV's booking batches, always with decimal commas; accounts are empty, for they
 * depend on the chart of accounts.
 */
function toDatevLayout(): Layout {
  const money = (amount: number, currency: string) => ({
    decimal: toDecimal(amount, currency).replace(".", ","),
  });
  return {
    columns: datevColumns,
    add: (invoice) => {
      const { kind, number, issuedOn, orderNumber, currency, billingAddress, email, vatId = "" } = invoice;
      const who = billingAddress?.company || billingAddress?.name || email;
      const side = kind === "credit_note" ? "H" : "S";
      return rowsOf(invoice).map((row) => [
        ...[money(row.gross, currency), side, currency, "", ""],
        ...[toGermanDay(issuedOn), number, orderNumber, who.slice(0, 60)],
        row.kind === "taxed" ? (row.country ?? "") : vatId,
        { decimal: row.rate === undefined ? "" : String(row.rate / 100).replace(".", ",") },
        ...[row.kind === undefined ? "" : germanKinds[row.kind], money(row.net, currency)],
        money(row.tax, currency),
      ]);
    },
    finish: () => [],
  };
}

/** "2026-11-30" → "2026-Q4". */
function toQuarter(day: string): string {
  return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
}

const ossColumns = ["period", "corrects", "country", "rate", "currency", "net", "tax", "gross", "documents"];

/**
 * What a seller in the EU declares in the one-stop shop: sales that are taxed in other EU countries, added up by
 * quarter, country and rate. Credit notes for invoices of earlier quarters are corrections of those, on rows of their
 * own (Implementing Regulation (EU) 2020/194, Annex III, part 3); quarters are those of `issuedOn`.
 */
function toOssLayout({ decimalMark }: CsvStyle): Layout {
  type Sum = Pick<TaxRow, "net" | "tax" | "gross" | "country" | "rate"> & {
    readonly period: string;
    readonly corrects: string;
    readonly currency: string;
    readonly documents: number;
  };
  const sums = new Map<string, Sum>();
  return {
    columns: ossColumns,
    add: (invoice) => {
      const { seller, currency, issuedOn } = invoice;
      const period = toQuarter(issuedOn);
      const original = invoice.corrects === undefined ? period : toQuarter(invoice.corrects.issuedOn);
      const corrects = original === period ? "" : original;
      const sign = signOf(invoice);
      for (const { kind, country = "", rate = 0, ...row } of rowsOf(invoice)) {
        if (kind !== "taxed" || country === seller.country || row.gross === 0) continue;
        if (!isInEu(country) || !isInEu(seller.country)) continue;
        const key = [period, corrects, country, String(rate).padStart(5, "0"), currency].join(" ");
        const before = sums.get(key) ?? { net: 0, tax: 0, gross: 0, documents: 0 };
        sums.set(key, {
          period,
          corrects,
          country,
          rate,
          currency,
          net: before.net + sign * row.net,
          tax: before.tax + sign * row.tax,
          gross: before.gross + sign * row.gross,
          documents: before.documents + 1,
        });
      }
      return [];
    },
    finish: () =>
      [...sums.entries()]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { period, corrects, country, rate, currency, net, tax, gross, documents }]) => {
          const toMark = (decimal: string) => ({ decimal: decimal.replace(".", decimalMark) });
          const money = (amount: number) => toMark(toDecimal(amount, currency));
          const amounts = [money(net), money(tax), money(gross)];
          return [period, corrects, country, toMark(String(rate / 100)), currency, ...amounts, documents];
        }),
  };
}

export const layoutNames = ["documents", "datev", "oss"] as const;
export type LayoutName = (typeof layoutNames)[number];

/** The columns of each layout, for descriptions. */
export const layoutColumns: Record<LayoutName, readonly string[]> = {
  documents: documentColumns,
  datev: datevColumns,
  oss: ossColumns,
};

/** A new table with the style of its file. */
export function toLayout(
  name: LayoutName,
  style: CsvStyle,
): { readonly layout: Layout; readonly style: CsvStyle } {
  switch (name) {
    case "documents":
      return { layout: toDocumentLayout(style), style };
    case "datev":
      return { layout: toDatevLayout(), style: csvStyles.semicolon };
    case "oss":
      return { layout: toOssLayout(style), style };
  }
}
