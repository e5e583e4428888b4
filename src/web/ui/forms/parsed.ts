/** What comes of a form as it is typed: the fields to send, or what is wrong with them. */
import type { TextName } from "../../app/texts.ts";

/** What is wrong, by pointer; the names of texts that say it. */
export type FormFaults = ReadonlyMap<string, TextName>;

export type ParsedForm<T> =
  | { readonly ok: true; readonly fields: T }
  | { readonly ok: false; readonly faults: FormFaults };

/** A whole number within bounds, or undefined. */
export function parseWhole(text: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,15}$/u.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
