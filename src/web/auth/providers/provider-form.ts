/** A provider that people sign in by, as the administration's routes give it, and its fields. */
import type { UpstreamFields } from "../../../auth/upstream/schema.ts";
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  editFields,
  pickFields,
} from "../../ui/settings/setting-specs.ts";

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

const titleField: FieldSpec = { key: "title", label: "auth.providers.title", kind: "line" };
const issuerField: FieldSpec = { key: "issuer", label: "auth.providers.issuer", kind: "line" };
const clientFields: readonly FieldSpec[] = [
  { key: "clientId", label: "auth.applications.id", hint: "", kind: "line" },
  { key: "secret", label: "auth.providers.secret", kind: "secret" },
];

/** What it is, and how this center is known there. GitHub has one issuer. */
export function connectionFields({ kind }: Pick<UpstreamFields, "kind">): readonly FieldSpec[] {
  return [titleField, ...(kind === "github" ? [] : [issuerField]), ...clientFields];
}

/** What follows when somebody comes by it. */
export const ruleFields: readonly FieldSpec[] = [
  { key: "enabled", label: "auth.applications.enabled", hint: "auth.providers.enabled.hint", kind: "tick" },
  { key: "registration", label: "auth.providers.registration", kind: { choices: ["site", "off"] } },
  { key: "emailAuthoritative", label: "auth.providers.emailAuthoritative", kind: "tick" },
  { key: "countsAsSecondFactor", label: "auth.providers.countsAsSecondFactor", kind: "tick" },
  { key: "scopes", label: "auth.providers.scopes", kind: "words" },
];

/** How a provider is edited; its secret is sent when somebody typed one. */
export function toEdited(provider: ProviderView): Edited<ProviderView, Form, Fields> {
  const specs = [...connectionFields(provider), ...ruleFields];
  return {
    ...editFields(specs),
    pick: (stored) => ({ ...pickFields(specs, stored), secret: "" }),
    send: ({ id, version }, { secret, ...fields }) => {
      const body = { ...fields, ...(secret === undefined || secret === "" ? {} : { secret }) };
      return adminRequest<ProviderView>(toProviderPath(id), { method: "PATCH", body, version });
    },
    reload: ({ id }) => adminRequest<ProviderView>(toProviderPath(id)),
  };
}
