/** The fields of an application by the panel that they stand on. */
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  type Value,
  parseForm,
  toForm,
} from "../../ui/settings/setting-fields.tsx";
import { APPLICATIONS, type ApplicationView } from "./application-data.ts";

/** What everybody sees of it, and whether it works. */
export const aboutFields: readonly FieldSpec[] = [
  { key: "name", label: "auth.applications.name", kind: "line" },
  {
    key: "launchUrl",
    label: "auth.applications.launchUrl",
    hint: "auth.applications.launchUrl.hint",
    kind: "line",
  },
  { key: "logoUrl", label: "auth.applications.logoUrl", kind: "line" },
  {
    key: "enabled",
    label: "auth.applications.enabled",
    hint: "auth.applications.enabled.hint",
    kind: "tick",
  },
];
export const groupField: FieldSpec = {
  key: "allowedGroups",
  label: "auth.applications.who",
  kind: "words",
};
export const proxyFields: readonly FieldSpec[] = [
  {
    key: "protectedOrigins",
    label: "auth.applications.origins",
    hint: "auth.applications.origins.hint",
    kind: "words",
  },
];
export const codeFields: readonly FieldSpec[] = [
  {
    key: "redirectUris",
    label: "auth.applications.redirectUris",
    hint: "auth.applications.redirectUris.hint",
    kind: "words",
  },
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
  hint: "auth.applications.clientType.hint",
  kind: {
    choices: [
      { value: "confidential", label: "auth.applications.clientType.confidential" },
      { value: "public", label: "auth.applications.clientType.public" },
    ],
  },
};
/** What few have to change, with what it is otherwise. */
export const advancedFields: readonly (FieldSpec & { readonly usual: Value })[] = [
  {
    key: "requirePkce",
    label: "auth.applications.requirePkce",
    hint: "auth.applications.requirePkce.hint",
    kind: "tick",
    usual: true,
  },
  {
    key: "claimsInIdToken",
    label: "auth.applications.claimsInIdToken",
    hint: "auth.applications.claimsInIdToken.hint",
    kind: "tick",
    usual: false,
  },
  {
    key: "idTokenAlgorithm",
    label: "auth.applications.idTokenAlgorithm",
    hint: "auth.applications.idTokenAlgorithm.hint",
    kind: {
      choices: [
        { value: "RS256", label: "auth.applications.idTokenAlgorithm.RS256" },
        { value: "ES256", label: "auth.applications.idTokenAlgorithm.ES256" },
        { value: "EdDSA", label: "auth.applications.idTokenAlgorithm.EdDSA" },
      ],
    },
    usual: "RS256",
  },
  {
    key: "consent",
    label: "auth.applications.consent",
    hint: "auth.applications.consent.hint",
    kind: {
      choices: [
        { value: "never", label: "auth.applications.consent.never" },
        { value: "once", label: "auth.applications.consent.once" },
        { value: "always", label: "auth.applications.consent.always" },
      ],
    },
    usual: "never",
  },
  {
    key: "accessTokenFormat",
    label: "auth.applications.accessTokenFormat",
    hint: "auth.applications.accessTokenFormat.hint",
    kind: {
      choices: [
        { value: "opaque", label: "auth.applications.accessTokenFormat.opaque" },
        { value: "jwt", label: "auth.applications.accessTokenFormat.jwt" },
      ],
    },
    usual: "opaque",
  },
  {
    key: "backchannelLogoutUri",
    label: "auth.applications.backchannelLogoutUri",
    hint: "auth.applications.backchannelLogoutUri.hint",
    kind: "line",
    usual: "",
  },
  {
    key: "deviceFlow",
    label: "auth.applications.deviceFlow",
    hint: "auth.applications.deviceFlow.hint",
    kind: "tick",
    usual: false,
  },
  {
    key: "audiences",
    label: "auth.applications.audiences",
    hint: "auth.applications.audiences.hint",
    kind: "words",
    usual: [],
  },
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
  pick: (stored) => {
    const values: Fields = { ...stored };
    return Object.fromEntries(
      allFields.flatMap(({ key }) => (values[key] === undefined ? [] : [[key, values[key]]])),
    );
  },
  toForm: (fields) => toForm(allFields, fields),
  parse: (form) => parseForm(allFields, form),
  send: ({ id, version }, body) =>
    adminRequest<ApplicationView>(toApplicationPath(id), { method: "PATCH", body, version }),
  reload: ({ id }) => adminRequest<ApplicationView>(toApplicationPath(id)),
};
