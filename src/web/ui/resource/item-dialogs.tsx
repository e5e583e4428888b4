/** Dialogs about one of a resource: its form, and the question before it is deleted. */
import type { ComponentChildren, JSX } from "preact";
import { navigate } from "../../app/route.ts";
import { findText, text } from "../../app/texts.ts";
import { DeleteDialog } from "../console/delete-dialog.tsx";
import { type FieldSource, type MadeForm, makeForm, pickFields, toTyped } from "./form.ts";
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

/** The form of something stored, which PATCH of `path` changes. */
export function EditRecord<View extends object, C, F extends object>(props: {
  title: string;
  path: string;
  form: MadeForm<C, F>;
  context: C;
  view: View;
  /** Where the fields are not those of `view`. */
  fields?: object | undefined;
  above?: ComponentChildren;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { path, form, context, view, fields: stored = view, ...dialog } = props;
  const before = pickFields(form, stored);
  return (
    <FieldsDialog
      {...dialog}
      action={text("admin.save")}
      form={form}
      context={context}
      initial={toTyped(form, before, context)}
      before={before}
      send={(fields) => sendChange(path, view, { fields, before })}
      done={text("admin.saved")}
    />
  );
}

/** The form of one item; if the resource has no text "edit", its name is the title. */
export function EditItem<View extends object, S extends FieldSource, C>({
  of,
  view,
  onDone,
  onClose,
}: Of<View, S, C> & { onDone: () => Promise<void> }): JSX.Element | null {
  const context = of.useContext?.(view);
  if (of.useContext !== undefined && context === undefined) return null;
  return (
    <EditRecord
      title={findText(`${of.texts}.edit`) ?? of.nameOf(view)}
      path={toItemPath(of, of.idOf(view))}
      form={makeForm(of)}
      // Without `useContext` the context is undefined by its type.
      context={context as C}
      view={view}
      fields={of.toFields?.(view)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
