/** The settings of the site. Hidden here: that a change by someone else loses nothing. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { SettingsFields } from "../../../monitor/schema.ts";
import { ApiError } from "../../app/api.ts";
import { refreshSite } from "../../app/site.ts";
import { text } from "../../app/texts.ts";
import { showToast } from "../../parts/controls-toast.tsx";
import { ConflictDialog } from "../conflict-dialog.tsx";
import type { Versions } from "../forms/conflict.ts";
import { isSame } from "../forms/conflict.ts";
import { PageHead } from "../pieces.tsx";
import { usePolled } from "../polled.ts";
import type { Task } from "../problem.tsx";
import { ErrorNote, TaskNote, toMessage, useTask } from "../problem.tsx";
import { focusFirstError, SaveBar } from "../save-bar.tsx";
import { adminRequest } from "../session.ts";
import { UnsavedGuard } from "../unsaved.tsx";
import { QuietFields, RetentionFields, SiteFields } from "./settings-fields.tsx";
import type { HistoryUse, SettingsForm } from "./settings-form.ts";
import { parseSettingsForm, toSettingsForm } from "./settings-form.ts";

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

interface Editor {
  readonly form: SettingsForm;
  readonly base: SettingsView;
  readonly dirty: boolean;
  readonly task: Task;
  readonly conflict: Conflict | undefined;
  change(change: Partial<SettingsForm>): void;
  revert(): void;
  save(): Promise<boolean>;
  resolve(fields: SettingsFields): Promise<void>;
  giveUp(): void;
}

function useEditor(settings: SettingsView): Editor {
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
  const root = useRef<HTMLFormElement>(null);
  const { form, base, task, conflict, change } = editor;
  const part = { form, errors: task.errors, onChange: change };
  return (
    <>
      <form
        ref={root}
        class="stack"
        noValidate
        aria-label={text("admin.nav.settings")}
        onSubmit={(event) => {
          event.preventDefault();
          void editor.save().then((good) => good || focusFirstError(root.current));
        }}
      >
        <TaskNote task={task} pointers={POINTERS} />
        <SiteFields {...part} />
        <RetentionFields {...part} history={base.history} saved={base.retention} />
        <QuietFields {...part} />
        <SaveBar dirty={editor.dirty} busy={task.busy} onRevert={editor.revert} />
      </form>
      <UnsavedGuard dirty={editor.dirty} />
      {conflict && (
        <ConflictDialog
          versions={conflict}
          busy={task.busy}
          onResolve={(fields) => void editor.resolve(fields)}
          onClose={editor.giveUp}
        />
      )}
    </>
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
