/** The form of a channel in a dialog, with a test before it is saved. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ChannelType } from "../../../monitor/channels/kinds/kinds.ts";
import type { ChannelInput, ChannelView, TestResult } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { SelectField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Icon } from "../../ui/icons.tsx";
import { isSame } from "../../ui/forms/conflict.ts";
import { EditorDialog } from "../../ui/console/form-dialog.tsx";
import { type Task, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { CHANNELS, toChannelPath, toTypeName } from "./channel-data.ts";
import { ChannelFields, toPointers } from "./channel-fields.tsx";
import {
  type ChannelForm,
  channelTypes,
  parseChannelForm,
  toChannelForm,
  toNewForm,
} from "./channel-form.ts";
import { TestResultBox } from "./test-result.tsx";

function testChannel(
  { version: _version, ...body }: ChannelInput,
  before: ChannelView | undefined,
): Promise<TestResult> {
  const query = before === undefined ? "" : `?id=${encodeURIComponent(before.id)}`;
  return adminRequest<TestResult>(`${CHANNELS}/test${query}`, { method: "POST", body });
}

async function saveChannel(body: ChannelInput, before: ChannelView | undefined): Promise<void> {
  if (before === undefined) await adminRequest(CHANNELS, { method: "POST", body });
  else await adminRequest(toChannelPath(before.id), { method: "PUT", body });
}

export interface ChannelEditorProps {
  /** Undefined for a new channel. */
  readonly before: ChannelView | undefined;
  /** What the settings lack. */
  readonly missing: { readonly mail: boolean; readonly publicUrl: boolean };
  /** Called once it is saved and the dialog is closed. */
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

interface Editor {
  readonly form: ChannelForm;
  readonly dirty: boolean;
  readonly task: Task;
  readonly result: TestResult | undefined;
  change(change: Partial<ChannelForm>): void;
  /** Begins with an empty form of that type. */
  choose(type: ChannelType): void;
  /** Both resolve with whether every field was good. */
  save(): Promise<boolean>;
  test(): Promise<boolean>;
}

function useEditor({ before, missing, onSaved, onClose }: ChannelEditorProps): Editor {
  const [initial, setInitial] = useState(() =>
    before ? toChannelForm(before) : toNewForm(missing.mail ? "ntfy" : "email"),
  );
  const [form, setForm] = useState<ChannelForm>(initial);
  const [result, setResult] = useState<TestResult | undefined>();
  const task = useTask();
  async function withBody(work: (body: ChannelInput) => Promise<void>): Promise<boolean> {
    const parsed = parseChannelForm(form, before);
    setResult(undefined);
    if (parsed.ok) return task.run(() => work(parsed.body));
    task.refuse(parsed.faults);
    return false;
  }
  return {
    form,
    dirty: !isSame(form, initial),
    task,
    result,
    change: (change) => setForm((present) => ({ ...present, ...change })),
    choose: (type) => {
      setInitial(toNewForm(type));
      setForm(toNewForm(type, form.name));
      setResult(undefined);
      task.clear();
    },
    save: () =>
      withBody(async (body) => {
        await saveChannel(body, before);
        showToast(text("admin.saved"));
        onClose();
        await onSaved();
      }),
    test: () => withBody(async (body) => setResult(await testChannel(body, before))),
  };
}

/** Something that the settings lack, with the way there. */
function SettingsHint({ children }: { children: string }): JSX.Element {
  return (
    <p class="admin-note is-warn">
      <Icon name="info" />
      <span>
        {children} <a href="/admin/settings">{text("admin.nav.settings")}</a>
      </span>
    </p>
  );
}

/** The dialog. */
export function ChannelEditor(props: ChannelEditorProps): JSX.Element {
  const { before, missing, onClose } = props;
  const editor = useEditor(props);
  const { form, task, result } = editor;
  return (
    <EditorDialog
      title={text(before === undefined ? "admin.channel.add" : "admin.channel.edit")}
      task={task}
      pointers={toPointers(form)}
      dirty={editor.dirty}
      onSave={editor.save}
      onTest={editor.test}
      onClose={onClose}
    >
      {before === undefined && (
        <SelectField<ChannelType>
          label={text("admin.channel.type")}
          value={form.type}
          choices={channelTypes.map((type) => ({ value: type, label: toTypeName(type) }))}
          onChange={editor.choose}
        />
      )}
      {missing.mail && form.type === "email" && <SettingsHint>{text("admin.channel.no-mail")}</SettingsHint>}
      {missing.publicUrl && <SettingsHint>{text("admin.channel.no-address")}</SettingsHint>}
      <ChannelFields form={form} before={before} errors={task.errors} onChange={editor.change} />
      {result && <TestResultBox result={result} onRetry={() => void editor.test()} />}
    </EditorDialog>
  );
}
