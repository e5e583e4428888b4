/** Registering an application: which program it is, and then where it is; the rest follows from that. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { AllowedGroups } from "./allowed-groups.tsx";
import { APPLICATIONS } from "./application-data.ts";
import { type Kind, KindChoice } from "../presets/kind-choice.tsx";
import { NameFields, type Naming } from "./name-fields.tsx";
import {
  type Answers,
  type PresetName,
  SOURCE,
  isSource,
  presets,
  toAddress,
  toClientFields,
  toSpoken,
} from "../presets/presets.ts";
import type { ApplicationWithSecret } from "./secret-shown.tsx";

/** What was made, and by which preset with which answers. */
export interface Made {
  readonly application: ApplicationWithSecret;
  readonly kind: Kind;
  readonly answers: Answers;
}

function findPreset(kind: Kind): PresetName | undefined {
  return kind === "proxy" || kind === "code" ? undefined : kind;
}

/** What the API wants of what was typed; what is no address goes there as it is, and is refused at its field. */
function toFields(kind: Kind, answers: Answers): object {
  const preset = findPreset(kind);
  if (preset !== undefined) return answers.address === "" ? {} : toClientFields(preset, answers);
  const { address } = answers;
  if (address === "") return {};
  if (kind === "code") return { redirectUris: [address] };
  if (!URL.canParse(address)) return { protectedOrigins: [address] };
  return { protectedOrigins: [new URL(address).origin], launchUrl: address };
}

/** What the one address is, and an example of it. */
function toAddressTexts(kind: Kind): { label: string; hint: string } {
  const preset = findPreset(kind);
  if (preset === undefined || preset === "generic") {
    const own = kind === "proxy" ? "proxy" : "code";
    return {
      label: text(`auth.applications.${own}.address`),
      hint: text(`auth.applications.${own}.address.hint`),
    };
  }
  const { name, example } = presets[preset];
  return {
    label: text("auth.presets.address", { name: toSpoken(name) }),
    hint: text("auth.presets.address.hint", { example }),
  };
}

/** The name and id that a preset proposes. */
function toNaming(kind: Kind): Naming {
  const preset = findPreset(kind);
  if (preset === undefined || preset === "generic") return { name: "", id: "" };
  const { name, id } = presets[preset];
  return { name: name.replace(/,.*/u, ""), id };
}

function toTitle(kind: Kind): string {
  return kind === "generic" || kind === "code" || kind === "proxy"
    ? text(`auth.applications.${kind}`)
    : presets[kind].name;
}

interface Placed {
  readonly address: string;
  readonly source: string;
}

/** Where the program is, and what it calls the center where that matters. */
function PlaceFields(props: FormPart<Placed> & { kind: Kind; pointer: string }): JSX.Element {
  const { kind, pointer, form, errors, onChange } = props;
  const preset = findPreset(kind);
  const at = [pointer, "/launchUrl", "/postLogoutRedirectUris"];
  return (
    <>
      <TextField
        {...toAddressTexts(kind)}
        type="url"
        value={form.address}
        error={at.map((one) => findError(errors, one)).find((error) => error !== undefined)}
        onInput={(address) => onChange({ address })}
      />
      {preset !== undefined && presets[preset].hasSource && (
        <TextField
          label={text("auth.presets.source", { name: toSpoken(presets[preset].name) })}
          hint={text("auth.presets.source.hint")}
          maxLength={40}
          autoComplete="off"
          value={form.source}
          error={findError(errors, "/source")}
          onInput={(source) => onChange({ source })}
        />
      )}
    </>
  );
}

function WhoFields(props: FormPart<{ readonly allowedGroups: readonly string[] }>): JSX.Element {
  const { form, errors, onChange } = props;
  return (
    <section class="stack-small" aria-label={text("auth.applications.who")}>
      <h3>{text("auth.applications.who")}</h3>
      <AllowedGroups
        allowed={form.allowedGroups}
        error={findError(errors, "/allowedGroups")}
        onChange={(allowedGroups) => onChange({ allowedGroups })}
      />
    </section>
  );
}

