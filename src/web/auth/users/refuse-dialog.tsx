/** Refusing accounts that wait: why, and what becomes of them. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { showToast } from "../../ui/controls-toast.tsx";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { userPath } from "./user-data.ts";
import { refusalForm } from "./user-forms.tsx";

/** Asks for the reason; `send` rejects the registration, and throws errors. */
export function RefuseDialog(props: {
  title: string;
  send: (reason: { readonly reason?: string | undefined }) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, send, onClose } = props;
  return (
    <FieldsDialog
      title={title}
      action={text("auth.approvals.refuse")}
      form={refusalForm}
      context={undefined}
      above={<p>{text("auth.approvals.refuse.text")}</p>}
      send={send}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

/** The same for one account. */
export function RefuseUser(props: {
  user: AdminUserView;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element {
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
