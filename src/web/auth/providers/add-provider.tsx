/** Setting a provider up: Google and GitHub know most of it themselves. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text, withHint } from "../../app/texts.ts";
import { Segments, TextField } from "../../ui/controls.tsx";
import { SecretTextField } from "../../ui/console/field-kinds.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { type Naming, NameFields } from "../applications/name-fields.tsx";
import { PROVIDERS, type ProviderView } from "./provider-form.ts";

/** What each preset sends besides what is typed. */
const presets = {
  google: {
    naming: { name: "Google", id: "google" },
    fields: { kind: "openid", issuer: "https://accounts.google.com", emailAuthoritative: true },
  },
  github: {
    naming: { name: "GitHub", id: "github" },
    fields: { kind: "github", emailAuthoritative: true },
  },
  openid: { naming: { name: "", id: "" }, fields: { kind: "openid" } },
} as const;
type Preset = keyof typeof presets;
const names = ["google", "github", "openid"] as const;

interface Client {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
}

/** How this center is known at the provider, and where that is unless the preset knows it. */
function ClientFields({
  form,
  errors,
  onChange,
  preset,
}: FormPart<Client> & { preset: Preset }): JSX.Element {
  return (
    <>
      {preset === "openid" && (
        <TextField
          {...withHint("auth.providers.issuer")}
          type="url"
          value={form.issuer}
          error={findError(errors, "/issuer")}
          onInput={(issuer) => onChange({ issuer })}
        />
      )}
      <TextField
        label={text("auth.applications.id")}
        hint={text("auth.providers.clientId.hint")}
        autoComplete="off"
        value={form.clientId}
        error={findError(errors, "/clientId")}
        onInput={(clientId) => onChange({ clientId })}
      />
      <SecretTextField
        label={text("auth.providers.secret")}
        value={form.secret}
        error={findError(errors, "/secret")}
        onInput={(secret) => onChange({ secret })}
      />
    </>
  );
}

/** The dialog. */
export function AddProvider(props: {
  onMade: (provider: ProviderView) => void;
  onClose: () => void;
}): JSX.Element {
  const { onMade, onClose } = props;
  const [preset, setPreset] = useState<Preset>("google");
  const [naming, setNaming] = useState<Naming>(presets.google.naming);
  const [client, setClient] = useState<Client>({ issuer: "", clientId: "", secret: "" });
  const task = useTask();
  const { errors } = task;
  function choose(next: Preset): void {
    setPreset(next);
    setNaming(presets[next].naming);
  }
  async function add(): Promise<void> {
    const { issuer, clientId, secret } = client;
    const body = {
      id: naming.id.trim(),
      title: naming.name.trim(),
      clientId: clientId.trim(),
      ...(secret === "" ? {} : { secret: secret.trim() }),
      ...(preset === "openid" ? { issuer: issuer.trim() } : {}),
      ...presets[preset].fields,
    };
    onMade(await adminRequest<ProviderView>(PROVIDERS, { method: "POST", body }));
  }
  return (
    <FormDialog
      title={text("auth.providers.add")}
      action={text("auth.providers.add")}
      task={task}
      pointers={["/title", "/id", "/issuer", "/clientId", "/secret"]}
      onSubmit={() => void task.run(add)}
      onClose={onClose}
    >
      <div class="stack">
        <div class="stack-small">
          <Segments<Preset>
            label={text("admin.column.kind")}
            value={preset}
            choices={names.map((value) => ({ value, label: text(`auth.providers.${value}`) }))}
            onChange={choose}
          />
          <p class="field-hint">{text(`auth.providers.${preset}.hint`)}</p>
        </div>
        <NameFields
          form={naming}
          errors={errors}
          pointer="/title"
          label="auth.providers.title"
          idLabel="auth.providers.id"
          idHint="auth.providers.id.hint"
          onChange={(change) => setNaming({ ...naming, ...change })}
        />
        <ClientFields
          form={client}
          errors={errors}
          preset={preset}
          onChange={(change) => setClient({ ...client, ...change })}
        />
      </div>
    </FormDialog>
  );
}
