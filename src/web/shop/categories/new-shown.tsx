/** A new category or collection by its name; everything else comes on its page. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { SelectField, TextField } from "../../ui/controls.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { useCategories } from "../ui/category-list.ts";
import { type ShownKind, type ShownView, toPageAddress, toShownPath } from "./shown-data.ts";

/** The dialog; afterwards the page of the new one is open. */
export function NewShown({ kind, onClose }: { kind: ShownKind; onClose: () => void }): JSX.Element {
  const [title, setTitle] = useState("");
  const [parentId, setParentId] = useState("");
  const { tree } = useCategories();
  const task = useTask();
  async function make(): Promise<void> {
    const isBelow = kind === "categories" && parentId !== "";
    const body = { title: title.trim(), parentId: isBelow ? parentId : undefined };
    const made = await adminRequest<ShownView>(toShownPath(kind), { method: "POST", body });
    navigate(toPageAddress(kind, made.id));
  }
  function submit(): void {
    if (title.trim() === "") task.refuse(new Map([["/title", text("admin.fault.empty")]]));
    else void task.run(make);
  }
  return (
    <FormDialog
      title={text(`shop.${kind}.add`)}
      action={text(`shop.${kind}.add`)}
      task={task}
      pointers={["/title", "/parentId"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={text("admin.field.name")}
        maxLength={120}
        value={title}
        error={findError(task.errors, "/title")}
        onInput={setTitle}
      />
      {kind === "categories" && tree.length > 0 && (
        <SelectField<string>
          label={text("shop.categories.field.parentId")}
          value={parentId}
          error={findError(task.errors, "/parentId")}
          choices={[
            { value: "", label: text("shop.categories.top") },
            ...tree.map(({ category, path }) => ({ value: category.id, label: path })),
          ]}
          onChange={setParentId}
        />
      )}
    </FormDialog>
  );
}
