/** Kinds of fields that hold several values: words, and any of a few. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { findText, text } from "../../app/texts.ts";
import { type Choice, Checkbox, SelectField } from "../controls.tsx";
import { WordsField } from "../console/field-kinds.tsx";
import { type At, type Kind, type KindOf, toText, toTexts } from "./kind.ts";
import { sayPlain } from "./kinds.tsx";

const asTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Why a number of entries is none that is taken, or undefined. */
function readEntries(
  entries: readonly unknown[],
  { min = 0, max = Number.MAX_SAFE_INTEGER, required, nullable, missing }: FieldJson,
) {
  if (entries.length > max) return { fault: { en: text("admin.fault.mostMany", { bound: max }) } } as const;
  if (entries.length === 0 && nullable === true) return { value: null } as const;
  const isTooFew = entries.length < Math.max(min, required === true ? min : 0);
  if (isTooFew && (required === true || entries.length > 0))
    return { fault: missing ?? "admin.fault.missing" } as const;
  return { value: entries };
}

/** Several words. */
export function tagsKind<C>(json: FieldJson): Kind<C> {
  return suggestedTagsKind<C>(() => [])(json);
}

/** Several words with proposals, such as those that were used before. */
export function suggestedTagsKind<C>(list: (context: C) => readonly string[]): KindOf<C> {
  return (json) => ({
    blank: asTexts(json.initial),
    toTyped: asTexts,
    read: (typed) => readEntries(toTexts(typed), json),
    Field: ({ label, hint, error, placeholder, value, onChange, context }) => (
      <WordsField
        label={label}
        hint={hint}
        error={error}
        placeholder={placeholder ?? json.placeholder}
        words={toTexts(value)}
        suggestions={list(context)}
        onChange={onChange}
      />
    ),
    say: sayPlain,
  });
}

/** A tick for each of a list. */
export function TickList(props: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  class?: string;
  choices: readonly Choice<string>[];
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}): JSX.Element {
  const { label, hint, error, choices, value, onChange } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset class="plain-fieldset" aria-describedby={described === "" ? undefined : described}>
      <legend class="field-label">{label}</legend>
      <div class={props.class ?? "check-grid"}>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            label={choice.label}
            checked={value.includes(choice.value)}
            onChange={(isOn) =>
              onChange(isOn ? [...value, choice.value] : value.filter((one) => one !== choice.value))
            }
          />
        ))}
      </div>
      {hint && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </fieldset>
  );
}

/**
 * Any of a few. `words`: what the texts of the values begin with, where it is not the label. `inRow`: short ones, one
 * beside the other.
 */
export function choicesKind<C>({ words, inRow }: { words?: string; inRow?: true } = {}): KindOf<C> {
  return (json) => {
    const toLabel = (value: string, own: string): string => findText(`${words ?? own}.${value}`) ?? value;
    return {
      choiceWords: words,
      blank: asTexts(json.initial),
      toTyped: asTexts,
      read: (typed) => readEntries(toTexts(typed), json),
      Field: ({ label, hint, error, value, onChange, words: own }) => (
        <TickList
          label={label}
          hint={hint}
          error={error}
          class={inRow === true ? "check-row" : "check-grid"}
          choices={(json.choices ?? []).map(String).map((choice) => ({
            value: choice,
            label: toLabel(choice, own),
          }))}
          value={toTexts(value)}
          onChange={onChange}
        />
      ),
      say: (value, { words: own }) => sayPlain(asTexts(value).map((one) => toLabel(one, own))),
    };
  };
}

/**
 * One of a list whose labels are words already, such as the name of a time zone or of a category; what is stored and not
 * in the list stays in sight. "" is null where that is taken, and nothing where the field may be absent.
 */
export function listedKind<C>(list: (at: At<C>) => readonly Choice<string>[]): KindOf<C> {
  return ({ initial, nullable, min = 0 }) => ({
    hasOwnWords: true,
    blank: typeof initial === "string" ? initial : "",
    toTyped: (value) => (typeof value === "string" ? value : typeof initial === "string" ? initial : ""),
    read: (typed) => {
      if (typed === "" && (nullable === true || min > 0))
        return { value: nullable === true ? null : undefined };
      return { value: toText(typed) };
    },
    Field: (props) => {
      const { label, hint, error, value, onChange } = props;
      const [listed, present] = [list(props), toText(value)];
      const isKnown = listed.some((choice) => choice.value === present);
      return (
        <SelectField<string>
          label={label}
          hint={hint}
          error={error}
          value={present}
          choices={isKnown ? listed : [{ value: present, label: present }, ...listed]}
          onChange={onChange}
        />
      );
    },
    say: (value, at) => list(at).find((choice) => choice.value === (value ?? ""))?.label ?? sayPlain(value),
  });
}
