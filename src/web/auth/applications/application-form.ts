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
  { key: "deviceFlow", label: "auth.applications.deviceFlow", kind: "tick", usual: false },
  { key: "audiences", label: "auth.applications.audiences", kind: "words", usual: [] },
];
export const allFields: readonly FieldSpec[] = [
  ...[...aboutFields, groupField, ...proxyFields, ...codeFields, typeField],
  ...advancedFields,
];

/** Where an application is. */
export function toApplicationPath(id: string): string {
  return `${APPLICATIONS}/${id}`;
}

/** How an application is edited. */
export const edited: Edited<ApplicationView, Form, Fields> = {
  ...editFields(allFields),
  pick: ({ policy: _policy, ...stored }) => {
    const values: Fields = { ...stored };
    return Object.fromEntries(
      allFields.flatMap(({ key }) => (values[key] === undefined ? [] : [[key, values[key]]])),
    );
  },
  send: ({ id, version }, body) =>
    adminRequest<ApplicationView>(toApplicationPath(id), { method: "PATCH", body, version }),
  reload: ({ id }) => adminRequest<ApplicationView>(toApplicationPath(id)),
};
