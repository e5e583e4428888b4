/** Forms of posts in dialogs, which lose nothing without asking. */
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type Task, TaskNote, useTask } from "../../ui/console/problem.tsx";
import { focusFirstError } from "../../ui/console/save-bar.tsx";
import { DiscardDialog } from "../../ui/console/unsaved.tsx";
import { isSame } from "../../ui/forms/conflict.ts";
import type { ParsedForm } from "../../ui/forms/parsed.ts";

/** What follows when a dialog has done its work, or is closed. */
export interface DialogEnds {
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** A form in a dialog that loses nothing without asking. */
export function useDialogForm<Form>(
  initial: Form,
  {
    parse,
    send,
    onDone,
    onClose,
  }: {
    readonly parse: (form: Form) => ParsedForm<object>;
    readonly send: (fields: object) => Promise<unknown>;
  } & DialogEnds,
) {
  const [begun] = useState(initial);
  const [form, setForm] = useState(initial);
  const [isLeaving, setIsLeaving] = useState(false);
  const task = useTask();
  const root = useRef<HTMLDivElement>(null);
  async function save(fields: object): Promise<void> {
    await send(fields);
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  }
  async function submit(): Promise<void> {
    const parsed = parse(form);
    if (!parsed.ok) task.refuse(new Map([...parsed.faults].map(([at, name]) => [at, text(name)])));
    if (!parsed.ok || !(await task.run(() => save(parsed.fields)))) focusFirstError(root.current);
  }
  return {
    form,
    task,
    root,
    isLeaving,
    submit,
    onChange: (change: Partial<Form>): void => setForm((before) => ({ ...before, ...change })),
    close: (): void => (isSame(form, begun) ? onClose() : setIsLeaving(true)),
    stay: (): void => setIsLeaving(false),
  };
}

/** The dialog around the fields. */
export function DialogFrame(props: {
  title: string;
  action: string;
  task: Task;
  pointers: readonly string[];
  dialog: Pick<ReturnType<typeof useDialogForm>, "root" | "isLeaving" | "submit" | "close" | "stay">;
  children: ComponentChildren;
  onClose: () => void;
}): JSX.Element {
  const { title, action, task, pointers, dialog, children, onClose } = props;
  return (
    <Dialog
      title={title}
      wide
      onClose={dialog.close}
      onSubmit={() => void dialog.submit()}
      actions={
        <>
          <Button onClick={dialog.close}>{text("control.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={task.busy}>
            {task.busy ? text("admin.saving") : action}
          </Button>
        </>
      }
    >
      <div class="stack" ref={dialog.root}>
        <TaskNote task={task} pointers={pointers} />
        {children}
      </div>
      {dialog.isLeaving && <DiscardDialog onDiscard={onClose} onClose={dialog.stay} />}
    </Dialog>
  );
}
