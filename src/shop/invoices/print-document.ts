/** The parts of a printed document, in reading order; HTML and PDF are created from the same. */
import type { StructureElement } from "./pdf-structure.ts";

/** A column of the table; the first one takes the room that the others leave. */
export interface PrintColumn {
  readonly label: string;
  readonly isNumber?: boolean;
}

/** A row of the table: a cell for each column, and small lines below the first. */
export interface PrintRow {
  readonly cells: readonly string[];
  readonly details?: readonly string[];
}

export interface PrintDocument {
  /** "en", "de" or "zh". */
  readonly language: string;
  readonly title: string;
  /** For the properties of a file. */
  readonly createdAt: number;
  readonly sender: readonly string[];
  readonly recipient: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly columns: readonly PrintColumn[];
  readonly rows: readonly PrintRow[];
  /** Below the table, the last one in bold. */
  readonly sums: readonly (readonly [label: string, value: string])[];
  /** Such as the tax by rates. */
  readonly summary?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly notes: readonly string[];
  readonly footer: readonly string[];
  /** With {page} and {pages}. */
  readonly pageWords: string;
  readonly logo?: PrintLogo | undefined;
}

/** The shop's logo. */
export interface PrintLogo {
  /** As a data address. */
  readonly address: string;
  /** Of a PNG, in pixels; SVG is for HTML alone. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  readonly alt: string;
}

interface MarkBase {
  /** Absent for decoration and for what repeats on each page. */
  readonly element?: StructureElement | undefined;
}

/** A text, a line, or the logo on a page; from the left and from the bottom, in points. */
export type Mark =
  | (MarkBase & {
      readonly kind: "text";
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly isBold: boolean;
      /** 0 is black. */
      readonly grey: number;
    })
  | (MarkBase & { readonly kind: "rule"; readonly x: number; readonly y: number; readonly width: number })
  | (MarkBase & {
      readonly kind: "logo";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    });
