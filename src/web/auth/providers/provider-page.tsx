/** One provider: every field, its address there, and a test of it. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { FieldWordsContext } from "../../ui/console/conflict-dialog.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Badge, Crumbs, FieldGroup, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { SettingFields, toFieldWords } from "../../ui/settings/setting-fields.tsx";
import {
  type ProviderView,
  connectionFields,
  ruleFields,
  toEdited,
  toProviderPath,
} from "./provider-form.ts";
import { ProviderTest } from "./provider-test.tsx";

function ProviderEditor({ stored }: { stored: ProviderView }): JSX.Element {
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(stored), [stored.kind]),
  );
  const { base, form, dirty, task } = editor;
  const [isDeleting, setDeleting] = useState(false);
  const connection = connectionFields(base);
  const all = [...connection, ...ruleFields];
  const part = { form, errors: task.errors, onChange: editor.change };
  return (
    <>
      <PageHead
        title={
          <>
            {base.title} {!base.enabled && <Badge kind="warn">{text("auth.applications.off")}</Badge>}
          </>
        }
      >
        <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
          {text("admin.delete")}
        </Button>
      </PageHead>
      <FieldWordsContext.Provider value={toFieldWords(all)}>
        <EditorForm label={base.title} editor={editor} pointers={all.map(({ key }) => `/${key}`)}>
          <FieldGroup title={text("auth.providers.connection")}>
            <SettingFields specs={connection} part={part} />
          </FieldGroup>
          <FieldGroup title={text("auth.providers.rules")}>
            <SettingFields specs={ruleFields} part={part} />
          </FieldGroup>
        </EditorForm>
      </FieldWordsContext.Provider>
      <ProviderTest provider={base} dirty={dirty} />
      {isDeleting && (
        <DeleteDialog
          title={text("auth.providers.delete")}
          path={toProviderPath(base.id)}
          name={base.title}
          onDone={async () => navigate("/admin/providers", { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text("auth.providers.delete.text", { name: base.title })}
        </DeleteDialog>
      )}
    </>
  );
}

/** The section with a provider in its address. */
export function ProviderPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<ProviderView>(toProviderPath(id), 0);
  return (
    <>
      <Crumbs to="/admin/providers" label="auth.nav.providers" />
      <Loaded of={loaded}>{(data) => <ProviderEditor stored={data} />}</Loaded>
    </>
  );
}
