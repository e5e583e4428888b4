/** Asks for the group of all ticked servers or checks. */
import { describeSchema } from "../../kit/fields/describe.ts";
import { serverFieldsSchema } from "../../monitor/base/schema.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../app/texts.ts";
import { SuggestField } from "../ui/console/field-kinds.tsx";
import { FormDialog } from "../ui/console/form-dialog.tsx";

const bounds = describeSchema(serverFieldsSchema);

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
        maxLength={bounds.group.max}
        onInput={setGroup}
      />
    </FormDialog>
  );
}
