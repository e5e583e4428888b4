/** One application: every field, its secret, and the lines for its proxy. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { FieldWordsContext } from "../../ui/console/conflict-dialog.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Badge, Crumbs, FieldGroup, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { mayUse } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SettingFields, toFieldWords } from "../../ui/settings/setting-fields.tsx";
import { AllowedGroups } from "./allowed-groups.tsx";
import type { ApplicationView } from "./application-data.ts";
import { AdvancedFields } from "./advanced-fields.tsx";
import * as fields from "./application-form.ts";
import { ConnectionPanel } from "./connection-panel.tsx";
import { policyFields } from "./policy-form.ts";
import { MachineFields } from "./machine-fields.tsx";
import { ProxyPanel } from "./proxy-panel.tsx";
import { RefusalsPanel } from "./refusals-panel.tsx";
import { Requestable } from "./requestable.tsx";
import { SecretPanel } from "./secret-panel.tsx";
import { TrialPanel } from "./trial-panel.tsx";

const words = toFieldWords(fields.allFields);
const pointers = fields.allFields.map(({ key }) => `/${key}`);

function ApplicationEditor({ stored }: { stored: ApplicationView }): JSX.Element {
  const editor = useEditor(stored, fields.edited);
  const { base, form, dirty, task } = editor;
  const [isDeleting, setDeleting] = useState(false);
  const part = { form, errors: task.errors, onChange: editor.change };
  const { allowedGroups } = form;
  return (
    <>
      <PageHead
        title={
          <>
            {base.name} {!base.enabled && <Badge kind="warn">{text("auth.applications.off")}</Badge>}
          </>
        }
      >
        <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
          {text("admin.delete")}
        </Button>
      </PageHead>
      <div class="form-and-panels">
        <FieldWordsContext.Provider value={words}>
          <EditorForm label={base.name} editor={editor} pointers={pointers}>
            <FieldGroup title={text("auth.applications.about")}>
              <SettingFields specs={fields.aboutFields} part={part} />
            </FieldGroup>
            <FieldGroup title={text("auth.applications.who")}>
              <AllowedGroups
                allowed={Array.isArray(allowedGroups) ? allowedGroups : []}
                error={findError(task.errors, "/allowedGroups")}
                onChange={(next) => editor.change({ allowedGroups: next })}
              />
            </FieldGroup>
            <FieldGroup title={text("auth.applications.signIn")} hint={text("auth.applications.signIn.hint")}>
              <SettingFields specs={[...fields.codeFields, fields.typeField]} part={part} />
              <AdvancedFields part={part} />
            </FieldGroup>
            <Requestable part={part} />
            {form["clientType"] === "confidential" && mayUse("administrator") && (
              <MachineFields part={part} />
            )}
            <FieldGroup title={text("auth.policy.title")} hint={text("auth.policy.hint")}>
              <SettingFields specs={policyFields} part={part} />
            </FieldGroup>
            <FieldGroup title={text("auth.applications.proxy")} hint={text("auth.applications.proxy.hint")}>
              <SettingFields specs={fields.proxyFields} part={part} />
            </FieldGroup>
          </EditorForm>
        </FieldWordsContext.Provider>
        <div class="stack">
          <RefusalsPanel application={base} />
          {base.protectedOrigins.length > 0 && <ProxyPanel application={base} />}
          <TrialPanel application={base} />
          <ConnectionPanel id={base.id} />
          {base.clientType === "confidential" && (
            <SecretPanel application={base} dirty={dirty} onChanged={editor.begin} />
          )}
        </div>
      </div>
      {isDeleting && (
        <DeleteDialog
          title={text("auth.applications.delete")}
          path={fields.toApplicationPath(base.id)}
          name={base.name}
          onDone={async () => navigate("/admin/applications", { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text("auth.applications.delete.text", { name: base.name })}
        </DeleteDialog>
      )}
    </>
  );
}

/** The section with an application in its address. */
export function ApplicationPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<ApplicationView>(fields.toApplicationPath(id), 0);
  return (
    <>
      <Crumbs to="/admin/applications" label="auth.nav.applications" />
      <Loaded of={loaded}>{(data) => <ApplicationEditor stored={data} />}</Loaded>
    </>
  );
}
