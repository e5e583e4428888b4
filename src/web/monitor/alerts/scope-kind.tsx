/** The field that says which servers and checks something is about. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { describeSchema } from "../../../kit/fields/describe.ts";
import { type Scope, groupScopeSchema, tagScopeSchema } from "../../../monitor/alerts/schema.ts";
import { text } from "../../app/texts.ts";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { Checkbox, Segments, TextField } from "../../ui/controls.tsx";
import {
  type Form,
  type KindOf,
  type Shown,
  type Typed,
  isTypedGroup,
  memberText,
  toTexts,
} from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { type Named, useCheckNames } from "../check-names.ts";
import { type ServerList, SERVERS, listGroups, listTags } from "../server-data.ts";

/** Types of targets of a scope. */
export type ScopeOf = "server" | "check" | "both";

/** The end of the texts' names that speak of it. */
export function toSuffix(of: ScopeOf): "" | ".check" | ".both" {
  return of === "server" ? "" : `.${of}`;
}

/** Which servers or checks something is about, in a few words. */
export function toScopeText({ scope }: { readonly scope: Scope }, of: ScopeOf): string {
  const suffix = toSuffix(of);
  switch (scope.type) {
    case "all":
      return text(`admin.scope.all${suffix}`);
    case "group":
      return text("admin.scope.says.group", { group: scope.group });
    case "tag":
      return text("admin.scope.says.tag", { tag: scope.tag });
    case "ids":
      return text(`admin.scope.says.ids${suffix}`, { count: scope.ids.length });
  }
}

/** The choices. */
export interface ScopeContext {
  readonly servers: readonly Named[];
  readonly checks: readonly Named[];
}

/** The same, once it is loaded. */
export function useScopeContext(): ScopeContext | undefined {
  const servers = usePolled<ServerList>(SERVERS, 0);
  const checks = useCheckNames();
  if (servers.data === undefined && servers.error === undefined) return undefined;
  return { servers: servers.data?.items ?? [], checks };
}

/** More than so many are searched by name. */
const MANY = 15;

interface Option {
  readonly id: string;
  readonly name: string;
}

/** One list of ticks, each adding or taking an id; a long one can be searched. */
export function SearchedTicks(props: {
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

interface ScopeForm extends Form {
  readonly type: string;
  readonly group: string;
  readonly tag: string;
  readonly ids: readonly string[];
  /** The type of the IDs: those of servers do not apply to checks. */
  readonly of: string;
}

function toScopeForm(typed: Typed, of: ScopeOf): ScopeForm {
  const isSame = memberText(typed, "of") === of;
  return {
    type: memberText(typed, "type") || "all",
    group: memberText(typed, "group"),
    tag: memberText(typed, "tag"),
    ids: isSame && isTypedGroup(typed) ? toTexts(typed["ids"]) : [],
    of,
  };
}

interface PartProps<C> extends Shown<C> {
  readonly of: ScopeOf;
}

/** The list of servers, of checks, or both, each with its own of the chosen ids. */
function ChosenFields<C extends ScopeContext>(props: PartProps<C>): JSX.Element {
  const { of, context, errorAt, onChange } = props;
  const form = toScopeForm(props.value, of);
  const isOne = of !== "both";
  const lists = [
    ...(of === "check" ? [] : [{ label: text("admin.scope.ids"), options: context.servers }]),
    ...(of === "server" ? [] : [{ label: text("admin.scope.ids.check"), options: context.checks }]),
  ];
  return (
    <>
      {lists.map(({ label, options }, index) => (
        <SearchedTicks
          key={label}
          label={label}
          options={isOne ? withChosen(options, form.ids) : options}
          chosen={form.ids}
          error={index === lists.length - 1 ? errorAt("/ids") : undefined}
          onChange={(ids) => onChange({ ...form, ids })}
        />
      ))}
    </>
  );
}

const { group: groupJson } = describeSchema(groupScopeSchema);
const { tag: tagJson } = describeSchema(tagScopeSchema);

function ScopeFields<C extends ScopeContext>(props: PartProps<C>): JSX.Element {
  const { of, context, errorAt, onChange } = props;
  const form = toScopeForm(props.value, of);
  const named = [...(of === "check" ? [] : context.servers), ...(of === "server" ? [] : context.checks)];
  const suffix = toSuffix(of);
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{text(`admin.rule.scope${suffix}`)}</legend>
      <Segments<string>
        label={text(`admin.rule.scope${suffix}`)}
        value={form.type}
        choices={[
          { value: "all", label: text(`admin.scope.all${suffix}`) },
          { value: "group", label: text("admin.scope.group") },
          { value: "tag", label: text("admin.scope.tag") },
          { value: "ids", label: text(`admin.scope.ids${suffix}`) },
        ]}
        onChange={(type) => onChange({ ...form, type })}
      />
      {form.type === "group" && (
        <SuggestField
          label={text("admin.field.group")}
          value={form.group}
          suggestions={listGroups(named)}
          maxLength={groupJson.max}
          error={errorAt("/group")}
          onInput={(group) => onChange({ ...form, group })}
        />
      )}
      {form.type === "tag" && (
        <SuggestField
          label={text("admin.scope.tag")}
          value={form.tag}
          suggestions={listTags(named)}
          maxLength={tagJson.max}
          error={errorAt("/tag")}
          onInput={(tag) => onChange({ ...form, tag })}
        />
      )}
      {form.type === "ids" && <ChosenFields {...props} />}
    </fieldset>
  );
}

const noneChosen = {
  server: "admin.fault.servers",
  check: "admin.fault.checks",
  both: "admin.fault.chosen",
} as const satisfies Record<ScopeOf, string>;

/** The kind; `toOf` says what the form around it is about. */
export function scopeKind<C extends ScopeContext>(toOf: (form: Form) => ScopeOf): KindOf<C> {
  return () => ({
    blank: toScopeForm("", "both"),
    toTyped: (value, { form }) => ({
      ...toScopeForm("", toOf(form)),
      ...(typeof value === "object" && value),
    }),
    read: (typed, { form }) => {
      const { type, group, tag, ids } = toScopeForm(typed, toOf(form));
      switch (type) {
        case "group":
          return { value: { type, group } };
        case "tag":
          if (tag.trim() === "") return { faults: new Map([["/tag", "admin.fault.tag"]]) };
          return { value: { type, tag: tag.trim() } };
        case "ids":
          if (ids.length === 0) return { faults: new Map([["/ids", noneChosen[toOf(form)]]]) };
          return { value: { type, ids } };
        default:
          return { value: { type: "all" } };
      }
    },
    Field: (props) => <ScopeFields {...props} of={toOf(props.form)} />,
    say: sayPlain,
  });
}
