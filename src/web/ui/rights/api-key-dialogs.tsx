/** Dialogs of an API key: creating, showing it once, and changing. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  type ApiKeyView,
  type CreatedApiKey,
  apiKeyChangeSchema,
} from "../../../records/rights/view-schema.ts";
import { basePath } from "../../app/path.ts";
import { text, withHint } from "../../app/texts.ts";
import { TextField } from "../controls.tsx";
import { WordsField } from "../console/field-kinds.tsx";
import { DoneDialog, FormDialog } from "../console/form-dialog.tsx";
import { CopyBox } from "../console/pieces.tsx";
import { useTask } from "../console/problem.tsx";
import { adminRequest } from "../console/session.ts";
import { findError } from "../forms/field-errors.ts";
import { parseLocal, toDateText } from "../forms/local-time.ts";
import { toFields } from "../resource/field-source.ts";
import { ScopeFields } from "./scope-fields.tsx";
import { Note } from "../console/note.tsx";

export const API_KEYS = "/api/admin/api-keys";
const DAYS = 90;
const DAY_MS = 86_400_000;
const POINTERS = ["/name", "/scopes", "/networks", "/expiresAt"];

/** A route that the scopes of a noun open, to try a key with. */
const examplePaths: Readonly<Record<string, string>> = {
  orders: "orders",
  products: "products",
  invoices: "invoices",
  customers: "customers",
  chat: "chat/conversations",
  "shop-settings": "site",
  servers: "servers",
  checks: "checks",
  alerts: "alerts",
  "status-pages": "status-pages",
  "monitor-settings": "settings",
  users: "users",
  applications: "clients",
  audit: "audit",
  "auth-settings": "settings/branding",
};

function toCurl({ key, scopes }: CreatedApiKey): string {
  const [noun = ""] = (scopes[0] ?? "").split(":");
  const url = `${location.origin}${basePath}/api/admin/${examplePaths[noun] ?? "doctor"}`;
  return `curl -H "Authorization: Bearer ${key}" ${url}`;
}

/** The key, this once. */
export function CreatedKeyDialog(props: { created: CreatedApiKey; onClose: () => void }): JSX.Element {
  const { created, onClose } = props;
  return (
    <DoneDialog title={created.name} onClose={onClose}>
      <div class="stack">
        <Note kind="warn" icon="key">
          {text("admin.keys.once")}
        </Note>
        <div class="field">
          <span class="field-label">{text("admin.keys.key")}</span>
          <CopyBox label={text("admin.keys.key")} value={created.key} />
        </div>
        <div class="field">
          <span class="field-label">{text("admin.keys.try")}</span>
          <CopyBox label={text("admin.keys.try")} value={toCurl(created)} />
        </div>
      </div>
    </DoneDialog>
  );
}

interface KeyForm {
  readonly name: string;
  readonly networks: readonly string[];
  /** As a date field has it; "": never. */
  readonly end: string;
}

function KeyFields(props: {
  form: KeyForm;
  errors: ReturnType<typeof useTask>["errors"];
  onChange: (change: Partial<KeyForm>) => void;
}): JSX.Element {
  const { form, errors, onChange } = props;
  return (
    <>
      <TextField
        {...withHint("admin.keys.name")}
        required
        maxLength={toFields(apiKeyChangeSchema)["name"]?.max}
        value={form.name}
        error={findError(errors, "/name")}
        onInput={(name) => onChange({ name })}
      />
      <TextField
        {...withHint("admin.keys.end")}
        type="date"
        value={form.end}
        error={findError(errors, "/expiresAt")}
        onInput={(end) => onChange({ end })}
      />
      <WordsField
        {...withHint("admin.keys.networks")}
        placeholder="203.0.113.0/24"
        words={form.networks}
        error={findError(errors, "/networks")}
        onChange={(networks) => onChange({ networks })}
      />
    </>
  );
}

/** A new key. */
export function AddKeyDialog(props: {
  offered: readonly string[];
  onCreated: (created: CreatedApiKey) => void;
  onClose: () => void;
}): JSX.Element {
  const { offered, onCreated, onClose } = props;
  const [form, setForm] = useState<KeyForm>(() => ({
    name: "",
    networks: [],
    end: toDateText(Date.now() + DAYS * DAY_MS),
  }));
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const task = useTask();
  async function create(): Promise<void> {
    const { name, networks, end } = form;
    const body = { name: name.trim(), scopes, networks, expiresAt: parseLocal(end) };
    onCreated(await adminRequest<CreatedApiKey>(API_KEYS, { method: "POST", body }));
  }
  function submit(): void {
    const faults = new Map<string, string>();
    if (form.name.trim() === "") faults.set("/name", text("admin.fault.name"));
    if (scopes.length === 0) faults.set("/scopes", text("admin.keys.scopes.none"));
    if (faults.size > 0) task.refuse(faults);
    else void task.run(create);
  }
  return (
    <FormDialog
      title={text("admin.keys.add")}
      action={text("admin.keys.add")}
      task={task}
      pointers={POINTERS}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields
        form={form}
        errors={task.errors}
        onChange={(change) => setForm((before) => ({ ...before, ...change }))}
      />
      <ScopeFields
        label={text("admin.keys.scopes")}
        offered={offered}
        scopes={scopes}
        error={findError(task.errors, "/scopes")}
        onChange={setScopes}
      />
    </FormDialog>
  );
}

/** Another name, end or networks. */
export function EditKeyDialog(props: {
  apiKey: ApiKeyView;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { apiKey, onDone, onClose } = props;
  const { expiresAt } = apiKey;
  const [form, setForm] = useState<KeyForm>({
    name: apiKey.name,
    networks: apiKey.networks,
    end: toDateText(expiresAt),
  });
  const task = useTask();
  async function save(): Promise<void> {
    const { name, networks, end } = form;
    const body = { name: name.trim(), networks, expiresAt: parseLocal(end, expiresAt) ?? null };
    await adminRequest<ApiKeyView>(`${API_KEYS}/${apiKey.id}`, { method: "PATCH", body });
    await onDone();
    onClose();
  }
  return (
    <FormDialog
      title={apiKey.name}
      action={text("admin.save")}
      task={task}
      pointers={POINTERS}
      onSubmit={() => {
        if (form.name.trim() === "") task.refuse(new Map([["/name", text("admin.fault.name")]]));
        else void task.run(save);
      }}
      onClose={onClose}
    >
      <KeyFields
        form={form}
        errors={task.errors}
        onChange={(change) => setForm((kept) => ({ ...kept, ...change }))}
      />
      <p class="field-hint">{text("admin.keys.edit.hint")}</p>
    </FormDialog>
  );
}
