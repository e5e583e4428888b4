/**
 * The fields of an object's schema as data: kind, bounds, choices, default. Consoles draw their forms from it. The build
 * of the consoles (scripts/schema-descriptions.ts) puts the data in the place of the schemas, so no browser loads zod.
 */
import { z } from "zod";
import { type FieldHints, fieldHints } from "../text/field-hints.ts";
import type { ChoiceValue, FieldJson, FieldsJson } from "./field-json.ts";

/** The description of a schema's fields, by the names of its members. */
export type Described<S extends z.ZodObject> = Readonly<Record<keyof S["shape"] & string, FieldJson>>;

/** A value in JSON Schema. */
interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ValueSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Unwrapped {
  readonly inner: z.core.$ZodType;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly initial: unknown;
  readonly hints: FieldHints;
}

function unwrap(schema: z.core.$ZodType): Unwrapped {
  let inner = schema;
  let required = true;
  let nullable = false;
  let initial: unknown;
  let hints: FieldHints = {};
  for (;;) {
    hints = { ...fieldHints.get(inner), ...hints };
    if (inner instanceof z.ZodOptional) required = false;
    else if (inner instanceof z.ZodNullable) nullable = true;
    else if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      required = false;
      initial ??= inner.def.defaultValue;
    } else if (!(inner instanceof z.ZodPipe)) return { inner, required, nullable, initial, hints };
    inner = inner instanceof z.ZodPipe ? inner.in : inner.unwrap();
  }
}

function isChoice(value: unknown): value is ChoiceValue {
  return typeof value === "string" || typeof value === "number";
}

function toChoices(values: readonly unknown[] | undefined): readonly ChoiceValue[] | undefined {
  return values?.every(isChoice) === true ? values : undefined;
}

/** The values of a choice, or of choices beside each other. */
function listValues({ enum: values, anyOf }: ValueSchema): readonly unknown[] | undefined {
  if (anyOf === undefined) return values;
  const all = anyOf.map((one) => (one.const === undefined ? one.enum : [one.const]));
  return all.every((some) => some !== undefined) ? all.flat() : undefined;
}

/** An empty text, or a text that may be one, in the place of a value. */
function withoutEmpty(inner: z.core.$ZodType): Pick<Unwrapped, "inner" | "hints"> {
  if (!(inner instanceof z.ZodUnion)) return { inner, hints: {} };
  const rest = inner.options.filter((one) => !(one instanceof z.ZodLiteral && one.value === ""));
  return rest.length === 1 && rest[0] !== undefined ? unwrap(rest[0]) : { inner, hints: {} };
}

function describeList(inner: z.ZodArray, { minItems, maxItems }: ValueSchema): FieldJson {
  const element = unwrap(inner.element).inner;
  const bounds = { min: minItems, max: maxItems };
  if (element instanceof z.ZodObject) return { kind: "list", fields: describeFields(element), ...bounds };
  const { enum: values } = toJson(element);
  const choices = toChoices(values);
  return choices === undefined ? { kind: "tags", ...bounds } : { kind: "choices", choices, ...bounds };
}

function toJson(schema: z.core.$ZodType): ValueSchema {
  // `as`: the members that are read are those that JSON Schema has by its definition.
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as ValueSchema;
}

function describeValue(schema: z.core.$ZodType): FieldJson {
  const { inner, hints } = withoutEmpty(schema);
  if (inner instanceof z.ZodObject) return { kind: "group", fields: describeFields(inner) };
  const json = toJson(inner);
  if (inner instanceof z.ZodArray) return describeList(inner, json);
  if (inner instanceof z.ZodRecord) {
    const { valueType } = inner;
    return valueType instanceof z.ZodObject
      ? { kind: "pairs", fields: describeFields(valueType) }
      : { kind: "pairs" };
  }
  const choices = toChoices(listValues(json));
  if (choices !== undefined) return { kind: "choice", choices };
  if (json.type === "boolean") return { kind: "switch" };
  if (json.type === "integer" || json.type === "number")
    return { kind: "number", min: json.minimum, max: json.maximum };
  if (json.format === "date-time") return { kind: "time" };
  return { kind: "text", min: json.minLength, max: json.maxLength, ...hints };
}

function describeField(schema: z.core.$ZodType): FieldJson {
  const { inner, required, nullable, initial, hints } = unwrap(schema);
  const all = { ...describeValue(inner), required, nullable, initial, ...hints };
  // Only what it says: the browser gets it as it is.
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== false),
  ) as typeof all;
}

function describeFields(schema: z.ZodObject): FieldsJson {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, describeField(member)]));
}

/** Describes the members of an object. */
export function describeSchema<S extends z.ZodObject>(schema: S): Described<S> {
  return describeFields(schema);
}
