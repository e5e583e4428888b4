/** Registering an application: which program it is, and then where it is; the rest follows from that. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type NewApplicationView, newClientSchema } from "../../../auth/applications/schema.ts";
import { describeSchema } from "../../../kit/fields/describe.ts";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { type MadeForm, makeForm } from "../../ui/resource/form.ts";
import type { Form } from "../../ui/resource/kind.ts";
import { proposedKind } from "../../ui/resource/reference-kinds.tsx";
import { type Kind, KindChoice } from "../presets/kind-choice.tsx";
import { PresetBlock } from "../presets/preset-block.tsx";
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
import { toLabels } from "../pieces/labels.ts";
import { APPLICATIONS, suggestId } from "./application-data.ts";
import { groupsKind } from "./application-kinds.tsx";
import { SecretShown } from "./secret-shown.tsx";

/** The created application, with its preset and answers. */
interface Made {
  readonly application: NewApplicationView;
  readonly kind: Kind;
  readonly answers: Answers;
}

function findPreset(kind: Kind): PresetName | undefined {
  return kind === "proxy" || kind === "code" ? undefined : kind;
}

/** The request for the input; an invalid URL is sent unchanged, and rejected at its field. */
function toFields(kind: Kind, answers: Answers): object {
  const preset = findPreset(kind);
  if (preset !== undefined) return answers.address === "" ? {} : toClientFields(preset, answers);
  const { address } = answers;
  if (address === "") return {};
  if (kind === "code") return { redirectUris: [address] };
  if (!URL.canParse(address)) return { protectedOrigins: [address] };
  return { protectedOrigins: [new URL(address).origin], launchUrl: address };
}

/** The label and an example of the URL. */
function toAddressJson(kind: Kind): FieldJson {
  const preset = findPreset(kind);
  // The API would take an application without an address; a preset is nothing without one.
  const json = { kind: "text", keyboard: "url", required: preset !== undefined, min: 1 } as const;
  if (preset === undefined || preset === "generic") {
    const own = kind === "proxy" ? "proxy" : "code";
    return {
      ...json,
      label: toLabels(text(`auth.applications.${own}.address`)),
      hint: toLabels(text(`auth.applications.${own}.address.hint`)),
    };
  }
  const { name, example } = presets[preset];
  return {
    ...json,
    label: toLabels(text("auth.presets.address", { name: toSpoken(name) })),
    hint: toLabels(text("auth.presets.address.hint", { example })),
  };
}

function toSourceJson(preset: PresetName): FieldJson {
  return {
    kind: "text",
    initial: SOURCE,
    label: toLabels(text("auth.presets.source", { name: toSpoken(presets[preset].name) })),
    hint: toLabels(text("auth.presets.source.hint")),
  };
}

/** The field for the URL, so that its error appears there. */
function toPlace(kind: Kind): "protectedOrigins" | "redirectUris" {
  return kind === "proxy" ? "protectedOrigins" : "redirectUris";
}

function makeKindForm(kind: Kind): MadeForm<undefined> {
  const { name, id, allowedGroups } = describeSchema(newClientSchema);
  const preset = findPreset(kind);
  const hasSource = preset !== undefined && presets[preset].hasSource;
  return makeForm({
    schema: {
      [toPlace(kind)]: toAddressJson(kind),
      ...(hasSource && { source: toSourceJson(preset) }),
      name,
      id,
      allowedGroups,
    },
    words: "auth.applications",
    fields: {
      [toPlace(kind)]: { missing: "auth.presets.address.fault" },
      name: { label: "admin.field.name", missing: "admin.fault.name" },
      id: { kind: proposedKind({ from: "name", propose: suggestId }) },
      allowedGroups: { label: "auth.applications.who", kind: groupsKind({ heading: true }) },
    },
    check: ({ source }) =>
      new Map(
        typeof source === "string" && !isSource(source) ? [["/source", "auth.presets.source.fault"]] : [],
      ),
  });
}

/** The name and id that a preset proposes. */
function toInitial(kind: Kind): Form {
  const preset = findPreset(kind);
  if (preset === undefined || preset === "generic") return {};
  const { name, id } = presets[preset];
  const short = name.replace(/,.*/u, "");
  return { name: short, id: { typed: id, own: id !== suggestId(short) } };
}

function toTitle(kind: Kind): string {
  return kind === "generic" || kind === "code" || kind === "proxy"
    ? text(`auth.applications.${kind}`)
    : presets[kind].name;
}

async function register(kind: Kind, typed: Readonly<Record<string, unknown>>): Promise<Made> {
  const { name, id, allowedGroups, source, [toPlace(kind)]: place } = typed;
  const preset = findPreset(kind);
  const address = typeof place === "string" ? place : "";
  const answers = {
    address: preset === undefined ? address : toAddress(preset, address),
    source: typeof source === "string" ? source : SOURCE,
  };
  const body = { ...toFields(kind, answers), name, id, allowedGroups };
  const application = await adminRequest<NewApplicationView>(APPLICATIONS, { method: "POST", body });
  return { application, kind, answers };
}

function open({ id }: NewApplicationView): void {
  navigate(`/admin/applications/${id}`);
}

/** The dialogs; `onMade` gets the application with its secret. */
export function AddApplication(props: { onMade: (made: object) => void; onClose: () => void }): JSX.Element {
  const { onMade, onClose } = props;
  const [kind, setKind] = useState<Kind | undefined>();
  const form = useMemo(() => kind && makeKindForm(kind), [kind]);
  if (kind === undefined || form === undefined)
    return <KindChoice key="choice" onChoose={setKind} onClose={onClose} />;
  return (
    <FieldsDialog
      key={kind}
      title={toTitle(kind)}
      action={text("auth.applications.add")}
      form={form}
      context={undefined}
      initial={toInitial(kind)}
      send={async (fields) => {
        const made = await register(kind, fields);
        // One behind a proxy has no use for its secret: its page has the lines for the proxy.
        if (kind === "proxy") open(made.application);
        else onMade(made);
      }}
      above={
        <div class="button-row">
          <Button kind="quiet" small icon="back" onClick={() => setKind(undefined)}>
            {text("auth.presets.back")}
          </Button>
        </div>
      }
      onClose={onClose}
    />
  );
}

/** The secret of a new one, and what is done with it in the program. */
export function MadeApplication({ made: { application, kind, answers } }: { made: Made }): JSX.Element {
  const preset = findPreset(kind);
  const { id, secret = "" } = application;
  return (
    <SecretShown made={application} onClose={() => open(application)}>
      {preset && <PresetBlock preset={preset} program={{ ...answers, id, secret }} />}
    </SecretShown>
  );
}
