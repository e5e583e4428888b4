/** Kinds of fields that propose: other records, ids, what was used before. */
import type { Items } from "../console/paged.ts";
import { findText, text } from "../../app/texts.ts";
import { type Choice, SelectField, TextField } from "../controls.tsx";
import { SuggestField } from "../console/field-kinds.tsx";
import { usePolled } from "../console/polled.ts";
import { type Form, type KindOf, type Shown, type Typed, isTypedGroup, memberText, toText } from "./kind.ts";
import { readEmpty, sayPlain } from "./kinds.tsx";

interface ReferenceOptions<Item> {
  /** GET gives all of them as `items`. */
  readonly path: string;
  readonly toChoice: (item: Item) => Choice<string>;
}

function ReferenceSelect<C, Item>({
  path,
  toChoice,
  nullable,
  ...shown
}: Shown<C> & ReferenceOptions<Item> & { nullable: boolean }) {
  const { label, hint, error, value, words, onChange } = shown;
  const { data } = usePolled<Items<Item>>(path, 0);
  const known = (data?.items ?? []).map(toChoice);
  const present = toText(value);
  const none = { value: "", label: findText(`${words}.none`) ?? text("admin.value.none") };
  // One that is gone, or that no list has yet, stays in sight.
  const isKnown = present === "" || known.some((choice) => choice.value === present);
  const choices = [
    ...(nullable || present === "" ? [none] : []),
    ...known,
    ...(isKnown ? [] : [{ value: present, label: present }]),
  ];
  return (
    <SelectField<string>
      label={label}
      hint={hint}
      error={error}
      value={present}
      choices={choices}
      onChange={onChange}
    />
  );
}

/** The id of another record, chosen among all of them. */
export function referenceKind<C, Item>(options: ReferenceOptions<Item>): KindOf<C> {
  return (json) => ({
    blank: typeof json.initial === "string" ? json.initial : "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed, { before }) => (typed === "" ? readEmpty(json, before) : { value: typed }),
    Field: (props) => <ReferenceSelect {...props} {...options} nullable={json.required !== true} />,
    say: sayPlain,
  });
}

/** A text that follows from another field, or from some of them, until somebody types one. */
export function proposedKind<C>({
  from,
  propose,
}: {
  from: string | ((form: Form) => string);
  propose: (typed: string) => string;
}): KindOf<C> {
  const proposeFor = (form: Form): string =>
    propose(typeof from === "string" ? toText(form[from]) : from(form));
  return (json) => {
    const toShown = (typed: Typed | undefined, form: Form): string =>
      isTypedGroup(typed) && typed["own"] === true ? memberText(typed, "typed") : proposeFor(form);
    return {
      blank: { typed: "", own: false },
      toTyped: (value) => ({ typed: typeof value === "string" ? value : "", own: true }),
      read: (typed, { form, before }) => {
        const value = toShown(typed, form).trim();
        return value === "" ? readEmpty(json, before) : { value };
      },
      Field: ({ label, hint, error, value, form, onChange }) => (
        <TextField
          label={label}
          hint={hint}
          error={error}
          maxLength={json.max}
          autoComplete="off"
          value={toShown(value, form)}
          onInput={(typed) => onChange({ typed, own: typed !== proposeFor(form) })}
        />
      ),
      say: sayPlain,
    };
  };
}

/** Text with proposals, such as what was used before. */
export function suggestKind<C>(list: (context: C) => readonly string[]): KindOf<C> {
  return (json) => ({
    blank: typeof json.initial === "string" ? json.initial : "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed, { before }) => {
      const value = toText(typed).trim();
      return value === "" && ((json.min ?? 0) > 0 || json.nullable === true)
        ? readEmpty(json, before)
        : { value };
    },
    Field: ({ label, hint, error, value, onChange, context }) => (
      <SuggestField
        label={label}
        hint={hint}
        error={error}
        value={toText(value)}
        suggestions={list(context)}
        maxLength={json.max}
        onInput={onChange}
      />
    ),
    say: sayPlain,
  });
}
