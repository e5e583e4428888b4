/** The fields of a rule's form: what it looks for, where, and whom it tells. */
import type { JSX } from "preact";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { byteUnits } from "../forms/byte-amount.ts";
import { type FieldErrors, findError } from "../forms/field-errors.ts";
import { SuggestField } from "../field-kinds.tsx";
import { listGroups, listTags } from "../server-data.ts";
import { isByteMetric, metricNames, toMetricUnit } from "./metric-list.ts";
import { type RuleForm, type SpanUnit, operators, scopeTypes, spanUnits } from "./rule-form.ts";

export interface RulePartProps {
  readonly form: RuleForm;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<RuleForm>) => void;
}

const spanChoices: readonly SpanUnit[] = ["s", "min", "h"];

function SpanFields(props: RulePartProps & { label: string; hint: string; pointer: string }): JSX.Element {
  const { form, errors, onChange, label, hint, pointer } = props;
  return (
    <div class="field-row">
      <TextField
        label={label}
        hint={hint}
        inputMode="numeric"
        value={form.span}
        error={findError(errors, pointer)}
        onInput={(span) => onChange({ span })}
      />
      <SelectField<SpanUnit>
        label={text("admin.rule.span.unit")}
        value={form.spanUnit}
        choices={spanChoices.map((value) => ({ value, label: text(`admin.span.${value}`) }))}
        onChange={(spanUnit) => onChange({ spanUnit: spanUnit in spanUnits ? spanUnit : "s" })}
      />
    </div>
  );
}

function ThresholdFields({ form, errors, onChange }: RulePartProps): JSX.Element {
  const unit = toMetricUnit(form.metric);
  const perSecond = unit === "bytesPerSecond" ? "/s" : "";
  const sign = unit === "percent" ? " (%)" : unit === "celsius" ? " (°C)" : "";
  return (
    <>
      <SelectField
        label={text("admin.rule.metric")}
        value={form.metric}
        choices={metricNames.map((value) => ({ value, label: text(`admin.metric.${value}`) }))}
        error={findError(errors, "/metric")}
        onChange={(metric) => onChange({ metric })}
      />
      <div class="field-row">
        <SelectField
          label={text("admin.rule.op")}
          value={form.op}
          choices={operators.map((value) => ({ value, label: text(`admin.op.${value}`) }))}
          onChange={(op) => onChange({ op })}
        />
        <TextField
          label={text("admin.rule.threshold") + sign}
          inputMode="decimal"
          value={form.threshold}
          error={findError(errors, "/threshold")}
          onInput={(threshold) => onChange({ threshold })}
        />
        {isByteMetric(form.metric) && (
          <SelectField
            label={text("admin.field.limitUnit")}
            value={form.thresholdUnit}
            choices={byteUnits.map((value) => ({ value, label: value + perSecond }))}
            onChange={(thresholdUnit) => onChange({ thresholdUnit })}
          />
        )}
      </div>
    </>
  );
}

/** What the rule looks for, by its kind. */
export function ConditionFields(props: RulePartProps): JSX.Element {
  const { form, errors, onChange } = props;
  switch (form.kind) {
    case "offline":
      return (
        <SpanFields
          {...props}
          pointer="/graceSeconds"
          label={text("admin.rule.grace")}
          hint={text("admin.rule.grace.hint")}
        />
      );
    case "metric":
      return (
        <>
          <ThresholdFields {...props} />
          <SpanFields
            {...props}
            pointer="/forSeconds"
            label={text("admin.rule.for")}
            hint={text("admin.rule.for.hint")}
          />
        </>
      );
    case "expiry":
      return (
        <TextField
          label={text("admin.rule.days")}
          hint={text("admin.rule.days.hint")}
          inputMode="numeric"
          value={form.daysAhead}
          error={findError(errors, "/daysAhead")}
          onInput={(daysAhead) => onChange({ daysAhead })}
        />
      );
    case "traffic":
      return (
        <TextField
          label={text("admin.rule.percent")}
          hint={text("admin.rule.percent.hint")}
          inputMode="decimal"
          value={form.percent}
          error={findError(errors, "/percentOfLimit")}
          onInput={(percent) => onChange({ percent })}
        />
      );
  }
}

/** One list of ticks, each adding or taking an id. */
function TickList(props: {
  label: string;
  error?: string | undefined;
  options: readonly { readonly id: string; readonly name: string }[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}): JSX.Element {
  const { label, error, options, chosen, onChange } = props;
  return (
    <fieldset class="plain-fieldset tick-list">
      <legend class="field-label">{label}</legend>
      {options.map(({ id, name }) => (
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

/** Which servers the rule watches. */
export function ScopeFields(props: RulePartProps & { servers: readonly AdminServer[] }): JSX.Element {
  const { form, errors, onChange, servers } = props;
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{text("admin.rule.scope")}</legend>
      <Segments
        label={text("admin.rule.scope")}
        value={form.scope}
        choices={scopeTypes.map((value) => ({ value, label: text(`admin.scope.${value}`) }))}
        onChange={(scope) => onChange({ scope })}
      />
      {form.scope === "group" && (
        <SuggestField
          label={text("admin.field.group")}
          value={form.group}
          suggestions={listGroups(servers)}
          maxLength={64}
          error={findError(errors, "/scope/group")}
          onInput={(group) => onChange({ group })}
        />
      )}
      {form.scope === "tag" && (
        <SuggestField
          label={text("admin.scope.tag")}
          value={form.tag}
          suggestions={listTags(servers)}
          maxLength={32}
          error={findError(errors, "/scope/tag")}
          onInput={(tag) => onChange({ tag })}
        />
      )}
      {form.scope === "ids" && (
        <TickList
          label={text("admin.scope.ids")}
          options={servers}
          chosen={form.ids}
          error={findError(errors, "/scope/ids")}
          onChange={(ids) => onChange({ ids })}
        />
      )}
    </fieldset>
  );
}

/** Whom the rule tells. */
export function ChannelTicks(props: RulePartProps & { channels: readonly ChannelView[] }): JSX.Element {
  const { form, errors, onChange, channels } = props;
  return (
    <>
      <TickList
        label={text("admin.rule.channels")}
        options={channels}
        chosen={form.channelIds}
        error={findError(errors, "/channelIds")}
        onChange={(channelIds) => onChange({ channelIds })}
      />
      {channels.length === 0 && <p class="field-hint">{text("admin.rule.channels.none")}</p>}
      {channels.length > 0 && form.channelIds.length === 0 && (
        <p class="field-hint">{text("admin.rule.channels.silent")}</p>
      )}
    </>
  );
}
