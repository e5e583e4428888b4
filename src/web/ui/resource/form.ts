/** A form as data: its fields, the kind and panel of each, and what is sent. */
import type { ComponentChildren } from "preact";
import type { z } from "zod";
import type { FieldJson, FieldsJson } from "../../../kit/fields/field-json.ts";
import type { TextName } from "../../app/texts.ts";
import type { Fault, ParsedForm } from "../forms/parsed.ts";
import { type FieldSource, toFields } from "./field-source.ts";
import { type At, type FieldRule, type Form, type Kind, toChoiceText } from "./kind.ts";
import { type OwnKinds, findOwnFault, isAsked, kindOf, toPointers } from "./kind-of.ts";

export type { FieldSource } from "./field-source.ts";

/** The object behind what wraps it. */
type Inner<T> = T extends z.ZodObject
  ? T
  : T extends z.ZodOptional<infer U> | z.ZodNullable<infer U> | z.ZodDefault<infer U> | z.ZodPrefault<infer U>
    ? Inner<U>
    : never;
/** Names of members with those of their members. */
type MemberNames<S extends z.ZodRawShape> = {
  [K in keyof S & string]:
    | K
    | (Inner<S[K]> extends never ? never : `${K}/${keyof Inner<S[K]>["shape"] & string}`);
}[keyof S & string];
type ShapeNames<S extends z.ZodRawShape> = {
  [K in keyof S & string]:
    | K
    | (Inner<S[K]> extends never ? never : `${K}/${MemberNames<Inner<S[K]>["shape"]>}`);
}[keyof S & string];
/** The names of a source's fields; "contact/email" is that of a member of a member, and theirs may be named, too. */
export type FieldName<S> = S extends z.ZodObject ? ShapeNames<S["shape"]> : keyof S & string;
/** The request body before the schema parses it. */
export type Sent<S> = S extends z.ZodObject ? z.input<S> : Readonly<Record<string, unknown>>;

/** A field in its position, with what its schema does not say. */
export type PlacedField<Name extends string, C> = FieldRule<C> & { readonly name: Name };

/** Props of custom parts of a panel. */
export interface PanelPart<C> {
  readonly form: Form;
  readonly context: C;
}

/** Fields of one panel. Those in a nested list share a row. */
export interface FormPanel<Name extends string, C = unknown> {
  /** Without one, the fields have no panel. */
  readonly title?: TextName;
  readonly hint?: TextName | readonly TextName[];
  readonly fields: readonly (Name | readonly Name[] | PlacedField<Name, C>)[];
  /** Above and below its fields: what follows from what is typed, such as an estimate. */
  readonly Above?: Slot<PanelPart<C>>;
  readonly Below?: Slot<PanelPart<C>>;
  /** Fields that few change: below the others, folded away while they are as they begin. */
  readonly fold?: {
    readonly title: TextName;
    readonly fields: readonly (Name | PlacedField<Name, C>)[];
  };
  /** The whole panel is folded away; its title says how many of its fields are not as they begin. */
  readonly folded?: true;
}

export interface FieldForm<S extends FieldSource, C = unknown> {
  /** In the browser its description is what is there (scripts/schema-descriptions.ts). */
  readonly schema: S;
  /** Prefix of its text names: "<words>.<field>", "<words>.<field>.hint". */
  readonly words: string;
  /** Rules beyond the schema; false: not a field. */
  readonly fields?: { readonly [K in FieldName<S>]?: FieldRule<C> | false };
  /** A field without a panel goes to the end of the last one; without panels there are only fields. */
  readonly panels?: readonly FormPanel<FieldName<S>, C>[];
  /** Asks only for the fields that panels name, as a part of many settings does. */
  readonly only?: "panels";
  /** Kinds of this console's own. */
  readonly kinds?: OwnKinds<C>;
  /** Errors between fields, by pointer; `fields` lacks values that could not be parsed. */
  readonly check?: (fields: Partial<Sent<S>>, context: C) => ReadonlyMap<string, Fault>;
}

/** A field as the form has it. */
export interface FormField<C> {
  readonly name: string;
  readonly json: FieldJson;
  readonly rule: FieldRule<C>;
  readonly kind: Kind<C>;
}

type Rows = readonly (readonly string[])[];

