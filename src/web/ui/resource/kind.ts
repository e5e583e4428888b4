/** Kinds of fields: how a value is edited, parsed, drawn in a form and shown as text. */
import type { JSX } from "preact";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import type { TextName } from "../../app/texts.ts";
import type { Fault } from "../forms/parsed.ts";

/** Form value of a field. */
export type Typed = string | boolean | readonly Typed[] | { readonly [name: string]: Typed };
export type Form = Readonly<Record<string, Typed>>;

/** The surroundings of a field: its form, and what the console knows (its currency, its categories). */
export interface At<C> {
  readonly form: Form;
  /** The form as a whole, where `form` is that of a row or a group in it. */
  readonly whole?: Form;
  readonly context: C;
  /** The name of its label's text, with which those of its choices begin. */
  readonly words: string;
  /** The stored value, for kinds that keep unchanged ones. */
  readonly before?: unknown;
}

/** A field in a form. */
export interface Shown<C> extends At<C> {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly placeholder: string | undefined;
  readonly value: Typed;
  readonly error: string | undefined;
  /** Error of a part, by its JSON Pointer within the field: "/0/from". */
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onChange: (value: Typed) => void;
}

/** A value to send (undefined: nothing), or what is wrong, with the whole or by pointers within it. */
export type Read =
  | { readonly value: unknown }
  | { readonly fault: Fault }
  | { readonly faults: ReadonlyMap<string, Fault> };

export interface Kind<C> {
  /** Form value in a form for a new record. */
  readonly blank: Typed;
  readonly toTyped: (value: unknown, at: At<C>) => Typed;
  readonly read: (typed: Typed, at: At<C>) => Read;
  readonly Field: (props: Shown<C>) => JSX.Element | null;
  readonly say: (value: unknown, at: At<C>) => string;
  /** Prefix of the text names of its choices; the label by default. */
  readonly choiceWords?: string | undefined;
  /** Its choices are no texts of the console. */
  readonly hasOwnWords?: boolean;
}

/** Creates the kind of a field from its schema's description. */
export type KindOf<C> = (json: FieldJson) => Kind<C>;

/** Rules of a form for a field, beyond its schema. */
export interface FieldRule<C> {
  /** Where it is not the kind that its schema gives. */
  readonly kind?: KindOf<C>;
  /** Bounds and beginnings of this form alone. */
  readonly json?: Partial<FieldJson>;
  /** Where it is not "<words>.<name>". */
  readonly label?: TextName | ((form: Form) => TextName);
  /** Where it is not "<label>.hint"; "" for none. A function gives the words themselves. */
  readonly hint?: TextName | "" | ((form: Form) => string);
  readonly placeholder?: TextName;
  /** Asked for only while this holds; else null is sent, or nothing where null is refused. */
  readonly when?: (form: Form) => boolean;
  /** While it is not asked for, what is stored stays. */
  readonly keep?: true;
  /** Other fields that change with it. */
  readonly sets?: (value: Typed, form: Form) => Form;
  /** Either way is common: the fold that it is in does not open for it. */
  readonly common?: true;
  /** Said in the place of the kind's own words when the value cannot be read. */
  readonly fault?: TextName;
  /** Said when it is required and empty, where it is not "<label>.missing". */
  readonly missing?: TextName;
}

export function isTypedList(typed: Typed | undefined): typed is readonly Typed[] {
  return Array.isArray(typed);
}

export function isTypedGroup(typed: Typed | undefined): typed is { readonly [name: string]: Typed } {
  return typeof typed === "object" && !isTypedList(typed);
}

/** A value that is one of a few, as the choice has it. */
export function toChoiceText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** Form value of a text field. */
export function toText(typed: Typed | undefined): string {
  return typeof typed === "string" ? typed : "";
}

/** The texts of a typed list. */
export function toTexts(typed: Typed | undefined): readonly string[] {
  return isTypedList(typed) ? typed.map(toText) : [];
}

/** A member of a typed group as text. */
export function memberText(typed: Typed | undefined, name: string): string {
  return isTypedGroup(typed) ? toText(typed[name]) : "";
}
