/** The settings of the site. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SettingsFields } from "../../../monitor/schema.ts";
import { ApiError } from "../../app/api.ts";
import { refreshSite } from "../../app/site.ts";
import { text } from "../../app/texts.ts";
import { showToast } from "../../ui/controls-toast.tsx";
import { type Editor, EditorForm } from "../editor-form.tsx";
import { type Versions, isSame } from "../forms/conflict.ts";
import { PageHead } from "../pieces.tsx";
import { usePolled } from "../polled.ts";
import { ErrorNote, toMessage, useTask } from "../problem.tsx";
import { adminRequest } from "../session.ts";
import { QuietFields, RetentionFields, SiteFields } from "./settings-fields.tsx";
import { type HistoryUse, type SettingsForm, parseSettingsForm, toSettingsForm } from "./settings-form.ts";

const SETTINGS = "/api/admin/settings";
const POINTERS = [
  "/siteTitle",
  "/theme",
  "/snapshotIntervalMs",
  "/rawRetentionMinutes",
  "/retention",
  "/quietHours",
];

interface SettingsView extends SettingsFields {
  readonly version: number;
  readonly history?: HistoryUse;
}

type Conflict = Versions<SettingsFields> & { readonly stored: SettingsView };

function pickSettings({ version: _version, history: _history, ...fields }: SettingsView): SettingsFields {
  return fields;
}

interface SettingsEditing extends Editor<SettingsForm, SettingsFields> {
  readonly base: SettingsView;
}

function useEditor(settings: SettingsView): SettingsEditing {
  const [base, setBase] = useState(settings);
  const [form, setForm] = useState(() => toSettingsForm(settings));
  const [conflict, setConflict] = useState<Conflict | undefined>();
  const task = useTask();
  function begin(next: SettingsView): void {
    setBase(next);
    setForm(toSettingsForm(next));
    setConflict(undefined);
  }
  async function send(fields: SettingsFields, version: number): Promise<void> {
    try {
      begin(await adminRequest<SettingsView>(SETTINGS, { method: "PUT", body: { ...fields, version } }));
      await refreshSite();
      showToast(text("admin.saved"));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "version_conflict") throw error;
      const stored = await adminRequest<SettingsView>(SETTINGS);
      setConflict({ base: pickSettings(base), mine: fields, theirs: pickSettings(stored), stored });
    }
  }
  return {
    form,
    base,
    dirty: !isSame(form, toSettingsForm(base)),
    task,
    conflict,
    change: (change) => setForm((before) => ({ ...before, ...change })),
    revert: () => {
      setForm(toSettingsForm(base));
      task.clear();
    },
    save: async () => {
      const parsed = parseSettingsForm(form, pickSettings(base));
      if (parsed.ok) return task.run(() => send(parsed.fields, base.version));
      task.refuse(new Map([...parsed.faults].map(([at, name]) => [at, text(name)])));
      return false;
    },
    resolve: async (fields) => {
      if (conflict !== undefined) await task.run(() => send(fields, conflict.stored.version));
    },
    giveUp: () => setConflict(undefined),
  };
}

function SettingsEditor({ settings }: { settings: SettingsView }): JSX.Element {
  const editor = useEditor(settings);
  const { base } = editor;
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <EditorForm label={text("admin.nav.settings")} editor={editor} pointers={POINTERS}>
      <SiteFields {...part} />
      <RetentionFields {...part} history={base.history} saved={base.retention} />
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
      {data ? <SettingsEditor settings={data} /> : !error && <p class="empty">{text("page.loading")}</p>}
    </>
  );
}
