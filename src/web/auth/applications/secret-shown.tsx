/** An application's id and secret, this once. */
import type { ComponentChildren, JSX } from "preact";
import { text } from "../../app/texts.ts";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import type { NewApplicationView } from "../../../auth/applications/schema.ts";
import { CopyFields } from "../presets/copy-fields.tsx";
import { Note } from "../../ui/console/note.tsx";

/** The dialog; its next steps are below. */
export function SecretShown(props: {
  made: NewApplicationView;
  children?: ComponentChildren;
  onClose: () => void;
}): JSX.Element {
  const { made, children, onClose } = props;
  return (
    <DoneDialog title={made.name} onClose={onClose}>
      <div class="stack">
        <Note kind="warn" icon="key">
          {text("auth.applications.secret.once")}
        </Note>
        <CopyFields
          fields={[
            [text("auth.applications.id"), made.id],
            [text("auth.applications.secret"), made.secret ?? ""],
          ]}
        />
        {children ?? <p class="field-hint">{text("auth.applications.code.hint")}</p>}
      </div>
    </DoneDialog>
  );
}
