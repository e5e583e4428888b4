/** Asks for the public URL alone, for refusals that lack it. */
import type { JSX } from "preact";
import { settingsFieldsSchema } from "../../../monitor/base/schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";

const publicUrlForm = makeForm({
  schema: settingsFieldsSchema,
  words: "admin.field",
  only: "panels",
  fields: { publicUrl: { json: { kind: "text", keyboard: "url" } } },
  panels: [{ fields: ["publicUrl"] }],
});

/** The dialog; it begins with the URL of this page. */
export function PublicUrlDialog({
  onDone,
  onClose,
}: {
  onDone: () => void;
  onClose: () => void;
}): JSX.Element {
  return (
    <FieldsDialog
      title={text("admin.remedy.publicUrl.action")}
      action={text("admin.save")}
      form={publicUrlForm}
      context={undefined}
      initial={{ publicUrl: location.origin }}
      send={({ publicUrl }) => adminRequest("/api/admin/settings", { method: "PATCH", body: { publicUrl } })}
      done={text("admin.saved")}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
