/** Settings as tables of fields: which kind each is, and what is sent of what was typed. */
import type { TextName } from "../../app/texts.ts";
import { type Edited, type ParsedForm, parseWhole } from "../forms/parsed.ts";

/** A setting as it is stored and sent; null for a number that may be absent. */
export type Value = string | number | boolean | readonly string[] | null;
export type Fields = Readonly<Record<string, Value>>;
/** The same as it is typed: numbers are texts. */
export type Form = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface FieldSpec {
  /** Its name; "contact/email" is that of a member of a member. */
  readonly key: string;
  readonly label: TextName;
  /** Where it is not "<label>.hint"; empty for none. */
  readonly hint?: TextName | "";
  readonly kind:
    | "line"
    | "long"
    | "tick"
    | "words"
    | "secret"
    | { readonly min: number; readonly max: number; readonly optional?: true }
    | ({ readonly choices: readonly string[] } & ValueWords)
    /** One of a list whose labels are words already. */
    | { readonly listed: () => readonly LabelledValue[] }
    /** Any of them, each with a tick. */
    | ({ readonly anyOf: readonly string[] } & ValueWords);
}

/** A value of a list, in the words in which it is chosen. */
export interface LabelledValue {
  readonly value: string;
  readonly label: string;
}

interface ValueWords {
  /** What the texts of the values begin with, where it is not the label: "<words>.<value>". */
  readonly words?: string;
}

/** The values among which a field chooses; none for one of another kind. */
export function listValues({ kind }: FieldSpec): readonly string[] {
  if (typeof kind !== "object") return [];
  return "choices" in kind ? kind.choices : "anyOf" in kind ? kind.anyOf : [];
}

/** The fields of a record, those of its members too. */
export function pickFields(specs: readonly FieldSpec[], stored: object): Fields {
  const find = (key: string): unknown =>
    key
      .split("/")
      .reduce<unknown>(
        (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
        stored,
      );
  // The API's answer has for each key what its kind says.
  const toValue = ({ key, kind }: FieldSpec): Value => {
    const isOptional = typeof kind === "object" && "optional" in kind;
    return (find(key) as Value | undefined) ?? (isOptional ? null : "");
  };
  return Object.fromEntries(specs.map((spec) => [spec.key, toValue(spec)]));
}

/** The fields as a request has them: { "contact/email": x } is { contact: { email: x } }. */
export function nestFields(fields: Fields): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const [name = "", ...rest] = key.split("/");
    const inner: unknown = nested[name];
    nested[name] =
      rest.length === 0
        ? value
        : {
            ...(typeof inner === "object" ? inner : {}),
            ...nestFields({ [rest.join("/")]: value }),
          };
  }
  return nested;
}

/** What is stored, as it is typed. */
export function toForm(specs: readonly FieldSpec[], fields: Fields): Form {
  const typed = specs.map(({ key }): [string, string | boolean | readonly string[]] => {
    const value = fields[key] ?? "";
    return [key, value === null ? "" : typeof value === "number" ? String(value) : value];
  });
  return Object.fromEntries(typed);
}

/** What was typed, as it is sent. */
export function parseForm(specs: readonly FieldSpec[], form: Form): ParsedForm<Fields> {
  const faults = new Map<string, TextName>();
  const fields: Record<string, Value> = {};
  for (const { key, kind } of specs) {
    const typed = form[key] ?? "";
    if (typeof kind === "object" && "min" in kind) {
      const isAbsent = kind.optional === true && String(typed).trim() === "";
      const whole = isAbsent ? null : parseWhole(String(typed), kind);
      if (whole === undefined) faults.set(`/${key}`, "admin.fault.number");
      else fields[key] = whole;
    } else fields[key] = typeof typed === "string" && kind !== "long" ? typed.trim() : typed;
  }
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

/** How the fields of a record are edited, but for how they are sent. */
export function editFields(
  specs: readonly FieldSpec[],
): Omit<Edited<object, Form, Fields>, "send" | "reload"> {
  return {
    pick: (stored) => pickFields(specs, stored),
    toForm: (fields) => toForm(specs, fields),
    parse: (form) => parseForm(specs, form),
  };
}
