/** Products as a file describes them, before the shop's rules are applied. */
import type { Fault } from "./faults.ts";

export interface DraftPicture {
  /** An http address, or the name of a file in the archive. */
  readonly source: string;
  readonly alt: string;
  readonly line: number;
  /** Places of the variants that show it first. */
  readonly variants: number[];
}

export interface ProductDraft {
  /** Its first line, and the line of each variant. */
  readonly line: number;
  readonly lines: readonly number[];
  readonly title: string;
  readonly slug: string;
  /** Fields for the product's schema, which checks them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Titles from the top down. */
  readonly category: readonly string[];
  readonly pictures: readonly DraftPicture[];
  /** Paths of the product in the shop that it came from. */
  readonly paths: readonly string[];
  /** How a price was read, for people: "1.234,56 € → 1234.56". */
  readonly price: string;
  /** The shop that it came from with its ID there, such as "woocommerce:44". */
  readonly foreign: string | undefined;
  /** What cannot be carried over. */
  readonly notes: readonly Fault[];
}