interface MadePanel<C> {
  readonly title?: TextName;
  readonly hint?: TextName | readonly TextName[];
  readonly rows: Rows;
  readonly Above?: Slot<PanelPart<C>>;
  readonly Below?: Slot<PanelPart<C>>;
  readonly fold?: { readonly title: TextName; readonly rows: Rows } | undefined;
  readonly folded?: true;
}

/** A form as pages use it, created once; `F` is the request body. */
export interface MadeForm<C, F = Readonly<Record<string, unknown>>> {
  readonly words: string;
  readonly fields: ReadonlyMap<string, FormField<C>>;
  readonly panels: readonly MadePanel<C>[];
  readonly pointers: readonly string[];
  check(fields: Partial<F>, context: C): ReadonlyMap<string, Fault>;
}

type Placed = string | readonly string[] | { readonly name: string };

function isRow(placed: Placed): placed is readonly string[] {
  return Array.isArray(placed);
}

function toRows(names: readonly Placed[]): readonly (readonly string[])[] {
  return names.map((placed) => {
    if (isRow(placed)) return placed;
    return [typeof placed === "string" ? placed : placed.name];
  });
}

/** A field by its name, or by the path of a member of a member. */
function findField(fields: FieldsJson, path: string): FieldJson | undefined {
  if (path in fields) return fields[path];
  const [name = "", ...rest] = path.split("/");
  const field = fields[name];
  if (rest.length === 0 || field === undefined) return field;
  const inner = findField(field.fields ?? {}, rest.join("/"));
  // What the object begins with, each member may begin with.
  const initial = findMember(field.initial, rest.join("/"));
  // What it depends on is a member of the same object.
  const when = inner?.when && { ...inner.when, name: `${name}/${inner.when.name}` };
  return inner && { ...(initial !== undefined && { initial }), ...inner, ...(when && { when }) };
}

/** The fields that a form asks for, in the order of the schema; members of members after them. */
function listAsked(all: FieldsJson, placed: readonly string[], only: boolean): readonly string[] {
  const own = Object.keys(all).filter((name) => !only || placed.includes(name));
  return [...own, ...placed.filter((name) => name.includes("/") && !(name in all))];
}

const made = new WeakMap<object, MadeForm<never, never>>();

/** Creates the kinds of a form's fields. */
export function makeForm<S extends FieldSource, C = unknown>(form: FieldForm<S, C>): MadeForm<C, Sent<S>> {
  const known = made.get(form);
  // It was made of the same form, which has this context.
  if (known !== undefined) return known as unknown as MadeForm<C, Sent<S>>;
  const rules: Record<string, FieldRule<C> | false | undefined> = { ...form.fields };
  const fields = new Map<string, FormField<C>>();
  const places = (form.panels ?? []).flatMap(({ fields: names, fold }) => [
    ...names,
    ...(fold?.fields ?? []),
  ]);
  for (const entry of places) if (typeof entry === "object" && "name" in entry) rules[entry.name] = entry;
  const all = toFields(form.schema);
  for (const name of listAsked(all, toRows(places).flat(), form.only === "panels")) {
    const described = findField(all, name);
    const rule = rules[name] ?? {};
    if (rule === false || described === undefined) continue;
    const json = { ...described, ...rule.json };
    const kind = rule.kind === undefined ? kindOf(json, form.kinds) : rule.kind(json);
    fields.set(name, { name, json, rule, kind });
  }
  const panels: MadePanel<C>[] = (form.panels ?? []).map(({ fields: names, fold, ...panel }) => ({
    ...panel,
    rows: toRows(names),
    fold: fold && { title: fold.title, rows: toRows(fold.fields) },
  }));
  const placed = new Set(toRows(places).flat());
  const rest = [...fields.keys()].filter((name) => !placed.has(name)).map((name) => [name]);
  const last = panels.pop();
  const { check } = form;
  const result: MadeForm<C, Sent<S>> = {
    words: form.words,
    fields,
    panels: [...panels, { ...last, rows: [...(last?.rows ?? []), ...rest] }],
    pointers: [...fields.values()].flatMap(({ name, json }) => toPointers(name, json)),
    check: (values, context) => check?.(values, context) ?? new Map(),
  };
  made.set(form, result);
  return result;
}

/** The name of a field's label. */
export function labelName<C>(
  { words }: Pick<MadeForm<C>, "words">,
  { name, rule }: FormField<C>,
  form: Form,
): string {
  const { label = `${words}.${name}` } = rule;
  return typeof label === "function" ? label(form) : label;
}

