/** The field that says when maintenance is: once, or on days of each week. */
import type { JSX } from "preact";
import type { Schedule } from "../../../monitor/maintenance/schema.ts";
import { text } from "../../app/texts.ts";
import { Checkbox, Segments, TextField } from "../../ui/controls.tsx";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";
import type { Fault } from "../../ui/forms/parsed.ts";
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

/** Local dates and times of a single window; days and times of day of a weekly one. */
const blank: Form = { type: "weekly", begin: "", end: "", days: ["7"], from: "02:00", to: "04:00" };

function toForm(schedule: Schedule): Form {
  if (schedule.type === "weekly") return { ...blank, ...schedule, days: schedule.days.map(String) };
  const { type, from, to } = schedule;
  return { ...blank, type, begin: toDateTimeText(from), end: toDateTimeText(to) };
}

function toDays(typed: Typed): readonly string[] {
  return isTypedGroup(typed) ? toTexts(typed["days"]) : [];
}

function read(typed: Typed): Read {
  const isOnce = memberText(typed, "type") === "once";
  const faults = new Map<string, Fault>();
  const from = isOnce ? (parseLocal(memberText(typed, "begin")) ?? "") : memberText(typed, "from");
  const to = isOnce ? (parseLocal(memberText(typed, "end")) ?? "") : memberText(typed, "to");
  const missing = isOnce ? "admin.fault.moment" : "admin.fault.time";
  const days = toDays(typed);
  if (!isOnce && days.length === 0) faults.set("/days", "admin.fault.days");
  if (from === "") faults.set("/from", missing);
  if (to === "") faults.set("/to", missing);
  else if (isOnce && from >= to) faults.set("/to", "admin.fault.after");
  else if (!isOnce && from === to) faults.set("/to", "admin.fault.times");
  if (faults.size > 0) return { faults };
  if (isOnce) return { value: { type: "once", from, to } };
  return { value: { type: "weekly", days: days.map(Number).toSorted((a, b) => a - b), from, to } };
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

function ScheduleFields(props: Shown<unknown>): JSX.Element {
  const { value, errorAt, onChange } = props;
  const form = isTypedGroup(value) ? value : blank;
  const isOnce = form["type"] === "once";
  const begin = isOnce ? "begin" : "from";
  const end = isOnce ? "end" : "to";
  const type = isOnce ? "datetime-local" : "time";
  return (
    <>
      <Segments<string>
        label={text("admin.column.when")}
        value={memberText(value, "type")}
        choices={[
          { value: "weekly", label: text("admin.maintenance.weekly") },
          { value: "once", label: text("admin.maintenance.once") },
        ]}
        onChange={(next) => onChange({ ...form, type: next })}
      />
      {!isOnce && <DayTicks {...props} />}
      <div class="field-row">
        <TextField
          label={text("admin.quiet.from")}
          type={type}
          value={memberText(value, begin)}
          error={errorAt("/from")}
          onInput={(next) => onChange({ ...form, [begin]: next })}
        />
        <TextField
          label={text("admin.quiet.to")}
          type={type}
          value={memberText(value, end)}
          error={errorAt("/to")}
          onInput={(next) => onChange({ ...form, [end]: next })}
        />
      </div>
      <p class="field-hint">
        {text(isOnce ? "admin.maintenance.once.hint" : "admin.maintenance.weekly.hint")}
      </p>
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
