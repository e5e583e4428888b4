/** The plain kinds of fields: text, switch, choice, number, moment. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { findText, text } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../controls.tsx";
import { parseLocal, toDateTimeText } from "../forms/local-time.ts";
import { parseAmount } from "../forms/money.ts";
import { parseWhole } from "../forms/parsed.ts";
import { type Kind, type KindOf, type Read, toChoiceText, toText } from "./kind.ts";

/** Value of an empty field: null if nullable, absent if optional, else an error. */
export function readEmpty({ nullable, required, missing }: FieldJson, before: unknown): Read {
  if (nullable === true) return { value: null };
  const isKept = before === undefined || before === null || before === "";
  if (required !== true && isKept) return { value: undefined };
  return { fault: missing ?? "admin.fault.missing" };
}

/** A value that is neither text nor list in words. */
export function sayPlain(value: unknown): string {
  if (value === null || value === undefined || value === "") return text("admin.value.none");
  if (typeof value === "boolean") return text(value ? "admin.yes" : "admin.no");
  if (Array.isArray(value))
    return value.length === 0 ? text("admin.value.none") : value.map(sayPlain).join(", ");
  if (typeof value !== "object") return toChoiceText(value);
  return Object.entries(value)
    .filter(([name, member]) => name !== "id" && member !== null && member !== "")
    .map(([name, member]) => `${name} ${sayPlain(member)}`)
    .join(" · ");
}

/** One line, or several. */
export function textKind<C>(json: FieldJson): Kind<C> {
  const { initial, long = false, min = 0, max, required } = json;
  return {
    blank: typeof initial === "string" ? initial : "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed, { before }) => {
      const value = long ? toText(typed) : toText(typed).trim();
      const isEmpty = value.trim() === "" && (min > 0 || json.nullable === true);
      return isEmpty ? readEmpty(json, before) : { value };
    },
    Field: ({ label, hint, error, placeholder, value, onChange }) => (
      <TextField
        label={label}
        hint={hint}
        error={error}
        placeholder={placeholder ?? json.placeholder}
        long={long}
        type={json.keyboard}
        required={required === true && min > 0 ? true : undefined}
        maxLength={max}
        autoComplete="off"
        value={toText(value)}
        onInput={onChange}
      />
    ),
    say: sayPlain,
  };
}

/** On or off. */
export function switchKind<C>({ initial }: FieldJson): Kind<C> {
  return {
    blank: initial === true,
    toTyped: (value) => (typeof value === "boolean" ? value : initial === true),
    read: (typed) => ({ value: typed === true }),
    Field: ({ label, hint, error, value, onChange }) => {
      const tick = <Checkbox label={label} checked={value === true} onChange={onChange} />;
      if (hint === undefined && error === undefined) return tick;
      return (
        <div class="field">
          {tick}
          {hint && <span class="field-hint">{hint}</span>}
          {error && <span class="field-error">{error}</span>}
        </div>
      );
    },
    say: sayPlain,
  };
}

/** More choices than these do not fit side by side. */
const MOST_SEGMENTS = 2;

export interface ChoiceOptions {
  /** Prefix of the text names of the values, "<words>.<value>"; the label by default. */
  readonly words?: string;
  /** The words of a value, where they are no text of the console. */
  readonly toLabel?: (value: string) => string;
  /** All in sight, or a list; without it the number of choices decides. */
  readonly as?: "segments" | "list";
}

