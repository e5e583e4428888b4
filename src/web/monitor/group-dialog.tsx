/** Asks for the group that all ticked servers or checks are to be in. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../app/texts.ts";
import { SuggestField } from "../ui/console/field-kinds.tsx";
import { FormDialog } from "../ui/console/form-dialog.tsx";

/** The dialog; it closes before it says the group. */
export function GroupDialog(props: {
  groups: readonly string[];
  onGroup: (group: string) => void;
  onClose: () => void;
}): JSX.Element {
  const { groups, onGroup, onClose } = props;
  const [group, setGroup] = useState("");
  return (
    <FormDialog
      title={text("admin.bulk.group")}
      onClose={onClose}
      action={text("admin.bulk.group")}
      onSubmit={() => {
        onClose();
        onGroup(group.trim());
      }}
    >
      <SuggestField
        label={text("admin.field.group")}
        hint={text("admin.bulk.group.hint")}
        value={group}
        suggestions={groups}
        maxLength={64}
        onInput={setGroup}
      />
    </FormDialog>
  );
}
