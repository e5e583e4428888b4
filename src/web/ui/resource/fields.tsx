/** The fields of a form on the page: on their panels, or one below the other. */
import type { JSX } from "preact";
import { type TextName, findHint, findText, labelText, text } from "../../app/texts.ts";
import type { FieldWords } from "../console/field-words.ts";
import { FieldGroup } from "../console/pieces.tsx";
import type { FormPart } from "../forms/bind.ts";
import { Icon } from "../icons.tsx";
import { isSame } from "../forms/conflict.ts";
import { findError } from "../forms/field-errors.ts";
import { type MadeForm, isFieldAsked, labelName } from "./form.ts";
import type { FieldRule, Form, Typed } from "./kind.ts";

interface PartProps<C> {
  readonly form: Pick<MadeForm<C>, "fields" | "words" | "panels">;
  readonly context: C;
  readonly part: FormPart<Form>;
}

/** The hint below a field: the rule's own, or the text "<label>.hint". */
function toHint(own: FieldRule<never>["hint"], words: string, form: Form): string | undefined {
  if (typeof own === "function") return own(form);
  return own === undefined ? findHint(words as TextName) : own && text(own);
}

/** A field; nothing while its rule hides it. */
export function OneField<C>({
  form,
  context,
  part,
  name,
}: PartProps<C> & { name: string }): JSX.Element | null {
  const field = form.fields.get(name);
  if (field === undefined || !isFieldAsked(field, part.form)) return null;
  const { Field, blank } = field.kind;
  const { json, rule } = field;
  const words = labelName(form, field, part.form);
  const hint = json.hint === undefined ? toHint(rule.hint, words, part.form) : labelText(json.hint);
  return (
    <Field
      name={name}
      form={part.form}
      context={context}
      words={words}
      label={json.label === undefined ? (findText(words) ?? name) : labelText(json.label)}
      hint={hint === "" ? undefined : hint}
      placeholder={rule.placeholder && text(rule.placeholder)}
      value={part.form[name] ?? blank}
      error={findError(part.errors, `/${name}`)}
      errorAt={(pointer) => findError(part.errors, json.flat === true ? pointer : `/${name}${pointer}`)}
      onChange={(value: Typed) =>
        part.onChange({ [name]: value, ...rule.sets?.(value, { ...part.form, [name]: value }) })
      }
    />
  );
}

function Row<C>({ names, ...props }: PartProps<C> & { names: readonly string[] }): JSX.Element | null {
  const { form, part } = props;
  const asked = names.filter((name) => {
    const field = form.fields.get(name);
    return field !== undefined && isFieldAsked(field, part.form);
  });
  const [first] = asked;
  if (first === undefined) return null;
  if (names.length === 1 || asked.length === 1) return <OneField {...props} name={first} />;
  return (
    <div class="field-row">
      {asked.map((name) => (
        <OneField {...props} name={name} key={name} />
      ))}
    </div>
  );
}

function hasAsked<C>({ form, part }: PartProps<C>, rows: readonly (readonly string[])[]): boolean {
  return rows.flat().some((name) => {
    const field = form.fields.get(name);
    return field !== undefined && isFieldAsked(field, part.form);
  });
}

/** Rarely changed fields; open if one differs from its default, or is invalid. */
function Fold<C>({
  title,
  rows,
  ...props
}: PartProps<C> & { title: TextName; rows: readonly (readonly string[])[] }): JSX.Element {
  const { form, part } = props;
  const isOpen = rows.flat().some((name) => {
    const field = form.fields.get(name);
    if (findError(part.errors, `/${name}`) !== undefined) return true;
    return field?.rule.common !== true && !isSame(part.form[name] ?? field?.kind.blank, field?.kind.blank);
  });
  return (
    <details class="fold" open={isOpen}>
      <summary>{text(title)}</summary>
      <div class="stack">
        {rows.map((names) => (
          <Row {...props} names={names} key={names.join()} />
        ))}
      </div>
    </details>
  );
}

/** A panel that few need: folded away, open where something in it is wrong. */
function FoldedPanel<C>({
  title,
  rows,
  ...props
}: PartProps<C> & { title: TextName; rows: readonly (readonly string[])[] }): JSX.Element {
  const { form, part } = props;
  const fields = rows.flat().flatMap((name) => {
    const field = form.fields.get(name);
    return field !== undefined && isFieldAsked(field, part.form) ? [field] : [];
  });
  const isWrong = fields.some(({ name }) => findError(part.errors, `/${name}`) !== undefined);
  const changed = fields.filter(({ name, kind }) => !isSame(part.form[name] ?? kind.blank, kind.blank));
  return (
    <details class="admin-panel panel-fold" open={isWrong ? true : undefined}>
      <summary>
        <Icon name="next" />
        {text(title)}
        {changed.length > 0 && (
          <span class="badge">{text("admin.fields.changed", { count: changed.length })}</span>
        )}
      </summary>
      <div class="field-grid">
        {rows.map((names) => (
          <Row {...props} names={names} key={names.join()} />
        ))}
      </div>
    </details>
  );
}

function sayHints(hints: readonly TextName[]): string {
  return hints.map((hint) => text(hint)).join(" ");
}

/** All of them, each panel with its title; a panel without fields is left out. */
export function FormFields<C>(props: PartProps<C>): JSX.Element {
  return (
    <>
      {props.form.panels.map(({ title, hint, rows, fold, folded, Above, Below }) => {
        if (folded && title !== undefined)
          return <FoldedPanel {...props} title={title} rows={rows} key={title} />;
        const own = { form: props.part.form, context: props.context };
        const fields = [
          Above && <Above {...own} key="above" />,
          rows.map((names) => <Row {...props} names={names} key={names.join()} />),
          fold && <Fold {...props} title={fold.title} rows={fold.rows} key="fold" />,
          Below && <Below {...own} key="below" />,
        ];
        if (title === undefined) return fields;
        if (!hasAsked(props, [...rows, ...(fold?.rows ?? [])])) return null;
        return (
          <FieldGroup title={text(title)} hint={hint && sayHints([hint].flat())} key={title}>
            {fields}
          </FieldGroup>
        );
      })}
    </>
  );
}

/** The fields and their values in words, for another's change that meets one's own. */
export function toFormWords<C>(
  form: Pick<MadeForm<C>, "fields" | "words">,
  typed: Form,
  context: C,
): FieldWords {
  return {
    toName: (name) => {
      const field = form.fields.get(name);
      if (field === undefined) return name;
      if (field.json.label !== undefined) return labelText(field.json.label);
      return findText(labelName(form, field, typed)) ?? name;
    },
    toValue: (name, value) => {
      const field = form.fields.get(name);
      const at = { form: typed, context, words: field === undefined ? name : labelName(form, field, typed) };
      return field?.kind.say(value, at) ?? "";
    },
  };
}
