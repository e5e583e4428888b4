/** Kinds of fields that servers have: amounts of bytes, what a machine costs, and until when its alerts are muted. */
import type { JSX } from "preact";
import type { FieldJson, FieldsJson } from "../../../kit/fields/field-json.ts";
import { toTypedBytes } from "../../app/format.ts";
import { type TextName, currentLanguage, text, withHint } from "../../app/texts.ts";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { Checkbox, Field, Segments, Select, SelectField, TextField } from "../../ui/controls.tsx";
import { byteUnits, parseByteAmount, toByteAmount } from "../../ui/forms/byte-amount.ts";
import { parseLocal, toDateText, toDateTimeText } from "../../ui/forms/local-time.ts";
import { parseMoney, toMoneyText } from "../../ui/forms/money.ts";
import { parseBounded } from "../../ui/forms/parsed.ts";
import { findMember } from "../../ui/resource/form.ts";
import {
  type Kind,
  type KindOf,
  type Shown,
  type Typed,
  isTypedGroup,
  memberText,
} from "../../ui/resource/kind.ts";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { toValueText } from "../value-text.ts";
import { listRegions } from "./regions.ts";

type Group = Readonly<Record<string, Typed>>;

function toGroup(value: Typed): Group {
  return isTypedGroup(value) ? value : {};
}

/** Bytes, typed as a number with its unit; nothing typed is 0. */
export function bytesKind<C>(): KindOf<C> {
  return () => ({
    blank: { ...toByteAmount(0) },
    toTyped: (value) => ({ ...toByteAmount(typeof value === "number" ? value : 0) }),
    read: (typed) => {
      const unit = byteUnits.find((one) => one === memberText(typed, "unit")) ?? "B";
      const value = parseByteAmount({ value: memberText(typed, "value"), unit });
      return value === undefined ? { fault: "admin.fault.bytes" } : { value };
    },
    Field: ({ label, hint, error, value, onChange }) => (
      <Field label={label} hint={hint} error={error}>
        {(links) => (
          <span class="span-field">
            <input
              {...links}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              value={memberText(value, "value")}
              onInput={(event) => onChange({ ...toGroup(value), value: event.currentTarget.value })}
            />
            <Select<string>
              label={text("admin.field.unit")}
              value={memberText(value, "unit")}
              choices={byteUnits.map((unit) => ({ value: unit, label: unit }))}
              onChange={(unit) => onChange({ ...toGroup(value), unit })}
            />
          </span>
        )}
      </Field>
    ),
    say: (value) =>
      typeof value === "number" && value > 0 ? toTypedBytes(value) : text("admin.field.limit.none"),
  });
}

/** A country. */
export function regionKind<C>(): KindOf<C> {
  return listedKind(() => [
    { value: "", label: text("admin.field.region.none") },
    ...listRegions(currentLanguage()).map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
  ]);
}

/** The fields of a price, by what the schema of billing says of them. */
interface Billing {
  readonly cycle: FieldsJson;
  readonly units: readonly string[];
}

function PriceFields<C>({
  billing: { units },
  group,
  errorAt,
  set,
}: Pick<Shown<C>, "errorAt"> & {
  billing: Billing;
  group: Group;
  set: (change: Group) => void;
}): JSX.Element {
  return (
    <>
      <div class="field-row">
        <TextField
          label={text("admin.field.price")}
          inputMode="decimal"
          value={memberText(group, "price")}
          error={errorAt("/priceMinor")}
          onInput={(price) => set({ price })}
        />
        <SuggestField
          label={text("admin.field.currency")}
          suggestions={Intl.supportedValuesOf("currency")}
          value={memberText(group, "currency")}
          error={errorAt("/currency")}
          onInput={(currency) => set({ currency: currency.toUpperCase() })}
        />
        <TextField
          label={text("admin.field.cycleCount")}
          inputMode="numeric"
          value={memberText(group, "count")}
          error={errorAt("/cycle")}
          onInput={(count) => set({ count })}
        />
        <SelectField<string>
          label={text("admin.field.unit")}
          value={memberText(group, "unit")}
          choices={units.map((value) => ({ value, label: text(`admin.cycle.${value}` as TextName) }))}
          onChange={(unit) => set({ unit })}
        />
      </div>
      <TextField
        {...withHint("admin.field.expires")}
        type="date"
        value={memberText(group, "expires")}
        error={errorAt("/expiresAt")}
        onInput={(expires) => set({ expires })}
      />
      <Checkbox
        label={text("admin.field.autoRenew")}
        checked={group["autoRenew"] === true}
        onChange={(autoRenew) => set({ autoRenew })}
      />
    </>
  );
}

