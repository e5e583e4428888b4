/** Refusing accounts that wait: why, and what becomes of them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type UserView, userPath } from "./user-data.ts";

/** Asks for the reason; `send` refuses, and throws what was not taken. */
export function RefuseDialog(props: {
  title: string;
  send: (reason: { readonly reason?: string }) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, send, onClose } = props;
  const [reason, setReason] = useState("");
  const task = useTask();
  async function submit(): Promise<void> {
    await send(reason.trim() === "" ? {} : { reason: reason.trim() });
    onClose();
  }
  return (
    <FormDialog
      title={title}
      action={text("auth.approvals.refuse")}
      task={task}
      pointers={["/reason"]}
      onClose={onClose}
      onSubmit={() => void task.run(submit)}
    >
      <p>{text("auth.approvals.refuse.text")}</p>
      <TextField
        label={text("auth.users.reason")}
        hint={text("auth.approvals.reason.hint")}
        error={task.errors.get("/reason")}
        maxLength={200}
        value={reason}
        onInput={setReason}
      />
    </FormDialog>
  );
}

/** The same for one account. */
export function RefuseUser(props: { user: UserView; onDone: () => void; onClose: () => void }): JSX.Element {
  const { user, onDone, onClose } = props;
  return (
    <RefuseDialog
      title={text("auth.approvals.refuse.title", { name: user.username })}
      send={async (body) => {
        await adminRequest(userPath(user.id, "/refuse"), { method: "POST", body });
        showToast(text("auth.approvals.refused", { name: user.username }));
        onDone();
      }}
      onClose={onClose}
    />
  );
}
