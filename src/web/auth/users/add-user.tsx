/** Making an account for somebody, who sets the password by a link. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CreatedUserView } from "../../../auth/accounts/view-schema.ts";
import { text } from "../../app/texts.ts";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { USERS } from "./user-data.ts";
import { newUser } from "./user-forms.tsx";

function Made({ user, onClose }: { user: CreatedUserView; onClose: () => void }): JSX.Element {
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
  const [made, setMade] = useState<CreatedUserView | undefined>();
  if (made !== undefined) return <Made user={made} onClose={onClose} />;
  return (
    <FieldsDialog
      title={text("auth.users.add")}
      action={text("auth.users.add")}
      form={newUser}
      context={undefined}
      send={async (body) => {
        setMade(await adminRequest<CreatedUserView>(USERS, { method: "POST", body }));
        onMade();
      }}
      onClose={onClose}
    />
  );
}
