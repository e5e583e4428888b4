/** Kinds of fields for objects of further fields, alone or in a list; and all kinds, for forms that a service declares. */
import type { JSX } from "preact";
import type { FieldJson, FieldsJson } from "../../../kit/fields/field-json.ts";
import { type TextName, findHint, findText, labelText, text } from "../../app/texts.ts";
import { Button, IconButton } from "../controls.tsx";
import type { Fault } from "../forms/parsed.ts";
import {
  type At,
  type Form,
  type Kind,
  type KindOf,
  type Read,
  type Shown,
  type Typed,
  isTypedGroup,
  isTypedList,
  toChoiceText,
} from "./kind.ts";
import { type OwnKinds, findOwnFault, isAsked, kindOf } from "./kind-of.ts";
import { sayPlain } from "./kinds.tsx";
import { pairsKind, secretKind } from "./secret-kinds.tsx";
import { durationKind, percentKind } from "./span-kinds.tsx";

interface Member<C> {
  readonly name: string;
  readonly json: FieldJson;
  readonly kind: Kind<C>;
}

function toMembers<C>(fields: FieldsJson | undefined, own: OwnKinds<C>): readonly Member<C>[] {
  return Object.entries(fields ?? {}).map(([name, json]) => ({ name, json, kind: kindOf(json, own) }));
}

