/** The form of a channel in a dialog, with a test before it is saved. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ChannelType } from "../../../monitor/channels/kinds/kinds.ts";
import type { ChannelInput, ChannelView, TestResult } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, SelectField } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Icon } from "../../ui/icons.tsx";
import { isSame } from "../../ui/forms/conflict.ts";
import { type Task, TaskNote, useTask } from "../../ui/console/problem.tsx";
import { focusFirstError } from "../../ui/console/save-bar.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { DiscardDialog } from "../../ui/console/unsaved.tsx";
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
  save(root: HTMLElement | null): void;
  test(root: HTMLElement | null): void;
}

function useEditor({ before, missing, onSaved, onClose }: ChannelEditorProps): Editor {
  const [initial, setInitial] = useState(() =>
    before ? toChannelForm(before) : toNewForm(missing.mail ? "ntfy" : "email"),
  );
  const [form, setForm] = useState<ChannelForm>(initial);
  const [result, setResult] = useState<TestResult | undefined>();
  const task = useTask();
  function withBody(root: HTMLElement | null, work: (body: ChannelInput) => Promise<void>): void {
    const parsed = parseChannelForm(form, before);
    setResult(undefined);
    if (parsed.ok) {
      void task.run(() => work(parsed.body)).then((good) => good || focusFirstError(root));
      return;
    }
    task.refuse(parsed.faults);
    focusFirstError(root);
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
    save: (root) =>
      withBody(root, async (body) => {
        await saveChannel(body, before);
        showToast(text("admin.saved"));
        onClose();
        await onSaved();
      }),
    test: (root) => withBody(root, async (body) => setResult(await testChannel(body, before))),
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
  const [isLeaving, setIsLeaving] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = (): void => (editor.dirty ? setIsLeaving(true) : onClose());
  return (
    <Dialog
      title={text(before === undefined ? "admin.channel.add" : "admin.channel.edit")}
      wide
      onClose={close}
      onSubmit={() => editor.save(root.current)}
      actions={
        <>
          <Button icon="send" disabled={task.busy} onClick={() => editor.test(root.current)}>
            {text("admin.test")}
          </Button>
          <span class="spacer" />
          <Button onClick={close}>{text("control.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={task.busy}>
            {text(task.busy ? "admin.busy" : "admin.save")}
          </Button>
        </>
      }
    >
      <div class="stack" ref={root}>
        <TaskNote task={task} pointers={toPointers(form)} />
        {before === undefined && (
          <SelectField<ChannelType>
            label={text("admin.channel.type")}
            value={form.type}
            choices={channelTypes.map((type) => ({ value: type, label: toTypeName(type) }))}
            onChange={editor.choose}
          />
        )}
        {missing.mail && form.type === "email" && (
          <SettingsHint>{text("admin.channel.no-mail")}</SettingsHint>
        )}
        {missing.publicUrl && <SettingsHint>{text("admin.channel.no-address")}</SettingsHint>}
        <ChannelFields form={form} before={before} errors={task.errors} onChange={editor.change} />
        {result && <TestResultBox result={result} />}
      </div>
      {isLeaving && <DiscardDialog onDiscard={onClose} onClose={() => setIsLeaving(false)} />}
    </Dialog>
  );
}
