/** The form of planned maintenance in a dialog. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MaintenanceView } from "../../../monitor/maintenance/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Checkbox, Segments, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ScopeFields } from "../alerts/scope-fields.tsx";
import type { Named } from "../check-names.ts";
import { type FormPart, bindText } from "../../ui/forms/bind.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { EditorDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import {
  type MaintenanceForm,
  newMaintenance,
  parseMaintenanceForm,
  toMaintenanceForm,
} from "./maintenance-form.ts";
import { MAINTENANCES, toDayName } from "./maintenance-words.ts";

const POINTERS = ["/name", "/scope", "/schedule/days", "/schedule/from", "/schedule/to"];
const WEEK = [1, 2, 3, 4, 5, 6, 7] as const;

function DayTicks({ form, errors, onChange }: FormPart<MaintenanceForm>): JSX.Element {
  const { days } = form;
  const error = findError(errors, "/schedule/days");
  return (
    <fieldset class="plain-fieldset tick-list">
      <legend class="field-label">{text("admin.maintenance.days")}</legend>
      {WEEK.map((day) => (
        <Checkbox
          key={day}
          label={toDayName(day)}
          checked={days.includes(day)}
          onChange={(ticked) =>
            onChange({ days: ticked ? [...days, day] : days.filter((one) => one !== day) })
          }
        />
      ))}
      {error !== undefined && <p class="field-error">{error}</p>}
    </fieldset>
  );
}

function ScheduleFields(props: FormPart<MaintenanceForm>): JSX.Element {
  const { form, onChange } = props;
  const isOnce = form.type === "once";
  const kind = isOnce ? "datetime-local" : "time";
  return (
    <>
      <Segments<MaintenanceForm["type"]>
        label={text("admin.column.when")}
        value={form.type}
        choices={[
          { value: "weekly", label: text("admin.maintenance.weekly") },
          { value: "once", label: text("admin.maintenance.once") },
        ]}
        onChange={(type) => onChange({ type })}
      />
      {!isOnce && <DayTicks {...props} />}
      <div class="field-row">
        <TextField
          label={text("admin.quiet.from")}
          type={kind}
          {...bindText(props, isOnce ? "begin" : "from", "/schedule/from")}
        />
        <TextField
          label={text("admin.quiet.to")}
          type={kind}
          {...bindText(props, isOnce ? "end" : "to", "/schedule/to")}
        />
      </div>
      <p class="field-hint">
        {text(isOnce ? "admin.maintenance.once.hint" : "admin.maintenance.weekly.hint")}
      </p>
    </>
  );
}

/** The dialog; `before` is undefined for a new one. */
export function MaintenanceEditor(props: {
  before: MaintenanceView | undefined;
  servers: readonly AdminServer[];
  checks: readonly Named[];
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { before, servers, checks, onDone, onClose } = props;
  const [initial] = useState(() => (before === undefined ? newMaintenance : toMaintenanceForm(before)));
  const [form, setForm] = useState(initial);
  const task = useTask();
  async function save(fields: object): Promise<void> {
    if (before === undefined) await adminRequest(MAINTENANCES, { method: "POST", body: fields });
    else {
      const body = { ...fields, version: before.version };
      await adminRequest(`${MAINTENANCES}/${before.id}`, { method: "PUT", body });
    }
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  }
  async function submit(): Promise<boolean> {
    const parsed = parseMaintenanceForm(form);
    if (parsed.ok) return task.run(() => save(parsed.fields));
    task.refuse(parsed.faults);
    return false;
  }
  const part = {
    form,
    errors: task.errors,
    onChange: (change: Partial<MaintenanceForm>) => setForm((present) => ({ ...present, ...change })),
  };
  return (
    <EditorDialog
      title={text(before === undefined ? "admin.maintenance.add" : "admin.maintenance.edit")}
      task={task}
      pointers={POINTERS}
      dirty={!isSame(form, initial)}
      onSave={submit}
      onClose={onClose}
    >
      <TextField label={text("admin.field.name")} required maxLength={100} {...bindText(part, "name")} />
      <ScheduleFields {...part} />
      <ScopeFields {...part} of="both" servers={servers} checks={checks} />
    </EditorDialog>
  );
}