/** What is missing before anything is sent: the API would take an application without an address. */
function findFaults(kind: Kind, pointer: string, { address, source }: Placed): Map<string, string> {
  const preset = findPreset(kind);
  const faults = new Map<string, string>();
  if (preset === undefined) return faults;
  if (address.trim() === "") faults.set(pointer, text("auth.presets.address.fault"));
  if (presets[preset].hasSource && !isSource(source.trim()))
    faults.set("/source", text("auth.presets.source.fault"));
  return faults;
}

async function register(
  kind: Kind,
  typed: { naming: Naming; placed: Placed; allowedGroups: readonly string[] },
): Promise<Made> {
  const { naming, placed, allowedGroups } = typed;
  const preset = findPreset(kind);
  const address = preset ? toAddress(preset, placed.address) : placed.address.trim();
  const answers = { address, source: placed.source.trim() };
  const named = { name: naming.name.trim(), id: naming.id.trim(), allowedGroups };
  const body = { ...toFields(kind, answers), ...named };
  const application = await adminRequest<ApplicationWithSecret>(APPLICATIONS, { method: "POST", body });
  return { application, kind, answers };
}

function KindForm(props: {
  kind: Kind;
  onMade: (made: Made) => void;
  onBack: () => void;
  onClose: () => void;
}): JSX.Element {
  const { kind, onMade, onBack, onClose } = props;
  const [naming, setNaming] = useState(toNaming(kind));
  const [placed, setPlaced] = useState<Placed>({ address: "", source: SOURCE });
  const [allowedGroups, setAllowedGroups] = useState<readonly string[]>([]);
  const task = useTask();
  const pointer = kind === "proxy" ? "/protectedOrigins" : "/redirectUris";
  const add = async (): Promise<void> => onMade(await register(kind, { naming, placed, allowedGroups }));
  function submit(): void {
    const faults = findFaults(kind, pointer, placed);
    if (faults.size > 0) task.refuse(faults);
    else void task.run(add);
  }
  return (
    <FormDialog
      title={toTitle(kind)}
      action={text("auth.applications.add")}
      task={task}
      pointers={[
        "/name",
        "/id",
        "/allowedGroups",
        pointer,
        "/launchUrl",
        "/postLogoutRedirectUris",
        "/source",
      ]}
      onSubmit={submit}
      onClose={onClose}
    >
      <div class="stack">
        <div class="button-row">
          <Button kind="quiet" small icon="back" onClick={onBack}>
            {text("auth.presets.back")}
          </Button>
        </div>
        <PlaceFields
          kind={kind}
          pointer={pointer}
          form={placed}
          errors={task.errors}
          onChange={(change) => setPlaced({ ...placed, ...change })}
        />
        <NameFields
          form={naming}
          errors={task.errors}
          pointer="/name"
          label="admin.field.name"
          idLabel="auth.applications.id"
          idHint="auth.applications.id.hint"
          onChange={(change) => setNaming({ ...naming, ...change })}
        />
        <WhoFields
          form={{ allowedGroups }}
          errors={task.errors}
          onChange={(change) => setAllowedGroups(change.allowedGroups ?? allowedGroups)}
        />
      </div>
    </FormDialog>
  );
}

/** The dialogs; `onMade` gets the application with its secret. */
export function AddApplication(props: { onMade: (made: Made) => void; onClose: () => void }): JSX.Element {
  const { onMade, onClose } = props;
  const [kind, setKind] = useState<Kind | undefined>();
  if (kind === undefined) return <KindChoice key="choice" onChoose={setKind} onClose={onClose} />;
  return (
    <KindForm key={kind} kind={kind} onMade={onMade} onBack={() => setKind(undefined)} onClose={onClose} />
  );
}
