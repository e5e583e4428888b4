/** Dialogs with a form that is said as data: for something new, for a change, for an action. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { EditorDialog, FormDialog } from "../console/form-dialog.tsx";
import { useTask } from "../console/problem.tsx";
import { showToast } from "../controls-toast.tsx";
import { isSame } from "../forms/conflict.ts";
import type { FormPart } from "../forms/bind.ts";
import { type Fault, type FormFaults, sayFaults } from "../forms/parsed.ts";
import { FormFields } from "./fields.tsx";
import { type MadeForm, readForm, toBlank, toNext } from "./form.ts";
import type { Form } from "./kind.ts";
import type { DrawTested } from "./resource.ts";

/** A dialog with the fields of a form; errors are shown at their fields. */
export function FieldsDialog<C, F>(props: {
  title: string;
  /** Label of the button; it may depend on the form values. */
  action: string | ((form: Form) => string);
  form: MadeForm<C, F>;
  context: C;
  /** Initial values other than the form's. */
  initial?: Form | undefined;
  /** The stored values, for kinds that keep unchanged ones. */
  before?: Readonly<Record<string, unknown>>;
  /** `fields` are what the schema takes; what is thrown is shown. */
  send: (fields: F) => Promise<unknown>;
  /** Said once it is sent. */
  done?: string | undefined;
  /** Follows then, before the dialog closes; without it `send` closes the dialog. */
  onDone?: () => Promise<unknown> | void;
  /** Above and below the fields. */
  above?: ComponentChildren;
  below?: (part: FormPart<Form>) => ComponentChildren;
  danger?: boolean | undefined;
  wide?: boolean | undefined;
  onClose: () => void;
}): JSX.Element {
  const {
    title,
    action,
    form,
    context,
    initial,
    before = {},
    send,
    done,
    onDone,
    above,
    below,
    danger,
    wide,
    onClose,
  } = props;
  const [typed, setTyped] = useState<Form>(() => ({ ...toBlank(form), ...initial }));
  const task = useTask();
  const part: FormPart<Form> = {
    form: typed,
    errors: task.errors,
    onChange: (change) => setTyped((now) => toNext(now, change)),
  };
  async function finish(fields: F): Promise<void> {
    await send(fields);
    if (done !== undefined) showToast(done);
    if (onDone === undefined) return;
    await onDone();
    onClose();
  }
  function submit(): void {
    const parsed = readForm(form, typed, { context, before });
    if (parsed.ok) void task.run(() => finish(parsed.fields));
    else task.refuse(sayFaults(parsed.faults));
  }
  return (
    <FormDialog
      title={title}
      action={typeof action === "string" ? action : action(typed)}
      task={task}
      pointers={form.pointers}
      danger={danger}
      wide={wide}
      onSubmit={submit}
      onClose={onClose}
    >
      <div class="stack">
        {above}
        <FormFields form={form} context={context} part={part} />
        {below?.(part)}
      </div>
    </FormDialog>
  );
}

/** A dialog that edits something as a whole: it asks before changes are lost, and can test before it saves. */
export function EditFieldsDialog<C, F>(props: {
  title: string;
  /** Label of the button, "Save" by default; it may depend on the form values. */
  action?: ((form: Form) => string) | undefined;
  form: MadeForm<C, F>;
  context: C;
  initial: Form;
  /** The stored values, for kinds that keep unchanged ones. */
  before?: Readonly<Record<string, unknown>>;
  /** Sends the fields and closes the dialog. */
  save: (fields: F) => Promise<void>;
  /** Tries what is typed; gives what draws the outcome below the fields, with a way to try again. */
  test?: ((fields: F) => Promise<DrawTested>) | undefined;
  /** Errors that matter to the test alone, by pointer. */
  checkTest?: (fields: F) => FormFaults<Fault>;
  above?: ComponentChildren;
  below?: ComponentChildren;
  onClose: () => void;
}): JSX.Element {
  const { title, action, form, context, initial, before, save, test, checkTest, above, below, onClose } =
    props;
  const [typed, setTyped] = useState<Form>(initial);
  const [tested, setTested] = useState<{ readonly draw: DrawTested } | undefined>();
  const task = useTask();
  async function withFields(work: (fields: F) => Promise<void>, check?: typeof checkTest): Promise<boolean> {
    const parsed = readForm(form, typed, before === undefined ? { context } : { context, before });
    setTested(undefined);
    const faults = parsed.ok ? (check?.(parsed.fields) ?? new Map()) : parsed.faults;
    if (parsed.ok && faults.size === 0) return task.run(() => work(parsed.fields));
    task.refuse(sayFaults(faults));
    return false;
  }
  const runTest =
    test && (() => withFields(async (fields) => setTested({ draw: await test(fields) }), checkTest));
  return (
    <EditorDialog
      title={title}
      action={action?.(typed)}
      task={task}
      pointers={form.pointers}
      dirty={!isSame(typed, initial)}
      onSave={() =>
        withFields(async (fields) => {
          await save(fields);
          showToast(text("admin.saved"));
        })
      }
      {...(runTest && { onTest: runTest })}
      onClose={onClose}
    >
      {above}
      <FormFields
        form={form}
        context={context}
        part={{
          form: typed,
          errors: task.errors,
          onChange: (change) => setTyped((now) => toNext(now, change)),
        }}
      />
      {below}
      {runTest && tested?.draw(() => void runTest())}
    </EditorDialog>
  );
}
