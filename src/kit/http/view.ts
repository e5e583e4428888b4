/** Answers made of records by the schema that documents them, at the cost of a copy: what is stored was checked before. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../text/iso-time.ts";

/** A time of an answer: epoch milliseconds in the record, ISO 8601 in the view. */
export const isoTime: z.ZodCodec<z.ZodNumber, z.ZodISODateTime> = z
  .codec(z.number().int(), isoTimeSchema, { decode: toIsoTime, encode: (text) => Date.parse(text) })
  .openapi({ type: "string", format: "date-time" });

type Encode = (value: unknown) => unknown;

/** The conversion of a value for a response; undefined if it is unchanged. */
function findEncode(schema: unknown): Encode | undefined {
  if (schema === isoTime || schema === isoTimeSchema)
    return (value) => (typeof value === "number" ? toIsoTime(value) : value);
  if (schema instanceof z.ZodObject) return createCopy(schema.shape);
  if (schema instanceof z.ZodArray) {
    const encode = findEncode(schema.element);
    return encode && ((value) => (Array.isArray(value) ? value.map((item) => encode(item)) : value));
  }
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? findEncode(schema.unwrap()) : undefined;
}

function createCopy(shape: Readonly<Record<string, unknown>>): (value: unknown, more?: object) => unknown {
  const members = Object.entries(shape).map(([name, member]) => ({ name, encode: findEncode(member) }));
  return (value, more) => {
    if (typeof value !== "object" || value === null) return value;
    const view: Record<string, unknown> = {};
    for (const { name, encode } of members) {
      const member: unknown = Reflect.get(more !== undefined && name in more ? more : value, name);
      if (member !== undefined) view[name] = encode === undefined ? member : encode(member);
    }
    return view;
  };
}

/** Builds a response from a record and from fields that the record lacks or stores in another form. */
export type View<S extends z.ZodObject> = <M extends Partial<z.input<S>>>(
  record: Omit<z.input<S>, keyof M>,
  more?: M,
) => z.output<S>;

/**
 * Creates the view of an answer's schema: it has the members that the schema names and no others, and times
 * ({@link isoTime}) in ISO 8601, also in its objects and lists.
 */
export function createView<S extends z.ZodObject>(schema: S): View<S> {
  const copy = createCopy(schema.shape);
  // Members are copied by the names of the schema, so the view has its type by construction.
  return (record, more) => copy(record, more) as z.output<S>;
}

type IsoTime<S> = S extends z.ZodOptional ? z.ZodOptional<z.ZodISODateTime> : z.ZodISODateTime;
type Shown<R extends z.ZodRawShape, F extends keyof R, T extends keyof R> = {
  [K in F | T]: K extends T ? IsoTime<R[K]> : R[K];
};

/** The part of a record in a response. */
export interface RecordView<R extends z.ZodRawShape, F extends keyof R, T extends keyof R> {
  /** For the schema of the answer. */
  readonly shape: Shown<R, F, T>;
  /** Copies the members that are shown; absent ones stay absent. */
  readonly show: (record: z.infer<z.ZodObject<Pick<R, F | T>>>) => z.infer<z.ZodObject<Shown<R, F, T>>>;
}

/** Shows `fields` of a record's schema as they are and `times`, epoch milliseconds in the record, as ISO 8601. */
export function viewOf<
  R extends z.ZodRawShape,
  F extends keyof R & string,
  T extends keyof R & string = never,
>({ shape }: z.ZodObject<R>, fields: readonly F[], times: readonly T[] = []): RecordView<R, F, T> {
  const shown: Record<string, unknown> = {};
  for (const name of fields) shown[name] = shape[name];
  for (const name of times)
    shown[name] = shape[name] instanceof z.ZodOptional ? isoTimeSchema.optional() : isoTimeSchema;
  const copy = createCopy(shown);
  const show = (record: unknown): unknown => copy(record); // alone: lists call it with an index, too
  // Both are made of these names above; TypeScript does not follow loops over keys.
  return { shape: shown, show } as unknown as RecordView<R, F, T>;
}
