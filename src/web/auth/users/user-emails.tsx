/** The addresses of an account: the main one, and further ones that are added, taken as verified and removed. */
import type { ComponentChildren, JSX } from "preact";
import type { AdminEmailView, AdminUserDetailsView } from "../../../auth/accounts/view-schema.ts";
import { useState } from "preact/hooks";
import { newEmailSchema } from "../../../auth/emails/schema.ts";
import { describeSchema } from "../../../kit/fields/describe.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, TextField } from "../../ui/controls.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { mayChangeUsers, userPath } from "./user-data.ts";
import { Panel } from "../pieces/panel.tsx";

interface EmailsProps {
  readonly user: AdminUserDetailsView;
  readonly onChange: () => Promise<void>;
}

function AddEmail({ user, onChange, onClose }: EmailsProps & { onClose: () => void }): JSX.Element {
  const [address, setAddress] = useState("");
  const [verified, setVerified] = useState(false);
  const task = useTask();
  const { errors } = task;
  async function add(): Promise<void> {
    const body = { address: address.trim(), verified };
    await adminRequest(userPath(user.id, "/emails"), { method: "POST", body });
    await onChange();
    onClose();
  }
  return (
    <FormDialog
      title={text("auth.emails.add")}
      action={text("auth.emails.add")}
      task={task}
      pointers={["/address", "/email", "/id"]}
      onClose={onClose}
      onSubmit={() => void task.run(add)}
    >
      <div class="stack">
        <TextField
          label={text("admin.field.address")}
          hint={text("auth.emails.hint")}
          error={errors.get("/address") ?? errors.get("/email") ?? errors.get("/id")}
          type="email"
          autoComplete="off"
          required
          maxLength={describeSchema(newEmailSchema).address.max}
          value={address}
          onInput={setAddress}
        />
        <Checkbox label={text("auth.edit.verified")} checked={verified} onChange={setVerified} />
      </div>
    </FormDialog>
  );
}

function Line(props: {
  address: string;
  verified: boolean;
  mark?: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  const { address, verified, mark, children } = props;
  return (
    <li>
      <span class="break">
        {address}{" "}
        <span class="marks">
          {mark}
          {!verified && <Badge kind="warn">{text("auth.emails.unverified")}</Badge>}
        </span>
      </span>
      <span class="button-row">{children}</span>
    </li>
  );
}

function Remove(props: EmailsProps & { email: AdminEmailView; onClose: () => void }): JSX.Element {
  const { user, email, onChange, onClose } = props;
  const task = useTask();
  async function remove(): Promise<void> {
    await adminRequest(userPath(user.id, `/emails/${email.id}`), { method: "DELETE" });
    await onChange();
    onClose();
  }
  return (
    <ConfirmDialog
      title={text("auth.emails.remove.title")}
      action={text("admin.remove")}
      danger
      busy={task.busy}
      onClose={onClose}
      onConfirm={() => void task.run(remove)}
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <p>{text("auth.emails.remove.text", { email: email.address })}</p>
    </ConfirmDialog>
  );
}

/** The panel. */
export function UserEmails({ user, onChange }: EmailsProps): JSX.Element {
  const [open, setOpen] = useState<"add" | AdminEmailView | undefined>();
  const task = useTask();
  const verify = (address: string, path: string): void =>
    void task.run(async () => {
      await adminRequest(userPath(user.id, path), { method: "POST" });
      showToast(text("auth.emails.verified", { email: address }));
      await onChange();
    });
  const VerifyButton = ({ address, path }: { address: string; path: string }): JSX.Element => (
    <Button small disabled={task.busy} onClick={() => verify(address, path)}>
      {text("auth.emails.verify")} <span class="for-readers">{address}</span>
    </Button>
  );
  const isOpen = user.status !== "deleted" && mayChangeUsers();
  const close = (): void => setOpen(undefined);
  return (
    <Panel title={text("auth.user.email")}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <ul class="plain-list lines">
        <Line
          address={user.email}
          verified={user.emailVerified}
          mark={<Badge>{text("auth.emails.main")}</Badge>}
        >
          {isOpen && !user.emailVerified && VerifyButton({ address: user.email, path: "/verify-email" })}
        </Line>
        {user.emails.map((email) => (
          <Line address={email.address} verified={email.verified} key={email.id}>
            {isOpen &&
              !email.verified &&
              VerifyButton({ address: email.address, path: `/emails/${email.id}/verify` })}
            {isOpen && (
              <Button small onClick={() => setOpen(email)}>
                {text("admin.remove")} <span class="for-readers">{email.address}</span>
              </Button>
            )}
          </Line>
        ))}
      </ul>
      {isOpen && (
        <div class="button-row">
          <Button icon="plus" onClick={() => setOpen("add")}>
            {text("auth.emails.add")}
          </Button>
        </div>
      )}
      {open === "add" && <AddEmail user={user} onChange={onChange} onClose={close} />}
      {typeof open === "object" && <Remove user={user} email={open} onChange={onChange} onClose={close} />}
    </Panel>
  );
}
