/** The field for the time of maintenance: once, on days of a week or month, or by a cron expression. */
import { listZoneNames } from "../../../kit/text/zone-names.ts";
import type { JSX } from "preact";
import { describeSchema } from "../../../kit/fields/describe.ts";
import { type Schedule, cronSchema, weeklySchema } from "../../../monitor/maintenance/schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";
import { type Fault, parseBounded } from "../../ui/forms/parsed.ts";
import {
  type Form,
  type Kind,
  type Read,
  type Shown,
  type Typed,
  isTypedGroup,
  memberText,
  toTexts,
} from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { toDayName } from "./maintenance-words.ts";

/** 1 is Monday. */
const week = ["1", "2", "3", "4", "5", "6", "7"] as const;

const types = ["weekly", "monthly", "once", "cron"] as const;
const onTypes = ["day", "weekday", "last"] as const;
const weeks = ["1", "2", "3", "4", "last"] as const;

const { daysLater: laterJson } = describeSchema(weeklySchema);
const { minutes: minutesJson } = describeSchema(cronSchema);

/** Local dates and times of a single window; days and times of day of those that come again. */
const blank: Form = {
  type: "weekly",
  begin: "",
  end: "",
  days: ["7"],
  from: "02:00",
  to: "04:00",
  daysLater: "",
  on: "day",
  day: "1",
  week: "2",
  weekday: "2",
  expression: "0 2 * * 7",
  minutes: "120",
  timeZone: "",
};

function toOn(on: Extract<Schedule, { type: "monthly" }>["on"]): Form {
  if ("week" in on) return { on: "weekday", week: String(on.week), weekday: String(on.weekday) };
  return on.day === "last" ? { on: "last" } : { on: "day", day: String(on.day) };
}

function toForm(schedule: Schedule): Form {
  if (schedule.type === "once") {
    const { type, from, to } = schedule;
    return { ...blank, type, begin: toDateTimeText(from), end: toDateTimeText(to) };
  }
  const { type, timeZone = "" } = schedule;
  if (schedule.type === "cron") {
    const { expression, minutes } = schedule;
    return { ...blank, type, timeZone, expression, minutes: String(minutes) };
  }
  const { from, to, daysLater } = schedule;
  const times = { type, timeZone, from, to, daysLater: daysLater === undefined ? "" : String(daysLater) };
  return schedule.type === "weekly"
    ? { ...blank, ...times, days: schedule.days.map(String) }
    : { ...blank, ...times, ...toOn(schedule.on) };
}

function toDays(typed: Typed): readonly string[] {
  return isTypedGroup(typed) ? toTexts(typed["days"]) : [];
}

/** The zone as it is sent: none is that of the settings. */
function readZone(typed: Typed): { readonly timeZone?: string } {
  const timeZone = memberText(typed, "timeZone").trim();
  return timeZone === "" ? {} : { timeZone };
}

function readOnce(typed: Typed): Read {
  const faults = new Map<string, Fault>();
  const from = parseLocal(memberText(typed, "begin")) ?? "";
  const to = parseLocal(memberText(typed, "end")) ?? "";
  if (from === "") faults.set("/from", "admin.fault.moment");
  if (to === "") faults.set("/to", "admin.fault.moment");
  else if (from >= to) faults.set("/to", "admin.fault.after");
  return faults.size > 0 ? { faults } : { value: { type: "once", from, to } };
}

function readCron(typed: Typed): Read {
  const faults = new Map<string, Fault>();
  const expression = memberText(typed, "expression").trim();
  const minutes = parseBounded(memberText(typed, "minutes"), minutesJson);
  if (expression === "") faults.set("/expression", "admin.check.cron.wrong");
  if (minutes === undefined) faults.set("/minutes", "admin.fault.minutes");
  if (faults.size > 0) return { faults };
  return { value: { type: "cron", expression, minutes, ...readZone(typed) } };
}

/** Of a week or month. */
function readDaily(typed: Typed, type: "weekly" | "monthly"): Read {
  const faults = new Map<string, Fault>();
  const from = memberText(typed, "from");
  const to = memberText(typed, "to");
  const days = toDays(typed);
  const laterText = memberText(typed, "daysLater").trim();
  const daysLater = laterText === "" ? undefined : parseBounded(laterText, laterJson);
  const day = parseBounded(memberText(typed, "day"), { min: 1, max: 31 });
  const on = memberText(typed, "on");
  if (type === "weekly" && days.length === 0) faults.set("/days", "admin.fault.days");
  if (type === "monthly" && on === "day" && day === undefined) faults.set("/on", "admin.fault.day");
  if (from === "") faults.set("/from", "admin.fault.time");
  if (to === "") faults.set("/to", "admin.fault.time");
  else if (from === to && !(daysLater !== undefined && daysLater > 0)) faults.set("/to", "admin.fault.times");
  else if (daysLater === 0 && to < from) faults.set("/to", "admin.fault.after");
  if (laterText !== "" && daysLater === undefined) faults.set("/daysLater", "admin.fault.daysLater");
  if (faults.size > 0) return { faults };
  const times = { from, to, ...(daysLater === undefined ? {} : { daysLater }), ...readZone(typed) };
  if (type === "weekly")
    return { value: { type, days: days.map(Number).toSorted((a, b) => a - b), ...times } };
  const week = memberText(typed, "week");
  const weekday = {
    week: week === "last" ? week : Number(week),
    weekday: Number(memberText(typed, "weekday")),
  };
  return {
    value: { type, on: on === "weekday" ? weekday : { day: on === "last" ? "last" : day }, ...times },
  };
}

function read(typed: Typed): Read {
  const type = types.find((one) => one === memberText(typed, "type")) ?? "weekly";
  if (type === "once") return readOnce(typed);
  return type === "cron" ? readCron(typed) : readDaily(typed, type);
}

