/** An account's own fields: name, main address, language, time zone, claims. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { showToast } from "../../ui/controls-toast.tsx";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { pickFields, toTyped } from "../../ui/resource/form.ts";
import { userPath } from "./user-data.ts";
import { accountForm } from "./user-forms.tsx";

/** The dialog. */
export function EditAccount(props: {
  user: AdminUserView;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { user, onChange, onClose } = props;
  const before = pickFields(accountForm, user);
  return (
    <FieldsDialog
      title={text("auth.edit.title", { name: user.username })}
      action={text("admin.save")}
      form={accountForm}
      context={undefined}
      initial={toTyped(accountForm, before, undefined)}
      before={before}
      send={async (body) => {
        await adminRequest(userPath(user.id), { method: "PATCH", body, version: user.version });
        showToast(text("admin.saved"));
        await onChange();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
