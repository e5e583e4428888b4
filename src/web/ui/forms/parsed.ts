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

/** What is edited, and how: `Stored` as it is kept, `Form` as it is typed, `Fields` as they are sent. */
export interface Edited<Stored, Form, Fields> {
  readonly pick: (stored: Stored) => Fields;
  readonly toForm: (fields: Fields) => Form;
  readonly parse: (form: Form, before: Fields) => ParsedForm<Fields>;
  /** Sends fields in place of `from`; ApiError `version_conflict` or `stale_version` when somebody else was quicker. */
  readonly send: (from: Stored, fields: Fields) => Promise<Stored>;
  readonly reload: (stored: Stored) => Promise<Stored>;
}
