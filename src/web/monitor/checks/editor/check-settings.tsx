/** The form of a check that is there. */
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { judgedKinds } from "../../../../monitor/checks/schema.ts";
import type { CheckInput, CheckView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { EditorForm } from "../../../ui/console/editor-form.tsx";
import { FieldWordsContext } from "../../../ui/console/field-words.ts";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";
import { useEditor } from "../../../ui/console/use-editor.ts";
import { type Edited, sayFaults } from "../../../ui/forms/parsed.ts";
import { FormFields, toFormWords } from "../../../ui/resource/fields.tsx";
import { type MadeForm, nestFields, pickFields, readForm, toTyped } from "../../../ui/resource/form.ts";
import { type Form, toText, toTexts } from "../../../ui/resource/kind.ts";
import { sendChange } from "../../../ui/resource/resource.ts";
import { toCheckPath } from "../check-data.ts";
import { TellNote } from "../tell-note.tsx";
import { type CheckContext, madeFormOf, useCheckContext } from "./check-form.ts";
import { TestPanel } from "./test-panel.tsx";

type Fields = Readonly<Record<string, unknown>>;

function toEdited(form: MadeForm<CheckContext>, context: CheckContext): Edited<CheckView, Form, Fields> {
  return {
    pick: (check) => pickFields(form, check),
    toForm: (fields) => toTyped(form, fields, context),
    parse: (typed, before) => readForm(form, typed, { context, before }),
    send: (from, fields) =>
      sendChange(toCheckPath(from.id), from, { fields, before: pickFields(form, from) }),
    reload: ({ id }) => adminRequest<CheckView>(toCheckPath(id)),
  };
}

/** The form, with a test of what is typed. */
export function CheckSettings(props: { check: CheckView; refresh: () => Promise<void> }): JSX.Element {
  const { check, refresh } = props;
  const { kind } = check.target;
  const context = useCheckContext();
  const form = madeFormOf(kind);
  const editor = useEditor(
    check,
    useMemo(() => toEdited(form, context), [form, context]),
  );
  useEffect(() => {
    // While nothing is typed the form follows what others save; an answer from before one's own save says nothing.
    if (!editor.dirty && check.version > editor.base.version) editor.begin(check);
  }, [check.version, editor.dirty]);
  useEffect(() => {
    if (editor.base.version > check.version) void refresh();
  }, [editor.base.version]);
  const { form: typed, task } = editor;
  function read(): CheckInput | undefined {
    const parsed = readForm(form, typed, { context, before: pickFields(form, editor.base) });
    // The fields are those of the check's schema.
    if (parsed.ok) return nestFields(parsed.fields) as unknown as CheckInput;
    task.refuse(sayFaults(parsed.faults));
    return undefined;
  }
  return (
    <div class="check-editor">
      <FieldWordsContext.Provider value={toFormWords(form, typed, context)}>
        <EditorForm
          label={text("admin.server.form", { name: check.name })}
          editor={editor}
          pointers={form.pointers}
          isReadOnly={!mayUse("checks:write")}
        >
          <FormFields
            form={form}
            context={context}
            part={{ form: typed, errors: task.errors, onChange: editor.change }}
          />
        </EditorForm>
      </FieldWordsContext.Provider>
      <div class="stack check-aside">
        {!judgedKinds.includes(kind) && (
          <TestPanel read={read} id={check.id} task={task} pointers={form.pointers} />
        )}
        <TellNote
          check={{
            id: check.id,
            target: check.target,
            group: toText(typed["group"]),
            tags: toTexts(typed["tags"]),
          }}
        />
      </div>
    </div>
  );
}
