/**
 * A field of a form as data: what a service declares, what is read out of a schema (describe.ts), and what the consoles
 * draw (`kindOf` in web/ui/resource/kind-of.ts). It travels as JSON.
 */

/** Words in each language, English at least. */
export interface Labels {
  readonly en: string;
  readonly [language: string]: string;
}

/** The type of a field and its input. A console may add kinds, such as amounts in its currency. */
export type FieldKind =
  | "text"
  | "switch"
  | "choice"
  /** Any of `choices`. */
  | "choices"
  | "number"
  /** Hundredths of a percent. */
  | "percent"
  /** Minor units of the console's currency. */
  | "money"
  /** A moment, ISO 8601. */
  | "time"
  /** Seconds. */
  | "duration"
  /** Several words. */
  | "tags"
  | "secret"
  /** An IANA time zone. */
  | "zone"
  /** Names with a value each. */
  | "pairs"
  /** Objects, one after the other, each with `fields`. */
  | "list"
  /** An object with `fields`. */
  | "group"
  /** The ID of a channel of the monitor. */
  | "channel"
  /** The name of what the monitor measures of a server. */
  | "metric"
  /** The same of a part of a server. */
  | "partMetric"
  /** A number in the unit of that metric. */
  | "threshold";

/** A value of a choice. */
export type ChoiceValue = string | number;

/** A field. */
export interface FieldJson {
  readonly kind: FieldKind;
  /** Without it the form is not complete. */
  readonly required?: boolean;
  /** An empty field means null, which takes the value away. */
  readonly nullable?: boolean;
  /** Its value before the user types. */
  readonly initial?: unknown;
  /** The least value, or number of characters or entries. */
  readonly min?: number;
  readonly max?: number;
  /** Digits after the point of a number; 0 by default. */
  readonly digits?: number;
  readonly choices?: readonly ChoiceValue[];
  /** Keyboard on phones. */
  readonly keyboard?: "email" | "url";
  /** Text of several lines. */
  readonly long?: boolean;
  /** Values of `pairs` are shown as dots. */
  readonly secret?: boolean;
  /** `pairs` are a list of objects with `name` and `value`. A secret value that is left out stays. */
  readonly listed?: boolean;
  /** Rarely changed: forms fold it away with similar fields. */
  readonly folded?: boolean;
  /** A number that is as it began is not sent. */
  readonly omitsInitial?: boolean;
  /** Members of a group, of the objects of a list, or of objects by name. */
  readonly fields?: FieldsJson;
  /** The members of a group are sent next to the other fields, such as those of one kind of record. */
  readonly flat?: boolean;
  /** Shown next to a number, such as "ms". */
  readonly unit?: string;
  readonly placeholder?: string;
  /** Where the field comes with its words; else its texts are found by its name. */
  readonly label?: Labels;
  readonly hint?: Labels;
  /** Error of an empty required field. */
  readonly missing?: Labels;
  /** Asked for only while another field has one of these values. */
  readonly when?: { readonly name: string; readonly among: readonly ChoiceValue[] };
}

/** Fields by name. */
export type FieldsJson = Readonly<Record<string, FieldJson>>;
