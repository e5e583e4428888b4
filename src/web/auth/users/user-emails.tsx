/** The addresses of an account: the main one, and further ones that are added, taken as verified and removed. */
import type { ComponentChildren, JSX } from "preact";
import type { AdminEmailView, AdminUserDetailsView } from "../../../auth/accounts/view-schema.ts";
import { useState } from "preact/hooks";
import { newEmailSchema } from "../../../auth/emails/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { mayChangeUsers, userPath } from "./user-data.ts";
import { Panel } from "../../ui/panel.tsx";

interface EmailsProps {
  readonly user: AdminUserDetailsView;
  readonly onChange: () => Promise<void>;
}

export const newEmail = makeForm({
  schema: newEmailSchema,
  words: "auth.emails",
  only: "panels",
  panels: [
    {
      fields: [
        { name: "address", label: "admin.field.address", hint: "auth.emails.hint" },
        { name: "verified", label: "auth.edit.verified" },
      ],
    },
  ],
});

function AddEmail({ user, onChange, onClose }: EmailsProps & { onClose: () => void }): JSX.Element {
  return (
    <FieldsDialog
      title={text("auth.emails.add")}
      action={text("auth.emails.add")}
      form={newEmail}
      context={undefined}
      send={(body) => adminRequest(userPath(user.id, "/emails"), { method: "POST", body })}
      onDone={onChange}
      onClose={onClose}
    />
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
    <Panel small title={text("auth.user.email")}>
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
      {typeof open === "object" && (
        <ConfirmTask
          title={text("auth.emails.remove.title")}
          action={text("admin.remove")}
          danger
          send={async () => {
            await adminRequest(userPath(user.id, `/emails/${open.id}`), { method: "DELETE" });
            await onChange();
            close();
          }}
          onClose={close}
        >
          {text("auth.emails.remove.text", { email: open.address })}
        </ConfirmTask>
      )}
    </Panel>
  );
}
