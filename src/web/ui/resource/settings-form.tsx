/** Settings as a form of a page: a part of what one request gives, saved with its version. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { FieldWordsContext } from "../console/field-words.ts";
import { EditorForm } from "../console/editor-form.tsx";
import { adminRequest, mayUse } from "../console/session.ts";
import { type Editor, useEditor } from "../console/use-editor.ts";
import type { FormPart } from "../forms/bind.ts";
import { type Edited, tellSaved } from "../forms/parsed.ts";
import { FormFields, toFormWords } from "./fields.tsx";
import { type MadeForm, nestFields, pickFields, readForm, toTyped } from "./form.ts";
import type { Form } from "./kind.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface StoredSettings {
  readonly version: number;
}

export interface SettingsPart<Stored, C> {
  /** GET and PATCH. */
  readonly path: string;
  readonly form: MadeForm<C>;
  readonly context: C;
  /** Where what is stored is not as the fields have it. */
  readonly pick?: (stored: Stored) => object;
  readonly toBody?: (fields: Fields) => object;
  /** Gets what is stored now; nothing where saving failed. */
  readonly onSaved?: ((saved?: Stored) => void) | undefined;
}

/** How a part of settings is edited. */
export function editSettings<Stored extends StoredSettings, C>({
  path,
  form,
  context,
  pick = (stored) => stored,
  toBody = nestFields,
  onSaved,
}: SettingsPart<Stored, C>): Edited<Stored, Form, Fields> {
  return {
    pick: (stored) => pickFields(form, pick(stored)),
    toForm: (fields) => toTyped(form, fields, context),
    parse: (typed, before) => readForm(form, typed, { context, before }),
    send: ({ version }, fields) =>
      tellSaved(
        adminRequest<Stored>(path, { method: "PATCH", body: { ...toBody(fields), version } }),
        onSaved,
      ),
    reload: () => adminRequest<Stored>(path),
  };
}

/** The form; `write` is the scope that changes need. */
export function SettingsForm<Stored extends StoredSettings, C>(props: {
  label: string;
  write: string;
  stored: Stored;
  of: SettingsPart<Stored, C>;
  /** Above and below the fields: what has a form of its own in the same request. */
  above?: (part: FormPart<Form>) => ComponentChildren;
  below?: (part: FormPart<Form>) => ComponentChildren;
  /** JSON pointers of its fields. */
  pointers?: readonly string[];
  /** Below the form. */
  children?: (editor: Editor<Stored, Form, Fields>) => ComponentChildren;
}): JSX.Element {
  const { label, write, stored, of, above, below, pointers = [], children } = props;
  const { form, context } = of;
  const editor = useEditor(
    stored,
    useMemo(() => editSettings(of), [form, context]),
  );
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <FieldWordsContext.Provider value={toFormWords(form, editor.form, context)}>
      <EditorForm
        label={label}
        editor={editor}
        pointers={[...form.pointers, ...pointers]}
        isReadOnly={!mayUse(write)}
      >
        {above?.(part)}
        <FormFields form={form} context={context} part={part} />
        {below?.(part)}
      </EditorForm>
      {children?.(editor)}
    </FieldWordsContext.Provider>
  );
}
