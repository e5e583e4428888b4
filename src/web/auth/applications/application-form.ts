/** The fields of an application by the panel that they stand on. */
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  type Value,
  editFields,
} from "../../ui/settings/setting-specs.ts";
import { APPLICATIONS, type ApplicationView } from "./application-data.ts";
import { nestPolicy, pickPolicy, policyFields } from "./policy-form.ts";

/** What everybody sees of it, and whether it works. */
export const aboutFields: readonly FieldSpec[] = [
  { key: "name", label: "admin.field.name", kind: "line" },
  { key: "launchUrl", label: "auth.applications.launchUrl", kind: "line" },
  { key: "logoUrl", label: "auth.applications.logoUrl", kind: "line" },
  { key: "enabled", label: "auth.applications.enabled", kind: "tick" },
];
export const groupField: FieldSpec = { key: "allowedGroups", label: "auth.applications.who", kind: "words" };
export const proxyFields: readonly FieldSpec[] = [
  { key: "protectedOrigins", label: "auth.applications.origins", kind: "words" },
];
export const codeFields: readonly FieldSpec[] = [
  { key: "redirectUris", label: "auth.applications.redirectUris", kind: "words" },
  {
    key: "postLogoutRedirectUris",
    label: "auth.applications.postLogoutRedirectUris",
    hint: "auth.applications.redirectUris.hint",
    kind: "words",
  },
];
/** How it proves who it is. */
export const typeField: FieldSpec = {
  key: "clientType",
  label: "auth.applications.clientType",
  kind: { choices: ["confidential", "public"] },
};
/** What few have to change, with what it is otherwise; without `usual` either way is common. */
export const advancedFields: readonly (FieldSpec & { readonly usual?: Value })[] = [
  { key: "requirePkce", label: "auth.applications.requirePkce", kind: "tick", usual: true },
  { key: "claimsInIdToken", label: "auth.applications.claimsInIdToken", kind: "tick" },
  {
    key: "idTokenAlgorithm",
    label: "auth.applications.idTokenAlgorithm",
    kind: { choices: ["RS256", "ES256", "EdDSA"] },
    usual: "RS256",
  },
  {
    key: "consent",
    label: "auth.applications.consent",
    kind: { choices: ["never", "once", "always"] },
    usual: "never",
  },
  {
    key: "accessTokenFormat",
    label: "auth.applications.accessTokenFormat",
    kind: { choices: ["opaque", "jwt"] },
    usual: "opaque",
  },
  { key: "backchannelLogoutUri", label: "auth.applications.backchannelLogoutUri", kind: "line", usual: "" },
  {
    key: "tokenEndpointAuthMethod",
    label: "auth.applications.tokenEndpointAuthMethod",
    kind: { choices: ["client_secret", "private_key_jwt"] },
    usual: "client_secret",
  },
  { key: "jwksUri", label: "auth.applications.jwksUri", kind: "line", usual: "" },
  {
    key: "requirePushedRequests",
    label: "auth.applications.requirePushedRequests",
    kind: "tick",
    usual: false,
  },
  { key: "deviceFlow", label: "auth.applications.deviceFlow", kind: "tick", usual: false },
  { key: "audiences", label: "auth.applications.audiences", kind: "words", usual: [] },
];
/** Where it may act for a person. */
export const resourceField: FieldSpec = {
  key: "resources",
  label: "auth.applications.resources",
  kind: "words",
};
/** What it may administer in its own name. */
const machineField: FieldSpec = {
  key: "machineScopes",
  label: "auth.applications.machine",
  kind: "words",
};
export const allFields: readonly FieldSpec[] = [
  ...aboutFields,
  groupField,
  ...proxyFields,
  ...codeFields,
  typeField,
  resourceField,
  machineField,
  ...advancedFields,
  ...policyFields,
];

/** What it may request as one line each: a resource, or a resource and one of its scopes. */
function toWords(resources: ApplicationView["resources"]): readonly string[] {
  return resources.flatMap(({ id, scopes }) => [id, ...scopes.map((scope) => `${id} ${scope}`)]);
}

function toRequestable(lines: readonly string[]): ApplicationView["resources"] {
  const all = new Map<string, string[]>();
  for (const line of lines) {
    const [id = "", scope] = line.split(" ");
    const scopes = all.get(id) ?? [];
    all.set(id, scope === undefined ? scopes : [...scopes, scope]);
  }
  return Array.from(all, ([id, scopes]) => ({ id, scopes }));
}

/** Where an application is. */
export function toApplicationPath(id: string): string {
  return `${APPLICATIONS}/${id}`;
}

/** How an application is edited. */
export const edited: Edited<ApplicationView, Form, Fields> = {
  ...editFields(allFields),
  pick: ({ policy, jwks: _jwks, claims: _claims, ...stored }) => {
    const values: Fields = { ...stored, ...pickPolicy({ policy }), resources: toWords(stored.resources) };
    return Object.fromEntries(
      allFields.flatMap(({ key }) => (values[key] === undefined ? [] : [[key, values[key]]])),
    );
  },
  send: ({ id, version }, { resources, ...body }) => {
    const asked = Array.isArray(resources) ? { resources: toRequestable(resources) } : {};
    const init = { method: "PATCH", body: { ...nestPolicy(body), ...asked }, version };
    return adminRequest<ApplicationView>(toApplicationPath(id), init);
  },
  reload: ({ id }) => adminRequest<ApplicationView>(toApplicationPath(id)),
};
