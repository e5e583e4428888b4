/** The fields of a server's form that speak of money and of traffic. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { byteUnits } from "../forms/byte-amount.ts";
import { findError } from "../forms/field-errors.ts";
import { SuggestField } from "../field-kinds.tsx";
import { FieldGroup } from "../pieces.tsx";
import type { FormPartProps } from "./server-fields.tsx";

const cycleUnits = ["day", "month", "year"] as const;
const modes = ["sum", "max", "rx", "tx"] as const;

function PriceFields({ form, errors, onChange }: FormPartProps): JSX.Element {
  const currencies = useMemo(() => Intl.supportedValuesOf("currency"), []);
  return (
    <>
      <div class="field-row">
        <TextField
          label={text("admin.field.price")}
          inputMode="decimal"
          value={form.price}
          error={findError(errors, "/billing/priceMinor")}
          onInput={(price) => onChange({ price })}
        />
        <SuggestField
          label={text("admin.field.currency")}
          suggestions={currencies}
          value={form.currency}
          maxLength={3}
          error={findError(errors, "/billing/currency")}
          onInput={(currency) => onChange({ currency: currency.toUpperCase() })}
        />
        <TextField
          label={text("admin.field.cycleCount")}
          inputMode="numeric"
          value={form.cycleCount}
          error={findError(errors, "/billing/cycle")}
          onInput={(cycleCount) => onChange({ cycleCount })}
        />
        <SelectField
          label={text("admin.field.cycleUnit")}
          value={form.cycleUnit}
          choices={cycleUnits.map((value) => ({ value, label: text(`admin.cycle.${value}`) }))}
          onChange={(cycleUnit) => onChange({ cycleUnit })}
        />
      </div>
      <TextField
        label={text("admin.field.expires")}
        hint={text("admin.field.expires.hint")}
        type="date"
        value={form.expires}
        error={findError(errors, "/billing/expiresAt")}
        onInput={(expires) => onChange({ expires })}
      />
      <Checkbox
        label={text("admin.field.autoRenew")}
        checked={form.autoRenew}
        onChange={(autoRenew) => onChange({ autoRenew })}
      />
    </>
  );
}

/** What the machine costs, and until when it is paid. */
export function BillingFields(props: FormPartProps): JSX.Element {
  const { form, onChange } = props;
  return (
    <FieldGroup title={text("admin.field.billing")} hint={text("admin.field.billing.hint")}>
      <Checkbox
        label={text("admin.field.hasBilling")}
        checked={form.hasBilling}
        onChange={(hasBilling) => onChange({ hasBilling })}
      />
      {form.hasBilling && <PriceFields {...props} />}
    </FieldGroup>
  );
}

/** How traffic is counted, and what the limit is. */
export function TrafficFields({
  form,
  errors,
  onChange,
  children,
}: FormPartProps & { children?: JSX.Element }): JSX.Element {
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  return (
    <FieldGroup title={text("admin.field.traffic")} hint={text("admin.field.traffic.hint")}>
      <div class="field-row">
        <TextField
          label={text("admin.field.limit")}
          hint={text("admin.field.limit.hint")}
          inputMode="decimal"
          value={form.limit}
          error={findError(errors, "/traffic/limitBytes")}
          onInput={(limit) => onChange({ limit })}
        />
        <SelectField
          label={text("admin.field.limitUnit")}
          value={form.limitUnit}
          choices={byteUnits.map((value) => ({ value, label: value }))}
          onChange={(limitUnit) => onChange({ limitUnit })}
        />
        <SelectField
          label={text("admin.field.mode")}
          value={form.mode}
          choices={modes.map((value) => ({ value, label: text(`admin.mode.${value}`) }))}
          onChange={(mode) => onChange({ mode })}
        />
      </div>
      <div class="field-row">
        <TextField
          label={text("admin.field.resetDay")}
          hint={text("admin.field.resetDay.hint")}
          inputMode="numeric"
          value={form.resetDay}
          error={findError(errors, "/traffic/resetDay")}
          onInput={(resetDay) => onChange({ resetDay })}
        />
        <SuggestField
          label={text("admin.field.timeZone")}
          suggestions={zones}
          value={form.timeZone}
          maxLength={64}
          error={findError(errors, "/traffic/timeZone")}
          onInput={(timeZone) => onChange({ timeZone })}
        />
      </div>
      {children}
    </FieldGroup>
  );
}
