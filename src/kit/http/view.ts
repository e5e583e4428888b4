/** Answers made of records by the schema that documents them, at the cost of a copy: what is stored was checked before. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../text/iso-time.ts";

/** A time of an answer: epoch milliseconds in the record, ISO 8601 in the view. */
export const isoTime: z.ZodCodec<z.ZodNumber, z.ZodISODateTime> = z
  .codec(z.number().int(), isoTimeSchema, { decode: toIsoTime, encode: (text) => Date.parse(text) })
  .openapi({ type: "string", format: "date-time" });

type Encode = (value: unknown) => unknown;

/** What turns a value into that of an answer; undefined where it stays as it is. */
function findEncode(schema: unknown): Encode | undefined {
  if (schema === isoTime) return (value) => (typeof value === "number" ? toIsoTime(value) : value);
  if (schema instanceof z.ZodObject) return createCopy(schema);
  if (schema instanceof z.ZodArray) {
    const encode = findEncode(schema.element);
    return encode && ((value) => (Array.isArray(value) ? value.map((item) => encode(item)) : value));
  }
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? findEncode(schema.unwrap()) : undefined;
}

function createCopy({ shape }: z.ZodObject): (value: unknown, more?: object) => unknown {
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

/** Makes an answer of a record and of what the record does not have, or has in another form. */
export type View<S extends z.ZodObject> = <M extends Partial<z.input<S>>>(
  record: Omit<z.input<S>, keyof M>,
  more?: M,
) => z.output<S>;

/**
 * Makes the view of an answer's schema: it has the members that the schema names and no others, and times
 * ({@link isoTime}) in ISO 8601, also in its objects and lists.
 */
export function createView<S extends z.ZodObject>(schema: S): View<S> {
  const copy = createCopy(schema);
  // Members are copied by the names of the schema, so the view has its type by construction.
  return (record, more) => copy(record, more) as z.output<S>;
}
