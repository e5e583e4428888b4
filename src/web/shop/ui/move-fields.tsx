/** A dialog of a move whose fields are said as data. */
import type { ComponentChildren, JSX } from "preact";
import type { MadeForm } from "../../ui/resource/form.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import type { Form } from "../../ui/resource/kind.ts";
import { sendFresh } from "./moves.tsx";

/** Asks for the fields of a form, sends them, says that it is done, and reloads the page's data. */
export function MoveFields<C, F>(props: {
  title: string;
  action: string | ((form: Form) => string);
  form: MadeForm<C, F>;
  context: C;
  initial?: Form;
  danger?: boolean | undefined;
  wide?: boolean | undefined;
  /** Shown after success. */
  done: string;
  children?: ComponentChildren;
  send: (fields: F) => Promise<unknown>;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { children, send, onChange, ...dialog } = props;
  return (
    <FieldsDialog
      {...dialog}
      above={children}
      send={(fields) => sendFresh(() => send(fields), onChange)}
      onDone={onChange}
    />
  );
}