function readBilling({ cycle }: Billing, group: Group, before: unknown): ReturnType<Kind<unknown>["read"]> {
  const faults = new Map<string, TextName>();
  const currency = memberText(group, "currency").trim().toUpperCase();
  const priceMinor = parseMoney(memberText(group, "price"), currency);
  const n = parseBounded(memberText(group, "count"), cycle["n"]);
  const expires = memberText(group, "expires");
  const stored = findMember(before, "expiresAt");
  const expiresAt =
    expires === "" ? undefined : parseLocal(expires, typeof stored === "string" ? stored : undefined);
  if (!/^[A-Z]{3}$/u.test(currency)) faults.set("/currency", "admin.fault.currency");
  if (priceMinor === undefined) faults.set("/priceMinor", "admin.fault.price");
  if (n === undefined) faults.set("/cycle/n", "admin.fault.cycle");
  if (expires !== "" && expiresAt === undefined) faults.set("/expiresAt", "admin.fault.date");
  if (faults.size > 0) return { faults };
  const autoRenew = group["autoRenew"] === true;
  const value = { priceMinor, currency, cycle: { n, unit: memberText(group, "unit") }, autoRenew };
  return { value: expiresAt === undefined ? value : { ...value, expiresAt } };
}

/** The price of a machine, or null for a free one. */
export function billingKind<C>({ fields = {} }: FieldJson): Kind<C> {
  const cycle = fields["cycle"]?.fields ?? {};
  const billing: Billing = { cycle, units: (cycle["unit"]?.choices ?? []).map(String) };
  const blank = {
    on: false,
    price: "",
    currency: "USD",
    count: "1",
    unit: "month",
    expires: "",
    autoRenew: false,
  };
  return {
    blank,
    toTyped: (value) => {
      if (typeof value !== "object" || value === null) return blank;
      const currency = String(findMember(value, "currency"));
      const expiresAt = findMember(value, "expiresAt");
      return {
        on: true,
        price: toMoneyText(Number(findMember(value, "priceMinor")), currency),
        currency,
        count: String(findMember(value, "cycle/n")),
        unit: String(findMember(value, "cycle/unit")),
        expires: toDateText(typeof expiresAt === "string" ? expiresAt : undefined),
        autoRenew: findMember(value, "autoRenew") === true,
      };
    },
    read: (typed, { before }) => {
      const group = toGroup(typed);
      return group["on"] === true ? readBilling(billing, group, before) : { value: null };
    },
    Field: ({ value, errorAt, onChange }) => {
      const group = toGroup(value);
      const set = (change: Group): void => onChange({ ...group, ...change });
      return (
        <>
          <Checkbox
            label={text("admin.field.hasBilling")}
            checked={group["on"] === true}
            onChange={(on) => set({ on })}
          />
          {group["on"] === true && (
            <PriceFields billing={billing} group={group} errorAt={errorAt} set={set} />
          )}
        </>
      );
    },
    say: (value) => toValueText("billing", value),
  };
}

const muteChoices = ["off", "until", "forever"] as const;

/** Whether alerts notify people: they do (null), they do not, or not until a moment. */
export function muteKind<C>(): Kind<C> {
  return {
    blank: { choice: "off", until: "" },
    toTyped: (value) => {
      if (typeof value !== "object" || value === null) return { choice: "off", until: "" };
      const until = findMember(value, "until");
      return typeof until === "string"
        ? { choice: "until", until: toDateTimeText(until) }
        : { choice: "forever", until: "" };
    },
    read: (typed, { before }) => {
      const choice = memberText(typed, "choice");
      if (choice !== "until") return { value: choice === "forever" ? {} : null };
      const stored = findMember(before, "until");
      const until = parseLocal(memberText(typed, "until"), typeof stored === "string" ? stored : undefined);
      return until === undefined
        ? { faults: new Map([["/until", "admin.fault.moment"]]) }
        : { value: { until } };
    },
    Field: ({ label, value, errorAt, onChange }) => {
      const choice = muteChoices.find((one) => one === memberText(value, "choice")) ?? "off";
      return (
        <>
          <Segments<(typeof muteChoices)[number]>
            label={label}
            value={choice}
            choices={muteChoices.map((one) => ({ value: one, label: text(`admin.mute.${one}`) }))}
            onChange={(next) => onChange({ ...toGroup(value), choice: next })}
          />
          {choice === "until" && (
            <TextField
              label={text("admin.field.muteUntil")}
              type="datetime-local"
              value={memberText(value, "until")}
              error={errorAt("/until")}
              onInput={(until) => onChange({ ...toGroup(value), until })}
            />
          )}
        </>
      );
    },
    say: (value) => (value === null ? text("admin.mute.off") : toValueText("mute", value)),
  };
}
