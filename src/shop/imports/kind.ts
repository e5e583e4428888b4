/** What differs between the kinds of imports. */
import type { AppError } from "../../kit/errors.ts";
import type { CsvRow } from "../../kit/files/csv.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Tx } from "../../store/store.ts";
import type { openCategoryPaths } from "../categories/category-paths.ts";
import type { SlugStyle } from "../products/slug.ts";
import type { Columns } from "./columns.ts";
import type { Fault } from "./faults.ts";
import type { ProductFinder } from "./product-finder.ts";
import type { Said, SaidKey } from "./said.ts";
import type { ImportItemRecord, ImportOptions, ImportPreview, ImportRecord } from "./schema.ts";

export type Outcome = "created" | "changed" | "skipped";

/** What reading a file depends on beside its bytes. */
export interface ReadContext {
  readonly currency: string;
  readonly slugStyle: SlugStyle;
  /** Of the shop. */
  readonly timeZone: string;
  readonly options: ImportOptions;
}

/** What storing one record depends on. */
export interface ApplyOptions {
  readonly record: Pick<ImportRecord, "id" | "options">;
  /** The place of the record in the file, from 1. */
  readonly number: number;
  readonly nowMs: number;
  readonly box: SecretBox;
  readonly paths: Awaited<ReturnType<typeof openCategoryPaths>>;
  readonly goods: ProductFinder;
}

/** What became of one record, with what could not be carried over. */
export interface Applied {
  readonly outcome: Outcome;
  readonly notes?: readonly Fault[];
}

/** One record of a file that can be stored. */
export interface GoodItem {
  readonly line: number;
  readonly title: string;
  /** Rows of the file. */
  readonly rows: number;
  readonly pictures: number;
  /** What people compare with the former shop. */
  readonly preview: Pick<ImportPreview, "price" | "variants" | "detail">;
  /** What cannot be carried over. */
  readonly notes: readonly Fault[];
  /** Stores it with what undoes it. Throws AppError for the shop's rules. */
  apply(tx: Tx, options: ApplyOptions): Promise<Applied>;
  /** What is wrong with it when {@link apply} throws. */
  toFaults(error: AppError): Fault[];
}

/** One record of a file that has faults. */
export interface BadItem {
  readonly line: number;
  readonly title: string;
  readonly rows: number;
  readonly faults: readonly Fault[];
}

export type ReadItem = GoodItem | BadItem;

export function isGood(item: ReadItem): item is GoodItem {
  return "apply" in item;
}

/** What became of a record when its import was undone. */
export interface Undone {
  readonly undo: NonNullable<ImportItemRecord["undo"]>;
  readonly reason?: Said;
}

export interface ImportKind {
  readonly columns: Columns<string>;
  /** Columns without which nothing can be read, each with the text that asks for it. */
  readonly needed: readonly { readonly oneOf: readonly string[]; readonly missing: SaidKey }[];
  /** Examples of its columns are masked: records of imports are not encrypted. */
  readonly isSecret?: boolean;
  /** Reads the records of a file; `open` reads it from its start. */
  read(open: () => AsyncIterable<CsvRow>, context: ReadContext): AsyncGenerator<ReadItem, void>;
  /** Removes what the import created, or restores what it changed, unless someone changed it since. */
  undo(tx: Tx, item: ImportItemRecord, options: { nowMs: number; box: SecretBox }): Promise<Undone>;
}
