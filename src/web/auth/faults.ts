/** Fields of the console of accounts whose faults are worded alike, and refusals that are about one field. */
import type { FieldKinds } from "../ui/forms/fault-words.ts";

export const fieldKinds: FieldKinds = {
  kinds: {
    allowedDomains: "domain",
    blockedDomains: "domain",
    emailDomains: "domain",
    boundEmail: "email",
    boundEmails: "email",
    to: "email",
    issuer: "url",
    termsUrl: "url",
    privacyUrl: "url",
    imprintUrl: "url",
    launchUrl: "url",
    logoUrl: "url",
    redirectUris: "callback",
    postLogoutRedirectUris: "callback",
    expiresAt: "until",
    allowedGroups: "group",
    title: "name",
  },
  sentences: [
    [/^may only contain the placeholders \{\{user/u, "fault.template"],
    [/^must be 1 to 60 characters of ASCII/u, "fault.scope"],
    [/^must not contain \*/u, "fault.callback.wildcard"],
    [/^must not begin with (\S+) because this scheme never/u, "fault.callback.scheme"],
  ],
  fields: {
    username_taken: "username",
    email_taken: "email",
    password_blocked: "password",
    already_exists: "id",
  },
};
