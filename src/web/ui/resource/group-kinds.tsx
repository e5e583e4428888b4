/** Kinds of fields for objects of further fields, alone or in a list. */
import type { JSX } from "preact";
import type { FieldJson, FieldsJson } from "../../../kit/fields/field-json.ts";
import { type TextName, findHint, findText, labelText, text } from "../../app/texts.ts";
import { Button, IconButton, Segments } from "../controls.tsx";
import { isSame } from "../forms/conflict.ts";
import { moveItem } from "../forms/moves.ts";
import { OrderButtons } from "../forms/order-buttons.tsx";
import type { Fault } from "../forms/parsed.ts";
import {
  type At,
  type FieldRule,
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

/** Rules of a form for the members of an object, beyond its schema; false: not a field. */
export type MemberRules<C> = Readonly<
  Record<string, Pick<FieldRule<C>, "kind" | "json" | "when" | "keep" | "placeholder" | "sets"> | false>
>;

interface Member<C> {
  readonly name: string;
  readonly json: FieldJson;
  readonly kind: Kind<C>;
  readonly when: ((form: Form) => boolean) | undefined;
  readonly isKept: boolean;
  readonly placeholder: TextName | undefined;
  readonly sets: FieldRule<C>["sets"];
}

export interface GroupOptions<C> {
  readonly members?: MemberRules<C>;
  /** Names of members that share a row; the others stand alone. */
  readonly rows?: readonly (readonly string[])[];
}

function toMembers<C>(
  fields: FieldsJson | undefined,
  own: OwnKinds<C>,
  { members = {} }: GroupOptions<C> = {},
): readonly Member<C>[] {
  return Object.entries(fields ?? {}).flatMap(([name, described]) => {
    const rule = members[name] ?? {};
    if (rule === false) return [];
    const json = { ...described, ...rule.json };
    const kind = rule.kind === undefined ? kindOf(json, own) : rule.kind(json);
    const { when, keep, placeholder, sets } = rule;
    return [{ name, json, kind, when, isKept: keep === true, placeholder, sets }];
  });
}

function isMemberAsked<C>({ json, when }: Member<C>, form: Form): boolean {
  return when === undefined ? isAsked(json, form) : when(form);
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
  for (const member of members) {
    const { name, kind } = member;
    const isHidden = !isMemberAsked(member, form);
    if (isHidden && !member.isKept) continue;
    const words = `${at.words}.${name}`;
    const got = kind.read(form[name] ?? kind.blank, {
      ...at,
      form,
      words,
      whole: at.whole ?? at.form,
      before: undefined,
    });
    if (isHidden && !("value" in got)) continue;
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

/** The members that have a value, each with its label. */
function sayGroup<C>(members: readonly Member<C>[], value: unknown, at: At<C>): string {
  const stored = typeof value === "object" && value !== null ? value : {};
  const said = members.flatMap(({ name, json, kind }) => {
    const member: unknown = Reflect.get(stored, name);
    const isEmpty = member === undefined || member === null || member === "" || isSame(member, []);
    if (isEmpty) return [];
    const words = `${at.words}.${name}`;
    return [`${toFieldWords(json, words).label}: ${kind.say(member, { ...at, words })}`];
  });
  return said.length === 0 ? sayPlain(undefined) : said.join(" · ");
}

interface MemberProps<C> extends Shown<C> {
  readonly members: readonly Member<C>[];
  readonly at: string;
  readonly rows?: GroupOptions<C>["rows"];
}

function MemberField<C>(props: MemberProps<C> & { member: Member<C> }): JSX.Element {
  const { member, members: _members, rows: _rows, at, value, onChange, ...shown } = props;
  const { name, json, kind, placeholder, sets } = member;
  const form = isTypedGroup(value) ? value : {};
  const words = `${shown.words}.${name}`;
  return (
    <kind.Field
      {...shown}
      {...toFieldWords(json, words)}
      words={words}
      name={name}
      form={form}
      whole={shown.whole ?? shown.form}
      placeholder={placeholder && text(placeholder)}
      value={form[name] ?? kind.blank}
      error={shown.errorAt(`${at}/${name}`)}
      errorAt={(pointer) => shown.errorAt(`${at}/${name}${pointer}`)}
      onChange={(next) => {
        const changed = { ...form, [name]: next };
        onChange({ ...changed, ...sets?.(next, changed) });
      }}
    />
  );
}

/** The members of an object. */
function MemberFields<C>(props: MemberProps<C>): JSX.Element {
  const { members, rows = [], value } = props;
  const form = isTypedGroup(value) ? value : {};
  const asked = members.filter((member) => isMemberAsked(member, form));
  const lines = asked.flatMap((member) => {
    const row = rows.find((names) => names.includes(member.name));
    if (row === undefined) return [[member]];
    if (asked.find(({ name }) => row.includes(name)) !== member) return [];
    return [row.flatMap((name) => asked.find((one) => one.name === name) ?? [])];
  });
  const show = (member: Member<C>) => <MemberField {...props} member={member} key={member.name} />;
  return (
    <>
      {lines.map((line) =>
        line.length === 1 ? (
          line.map(show)
        ) : (
          <div class="field-row" key={line.map(({ name }) => name).join()}>
            {line.map(show)}
          </div>
        ),
      )}
    </>
  );
}

/** An object, its fields one below the other. */
export function groupKind<C>(own: OwnKinds<C> = {}, options: GroupOptions<C> = {}): KindOf<C> {
  return ({ fields }) => {
    const members = toMembers(fields, own, options);
    return {
      blank: Object.fromEntries(members.map(({ name, kind }) => [name, kind.blank])),
      toTyped: (value, at) => toGroup(members, value, at),
      read: (typed, at) => readGroup(members, typed, at),
      Field: (props) => <MemberFields {...props} members={members} rows={options.rows} at="" />,
      say: (value, at) => sayGroup(members, value, at),
    };
  };
}

/** An object that may be missing: whether it is there ("<words>.on", "<words>.off"), then its fields. */
export function optionalKind<C>(own: OwnKinds<C> = {}, options: GroupOptions<C> = {}): KindOf<C> {
  return (json) => {
    const group = groupKind(own, options)(json);
    const isOn = (typed: Typed): boolean => isTypedGroup(typed) && typed["on"] === true;
    const inner = (typed: Typed): Typed =>
      isTypedGroup(typed) ? (typed["fields"] ?? group.blank) : group.blank;
    const sayOff = (words: string): string => findText(`${words}.off`) ?? text("admin.value.none");
    return {
      blank: { on: false, fields: group.blank },
      toTyped: (value, at) =>
        value === null || value === undefined
          ? { on: false, fields: group.blank }
          : { on: true, fields: group.toTyped(value, at) },
      read: (typed, at) => (isOn(typed) ? group.read(inner(typed), at) : { value: null }),
      Field: (props) => {
        const { label, words, value, onChange } = props;
        return (
          <>
            <Segments<"off" | "on">
              label={label}
              value={isOn(value) ? "on" : "off"}
              choices={[
                { value: "off", label: sayOff(words) },
                { value: "on", label: findText(`${words}.on`) ?? text("admin.yes") },
              ]}
              onChange={(side) => onChange({ on: side === "on", fields: inner(value) })}
            />
            {isOn(value) && (
              <group.Field
                {...props}
                value={inner(value)}
                onChange={(fields) => onChange({ on: true, fields })}
              />
            )}
          </>
        );
      },
      say: (value, at) => (value === null || value === undefined ? sayOff(at.words) : group.say(value, at)),
    };
  };
}

/** Form values of a row: numbers and strings as text. */
function toPlain(row: unknown): { readonly [name: string]: Typed } {
  const members = typeof row === "object" && row !== null ? Object.entries(row) : [];
  return Object.fromEntries(members.map(([name, value]) => [name, toChoiceText(value)]));
}

export interface ListOptions<C> extends GroupOptions<C> {
  /** The name of a row, which then has a head with buttons that move it. */
  readonly nameOf?: (row: Form, index: number) => string;
  /** Values of a new row beyond the defaults of its members. */
  readonly begin?: (rows: readonly Form[]) => Form;
  /** Label and hint are in sight; without it, the label is for screen readers alone. */
  readonly isHeaded?: true;
  /** Buttons that add a row with values of their own; `form` is the one that the list is in. */
  readonly presets?: readonly { readonly label: TextName; readonly begin: (form: Form) => Form }[];
}

interface RowProps<C> extends MemberProps<C> {
  readonly index: number;
  readonly count: number;
  readonly nameOf: ListOptions<C>["nameOf"];
  readonly onMove: (to: number) => void;
  readonly onRemove: (() => void) | undefined;
}

function ListRow<C>({ index, count, nameOf, onMove, onRemove, ...props }: RowProps<C>): JSX.Element {
  if (nameOf === undefined)
    return (
      <li class="step-row">
        <MemberFields {...props} />
        <IconButton
          icon="trash"
          label={findText(`${props.words}.remove`, { number: index + 1 }) ?? text("admin.delete")}
          disabled={onRemove === undefined}
          onClick={() => onRemove?.()}
        />
      </li>
    );
  const name = nameOf(isTypedGroup(props.value) ? props.value : {}, index);
  return (
    <li class="list-row stack-small">
      <div class="panel-head">
        <strong class="break">{name}</strong>
        <span class="button-row">
          <OrderButtons name={name} at={index} count={count} onMove={onMove} onRemove={onRemove} />
        </span>
      </div>
      <MemberFields {...props} />
    </li>
  );
}

function Headed(props: { label: string; hint: string | undefined; children: JSX.Element }): JSX.Element {
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{props.label}</legend>
      {props.hint !== undefined && <span class="field-hint">{props.hint}</span>}
      {props.children}
    </fieldset>
  );
}

/**
 * Objects in a list, a row each: its texts are "<words>.add", "<words>.remove" with {number}, "<words>.<member>". Rows
 * with names can be moved.
 */
export function listKind<C>(own: OwnKinds<C> = {}, options: ListOptions<C> = {}): KindOf<C> {
  return ({ fields, min = 0, max = Number.MAX_SAFE_INTEGER, initial }) => {
    const members = toMembers(fields, own, options);
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
        const rows = (isTypedList(props.value) ? props.value : []).filter(isTypedGroup);
        const isFull = rows.length >= max;
        const add = (begun?: Form): void => props.onChange([...rows, { ...blank(), ...begun }]);
        // An error of a row is said in that row.
        const hasOwn = !rows.some((_row, index) => props.errorAt(`/${index}`) !== undefined);
        const list = (
          <div class="stack-small">
            <ol class="plain-list stack-small" aria-label={props.label}>
              {rows.map((row, index) => (
                <ListRow
                  {...props}
                  key={index}
                  members={members}
                  rows={options.rows}
                  at={`/${index}`}
                  value={row}
                  index={index}
                  count={rows.length}
                  nameOf={options.nameOf}
                  onChange={(next) => props.onChange(rows.map((one, at) => (at === index ? next : one)))}
                  onMove={(to) => props.onChange(moveItem(rows, { from: index, to }))}
                  onRemove={
                    rows.length > min
                      ? () => props.onChange(rows.filter((_one, at) => at !== index))
                      : undefined
                  }
                />
              ))}
            </ol>
            {props.error && hasOwn && <p class="field-error">{props.error}</p>}
            <div class="button-row">
              <Button small icon="plus" disabled={isFull} onClick={() => add(options.begin?.(rows))}>
                {findText(`${props.words}.add`) ?? text("admin.add")}
              </Button>
              {options.presets?.map(({ label, begin }) => (
                <Button small key={label} disabled={isFull} onClick={() => add(begin(props.form))}>
                  {text(label)}
                </Button>
              ))}
            </div>
          </div>
        );
        return options.isHeaded === true ? <Headed {...props}>{list}</Headed> : list;
      },
      say: (value, at) =>
        Array.isArray(value) && value.length > 0
          ? value.map((row) => sayGroup(members, row, at)).join("; ")
          : sayPlain(undefined),
    };
  };
}
