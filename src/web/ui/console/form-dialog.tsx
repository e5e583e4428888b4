/** A dialog with fields: a way out, and a button that sends them. */
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Dialog } from "../controls-dialog.tsx";
import { type Task, TaskNote } from "./problem.tsx";
import { focusFirstError } from "./save-bar.tsx";
import { DiscardDialog } from "./unsaved.tsx";

/** The dialog. `action` is what its button says; `pointers` are the fields that it shows, as in EditorForm. */
export function FormDialog(props: {
  title: string;
  action: string;
  task?: Task;
  pointers?: readonly string[];
  /** Its button warns. */
  danger?: boolean | undefined;
  wide?: boolean | undefined;
  children: ComponentChildren;
  onSubmit: () => void;
  onClose: () => void;
}): JSX.Element {
  const { title, action, task, pointers = [], danger, wide, children, onSubmit, onClose } = props;
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose}>{text("control.cancel")}</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit" disabled={task?.busy}>
            {action}
          </Button>
        </>
      }
    >
      {task && <TaskNote task={task} pointers={pointers} />}
      {children}
    </Dialog>
  );
}

/**
 * A dialog in which something is edited as a whole: it asks before changes are lost, and goes to the first field that
 * is wrong. `onSave` and `onTest` resolve with whether every field was good; `dirty` is whether anything was changed.
 */
export function EditorDialog(props: {
  title: string;
  /** Label of the button; "Save" by default. */
  action?: string | undefined;
  task: Task;
  pointers: readonly string[];
  dirty: boolean;
  children: ComponentChildren;
  onSave: () => Promise<boolean>;
  /** Tries what is typed before it is saved. */
  onTest?: () => Promise<boolean>;
  onClose: () => void;
}): JSX.Element {
  const { title, action = text("admin.save"), task, pointers, dirty, children } = props;
  const { onSave, onTest, onClose } = props;
  const [isLeaving, setIsLeaving] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = (): void => (dirty ? setIsLeaving(true) : onClose());
  const run = (work: () => Promise<boolean>): void =>
    void work().then((good) => good || focusFirstError(root.current));
  return (
    <Dialog
      title={title}
      wide
      onClose={close}
      onSubmit={() => run(onSave)}
      actions={
        <>
          {onTest && (
            <>
              <Button icon="send" disabled={task.busy} onClick={() => run(onTest)}>
                {text("admin.test")}
              </Button>
              <span class="spacer" />
            </>
          )}
          <Button onClick={close}>{text("control.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={task.busy}>
            {task.busy ? text(onTest ? "admin.busy" : "admin.saving") : action}
          </Button>
        </>
      }
    >
      <div class="stack" ref={root}>
        <TaskNote task={task} pointers={pointers} />
        {children}
      </div>
      {isLeaving && <DiscardDialog onDiscard={onClose} onClose={() => setIsLeaving(false)} />}
    </Dialog>
  );
}

/** Shows a created record, such as a secret, the only time that it can be read. */
export function DoneDialog(props: {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}): JSX.Element {
  const { title, children, onClose } = props;
  const done = (
    <Button kind="primary" onClick={onClose}>
      {text("admin.done")}
    </Button>
  );
  return (
    <Dialog title={title} wide onClose={onClose} actions={done}>
      {children}
    </Dialog>
  );
}
