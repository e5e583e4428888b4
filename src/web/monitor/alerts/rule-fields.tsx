/** The fields of a rule's form: what it looks for, where, and whom it tells. */
import type { JSX } from "preact";
import type { RuleField } from "../../../monitor/alerts/kinds/kind.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { isMetricName, labelOf, metricNames, unitOf } from "../../../monitor/base/metrics.ts";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { byteUnits } from "../../ui/forms/byte-amount.ts";
import { type FieldErrors, findError } from "../../ui/forms/field-errors.ts";
import { TickList } from "./scope-fields.tsx";
import { type RuleForm, type SpanUnit, fieldsOf, isByteMetric, toValueKey } from "./rule-form.ts";

export interface RulePartProps {
  readonly form: RuleForm;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<RuleForm>) => void;
}

const spanChoices: readonly SpanUnit[] = ["s", "min", "h"];

/** Metrics in the order of the list: what is asked for most comes first. */
const unitOrder = ["percent", "load", "bytesPerSecond", "celsius", "count", "bytes", "seconds"];
const listedMetrics = metricNames.toSorted(
  (a, b) => unitOrder.indexOf(unitOf(a)) - unitOrder.indexOf(unitOf(b)),
);

function toThresholdSign(metric: string): string {
  const unit = isMetricName(metric) ? unitOf(metric) : "count";
  return unit === "percent" ? " (%)" : unit === "celsius" ? " (°C)" : unit === "seconds" ? " (s)" : "";
}

/** The metric in whose unit a threshold is; empty for other fields. */
function findThresholdMetric({ kind, values }: RuleForm, field: RuleField): string {
  return field.input === "threshold" ? (values[toValueKey(kind, field.metric)] ?? "") : "";
}

interface FieldProps extends RulePartProps {
  readonly field: RuleField;
}

/** The unit beside a number. */
function UnitField(
  props: FieldProps & { label: string; choices: readonly { value: string; label: string }[] },
): JSX.Element {
  const { form, field, label, choices, onChange } = props;
  const key = `${toValueKey(form.kind, field.name)}.unit`;
  return (
    <SelectField
      label={label}
      value={form.values[key] ?? ""}
      choices={choices}
      onChange={(unit) => onChange({ values: { ...form.values, [key]: unit } })}
    />
  );
}

function toChoices(field: RuleField): readonly { value: string; label: string }[] | undefined {
  if (field.input === "metric") return listedMetrics.map((value) => ({ value, label: text(labelOf(value)) }));
  if (field.input !== "choice") return undefined;
  return Object.entries(field.choices).map(([value, label]) => ({ value, label: text(label) }));
}

function ParameterField(props: FieldProps): JSX.Element {
  const { form, field, errors, onChange } = props;
  const { name, input, label, hint } = field;
  const key = toValueKey(form.kind, name);
  const value = form.values[key] ?? "";
  const error = findError(errors, `/${name}`);
  const set = (next: string): void => onChange({ values: { ...form.values, [key]: next } });
  const choices = toChoices(field);
  if (choices !== undefined)
    return <SelectField label={text(label)} value={value} choices={choices} error={error} onChange={set} />;
  if (input === "switch")
    return (
      <div class="stack-small">
        <Checkbox
          label={text(label)}
          checked={value === "true"}
          onChange={(checked) => set(String(checked))}
        />
        {hint !== undefined && <p class="field-hint">{text(hint)}</p>}
      </div>
    );
  const metric = findThresholdMetric(form, field);
  return (
    <TextField
      label={text(label) + toThresholdSign(metric)}
      hint={hint && text(hint)}
      inputMode={input === "span" || (input === "number" && field.isWhole) ? "numeric" : "decimal"}
      value={value}
      error={error}
      onInput={set}
    />
  );
}

/** A number with its unit in one row, anything else alone. */
function FieldRow(props: FieldProps): JSX.Element {
  const { form, field } = props;
  if (field.input === "span")
    return (
      <div class="field-row">
        <ParameterField {...props} />
        <UnitField
          {...props}
          label={text("admin.field.unit")}
          choices={spanChoices.map((value) => ({ value, label: text(`admin.span.${value}`) }))}
        />
      </div>
    );
  const metric = findThresholdMetric(form, field);
  if (!isByteMetric(metric)) return <ParameterField {...props} />;
  const perSecond = isMetricName(metric) && unitOf(metric) === "bytesPerSecond" ? "/s" : "";
  return (
    <div class="field-row">
      <ParameterField {...props} />
      <UnitField
        {...props}
        label={text("admin.field.unit")}
        choices={byteUnits.map((value) => ({ value, label: value + perSecond }))}
      />
    </div>
  );
}

/** What the rule looks for, by its kind. */
export function ConditionFields(props: RulePartProps): JSX.Element {
  return (
    <>
      {fieldsOf(props.form.kind).map((field) => (
        <FieldRow {...props} field={field} key={field.name} />
      ))}
    </>
  );
}

/** Whom the rule notifies, and how often. */
export function ChannelTicks(props: RulePartProps & { channels: readonly ChannelView[] }): JSX.Element {
  const { form, errors, onChange, channels } = props;
  const { allChannels, channelIds, remind } = form;
  return (
    <>
      <fieldset class="plain-fieldset stack-small">
        <legend class="field-label">{text("admin.rule.channels")}</legend>
        <Segments
          label={text("admin.rule.channels")}
          value={allChannels ? "all" : "some"}
          choices={[
            { value: "all", label: text("admin.rule.channels.all") },
            { value: "some", label: text("admin.rule.channels.some") },
          ]}
          onChange={(value) => onChange({ allChannels: value === "all" })}
        />
        {allChannels && <p class="field-hint">{text("admin.rule.channels.all.hint")}</p>}
        {!allChannels && (
          <TickList
            label={text("admin.rule.channels.some")}
            options={channels}
            chosen={channelIds}
            error={findError(errors, "/channelIds")}
            onChange={(chosen) => onChange({ channelIds: chosen })}
          />
        )}
        {channels.length === 0 && <p class="field-hint">{text("admin.rule.channels.none")}</p>}
        {channels.length > 0 && !allChannels && channelIds.length === 0 && (
          <p class="field-hint">{text("admin.rule.channels.silent")}</p>
        )}
      </fieldset>
      <TextField
        {...withHint("admin.rule.remind")}
        inputMode="numeric"
        value={remind}
        error={findError(errors, "/remindEveryHours")}
        onInput={(value) => onChange({ remind: value })}
      />
    </>
  );
}
