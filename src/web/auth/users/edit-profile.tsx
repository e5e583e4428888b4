/** The profile of an account: what others see of the person, and whether they do. */
import type { JSX } from "preact";
import type { AdminProfileView } from "../../../auth/accounts/view-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { showToast } from "../../ui/controls-toast.tsx";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { pickFields, toTyped } from "../../ui/resource/form.ts";
import { userPath } from "./user-data.ts";
import { profileForm } from "./user-forms.tsx";

/** The dialog. */
export function EditProfile(props: {
  id: string;
  profile: AdminProfileView;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { id, profile, onChange, onClose } = props;
  const before = pickFields(profileForm, profile);
  return (
    <FieldsDialog
      title={text("auth.profile.edit")}
      action={text("admin.save")}
      form={profileForm}
      context={undefined}
      initial={toTyped(profileForm, before, undefined)}
      before={before}
      send={async (body) => {
        await adminRequest(userPath(id, "/profile"), { method: "PATCH", body, version: profile.version });
        showToast(text("admin.saved"));
        await onChange();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
