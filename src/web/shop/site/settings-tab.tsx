/** A tab of settings that are fields alone. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { findText, text } from "../../app/texts.ts";
import { FieldWordsContext } from "../../ui/console/conflict-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { useEditor } from "../../ui/console/use-editor.ts";
import { SettingFields, toFieldWords } from "../../ui/settings/setting-fields.tsx";
import { type FieldSection, type SiteView, toEdited, whenSent } from "./site-data.ts";

/** The form. */
export function SettingsTab(props: {
  label: string;
  stored: SiteView;
  sections: readonly FieldSection[];
  onSaved: () => void;
  /** Below the fields, such as what is not saved with them. */
  children?: ComponentChildren;
}): JSX.Element {
  const { label, stored, sections, onSaved, children } = props;
  const specs = useMemo(() => sections.flatMap(({ fields }) => fields), [sections]);
  const words = useMemo(() => toFieldWords(specs), [specs]);
  const edited = useMemo(() => whenSent(toEdited(specs), onSaved), [specs]);
  const editor = useEditor(stored, edited);
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <FieldWordsContext.Provider value={words}>
      <EditorForm label={label} editor={editor} pointers={specs.map(({ key }) => `/${key}`)}>
        {sections.map(({ title, fields }) => (
          <FieldGroup key={title} title={text(title)} hint={findText(`${title}.hint`)}>
            <SettingFields specs={fields} part={part} />
          </FieldGroup>
        ))}
        {children}
      </EditorForm>
    </FieldWordsContext.Provider>
  );
}
