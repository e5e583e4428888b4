/** One of a resource in a dialog of its list: a new one, or one that is edited. */
import type { JSX } from "preact";
import { type FieldSource, makeForm, pickFields, toBlank, toTyped } from "./form.ts";
import { EditFieldsDialog } from "./form-dialogs.tsx";
import { type ItemDialogProps, pageText, sendChange, sendNew, toItemPath } from "./resource.ts";

/** The dialog; nothing while what its fields must know is loaded. */
export function ItemDialog<View extends object, S extends FieldSource, C>(
  props: ItemDialogProps<View, S, C>,
): JSX.Element | null {
  const { of, view, onSaved, onClose } = props;
  const { dialog: { save, test } = {}, creation } = of;
  const context = of.useContext?.(view);
  if (of.useContext !== undefined && context === undefined) return null;
  // Without `useContext` the context is undefined by its type.
  const known = context as C;
  const form = makeForm(of);
  const before = view && pickFields(form, of.toFields?.(view) ?? view);
  const begin = creation === false ? undefined : creation?.initial?.(known);
  async function send(fields: Readonly<Record<string, unknown>>): Promise<View> {
    if (save !== undefined) return save(fields, view);
    if (view === undefined || before === undefined) return sendNew(of, fields);
    return sendChange(toItemPath(of, of.idOf(view)), view, { fields, before });
  }
  return (
    <EditFieldsDialog
      title={pageText(of, view === undefined ? "add" : "edit")}
      form={form}
      context={known}
      initial={before === undefined ? { ...toBlank(form), ...begin } : toTyped(form, before, known)}
      save={async (fields) => onSaved(await send(fields))}
      test={test && ((fields) => test(fields, view))}
      onClose={onClose}
    />
  );
}
