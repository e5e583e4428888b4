/** Result of parsing a form: the fields to send, or their errors. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { type Labels, type TextName, labelText, text } from "../../app/texts.ts";

/** An error: the name of its text, or the labels that a service declared. */
export type Fault = TextName | Labels;

/** The same in the reader's language. */
export function sayFault(fault: Fault): string {
  return typeof fault === "string" ? text(fault) : labelText(fault);
}

/** Errors by pointer. */
export type FormFaults<F extends Fault = TextName> = ReadonlyMap<string, F>;

/** The same in the reader's language. */
export function sayFaults(faults: FormFaults<Fault>): ReadonlyMap<string, string> {
  return new Map([...faults].map(([at, fault]) => [at, sayFault(fault)]));
}

export type ParsedForm<T, F extends Fault = TextName> =
  | { readonly ok: true; readonly fields: T }
  | { readonly ok: false; readonly faults: FormFaults<F> };

/** A whole number within bounds, or undefined. */
export function parseWhole(text: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,15}$/u.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** The least and most of a field, as its schema says. */
export function toBounds({ min = 0, max = Number.MAX_SAFE_INTEGER }: Pick<FieldJson, "min" | "max">): {
  min: number;
  max: number;
} {
  return { min, max };
}

/** A whole number within the bounds that a schema says of its field. */
export function parseBounded(text: string, json: Pick<FieldJson, "min" | "max"> = {}): number | undefined {
  return parseWhole(text, toBounds(json));
}

/** An editable record: `Stored` on the server, `Form` in the inputs, `Fields` in requests. */
export interface Edited<Stored, Form, Fields> {
  readonly pick: (stored: Stored) => Fields;
  readonly toForm: (fields: Fields) => Form;
  readonly parse: (form: Form, before: Fields) => ParsedForm<Fields, Fault>;
  /** Sends fields in place of `from`; ApiError `version_conflict` or `stale_version` when somebody else was quicker. */
  readonly send: (from: Stored, fields: Fields) => Promise<Stored>;
  readonly reload: (stored: Stored) => Promise<Stored>;
}

/** Calls `onSaved` with the saved record, or without one after a failure, when the stored record may have changed, too. */
export function tellSaved<T>(sent: Promise<T>, onSaved?: (saved?: T) => void): Promise<T> {
  return sent.then(
    (saved) => {
      onSaved?.(saved);
      return saved;
    },
    (error: unknown) => {
      onSaved?.();
      throw error;
    },
  );
}
