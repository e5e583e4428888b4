/** The form of a rule in a dialog. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ruleForms } from "../../../monitor/alerts/kinds/kinds.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { SelectField, Switch, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { isSame } from "../../ui/forms/conflict.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { EditorDialog } from "../../ui/console/form-dialog.tsx";
import { type Task, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { RULES, toRulePath, type RuleView } from "../rule-list.ts";
import type { Named } from "../check-names.ts";
import { ChannelTicks, ConditionFields } from "./rule-fields.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import {
  type RuleForm,
  fieldsOf,
  newRule,
  parseRuleForm,
  ruleKinds,
  severities,
  toRuleForm,
  watchedBy,
} from "./rule-form.ts";

/** The pointers of all fields that the form shows. */
function toPointers({ kind }: RuleForm): readonly string[] {
  const parameters = fieldsOf(kind).map(({ name }) => `/${name}`);
  return ["/name", "/kind", "/severity", ...parameters, "/scope", "/channelIds", "/remindEveryHours"];
}

export interface RuleEditorProps {
  /** Undefined for a new rule. */
  readonly before: RuleView | undefined;
  readonly servers: readonly AdminServer[];
  readonly checks: readonly Named[];
  readonly channels: readonly ChannelView[];
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function RuleFields(
  props: Pick<RuleEditorProps, "servers" | "checks" | "channels"> & {
    form: RuleForm;
    task: Task;
    onChange: (change: Partial<RuleForm>) => void;
  },
): JSX.Element {
  const { form, task, onChange, servers, checks, channels } = props;
  const of = watchedBy(form.kind);
  const part = { form, errors: task.errors, onChange };
  return (
    <>
      <Switch
        label={text("admin.rule.enabled")}
        checked={form.enabled}
        onChange={(enabled) => onChange({ enabled })}
      />
      <TextField
        label={text("admin.field.name")}
        value={form.name}
        required
        maxLength={100}
        error={findError(task.errors, "/name")}
        onInput={(name) => onChange({ name })}
      />
      <div class="field-row">
        <SelectField
          label={text("admin.rule.kind")}
          value={form.kind}
          choices={ruleKinds.map((value) => ({ value, label: text(ruleForms[value].title) }))}
          // Ids of servers say nothing of checks.
          onChange={(kind) => onChange({ kind, ...(watchedBy(kind) === of ? {} : { ids: [] }) })}
        />
        <SelectField
          label={text("admin.rule.severity")}
          value={form.severity}
          choices={severities.map((value) => ({ value, label: text(`admin.severity.${value}`) }))}
          onChange={(severity) => onChange({ severity })}
        />
      </div>
      <ConditionFields {...part} />
      <ScopeFields {...part} of={of} servers={servers} checks={checks} />
      <ChannelTicks {...part} channels={channels} />
    </>
  );
}

/** The dialog. */
export function RuleEditor({
  before,
  servers,
  checks,
  channels,
  onDone,
  onClose,
}: RuleEditorProps): JSX.Element {
  const [initial] = useState<RuleForm>(() => (before ? toRuleForm(before) : newRule));
  const [form, setForm] = useState(initial);
  const task = useTask();
  async function save(body: object): Promise<void> {
    if (before === undefined) await adminRequest(RULES, { method: "POST", body });
    else
      await adminRequest(toRulePath(before.id), {
        method: "PUT",
        body: { ...body, version: before.version },
      });
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  }
  async function submit(): Promise<boolean> {
    const parsed = parseRuleForm(form);
    if (parsed.ok) return task.run(() => save(parsed.fields));
    task.refuse(parsed.faults);
    return false;
  }
  return (
    <EditorDialog
      title={text(before === undefined ? "admin.rule.add" : "admin.rule.edit")}
      task={task}
      pointers={toPointers(form)}
      dirty={!isSame(form, initial)}
      onSave={submit}
      onClose={onClose}
    >
      <RuleFields
        form={form}
        task={task}
        servers={servers}
        checks={checks}
        channels={channels}
        onChange={(change) => setForm((present) => ({ ...present, ...change }))}
      />
    </EditorDialog>
  );
}
