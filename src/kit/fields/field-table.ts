/**
 * The fields of a noun, each said once: the schemas of its record, of requests and of answers follow, and so does the
 * form in the console (describe.ts). What no administrator sets stays beside the table.
 */
import { z } from "zod";
import { fieldHints } from "../text/field-hints.ts";
import { isoTimeMs, isoTimeSchema } from "../text/iso-time.ts";
import { timeMs } from "../text/schemas.ts";

/** A field: how the store, a change and an answer have it. */
export interface TableField<
  R extends z.ZodType = z.ZodType,
  C extends z.ZodType = z.ZodType,
  V extends z.ZodType = z.ZodType,
> {
  readonly record: R;
  readonly change: C;
  readonly view: V;
  /** Default for new records. */
  readonly initial?: z.infer<R>;
}

export type FieldTable = Readonly<Record<string, TableField>>;

type RecordShape<T extends FieldTable> = { [K in keyof T]: T[K]["record"] };
type ChangeShape<T extends FieldTable> = { [K in keyof T]: T[K]["change"] };
type TimeNames<T extends FieldTable> = {
  [K in keyof T]: T[K]["view"] extends z.ZodOptional<z.ZodISODateTime> ? K : never;
}[keyof T];

/** A table's fields as answers have them. */
export type ViewOf<T extends FieldTable> = z.infer<z.ZodObject<{ [K in keyof T]: T[K]["view"] }>>;

/** A field that every record has. `change`: what requests may say, where that is less than what is stored. */
export function always<R extends z.ZodType, C extends z.ZodType = R>(
  record: R,
  { change }: { change?: C } = {},
): TableField<R, z.ZodOptional<C>, R> {
  // Without `change` the type C is R.
  return { record, change: z.optional(change ?? record) as z.ZodOptional<C>, view: record };
}

/** The same, with what a new record has where the request says nothing. */
export function filled<R extends z.ZodType>(
  record: R,
  initial: z.infer<R>,
): TableField<R, z.ZodOptional<R>, R> & { readonly initial: z.infer<R> } {
  const change = z.optional(record);
  fieldHints.add(change, { initial });
  return { record, change, view: record, initial };
}

/** A field that a record may lack; null in a change takes it away. */
export function maybe<R extends z.ZodType>(
  record: R,
): TableField<z.ZodOptional<R>, z.ZodOptional<z.ZodNullable<R>>, z.ZodOptional<R>> {
  return { record: record.optional(), change: record.nullable().optional(), view: record.optional() };
}

/** A moment that a record may lack: epoch milliseconds there, ISO 8601 on the wire. */
export function maybeTime(): TableField<
  z.ZodOptional<z.ZodNumber>,
  z.ZodOptional<z.ZodNullable<typeof isoTimeMs>>,
  z.ZodOptional<z.ZodISODateTime>
> {
  return {
    record: timeMs.optional(),
    change: isoTimeMs.nullable().optional(),
    view: isoTimeSchema.optional(),
  };
}

function pick<T extends FieldTable>(table: T, part: "record" | "change"): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, field[part]]));
}

/** For the schema of a record. */
export function recordShape<T extends FieldTable>(table: T): RecordShape<T> {
  return pick(table, "record") as RecordShape<T>;
}

/** For the schema of a change: what is absent stays. */
export function changeShape<T extends FieldTable>(table: T): ChangeShape<T> {
  return pick(table, "change") as ChangeShape<T>;
}

/** For viewOf: the names of the fields that answers show as they are stored, and of the moments. */
export function viewNames<T extends FieldTable>(
  table: T,
): { fields: Exclude<keyof T & string, TimeNames<T>>[]; times: (TimeNames<T> & string)[] } {
  const names = Object.keys(table);
  const isTime = (name: string): boolean => {
    const view = table[name]?.view;
    return view instanceof z.ZodOptional && view.unwrap() === isoTimeSchema;
  };
  // The names differ as in the type.
  return {
    fields: names.filter((name) => !isTime(name)) as Exclude<keyof T & string, TimeNames<T>>[],
    times: names.filter(isTime) as (TimeNames<T> & string)[],
  };
}

type FilledNames<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { readonly initial: unknown } ? K : never;
}[keyof T];

/** Initial values of new records. */
export function initialsOf<T extends FieldTable>(
  table: T,
): { [K in FilledNames<T>]: z.infer<T[K]["record"]> } {
  const known = Object.entries(table).filter(([, { initial }]) => initial !== undefined);
  // Those with an initial value are the same as in the type.
  return Object.fromEntries(known.map(([name, { initial }]) => [name, initial])) as {
    [K in FilledNames<T>]: z.infer<T[K]["record"]>;
  };
}

/** Applies a change to a record; null removes a field. */
export function withChange<R extends object>(record: R, change: object): R {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const next = given.map(([name, value]): [string, unknown] => [name, value === null ? undefined : value]);
  // The schema of the change has the names and values of the record, or null.
  return { ...record, ...Object.fromEntries(next) };
}
