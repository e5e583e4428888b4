/** The form of a check that is there. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { CheckInput, CheckView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { EditorForm } from "../../../ui/console/editor-form.tsx";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";
import { useEditor } from "../../../ui/console/use-editor.ts";
import type { Edited } from "../../../ui/forms/parsed.ts";
import { pickCheck, replaceCheck, toCheckPath } from "../check-data.ts";
import { TellNote } from "../tell-note.tsx";
import { CheckFields, listPointers } from "./check-fields.tsx";
import { type CheckForm, parseCheckForm, toCheckForm } from "./check-form.ts";
import { TestPanel } from "./test-panel.tsx";
import { useFormChoices } from "./form-choices.ts";

const edited: Edited<CheckView, CheckForm, CheckInput> = {
  pick: pickCheck,
  toForm: toCheckForm,
  parse: parseCheckForm,
  send: replaceCheck,
  reload: ({ id }) => adminRequest<CheckView>(toCheckPath(id)),
};

/** The form, with a try of what is typed. */
export function CheckSettings(props: { check: CheckView; refresh: () => Promise<void> }): JSX.Element {
  const { check, refresh } = props;
  const editor = useEditor(check, edited);
  const choices = useFormChoices();
  useEffect(() => {
    // While nothing is typed the form follows what others save; an answer from before one's own save says nothing.
    if (!editor.dirty && check.version > editor.base.version) editor.begin(check);
  }, [check.version, editor.dirty]);
  useEffect(() => {
    if (editor.base.version > check.version) void refresh();
  }, [editor.base.version]);
  const { form, task } = editor;
  const pointers = listPointers(form.kind);
  function read(): CheckInput | undefined {
    const parsed = parseCheckForm(form, pickCheck(editor.base));
    if (parsed.ok) return parsed.fields;
    task.refuse(new Map([...parsed.faults].map(([at, name]) => [at, text(name)])));
    return undefined;
  }
  return (
    <div class="check-editor">
      <EditorForm
        label={text("admin.server.form", { name: check.name })}
        editor={editor}
        pointers={pointers}
        isReadOnly={!mayUse("checks:write")}
      >
        <CheckFields form={form} errors={task.errors} onChange={editor.change} {...choices} />
      </EditorForm>
      <div class="stack check-aside">
        {form.kind !== "heartbeat" && <TestPanel read={read} id={check.id} task={task} pointers={pointers} />}
        <TellNote check={{ id: check.id, group: form.group, tags: form.tags }} />
      </div>
    </div>
  );
}
