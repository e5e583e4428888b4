/** A provider that people sign in by, as the administration's routes give it, and its fields. */
import type { UpstreamFields } from "../../../auth/upstream/schema.ts";
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  parseForm,
  toForm,
} from "../../ui/settings/setting-fields.tsx";

export interface ProviderView extends UpstreamFields {
  readonly id: string;
  readonly secretSet: boolean;
  /** What is to be registered at the provider. */
  readonly redirectUri: string;
  readonly createdAt: string;
  readonly version: number;
}

export const PROVIDERS = "/api/admin/upstreams";

/** Where a provider is. */
export function toProviderPath(id: string, action = ""): string {
  return `${PROVIDERS}/${id}${action}`;
}

const titleField: FieldSpec = {
  key: "title",
  label: "auth.providers.title",
  hint: "auth.providers.title.hint",
  kind: "line",
};
const issuerField: FieldSpec = {
  key: "issuer",
  label: "auth.providers.issuer",
  hint: "auth.providers.issuer.hint",
  kind: "line",
};
const clientFields: readonly FieldSpec[] = [
  { key: "clientId", label: "auth.applications.id", kind: "line" },
  { key: "secret", label: "auth.providers.secret", hint: "auth.providers.secret.hint", kind: "secret" },
];

/** What it is, and how this center is known there. GitHub has one issuer. */
export function connectionFields({ kind }: Pick<UpstreamFields, "kind">): readonly FieldSpec[] {
  return [titleField, ...(kind === "github" ? [] : [issuerField]), ...clientFields];
}

/** What follows when somebody comes by it. */
export const ruleFields: readonly FieldSpec[] = [
  { key: "enabled", label: "auth.applications.enabled", hint: "auth.providers.enabled.hint", kind: "tick" },
  {
    key: "registration",
    label: "auth.providers.registration",
    kind: {
      choices: [
        { value: "site", label: "auth.providers.registration.site" },
        { value: "off", label: "auth.providers.registration.off" },
      ],
    },
  },
  {
    key: "emailAuthoritative",
    label: "auth.providers.emailAuthoritative",
    hint: "auth.providers.emailAuthoritative.hint",
    kind: "tick",
  },
  {
    key: "countsAsSecondFactor",
    label: "auth.providers.countsAsSecondFactor",
    hint: "auth.providers.countsAsSecondFactor.hint",
    kind: "tick",
  },
  { key: "scopes", label: "auth.providers.scopes", hint: "auth.providers.scopes.hint", kind: "words" },
];

/** How a provider is edited; its secret is sent when somebody typed one. */
export function toEdited(provider: ProviderView): Edited<ProviderView, Form, Fields> {
  const specs = [...connectionFields(provider), ...ruleFields];
  return {
    pick: (stored) => {
      const fields: Readonly<Record<string, Fields[string]>> = {
        ...{ title: stored.title, issuer: stored.issuer, clientId: stored.clientId, secret: "" },
        ...{ enabled: stored.enabled, registration: stored.registration, scopes: stored.scopes },
        emailAuthoritative: stored.emailAuthoritative,
        countsAsSecondFactor: stored.countsAsSecondFactor,
      };
      return Object.fromEntries(specs.map(({ key }) => [key, fields[key] ?? ""]));
    },
    toForm: (fields) => toForm(specs, fields),
    parse: (form) => parseForm(specs, form),
    send: ({ id, version }, { secret, ...fields }) => {
      const body = { ...fields, ...(secret === undefined || secret === "" ? {} : { secret }) };
      return adminRequest<ProviderView>(toProviderPath(id), { method: "PATCH", body, version });
    },
    reload: ({ id }) => adminRequest<ProviderView>(toProviderPath(id)),
  };
}