/** Whether the form shows a field now. */
export function isFieldAsked<C>({ json, rule }: FormField<C>, form: Form): boolean {
  return rule.when === undefined ? isAsked(json, form) : rule.when(form);
}

/** Initial values of a new record. */
export function toBlank<C>({ fields }: Pick<MadeForm<C>, "fields">): Form {
  return Object.fromEntries([...fields.values()].map(({ name, kind }) => [name, kind.blank]));
}

/** A value in an object, or in a member of a member: "contact/email". */
export function findMember(source: unknown, path: string): unknown {
  let value = source;
  for (const name of path.split(/[/.]/u))
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}

/** The members of flat groups, unless they belong to another kind than the stored one. */
function pickFlat({ fields = {}, when }: FieldJson, stored: object): object | undefined {
  const isOther = when !== undefined && !when.among.includes(toChoiceText(findMember(stored, when.name)));
  if (isOther) return undefined;
  const members = Object.keys(fields).map((name) => [name, findMember(stored, name)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Fields as a request has them: { "contact/email": x } is { contact: { email: x } }. */
export function nestFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(fields)) {
    const [name = "", ...rest] = path.split("/");
    if (rest.length === 0) nested[name] = value;
    else nested[name] = { ...asObject(nested[name]), ...nestFields({ [rest.join("/")]: value }) };
  }
  return nested;
}

/** The fields of something stored; null for one that it lacks and that can be taken away. */
export function pickFields<C>(
  { fields }: Pick<MadeForm<C>, "fields" | "words">,
  stored: object,
): Readonly<Record<string, unknown>> {
  const all = [...fields.values()].map(({ name, json }): [string, unknown] => [
    name,
    (json.flat === true ? pickFlat(json, stored) : findMember(stored, name)) ??
      (json.nullable === true ? null : undefined),
  ]);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** The same as it is typed. */
export function toTyped<C>(
  form: Pick<MadeForm<C>, "fields" | "words">,
  fields: Readonly<Record<string, unknown>>,
  context: C,
): Form {
  // Kinds look at each other's values as they are stored, for example whether an amount is a percentage.
  const plain = Object.entries(fields).filter(
    (entry): entry is [string, string | boolean] =>
      typeof entry[1] === "string" || typeof entry[1] === "boolean",
  );
  const stored: Form = { ...toBlank(form), ...Object.fromEntries(plain) };
  return Object.fromEntries(
    [...form.fields.values()].map((field) => {
      const at: At<C> = { form: stored, context, words: labelName(form, field, stored) };
      return [field.name, field.kind.toTyped(fields[field.name], at)];
    }),
  );
}

/** Reads what was typed; `before` is what was stored. */
export function readForm<C, F>(
  form: MadeForm<C, F>,
  typed: Form,
  { context, before = {} }: { context: C; before?: Readonly<Record<string, unknown>> },
): ParsedForm<F, Fault> {
  const faults = new Map<string, Fault>();
  const values: Record<string, unknown> = {};
  for (const field of form.fields.values()) {
    const { name, json, rule, kind } = field;
    if (!isFieldAsked(field, typed)) {
      if (rule.keep === true) {
        if (name in before) values[name] = before[name];
      } else if (json.nullable === true) values[name] = null;
      continue;
    }
    const value = typed[name] ?? kind.blank;
    const at = { form: typed, context, words: labelName(form, field, typed), before: before[name] };
    const got = kind.read(value, at);
    if ("fault" in got) {
      const isEmpty = got.fault === "admin.fault.missing";
      const own = (isEmpty ? rule.missing : rule.fault) ?? findOwnFault(got.fault, at.words);
      faults.set(`/${name}`, own ?? got.fault);
    } else if ("faults" in got)
      for (const [inner, fault] of got.faults)
        faults.set(json.flat === true ? inner : `/${name}${inner}`, fault);
    else if (json.flat === true) Object.assign(values, got.value);
    else if (got.value !== undefined) values[name] = got.value;
  }
  // What was read has the names and values that the form's schema takes.
  const fields = values as F;
  for (const [at, fault] of form.check(fields, context)) if (!faults.has(at)) faults.set(at, fault);
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

/** A form after a change; a member that is left out stays. */
export function toNext(before: Form, change: Partial<Form>): Form {
  const given = Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...before, ...Object.fromEntries(given) };
}

/** A component that a caller may draw around a form. */
export type Slot<Props> = (props: Props) => ComponentChildren;
