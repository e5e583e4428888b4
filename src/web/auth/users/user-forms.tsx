/** Forms about accounts: for a new one, its fields, its profile, and what is done to it. */
import { listZoneNames } from "../../../kit/text/zone-names.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type ProfileFields, profilePatchSchema } from "../../../auth/accounts/schema.ts";
import {
  impersonationSchema,
  newUserSchema,
  refusalSchema,
  suspensionSchema,
  userChangeSchema,
} from "../../../auth/admin/schema.ts";
import { languages } from "../../../kit/text/languages.ts";
import { SelectField, TextField } from "../../ui/controls.tsx";
import { type FieldForm, makeForm } from "../../ui/resource/form.ts";
import { type Kind, type KindOf, type Shown, toText } from "../../ui/resource/kind.ts";
import { choiceKind, sayPlain, textKind } from "../../ui/resource/kinds.tsx";
import { suggestKind } from "../../ui/resource/reference-kinds.tsx";
import { claimsKind } from "../claims/claims-kind.tsx";

export const newUser = makeForm({
  schema: newUserSchema,
  words: "auth.edit",
  only: "panels",
  panels: [
    {
      fields: [
        { name: "username", hint: "" },
        { name: "email", hint: "" },
        { name: "displayName", label: "auth.user.displayName", hint: "auth.users.add.displayName.hint" },
        { name: "emailVerified", label: "auth.edit.verified" },
      ],
    },
  ],
});

function toLanguageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

function LocaleField<C>({ label, error, value, onChange }: Shown<C>): JSX.Element {
  // The account's current value stays among the choices, such as "de-AT".
  const [tags] = useState(() => [...new Set([...languages, toText(value)])]);
  return (
    <SelectField<string>
      label={label}
      error={error}
      value={toText(value)}
      choices={tags.map((tag) => ({ value: tag, label: toLanguageName(tag), lang: tag }))}
      onChange={onChange}
    />
  );
}

function localeKind<C>(): KindOf<C> {
  return (json) => ({ ...textKind<C>(json), Field: (props) => <LocaleField {...props} /> });
}

export const accountFields: FieldForm<typeof userChangeSchema, undefined> = {
  schema: userChangeSchema,
  words: "auth.edit",
  only: "panels",
  panels: [
    {
      fields: [
        "username",
        "email",
        { name: "emailVerified", label: "auth.edit.verified" },
        { name: "locale", label: "auth.settings.language", hint: "", kind: localeKind() },
        {
          name: "timeZone",
          label: "auth.settings.timeZone",
          hint: "",
          kind: suggestKind(listZoneNames),
        },
        { name: "claims", label: "auth.user.claims", kind: claimsKind({ typed: true }) },
      ],
    },
  ],
};

export const accountForm = makeForm(accountFields);

type Link = ProfileFields["links"][number];

/**
 * The last word of a line is the URL, and the text before it the label; without a label, the service reports what is
 * missing.
 */
function parseLink(line: string): Link {
  const words = line.trim().split(/\s+/u);
  const url = words.pop() ?? "";
  return { label: words.join(" "), url };
}

/** Links as lines such as "Code https://git.example.org/ann". */
function linksKind<C>(): KindOf<C> {
  return (): Kind<C> => ({
    blank: "",
    toTyped: (value) => {
      const links: readonly Link[] = Array.isArray(value) ? value : [];
      return links.map(({ label, url }) => `${label} ${url}`).join("\n");
    },
    read: (typed) => {
      const lines = toText(typed).split("\n");
      return { value: lines.filter((line) => line.trim() !== "").map(parseLink) };
    },
    Field: ({ label, hint, error, value, onChange }) => (
      <TextField label={label} hint={hint} error={error} long value={toText(value)} onInput={onChange} />
    ),
    say: sayPlain,
  });
}

export const profileForm = makeForm({
  schema: profilePatchSchema,
  words: "auth.profile",
  panels: [
    {
      fields: [
        { name: "displayName", label: "auth.user.displayName" },
        "givenName",
        "familyName",
        "bio",
        "location",
        "website",
        { name: "links", kind: linksKind() },
        { name: "visibility", kind: choiceKind({ as: "list" }) },
        { name: "likePolicy", label: "auth.profile.likes", kind: choiceKind({ as: "list" }) },
        "inDirectory",
        "showStreak",
        "showJoined",
      ],
    },
  ],
});

export const suspensionForm = makeForm({
  schema: suspensionSchema,
  words: "auth.users",
  panels: [{ fields: ["reason", "until"] }],
});

export const refusalForm = makeForm({
  schema: refusalSchema,
  words: "auth.users",
  fields: { reason: { hint: "auth.approvals.reason.hint" } },
});

export const impersonationForm = makeForm({
  schema: impersonationSchema,
  words: "auth.users",
  panels: [
    {
      fields: [
        { name: "reason", hint: "auth.user.impersonate.reason" },
        {
          name: "minutes",
          label: "auth.user.impersonate.minutes",
          kind: choiceKind({ as: "list" }),
          json: { choices: [5, 15, 60], initial: 15 },
        },
      ],
    },
  ],
});
