/** Numbers without a gap: a counter record that is written in the transaction of the document that gets the number. */
import type { Tx } from "../../store/store.ts";
import { invoiceCounters } from "./collections.ts";
import type { InvoiceSettings } from "../site/selling-schema.ts";
import type { InvoiceKind } from "./schema.ts";

export interface SeriesNumber {
  readonly series: string;
  readonly sequence: number;
  readonly number: string;
}

function fill(format: string, { year, sequence }: { year: string; sequence: number }): string {
  return format
    .replaceAll("{year}", year)
    .replaceAll("{yy}", year.slice(2))
    .replaceAll(/\{number(?::([1-9]))?\}/gu, (_all, digits: string | undefined) =>
      String(sequence).padStart(Number(digits ?? 1), "0"),
    );
}

/** Returns the next number. Concurrent transactions are repeated by the store, one after another. */
export async function takeNumber(
  tx: Tx,
  settings: InvoiceSettings,
  { kind, day }: { readonly kind: InvoiceKind; readonly day: string },
): Promise<SeriesNumber> {
  const year = day.slice(0, 4);
  const isOwn = kind === "credit_note" && settings.creditNotes === "own";
  const series = `${isOwn ? "credit_note" : "invoice"}:${settings.restart === "yearly" ? year : "all"}`;
  const known = await tx.get(invoiceCounters, series);
  const { last: sequence } =
    known === undefined
      ? await tx.insert(invoiceCounters, { id: series, last: settings.firstNumber })
      : await tx.put(invoiceCounters, { ...known, last: known.last + 1 });
  return {
    series,
    sequence,
    number: fill(isOwn ? settings.creditFormat : settings.format, { year, sequence }),
  };
}
