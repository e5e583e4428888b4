/** Acting in an account for a few minutes: the session is opened here, and a form of this site hands it to the pages. */
import type { JSX } from "preact";
import type { AdminUserView, ImpersonationView } from "../../../auth/accounts/view-schema.ts";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { userPath } from "./user-data.ts";
import { impersonationForm } from "./user-forms.tsx";

/** Opens the person's pages with the session; uses a form to keep the token out of URLs. */
function enter(token: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = `${basePath}/impersonate`;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "token";
  field.value = token;
  form.append(field);
  document.body.append(form);
  form.submit();
}

/** The dialog. */
export function ImpersonateDialog(props: { user: AdminUserView; onClose: () => void }): JSX.Element {
  const { user, onClose } = props;
  return (
    <FieldsDialog
      title={text("auth.user.impersonate.title", { name: user.username })}
      action={text("auth.users.add.open")}
      form={impersonationForm}
      context={undefined}
      above={<p>{text("auth.user.impersonate.text")}</p>}
      send={async (body) => {
        const path = userPath(user.id, "/impersonate");
        enter((await adminRequest<ImpersonationView>(path, { method: "POST", body })).refreshToken);
      }}
      onClose={onClose}
    />
  );
}
