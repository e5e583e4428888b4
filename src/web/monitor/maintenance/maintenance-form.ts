/** Planned maintenance as a form holds it, and back. */
import type { MaintenanceFields } from "../../../monitor/maintenance/schema.ts";
import { text } from "../../app/texts.ts";
import { type ScopeForm, parseScope, toScopeFields } from "../alerts/rule-form.ts";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";

export interface MaintenanceForm extends ScopeForm {
  readonly name: string;
  readonly type: "once" | "weekly";
  /** Local dates and times of a single window. */
  readonly begin: string;
  readonly end: string;
  /** 1 is Monday. */
  readonly days: readonly number[];
  /** Times of day of a weekly window. */
  readonly from: string;
  readonly to: string;
}

export const newMaintenance: MaintenanceForm = {
  name: "",
  scope: "all",
  group: "",
  tag: "",
  ids: [],
  type: "weekly",
  begin: "",
  end: "",
  days: [7],
  from: "02:00",
  to: "04:00",
};

/** The form that shows a planned maintenance. */
export function toMaintenanceForm({ name, scope, schedule }: MaintenanceFields): MaintenanceForm {
  const shared = { ...newMaintenance, ...toScopeFields(scope), name, type: schedule.type };
  if (schedule.type === "once")
    return { ...shared, begin: toDateTimeText(schedule.from), end: toDateTimeText(schedule.to) };
  const { days, from, to } = schedule;
  return { ...shared, days, from, to };
}

type Faults = Map<string, string>;

function parseOnce({ begin, end }: MaintenanceForm, faults: Faults): MaintenanceFields["schedule"] {
  const from = parseLocal(begin) ?? "";
  const to = parseLocal(end) ?? "";
  if (from === "") faults.set("/schedule/from", text("admin.fault.moment"));
  if (to === "") faults.set("/schedule/to", text("admin.fault.moment"));
  else if (from >= to) faults.set("/schedule/to", text("admin.fault.after"));
  return { type: "once", from, to };
}

function parseWeekly({ days, from, to }: MaintenanceForm, faults: Faults): MaintenanceFields["schedule"] {
  if (days.length === 0) faults.set("/schedule/days", text("admin.fault.days"));
  if (from === "") faults.set("/schedule/from", text("admin.fault.time"));
  if (to === "") faults.set("/schedule/to", text("admin.fault.time"));
  else if (from === to) faults.set("/schedule/to", text("admin.fault.times"));
  return { type: "weekly", days: days.toSorted((a, b) => a - b), from, to };
}

/** The maintenance that a form means, or why it means none, by pointer. */
export function parseMaintenanceForm(
  form: MaintenanceForm,
):
  | { readonly ok: true; readonly fields: MaintenanceFields }
  | { readonly ok: false; readonly faults: ReadonlyMap<string, string> } {
  const faults: Faults = new Map();
  const name = form.name.trim();
  if (name === "") faults.set("/name", text("admin.fault.name"));
  const scope = parseScope(form, { of: "both", faults });
  const schedule = form.type === "once" ? parseOnce(form, faults) : parseWeekly(form, faults);
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields: { name, scope, schedule } };
}
