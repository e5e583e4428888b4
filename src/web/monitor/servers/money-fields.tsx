/** The fields of a server's form that speak of money and of traffic. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { trafficSchema } from "../../../monitor/base/schema.ts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { byteUnits } from "../../ui/forms/byte-amount.ts";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import type { ServerForm } from "./server-form.ts";

const bounds = describeSchema(trafficSchema);

type Props = FormPart<ServerForm>;

const cycleUnits = ["day", "month", "year"] as const;
const modes = ["sum", "max", "rx", "tx"] as const;

function PriceFields(props: Props): JSX.Element {
  const { form, errors, onChange } = props;
  const currencies = useMemo(() => Intl.supportedValuesOf("currency"), []);
  return (
    <>
      <div class="field-row">
        <TextField
          label={text("admin.field.price")}
          inputMode="decimal"
          {...bindText(props, "price", "/billing/priceMinor")}
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
          {...bindText(props, "cycleCount", "/billing/cycle")}
        />
        <SelectField
          label={text("admin.field.unit")}
          value={form.cycleUnit}
          choices={cycleUnits.map((value) => ({ value, label: text(`admin.cycle.${value}`) }))}
          onChange={(cycleUnit) => onChange({ cycleUnit })}
        />
      </div>
      <TextField
        {...withHint("admin.field.expires")}
        type="date"
        {...bindText(props, "expires", "/billing/expiresAt")}
      />
      <Checkbox label={text("admin.field.autoRenew")} {...bindTick(props, "autoRenew")} />
    </>
  );
}

/** What the machine costs, and until when it is paid. */
export function BillingFields(props: Props): JSX.Element {
  return (
    <FieldGroup title={text("admin.field.billing")} hint={text("admin.field.billing.hint")}>
      <Checkbox label={text("admin.field.hasBilling")} {...bindTick(props, "hasBilling")} />
      {props.form.hasBilling && <PriceFields {...props} />}
    </FieldGroup>
  );
}

/** How traffic is counted, and what the limit is. */
export function TrafficFields(props: Props & { children?: JSX.Element }): JSX.Element {
  const { form, onChange, children } = props;
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  return (
    <FieldGroup title={text("admin.field.traffic")} hint={text("admin.field.traffic.hint")}>
      <div class="field-row">
        <TextField
          {...withHint("admin.field.limit")}
          inputMode="decimal"
          {...bindText(props, "limit", "/traffic/limitBytes")}
        />
        <SelectField
          label={text("admin.field.unit")}
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
          {...withHint("admin.field.resetDay")}
          inputMode="numeric"
          {...bindText(props, "resetDay", "/traffic/resetDay")}
        />
        <SuggestField
          label={text("admin.field.timeZone")}
          suggestions={zones}
          maxLength={bounds.timeZone.max}
          {...bindText(props, "timeZone", "/traffic/timeZone")}
        />
      </div>
      {children}
    </FieldGroup>
  );
}
