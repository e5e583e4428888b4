/** Adding to the points of an account, or taking from them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { ReasonField } from "../pieces/reason-field.tsx";
import { type UserView, userPath } from "./user-data.ts";

/** The dialog. */
export function PointsDialog(props: {
  user: UserView;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { user, onChange, onClose } = props;
  const [delta, setDelta] = useState("");
  const [reason, setReason] = useState("");
  const task = useTask();
  async function save(): Promise<void> {
    const body = { delta: Number(delta), reason: reason.trim() };
    await adminRequest(userPath(user.id, "/points"), { method: "POST", body });
    showToast(text("admin.saved"));
    await onChange();
    onClose();
  }
  function submit(): void {
    const number = /^[+-]?\d{1,10}$/u.test(delta.trim()) ? Number(delta) : 0;
    if (number === 0) task.refuse(new Map([["/delta", text("auth.points.fault")]]));
    else if (user.points + number < 0)
      task.refuse(new Map([["/delta", text("auth.points.tooFew", { points: toNumber(user.points) })]]));
    else void task.run(save);
  }
  return (
    <FormDialog
      title={text("auth.points.title", { name: user.username })}
      action={text("admin.save")}
      task={task}
      pointers={["/delta", "/reason"]}
      onClose={onClose}
      onSubmit={submit}
    >
      <div class="stack">
        <TextField
          label={text("auth.points.delta")}
          hint={text("auth.points.hint", { points: toNumber(user.points) })}
          error={task.errors.get("/delta")}
          required
          value={delta}
          onInput={setDelta}
        />
        <ReasonField value={reason} errors={task.errors} onInput={setReason} />
      </div>
    </FormDialog>
  );
}
