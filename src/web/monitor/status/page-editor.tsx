/** The form of a status page: a new one, or one that others may edit too. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldWordsContext } from "../../ui/console/field-words.ts";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { FormFields, toFormWords } from "../../ui/resource/fields.tsx";
import { nestFields, pickFields, readForm, toBlank, toTyped } from "../../ui/resource/form.ts";
import type { Form } from "../../ui/resource/kind.ts";
import { sendChange } from "../../ui/resource/resource.ts";
import { pageForm } from "./page-form.tsx";
import { STATUS_PAGES, toStatusPath } from "./status-data.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is edited: a stored page, or undefined for a new one. */
interface Edit {
  readonly page: StatusPageView | undefined;
}

const edited: Edited<Edit, Form, Fields> = {
  pick: ({ page }) => (page === undefined ? {} : pickFields(pageForm, page)),
  toForm: (fields) =>
    Object.keys(fields).length === 0 ? toBlank(pageForm) : toTyped(pageForm, fields, undefined),
  parse: (typed, before) => {
    const parsed = readForm(pageForm, typed, { context: undefined, before });
    return parsed.ok ? { ok: true, fields: { ...parsed.fields } } : parsed;
  },
  send: async ({ page }, fields) => {
    if (page !== undefined) {
      const before = pickFields(pageForm, page);
      return { page: await sendChange(toStatusPath(page.id), page, { fields, before }) };
    }
    const body = nestFields(fields);
    return { page: await adminRequest<StatusPageView>(STATUS_PAGES, { method: "POST", body }) };
  },
  reload: async ({ page }) => ({
    page: page && (await adminRequest<StatusPageView>(toStatusPath(page.id))),
  }),
};

/** The form; a new page leads to its own URL once it is created. */
export function PageEditor({ page, onSaved }: { page?: StatusPageView; onSaved?: () => void }): JSX.Element {
  const editor = useEditor<Edit, Form, Fields>({ page }, edited);
  const { base, form, task, change } = editor;
  const created = page === undefined ? base.page?.id : undefined;
  useEffect(() => {
    if (created !== undefined) navigate(`/admin/status/${created}`, { replace: true });
    else if (base.page?.version !== page?.version) onSaved?.();
  }, [created, base.page?.version]);
  return (
    <FieldWordsContext.Provider value={toFormWords(pageForm, form, undefined)}>
      <EditorForm
        label={text("admin.status.page")}
        editor={editor}
        pointers={pageForm.pointers}
        isReadOnly={!mayUse("status-pages:write")}
      >
        <FormFields
          form={pageForm}
          context={undefined}
          part={{ form, errors: task.errors, onChange: change }}
        />
      </EditorForm>
    </FieldWordsContext.Provider>
  );
}
