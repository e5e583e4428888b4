/** All other providers that people sign in by, and one of them. */
import type { JSX } from "preact";
import { type UpstreamView, newUpstreamSchema, upstreamChangeSchema } from "../../../auth/upstream/schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { type Form, type KindOf, isTypedGroup, memberText, toText } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { proposedKind } from "../../ui/resource/reference-kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import { secretKind } from "../../ui/resource/secret-kinds.tsx";
import { suggestId } from "../applications/application-data.ts";
import { PROVIDERS } from "./provider-data.ts";
import { ProviderTest } from "./provider-test.tsx";

/** Values that each preset sends in addition to the input. */
const presets = {
  google: {
    title: "Google",
    fields: { kind: "openid", issuer: "https://accounts.google.com", emailAuthoritative: true },
  },
  github: { title: "GitHub", fields: { kind: "github", emailAuthoritative: true } },
  openid: { title: "", fields: { kind: "openid" } },
} as const;
type Preset = keyof typeof presets;
const presetNames = ["google", "github", "openid"] as const;

function toPreset(typed: unknown): Preset {
  return presetNames.find((name) => name === typed) ?? "openid";
}

function presetKind<C>(): KindOf<C> {
  return (json) => {
    const choice = choiceKind<C>({ words: "auth.providers", as: "segments" })({
      ...json,
      choices: presetNames,
      initial: "google",
    });
    return {
      ...choice,
      Field: (props) => (
        <div class="stack-small">
          <choice.Field {...props} />
          <p class="field-hint">{text(`auth.providers.${toPreset(props.value)}.hint`)}</p>
        </div>
      ),
    };
  };
}

const toPresetTitle = (typed: string): string => presets[toPreset(typed)].title;

function toTitle({ title, kind }: Form): string {
  return isTypedGroup(title) && title["own"] === true
    ? memberText(title, "typed")
    : toPresetTitle(toText(kind));
}

export const newProvider = makeForm({
  schema: newUpstreamSchema,
  words: "auth.providers",
  only: "panels",
  panels: [
    {
      fields: [
        { name: "kind", label: "admin.column.kind", kind: presetKind() },
        { name: "title", kind: proposedKind({ from: "kind", propose: toPresetTitle }) },
        { name: "id", kind: proposedKind({ from: toTitle, propose: suggestId }) },
        { name: "issuer", json: { initial: "" }, when: ({ kind }) => kind === "openid" },
        { name: "clientId", label: "auth.applications.id", hint: "auth.providers.clientId.hint" },
        { name: "secret", kind: secretKind, hint: "" },
      ],
    },
  ],
});

function Mark({ view }: { view: UpstreamView }): JSX.Element | null {
  return view.enabled ? null : <Badge kind="warn">{text("auth.applications.off")}</Badge>;
}

export const providers: Resource<UpstreamView, typeof upstreamChangeSchema> = {
  api: PROVIDERS,
  home: "/admin/providers",
  navigation: "auth.nav.providers",
  texts: "auth.providers",
  words: "auth.providers",
  write: "administrator",
  schema: upstreamChangeSchema,
  // It stays what it is; GitHub has one issuer.
  fields: { kind: { label: "admin.column.kind", when: () => false, kind: presetKind() } },
  panels: [
    {
      title: "auth.providers.connection",
      fields: [
        "title",
        { name: "issuer", when: ({ kind }) => kind === "openid" },
        { name: "clientId", label: "auth.applications.id", hint: "" },
        { name: "secret", kind: secretKind },
      ],
    },
    {
      title: "auth.providers.rules",
      fields: [
        { name: "enabled", label: "auth.applications.enabled", hint: "auth.providers.enabled.hint" },
        { name: "registration", kind: choiceKind({ as: "list" }) },
        "emailAuthoritative",
        "countsAsSecondFactor",
        "scopes",
      ],
    },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  Mark,
  After: ProviderTest,
  creation: {
    form: newProvider,
    as: "dialog",
    send: ({ kind, ...fields }) => {
      const body = { ...fields, ...presets[toPreset(kind)].fields };
      return adminRequest(PROVIDERS, { method: "POST", body });
    },
  },
  table: {
    class: "named-table",
    icon: "key",
    paging: "every",
    columns: () => [
      {
        key: "title",
        label: text("auth.providers.title"),
        cell: (view) => (
          <>
            <a class="row-name" href={`/admin/providers/${view.id}`}>
              {view.title}
            </a>
            <Mark view={view} />
            <br />
            <code class="field-hint break">{view.id}</code>
          </>
        ),
      },
      {
        key: "issuer",
        label: text("auth.providers.issuer"),
        cell: ({ issuer }) => <span class="break">{issuer}</span>,
      },
      {
        key: "registration",
        label: text("auth.providers.registration"),
        cell: ({ registration }) => text(`auth.providers.registration.${registration}`),
      },
    ],
  },
};

/** The section. */
export function ProvidersPage({ id }: { id: string | undefined }): JSX.Element {
  return id === undefined ? (
    <ResourceList of={providers} />
  ) : (
    <ResourcePage of={providers} id={id} key={id} />
  );
}
