/** Asks before something is deleted, and deletes it. */
import type { ComponentChildren, JSX } from "preact";
import { text } from "../../app/texts.ts";
import { ConfirmDialog } from "../controls-dialog.tsx";
import { showToast } from "../controls-toast.tsx";
import { ErrorNote, useTask } from "./problem.tsx";
import { adminRequest } from "./session.ts";

/** Deletes what lies at `path` and is called `name`; a refusal is shown inside. */
export function DeleteDialog(props: {
  title: string;
  path: string;
  name: string;
  /** What the button says; "Delete" by default. */
  action?: string | undefined;
  children: ComponentChildren;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, path, name, action = text("admin.delete"), children, onDone, onClose } = props;
  const task = useTask();
  async function remove(): Promise<void> {
    await adminRequest(path, { method: "DELETE" });
    showToast(text("admin.deleted", { name }));
    await onDone();
    onClose();
  }
  return (
    <ConfirmDialog
      title={title}
      action={action}
      danger
      busy={task.busy}
      onClose={onClose}
      onConfirm={() => void task.run(remove)}
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <p>{children}</p>
    </ConfirmDialog>
  );
}
