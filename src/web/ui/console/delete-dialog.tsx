/** Asks before something is deleted, and deletes it. */
import type { ComponentChildren, JSX } from "preact";
import { text } from "../../app/texts.ts";
import { showToast } from "../controls-toast.tsx";
import { ConfirmTask } from "./confirm-task.tsx";
import { adminRequest } from "./session.ts";

/** Deletes what lies at `path` and is called `name`; a refusal is shown inside. */
export function DeleteDialog(props: {
  title: string;
  path: string;
  name: string;
  /** Label of the button; "Delete" by default. */
  action?: string | undefined;
  children: ComponentChildren;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, path, name, action = text("admin.delete"), children, onDone, onClose } = props;
  return (
    <ConfirmTask
      title={title}
      action={action}
      danger
      send={async () => {
        await adminRequest(path, { method: "DELETE" });
        showToast(text("admin.deleted", { name }));
        await onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmTask>
  );
}
