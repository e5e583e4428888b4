/** Making an account for somebody, who sets the password by a link. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Checkbox, TextField } from "../../ui/controls.tsx";
import { DoneDialog, FormDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { bindText } from "../../ui/forms/bind.ts";
import { USERS, type UserView } from "./user-data.ts";

interface CreatedView extends UserView {
  readonly setPasswordToken?: string;
  readonly setPasswordUrl?: string;
}

function Made({ user, onClose }: { user: CreatedView; onClose: () => void }): JSX.Element {
  const { id, username, email, setPasswordUrl, setPasswordToken = "" } = user;
  return (
    <DoneDialog title={text("auth.users.add.done", { name: username })} onClose={onClose}>
      <p>{text("auth.users.add.link", { email })}</p>
      <CopyBox label={text("auth.invites.link")} value={setPasswordUrl ?? setPasswordToken} />
      <p>
        <a href={`/admin/users/${id}`}>{text("auth.users.add.open")}</a>
      </p>
    </DoneDialog>
  );
}

/** The dialog, and then the link. */
export function AddUser(props: { onMade: () => void; onClose: () => void }): JSX.Element {
  const { onMade, onClose } = props;
  const [form, setForm] = useState({ username: "", email: "", displayName: "", emailVerified: false });
  const [made, setMade] = useState<CreatedView | undefined>();
  const task = useTask();
  const change = (next: Partial<typeof form>): void => setForm({ ...form, ...next });
  const part = { form, errors: task.errors, onChange: change };
  async function add(): Promise<void> {
    const { displayName, ...rest } = form;
    const body = {
      ...rest,
      username: form.username.trim(),
      email: form.email.trim(),
      ...(displayName.trim() === "" ? {} : { displayName: displayName.trim() }),
    };
    setMade(await adminRequest<CreatedView>(USERS, { method: "POST", body }));
    onMade();
  }
  if (made !== undefined) return <Made user={made} onClose={onClose} />;
  return (
    <FormDialog
      title={text("auth.users.add")}
      action={text("auth.users.add")}
      task={task}
      pointers={["/username", "/email", "/displayName"]}
      onClose={onClose}
      onSubmit={() => void task.run(add)}
    >
      <div class="stack">
        <TextField
          {...bindText(part, "username")}
          label={text("auth.edit.username")}
          autoComplete="off"
          required
          maxLength={40}
        />
        <TextField
          {...bindText(part, "email")}
          label={text("auth.edit.email")}
          type="email"
          autoComplete="off"
          required
          maxLength={254}
        />
        <TextField
          {...bindText(part, "displayName")}
          label={text("auth.user.displayName")}
          hint={text("auth.users.add.displayName.hint")}
          autoComplete="off"
          maxLength={80}
        />
        <Checkbox
          label={text("auth.edit.verified")}
          checked={form.emailVerified}
          onChange={(emailVerified) => change({ emailVerified })}
        />
      </div>
    </FormDialog>
  );
}
