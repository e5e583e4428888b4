/** The fields that say which servers and checks something is about. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { Checkbox, Segments, TextField } from "../../ui/controls.tsx";
import { type FieldErrors, findError } from "../../ui/forms/field-errors.ts";
import type { Named } from "../check-names.ts";
import { listGroups, listTags } from "../server-data.ts";
import { type ScopeForm, type ScopeOf, scopeTypes, toSuffix } from "./rule-form.ts";

/** More than so many are searched by name. */
const MANY = 15;

interface Option {
  readonly id: string;
  readonly name: string;
}

/** One list of ticks, each adding or taking an id; a long one can be searched. */
export function TickList(props: {
  label: string;
  error?: string | undefined;
  options: readonly Option[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}): JSX.Element {
  const { label, error, options, chosen, onChange } = props;
  const [sought, setSought] = useState("");
  const isMany = options.length > MANY;
  const word = sought.trim().toLocaleLowerCase();
  const shown = isMany ? options.filter(({ name }) => name.toLocaleLowerCase().includes(word)) : options;
  return (
    <fieldset class="plain-fieldset tick-list">
      <legend class="field-label">{label}</legend>
      {isMany && <TextField label={text("admin.scope.search")} value={sought} onInput={setSought} />}
      {shown.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={(ticked) => onChange(ticked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
      {error !== undefined && <p class="field-error">{error}</p>}
    </fieldset>
  );
}

/** Those that can be chosen, and those that were chosen and are not among them. */
function withChosen(options: readonly Option[], chosen: readonly string[]): readonly Option[] {
  const known = new Set(options.map(({ id }) => id));
  return [...options, ...chosen.filter((id) => !known.has(id)).map((id) => ({ id, name: id }))];
}

interface ScopeProps {
  readonly form: ScopeForm;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<ScopeForm>) => void;
  /** What it can be about. */
  readonly of: ScopeOf;
  readonly servers: readonly Named[];
  readonly checks: readonly Named[];
}

/** The list of servers, of checks, or both, each with its own of the chosen ids. */
function ChosenFields({ form, errors, onChange, of, servers, checks }: ScopeProps): JSX.Element {
  const error = findError(errors, "/scope/ids");
  const isOne = of !== "both";
  const lists = [
    ...(of === "check" ? [] : [{ label: text("admin.scope.ids"), options: servers }]),
    ...(of === "server" ? [] : [{ label: text("admin.scope.ids.check"), options: checks }]),
  ];
  return (
    <>
      {lists.map(({ label, options }, index) => (
        <TickList
          key={label}
          label={label}
          options={isOne ? withChosen(options, form.ids) : options}
          chosen={form.ids}
          error={index === lists.length - 1 ? error : undefined}
          onChange={(ids) => onChange({ ids })}
        />
      ))}
    </>
  );
}

/** Which servers or checks it is about. */
export function ScopeFields(props: ScopeProps): JSX.Element {
  const { form, errors, onChange, of } = props;
  const named = [...(of === "check" ? [] : props.servers), ...(of === "server" ? [] : props.checks)];
  const suffix = toSuffix(of);
  const choiceTexts = {
    all: text(`admin.scope.all${suffix}`),
    group: text("admin.scope.group"),
    tag: text("admin.scope.tag"),
    ids: text(`admin.scope.ids${suffix}`),
  };
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{text(`admin.rule.scope${suffix}`)}</legend>
      <Segments
        label={text(`admin.rule.scope${suffix}`)}
        value={form.scope}
        choices={scopeTypes.map((value) => ({ value, label: choiceTexts[value] }))}
        onChange={(scope) => onChange({ scope })}
      />
      {form.scope === "group" && (
        <SuggestField
          label={text("admin.field.group")}
          value={form.group}
          suggestions={listGroups(named)}
          maxLength={64}
          error={findError(errors, "/scope/group")}
          onInput={(group) => onChange({ group })}
        />
      )}
      {form.scope === "tag" && (
        <SuggestField
          label={text("admin.scope.tag")}
          value={form.tag}
          suggestions={listTags(named)}
          maxLength={32}
          error={findError(errors, "/scope/tag")}
          onInput={(tag) => onChange({ tag })}
        />
      )}
      {form.scope === "ids" && <ChosenFields {...props} />}
    </fieldset>
  );
}
