/** Suspending one account or many: why, and until when. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text, withHint } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";

export interface Suspension {
  readonly reason?: string;
  readonly until?: string;
}

/** Asks for both; `send` does it, and throws what was refused. */
export function SuspendDialog(props: {
  title: string;
  send: (suspension: Suspension) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, send, onClose } = props;
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const task = useTask();
  async function submit(): Promise<void> {
    await send({
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
      ...(until === "" ? {} : { until: new Date(until).toISOString() }),
    });
    onClose();
  }
  return (
    <FormDialog
      title={title}
      action={text("auth.users.suspend")}
      task={task}
      pointers={["/reason", "/until"]}
      onClose={onClose}
      onSubmit={() => void task.run(submit)}
    >
      <p>{text("auth.users.suspend.text")}</p>
      <TextField
        {...withHint("auth.users.reason")}
        error={task.errors.get("/reason")}
        maxLength={200}
        value={reason}
        onInput={setReason}
      />
      <TextField
        {...withHint("auth.users.until")}
        error={task.errors.get("/until")}
        type="datetime-local"
        value={until}
        onInput={setUntil}
      />
    </FormDialog>
  );
}
