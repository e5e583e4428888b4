/** A dialog with fields: a way out, and a button that sends them. */
import type { ComponentChildren, JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Dialog } from "../controls-dialog.tsx";
import { type Task, TaskNote } from "./problem.tsx";

/** The dialog. `action` is what its button says; `pointers` are the fields that it shows, as in EditorForm. */
export function FormDialog(props: {
  title: string;
  action: string;
  task?: Task;
  pointers?: readonly string[];
  children: ComponentChildren;
  onSubmit: () => void;
  onClose: () => void;
}): JSX.Element {
  const { title, action, task, pointers = [], children, onSubmit, onClose } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose}>{text("control.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={task?.busy}>
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

/** What was made, shown this once. */
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