function DayTicks({ value, errorAt, onChange }: Shown<unknown>): JSX.Element {
  const days = toDays(value);
  const error = errorAt("/days");
  return (
    <fieldset class="plain-fieldset tick-list">
      <legend class="field-label">{text("admin.maintenance.days")}</legend>
      {week.map((day) => (
        <Checkbox
          key={day}
          label={toDayName(Number(day))}
          checked={days.includes(day)}
          onChange={(ticked) => {
            const next = ticked ? [...days, day] : days.filter((one) => one !== day);
            onChange({ ...(isTypedGroup(value) ? value : blank), days: next });
          }}
        />
      ))}
      {error !== undefined && <p class="field-error">{error}</p>}
    </fieldset>
  );
}

type Set = (change: Form) => void;
type Part = Pick<Shown<unknown>, "value" | "errorAt"> & { set: Set };

const CronHint = lazy(async () => (await import("../checks/editor/cron-hint.tsx")).CronHint, null);

function MonthDay({ value, errorAt, set }: Part): JSX.Element {
  const on = memberText(value, "on");
  return (
    <div class="field-row">
      <SelectField<string>
        label={text("admin.maintenance.on")}
        value={on}
        choices={onTypes.map((one) => ({ value: one, label: text(`admin.maintenance.on.${one}`) }))}
        error={on === "day" ? undefined : errorAt("/on")}
        onChange={(next) => set({ on: next })}
      />
      {on === "day" && (
        <TextField
          label={text("admin.maintenance.day")}
          inputMode="numeric"
          value={memberText(value, "day")}
          error={errorAt("/on")}
          onInput={(day) => set({ day })}
        />
      )}
      {on === "weekday" && (
        <>
          <SelectField<string>
            label={text("admin.maintenance.week")}
            value={memberText(value, "week")}
            choices={weeks.map((one) => ({ value: one, label: text(`admin.maintenance.week.${one}`) }))}
            onChange={(next) => set({ week: next })}
          />
          <SelectField<string>
            label={text("admin.maintenance.weekday")}
            value={memberText(value, "weekday")}
            choices={week.map((one) => ({ value: one, label: toDayName(Number(one)) }))}
            onChange={(weekday) => set({ weekday })}
          />
        </>
      )}
    </div>
  );
}

function CronFields({ value, errorAt, set }: Part): JSX.Element {
  const expression = memberText(value, "expression");
  const zone = memberText(value, "timeZone");
  return (
    <>
      <div class="field-row">
        <TextField
          label={text("admin.maintenance.cron")}
          value={expression}
          error={errorAt("/expression")}
          onInput={(next) => set({ expression: next })}
        />
        <TextField
          label={text("admin.maintenance.minutes")}
          inputMode="numeric"
          value={memberText(value, "minutes")}
          error={errorAt("/minutes")}
          onInput={(minutes) => set({ minutes })}
        />
      </div>
      {zone !== "" && <CronHint type="cron" expression={expression} timeZone={zone} />}
    </>
  );
}

function TimeFields({ value, errorAt, set }: Part): JSX.Element {
  const isOnce = memberText(value, "type") === "once";
  const begin = isOnce ? "begin" : "from";
  const end = isOnce ? "end" : "to";
  const type = isOnce ? "datetime-local" : "time";
  return (
    <div class="field-row">
      <TextField
        label={text("admin.quiet.from")}
        type={type}
        value={memberText(value, begin)}
        error={errorAt("/from")}
        onInput={(next) => set({ [begin]: next })}
      />
      <TextField
        label={text("admin.quiet.to")}
        type={type}
        value={memberText(value, end)}
        error={errorAt("/to")}
        onInput={(next) => set({ [end]: next })}
      />
      {!isOnce && (
        <TextField
          label={text("admin.maintenance.daysLater")}
          inputMode="numeric"
          value={memberText(value, "daysLater")}
          error={errorAt("/daysLater")}
          onInput={(daysLater) => set({ daysLater })}
        />
      )}
    </div>
  );
}

const hints = {
  once: "admin.maintenance.once.hint",
  weekly: "admin.maintenance.weekly.hint",
  monthly: "admin.maintenance.monthly.hint",
  cron: "admin.maintenance.cron.hint",
} as const satisfies Record<(typeof types)[number], TextName>;

function ScheduleFields(props: Shown<unknown>): JSX.Element {
  const { value, errorAt, onChange } = props;
  const form = isTypedGroup(value) ? value : blank;
  const type = types.find((one) => one === form["type"]) ?? "weekly";
  const set: Set = (change) => onChange({ ...form, ...change });
  const part = { value, errorAt, set };
  return (
    <>
      <Segments<string>
        label={text("admin.column.when")}
        value={type}
        choices={types.map((one) => ({ value: one, label: text(`admin.maintenance.${one}`) }))}
        onChange={(next) => set({ type: next })}
      />
      {type === "weekly" && <DayTicks {...props} />}
      {type === "monthly" && <MonthDay {...part} />}
      {type === "cron" ? <CronFields {...part} /> : <TimeFields {...part} />}
      {type !== "once" && (
        <SuggestField
          label={text("admin.maintenance.timeZone")}
          value={memberText(value, "timeZone")}
          suggestions={listZoneNames()}
          error={errorAt("/timeZone")}
          onInput={(timeZone) => set({ timeZone })}
        />
      )}
      <p class="field-hint">{text(hints[type])}</p>
    </>
  );
}

/** The kind. */
export function scheduleKind<C>(): Kind<C> {
  return {
    blank,
    // The schema of the field is that of schedules.
    toTyped: (value) => (value === undefined ? blank : toForm(value as Schedule)),
    read,
    Field: ScheduleFields,
    say: sayPlain,
  };
}
