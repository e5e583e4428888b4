/** The settings of the site. */
import type { SettingsView } from "../../../monitor/site/schema.ts";
import type { JSX } from "preact";
import type { SettingsFields } from "../../../monitor/base/schema.ts";
import { refreshBrand } from "../../app/site.ts";
import { text } from "../../app/texts.ts";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { MailServerPanel } from "./mail-server.tsx";
import { NoticeFields, QuietFields, RetentionFields, SiteFields } from "./settings-fields.tsx";
import { type SettingsForm, parseSettingsForm, toSettingsForm } from "./settings-form.ts";

const SETTINGS = "/api/admin/settings";
const POINTERS = [
  "/siteTitle",
  "/logo",
  "/accent/light",
  "/accent/dark",
  "/theme",
  "/snapshotIntervalMs",
  "/rawRetentionMinutes",
  "/retention",
  "/quietHours",
  "/language",
  "/timeZone",
  "/publicUrl",
  "/privateReceivers",
];

function pickSettings({
  version: _version,
  history: _history,
  environment: _environment,
  ...fields
}: SettingsView): SettingsFields {
  return fields;
}

const edited: Edited<SettingsView, SettingsForm, SettingsFields> = {
  pick: pickSettings,
  toForm: toSettingsForm,
  parse: parseSettingsForm,
  send: async ({ version }, fields) => {
    const body = { ...fields, version };
    const saved = await adminRequest<SettingsView>(SETTINGS, { method: "PUT", body });
    await refreshBrand();
    return saved;
  },
  reload: () => adminRequest<SettingsView>(SETTINGS),
};

function SettingsEditor({ settings }: { settings: SettingsView }): JSX.Element {
  const editor = useEditor(settings, edited);
  const { base } = editor;
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <EditorForm
      label={text("admin.nav.settings")}
      editor={editor}
      pointers={POINTERS}
      isReadOnly={!mayUse("monitor-settings:write")}
    >
      <SiteFields {...part} />
      <RetentionFields {...part} history={base.history} saved={base.retention} />
      <NoticeFields {...part} environment={base.environment} />
      <QuietFields {...part} />
    </EditorForm>
  );
}

/** The page. */
export function SettingsPage(): JSX.Element {
  const { data, error, refresh } = usePolled<SettingsView>(SETTINGS, 0);
  return (
    <>
      <PageHead title={text("admin.nav.settings")} />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data && <MailServerPanel />}
      {data ? <SettingsEditor settings={data} /> : !error && <p class="empty">{text("page.loading")}</p>}
    </>
  );
}