/** One of a few. */
export function choiceKind<C>({ words, as, toLabel: toOwnLabel }: ChoiceOptions = {}): KindOf<C> {
  return ({ choices = [], initial, nullable }) => {
    const [first = ""] = choices;
    const toLabel = (value: string, own: string): string =>
      value === ""
        ? (findText(`${words ?? own}.none`) ?? text("admin.value.none"))
        : (toOwnLabel?.(value) ?? findText(`${words ?? own}.${value}`) ?? value);
    const start = initial === undefined && nullable !== true ? String(first) : toChoiceText(initial);
    const known = [...(nullable === true ? [""] : []), ...choices.map(String)];
    return {
      choiceWords: words,
      hasOwnWords: toOwnLabel !== undefined,
      blank: start,
      toTyped: (value) => {
        if (value === null && nullable === true) return "";
        return value === undefined || value === null ? start : toChoiceText(value);
      },
      read: (typed) =>
        typed === "" && nullable === true
          ? { value: null }
          : { value: choices.find((choice) => String(choice) === typed) ?? first },
      Field: ({ label, hint, error, value, onChange, words: own }) => {
        const shown = known.map((choice) => ({ value: choice, label: toLabel(choice, own) }));
        const isFew = hint === undefined && error === undefined && shown.length <= MOST_SEGMENTS;
        return (as ?? (isFew ? "segments" : "list")) === "segments" ? (
          <Segments<string> label={label} value={toText(value)} choices={shown} onChange={onChange} />
        ) : (
          <SelectField<string>
            label={label}
            hint={hint}
            error={error}
            value={toText(value)}
            choices={shown}
            onChange={onChange}
          />
        );
      },
      say: (value, { words: own }) => toLabel(toChoiceText(value), own),
    };
  };
}

/**
 * A number; `digits` after the point, 0 by default. `empty`: what an empty field means, such as the most that there may
 * be; that number is shown as an empty field.
 */
export function numberKind<C>(options: { digits?: number; empty?: "min" | "max" | number } = {}): KindOf<C> {
  return (json) => {
    const empty = typeof options.empty === "string" ? json[options.empty] : options.empty;
    const digits = options.digits ?? json.digits ?? 0;
    const { initial, unit, min = 0, max = Number.MAX_SAFE_INTEGER, omitsInitial } = json;
    const parse = (typed: string): number | undefined => {
      const negative = min < 0 && /^[-−]/u.test(typed.trim());
      if (negative) {
        const whole = parseWhole(typed.trim().slice(1), { min: 0, max: -min });
        return whole === undefined ? undefined : -whole;
      }
      if (digits === 0) return parseWhole(typed, { min, max });
      const scaled = parseAmount(typed, digits);
      const value = scaled === undefined ? Number.NaN : scaled / 10 ** digits;
      return value >= min && value <= max ? value : undefined;
    };
    return {
      blank: typeof initial === "number" ? String(initial) : "",
      toTyped: (value) => {
        const shown = omitsInitial === true ? (value ?? initial) : value;
        return typeof shown === "number" && shown !== empty ? String(shown) : "";
      },
      read: (typed, { before }) => {
        if (toText(typed).trim() === "")
          return empty === undefined ? readEmpty(json, before) : { value: empty };
        const value = parse(toText(typed));
        if (value === undefined) return { fault: "admin.fault.number" };
        return { value: omitsInitial === true && value === initial ? undefined : value };
      },
      Field: ({ label, hint, error, placeholder, value, onChange }) => (
        <TextField
          label={unit === undefined ? label : `${label} (${unit})`}
          hint={hint}
          error={error}
          placeholder={placeholder ?? json.placeholder}
          inputMode={digits === 0 ? "numeric" : "decimal"}
          autoComplete="off"
          value={toText(value)}
          onInput={onChange}
        />
      ),
      say: sayPlain,
    };
  };
}

/** Sent as it is, and not shown: the only choice that there is. */
export function hiddenKind<C>({ choices: [only = ""] = [] }: FieldJson): Kind<C> {
  const blank = String(only);
  return {
    blank,
    toTyped: () => blank,
    read: () => ({ value: only }),
    Field: () => null,
    say: sayPlain,
  };
}

/** A moment in the reader's time zone; an unchanged one keeps its seconds. */
export function timeKind<C>(json: FieldJson): Kind<C> {
  return {
    blank: typeof json.initial === "string" ? toDateTimeText(json.initial) : "",
    toTyped: (value) => (typeof value === "string" ? toDateTimeText(value) : ""),
    read: (typed, { before }) => {
      if (typed === "") return readEmpty(json, before);
      const value = parseLocal(toText(typed), typeof before === "string" ? before : undefined);
      return value === undefined ? { fault: "admin.fault.moment" } : { value };
    },
    Field: ({ label, hint, error, value, onChange }) => (
      <TextField
        label={label}
        hint={hint}
        error={error}
        type="datetime-local"
        value={toText(value)}
        onInput={onChange}
      />
    ),
    say: sayPlain,
  };
}
