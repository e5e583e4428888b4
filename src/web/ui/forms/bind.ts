/** Ties fields of a form to its values, its errors and its changes. */
import { type FieldErrors, findError } from "./field-errors.ts";

/** Props of every part of a form. */
export interface FormPart<Form> {
  readonly form: Form;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<Form>) => void;
}

type Keys<Form, Value> = { [Key in keyof Form]: Form[Key] extends Value ? Key : never }[keyof Form];

interface TextBinding {
  readonly value: string;
  readonly error: string | undefined;
  readonly onInput: (value: string) => void;
}

/** The value of a text, what is wrong at `pointer`, and how it changes: of fields that are typed in. */
export function bindText<Form>(
  { form, errors, onChange }: FormPart<Form>,
  key: Keys<Form, string> & string,
  pointer = `/${key}`,
): TextBinding {
  // The key names a text, and so does a change of it.
  const change = (value: string): Partial<Form> => ({ [key]: value }) as Partial<Form>;
  return {
    value: String(form[key]),
    error: findError(errors, pointer),
    onInput: (value) => onChange(change(value)),
  };
}

interface TickBinding {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Whether something is ticked, and how that changes, for Checkbox. */
export function bindTick<Form>({ form, onChange }: FormPart<Form>, key: Keys<Form, boolean>): TickBinding {
  // The key names a tick, and so does a change of it.
  const change = (checked: boolean): Partial<Form> => ({ [key]: checked }) as Partial<Form>;
  return { checked: form[key] === true, onChange: (checked) => onChange(change(checked)) };
}
