/** Dialogs about one of a resource: its form, and the question before it is deleted. */
import type { JSX } from "preact";
import { navigate } from "../../app/route.ts";
import { findText, text } from "../../app/texts.ts";
import { DeleteDialog } from "../console/delete-dialog.tsx";
import { showToast } from "../controls-toast.tsx";
import { type FieldSource, makeForm, pickFields, toTyped } from "./form.ts";
import { FieldsDialog } from "./form-dialogs.tsx";
import { type Resource, pageText, sendChange, toAddress, toItemPath } from "./resource.ts";

interface Of<View extends object, S extends FieldSource, C> {
  readonly of: Resource<View, S, C>;
  readonly view: View;
  readonly onClose: () => void;
}

/** Asks before one is deleted, and goes to the list. */
export function DeleteItem<View extends object, S extends FieldSource, C>({
  of,
  view,
  onDone = async () => navigate(toAddress(of), { replace: true }),
  onClose,
}: Of<View, S, C> & { onDone?: () => Promise<void> }): JSX.Element {
  const name = of.nameOf(view);
  return (
    <DeleteDialog
      title={pageText(of, "delete")}
      path={toItemPath(of, of.idOf(view))}
      name={name}
      onDone={onDone}
      onClose={onClose}
    >
      {findText(`${of.texts}.delete.text`, { name })}
    </DeleteDialog>
  );
}

/** The form of one; where the resource has no text "edit", its name stands above. */
export function EditItem<View extends object, S extends FieldSource, C>({
  of,
  view,
  onDone,
  onClose,
}: Of<View, S, C> & { onDone: () => Promise<void> }): JSX.Element | null {
  const context = of.useContext?.(view);
  if (of.useContext !== undefined && context === undefined) return null;
  const form = makeForm(of);
  const before = pickFields(form, of.toFields?.(view) ?? view);
  // Without `useContext` the context is undefined by its type.
  const known = context as C;
  return (
    <FieldsDialog
      title={findText(`${of.texts}.edit`) ?? of.nameOf(view)}
      action={text("admin.save")}
      form={form}
      context={known}
      initial={toTyped(form, before, known)}
      before={before}
      send={async (fields) => {
        await sendChange(toItemPath(of, of.idOf(view)), view, { fields, before });
        showToast(text("admin.saved"));
        await onDone();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