function toGroup<C>(
  members: readonly Member<C>[],
  value: unknown,
  at: At<C>,
): { readonly [name: string]: Typed } {
  const stored = new Map<string, unknown>(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
  // Members look at each other's values as they are stored, as the fields of a form do.
  const plain = [...stored].filter(
    (entry): entry is [string, string | boolean] =>
      typeof entry[1] === "string" || typeof entry[1] === "boolean",
  );
  const blanks = members.map(({ name, kind }) => [name, kind.blank] as const);
  const form: Form = { ...Object.fromEntries(blanks), ...Object.fromEntries(plain) };
  const inner = { ...at, form, whole: at.whole ?? at.form };
  return Object.fromEntries(
    members.map(({ name, kind }) => [
      name,
      stored.has(name) ? kind.toTyped(stored.get(name), inner) : kind.blank,
    ]),
  );
}

function readGroup<C>(members: readonly Member<C>[], typed: Typed | undefined, at: At<C>): Read {
  const form = isTypedGroup(typed) ? typed : {};
  const faults = new Map<string, Fault>();
  const values: Record<string, unknown> = {};
  for (const { name, json, kind } of members) {
    if (!isAsked(json, form)) continue;
    const words = `${at.words}.${name}`;
    const got = kind.read(form[name] ?? kind.blank, {
      ...at,
      form,
      words,
      whole: at.whole ?? at.form,
      before: undefined,
    });
    if ("fault" in got) faults.set(`/${name}`, findOwnFault(got.fault, words) ?? got.fault);
    else if ("faults" in got) for (const [inner, fault] of got.faults) faults.set(`/${name}${inner}`, fault);
    else if (got.value !== undefined) values[name] = got.value;
  }
  return faults.size > 0 ? { faults } : { value: values };
}

/** The words of a field: its own, or the texts of its name. */
export function toFieldWords(json: FieldJson, words: string): { label: string; hint: string | undefined } {
  return {
    label: json.label === undefined ? (findText(words) ?? words) : labelText(json.label),
    hint: json.hint === undefined ? findHint(words as TextName) : labelText(json.hint),
  };
}

function MemberFields<C>(props: Shown<C> & { members: readonly Member<C>[]; at: string }): JSX.Element {
  const { members, at, value, onChange, ...shown } = props;
  const form = isTypedGroup(value) ? value : {};
  return (
    <>
      {members.map(({ name, json, kind: { Field, blank } }) =>
        isAsked(json, form) ? (
          <Field
            key={name}
            {...shown}
            {...toFieldWords(json, `${shown.words}.${name}`)}
            words={`${shown.words}.${name}`}
            name={name}
            form={form}
            whole={shown.whole ?? shown.form}
            placeholder={undefined}
            value={form[name] ?? blank}
            error={shown.errorAt(`${at}/${name}`)}
            errorAt={(pointer) => shown.errorAt(`${at}/${name}${pointer}`)}
            onChange={(next) => onChange({ ...form, [name]: next })}
          />
        ) : null,
      )}
    </>
  );
}

/** An object, its fields one below the other. */
export function groupKind<C>(own: OwnKinds<C> = {}): KindOf<C> {
  return ({ fields }) => {
    const members = toMembers(fields, own);
    return {
      blank: Object.fromEntries(members.map(({ name, kind }) => [name, kind.blank])),
      toTyped: (value, at) => toGroup(members, value, at),
      read: (typed, at) => readGroup(members, typed, at),
      Field: (props) => <MemberFields {...props} members={members} at="" />,
      say: sayPlain,
    };
  };
}

/** What a row begins with: numbers and texts as they are said. */
function toPlain(row: unknown): { readonly [name: string]: Typed } {
  const members = typeof row === "object" && row !== null ? Object.entries(row) : [];
  return Object.fromEntries(members.map(([name, value]) => [name, toChoiceText(value)]));
}

/** Objects in a list, a row each: its texts are "<words>.add", "<words>.remove" with {number}, "<words>.<member>". */
export function listKind<C>(own: OwnKinds<C> = {}): KindOf<C> {
  return ({ fields, min = 0, max = Number.MAX_SAFE_INTEGER, initial }) => {
    const members = toMembers(fields, own);
    const blank = (): { readonly [name: string]: Typed } =>
      Object.fromEntries(members.map(({ name, kind }) => [name, kind.blank]));
    return {
      blank: Array.isArray(initial) ? initial.map((row) => ({ ...blank(), ...toPlain(row) })) : [],
      toTyped: (value, at) => (Array.isArray(value) ? value.map((one) => toGroup(members, one, at)) : []),
      read: (typed, at) => {
        const faults = new Map<string, Fault>();
        const values = (isTypedList(typed) ? typed : []).map((one, index) => {
          const got = readGroup(members, one, at);
          if ("faults" in got)
            for (const [inner, fault] of got.faults) faults.set(`/${index}${inner}`, fault);
          return "value" in got ? got.value : undefined;
        });
        return faults.size > 0 ? { faults } : { value: values };
      },
      Field: (props) => {
        const rows = isTypedList(props.value) ? props.value : [];
        return (
          <div class="stack-small">
            <ol class="plain-list stack-small" aria-label={props.label}>
              {rows.map((row, index) => (
                <li class="step-row" key={index}>
                  <MemberFields
                    {...props}
                    members={members}
                    at={`/${index}`}
                    value={row}
                    onChange={(next) => props.onChange(rows.map((one, at) => (at === index ? next : one)))}
                  />
                  <IconButton
                    icon="trash"
                    label={findText(`${props.words}.remove`, { number: index + 1 }) ?? text("admin.delete")}
                    disabled={rows.length <= min}
                    onClick={() => props.onChange(rows.filter((_one, at) => at !== index))}
                  />
                </li>
              ))}
            </ol>
            {props.error && <p class="field-error">{props.error}</p>}
            <div class="button-row">
              <Button
                small
                icon="plus"
                disabled={rows.length >= max}
                onClick={() => props.onChange([...rows, blank()])}
              >
                {findText(`${props.words}.add`) ?? text("admin.add")}
              </Button>
            </div>
          </div>
        );
      },
      say: sayPlain,
    };
  };
}

/** The kinds beyond the plain ones, with a console's own: for `kinds` of a form that may have any of them. */
export function everyKind<C>(own: OwnKinds<C> = {}): OwnKinds<C> {
  const all: OwnKinds<C> = {
    percent: percentKind,
    duration: durationKind,
    secret: secretKind,
    pairs: pairsKind,
    group: (json) => groupKind(all)(json),
    list: (json) => listKind(all)(json),
    ...own,
  };
  return all;
}
