/** One row while it is read: what its cells say, what is wrong with it, and what cannot be carried over. */
import type { CsvRow } from "../../kit/files/csv.ts";
import type { Tx } from "../../store/store.ts";
import { readAmount } from "../base/amount-text.ts";
import { sayProblem } from "./amounts.ts";
import type { Columns } from "./columns.ts";
import { readDate } from "./dates.ts";
import type { Fault } from "./faults.ts";
import type { Applied, ApplyOptions, BadItem, GoodItem, ReadContext } from "./kind.ts";
import { toFaults } from "./refusals.ts";
import { type Row, type Table, readRows } from "./rows.ts";
import { type Said, say } from "./said.ts";

interface Good {
  readonly title: string;
  /** What people compare with the former shop. */
  readonly detail: string;
  readonly apply: (tx: Tx, options: ApplyOptions) => Promise<Applied>;
  /** The column that a refusal of the shop is about, by the pointer of its fault. */
  readonly columnOf: (pointer: string) => string | undefined;
}

/** See the module's header. */
export class Reading<F extends string> {
  readonly row: Row<F>;
  readonly table: Table<F>;
  readonly context: ReadContext;
  readonly faults: Fault[] = [];
  readonly notes: Fault[] = [];

  constructor(row: Row<F>, table: Table<F>, context: ReadContext) {
    this.row = row;
    this.table = table;
    this.context = context;
  }

  get(field: F): string | undefined {
    return this.row.get(field);
  }

  refuse(field: F, said: Said, code: string = "invalid"): undefined {
    this.faults.push({ line: this.row.line, column: this.row.headerOf(field), code, ...said });
    return undefined;
  }

  note(field: F, said: Said, code: string = "left_out"): void {
    this.notes.push({ line: this.row.line, column: this.row.headerOf(field), code, ...said });
  }

  /**
   * Whether the row may be read: it has a key, no more cells than columns, and no row before has its key. `lines` has
   * the keys of earlier rows, and gets this one.
   */
  claim(
    field: F,
    key: string,
    { lines, sayTwin }: { lines: Map<string, number>; sayTwin: (line: number) => Said },
  ): boolean {
    const twin = lines.get(key);
    if (key === "") this.refuse(field, say("import.required"));
    else if (this.row.hasMore) this.refuse(field, say("import.cells"));
    else if (twin !== undefined) this.refuse(field, sayTwin(twin));
    else lines.set(key, this.row.line);
    return this.faults.length === 0;
  }

  /** An amount in minor units of the shop's currency; `currency` is that of the cell if it names none. */
  readAmount(
    field: F,
    { cell = this.get(field), currency }: { cell?: string | undefined; currency: string | undefined },
  ): number | undefined {
    if (cell === undefined) return undefined;
    const { context } = this;
    const isBare = /^[\d.,'’\s]+$/u.test(cell);
    const text = isBare && currency !== undefined ? `${currency} ${cell}` : cell;
    const read = readAmount(text, context.currency, { decimalMark: context.options.decimalMark });
    if ("amount" in read) return read.amount;
    return this.refuse(field, sayProblem(read), read.why === "ambiguous" ? "ambiguous" : "invalid");
  }

  /** A time, in the zone of the file or else of the shop; undefined for an empty cell and one that `isNever`. */
  readTime(
    field: F,
    { read = readDate, isNever = /^0000-00-00/u }: { read?: typeof readDate; isNever?: RegExp } = {},
  ): number | undefined {
    const cell = this.get(field);
    if (cell === undefined || isNever.test(cell)) return undefined;
    const { dateOrder, timeZone = this.context.timeZone } = this.context.options;
    const found = read(cell, { dateOrder, timeZone });
    if ("at" in found) return found.at;
    const isTwo = found.problem.text.key === "import.coupon.dateTwo";
    return this.refuse(field, found.problem, isTwo ? "ambiguous" : "invalid");
  }

  toBad(title: string, faults: readonly Fault[] = this.faults): BadItem {
    return { line: this.row.line, title, rows: 1, faults };
  }

  toGood({ title, detail, apply, columnOf }: Good): GoodItem {
    const { line } = this.row;
    return {
      line,
      title,
      rows: 1,
      pictures: 0,
      preview: { price: "", variants: 0, detail },
      notes: this.notes,
      apply,
      toFaults: (error) => toFaults(error, line, (pointer) => ({ column: columnOf(pointer) })),
    };
  }
}

/** Begins to read each row of a file. */
export async function* readEach<F extends string>(
  open: () => AsyncIterable<CsvRow>,
  columns: Columns<F>,
  context: ReadContext,
): AsyncGenerator<Reading<F>, void> {
  for await (const { table, row } of readRows(open(), columns, context.options.mapping))
    yield new Reading(row, table, context);
}
