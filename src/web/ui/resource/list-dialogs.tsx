/** Dialogs of a list with a form: create, created, edit and confirm deletion. */
import type { JSX } from "preact";
import { navigate } from "../../app/route.ts";
import { findText, text } from "../../app/texts.ts";
import { type FieldSource, makeForm } from "./form.ts";
import { FieldsDialog } from "./form-dialogs.tsx";
import { DeleteItem, EditItem } from "./item-dialogs.tsx";
import { type ListTools, type Opened, type Resource, pageText, sendNew, toAddress } from "./resource.ts";

interface Of<View extends object, S extends FieldSource, C> {
  readonly of: Resource<View, S, C>;
}

function AddDialog<View extends object, S extends FieldSource, C>({
  of,
  onMade,
  onClose,
}: Of<View, S, C> & { onMade: (made: View) => void; onClose: () => void }): JSX.Element | null {
  const context = of.useContext === undefined ? (undefined as C) : of.useContext();
  const { form = makeForm(of), action, initial } = of.creation === false ? {} : (of.creation ?? {});
  const label = findText(`${of.texts}.make`) ?? pageText(of, "add");
  if (of.useContext !== undefined && context === undefined) return null;
  return (
    <FieldsDialog
      title={pageText(of, "add")}
      action={action === undefined ? label : (typed) => text(action(typed))}
      form={form}
      context={context as C}
      initial={initial?.(context as C)}
      send={async (fields) => onMade(await sendNew(of, fields))}
      onClose={onClose}
    />
  );
}

type SetOpened<View> = (opened: Opened<View>) => void;

/** The dialogs. */
export function FormDialogs<View extends object, S extends FieldSource, C>({
  of,
  tools,
  opened,
  setOpened,
}: Of<View, S, C> & {
  tools: ListTools<View>;
  opened: Opened<View>;
  setOpened: SetOpened<View>;
}): JSX.Element {
  const { creation, dialog, idOf, Delete } = of;
  const { Made, Dialog, stays } = creation === false ? {} : (creation ?? {});
  const close = (): void => setOpened({});
  const onMade = (made: View): void => {
    if (stays) void tools.refresh().then(close);
    else if (Made === undefined) navigate(toAddress(of, idOf(made)));
    else tools.showMade(made);
  };
  return (
    <>
      {opened.adding &&
        dialog === undefined &&
        (Dialog === undefined ? (
          <AddDialog of={of} onMade={onMade} onClose={close} />
        ) : (
          // It is one of them, or what `Made` takes.
          <Dialog onMade={(made) => onMade(made as View)} refresh={tools.refresh} onClose={close} />
        ))}
      {dialog && (opened.adding || opened.edited) && (
        <dialog.Editor
          of={of}
          view={opened.edited}
          onSaved={async (saved) => {
            await tools.refresh();
            if (opened.edited === undefined && Made !== undefined) setOpened({ made: saved });
            else close();
          }}
          onClose={close}
        />
      )}
      {/* What was made is what the resource's own `send` resolved with. */}
      {opened.made && Made && <Made made={opened.made as never} onClose={close} />}
      {opened.edited && dialog === undefined && (
        <EditItem of={of} view={opened.edited} onDone={tools.refresh} onClose={close} />
      )}
      {opened.removed &&
        (Delete ? (
          <Delete view={opened.removed} onDone={tools.refresh} onClose={close} />
        ) : (
          <DeleteItem of={of} view={opened.removed} onDone={tools.refresh} onClose={close} />
        ))}
    </>
  );
}
