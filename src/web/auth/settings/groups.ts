/** Every setting of the auth center by the tab that it stands on. */
import type { TextName } from "../../app/texts.ts";
import type { FieldSpec } from "../../ui/settings/setting-fields.tsx";

export interface SettingsTab {
  readonly name: string;
  readonly label: TextName;
  readonly hint?: TextName;
  /** The group of the API, at /api/admin/settings/{group}. */
  readonly group: "registration" | "checkin" | "invites" | "mail" | "branding";
  readonly sections: readonly { readonly title: TextName; readonly fields: readonly FieldSpec[] }[];
}

const modes: FieldSpec["kind"] = {
  choices: [
    { value: "open", label: "auth.settings.mode.open" },
    { value: "invite", label: "auth.settings.mode.invite" },
    { value: "approval", label: "auth.settings.mode.approval" },
    { value: "closed", label: "auth.settings.mode.closed" },
  ],
};
const verifications: FieldSpec["kind"] = {
  choices: [
    { value: "required", label: "auth.settings.verify.required" },
    { value: "optional", label: "auth.settings.verify.optional" },
    { value: "off", label: "auth.settings.verify.off" },
  ],
};
const adminFactors: FieldSpec["kind"] = {
  choices: [
    { value: "auto", label: "auth.settings.adminFactor.auto" },
    { value: "required", label: "auth.settings.adminFactor.required" },
    { value: "off", label: "auth.settings.adminFactor.off" },
  ],
};
const languages: FieldSpec["kind"] = {
  choices: [
    { value: "en", label: "auth.settings.language.en" },
    { value: "de", label: "auth.settings.language.de" },
    { value: "zh", label: "auth.settings.language.zh" },
  ],
};
const securities: FieldSpec["kind"] = {
  choices: [
    { value: "starttls", label: "auth.settings.security.starttls" },
    { value: "tls", label: "auth.settings.security.tls" },
    { value: "none", label: "auth.settings.security.none" },
  ],
};

const registration: SettingsTab = {
  name: "registration",
  label: "auth.settings.registration",
  group: "registration",
  sections: [
    {
      title: "auth.settings.site",
      fields: [
        {
          key: "siteName",
          label: "auth.settings.siteName",
          hint: "auth.settings.siteName.hint",
          kind: "line",
        },
        {
          key: "language",
          label: "auth.settings.language",
          hint: "auth.settings.language.hint",
          kind: languages,
        },
      ],
    },
    {
      title: "auth.settings.who",
      fields: [
        { key: "mode", label: "auth.settings.mode", kind: modes },
        { key: "emailVerification", label: "auth.settings.verify", kind: verifications },
        {
          key: "allowedDomains",
          label: "auth.settings.allowed",
          hint: "auth.settings.allowed.hint",
          kind: "words",
        },
        { key: "blockedDomains", label: "auth.settings.blocked", kind: "words" },
        {
          key: "maxPerAddressPerDay",
          label: "auth.settings.perAddress",
          hint: "auth.settings.perAddress.hint",
          kind: { min: 1, max: 100_000 },
        },
      ],
    },
    {
      title: "auth.settings.names",
      fields: [
        { key: "usernameMinLength", label: "auth.settings.nameMin", kind: { min: 1, max: 40 } },
        { key: "usernameMaxLength", label: "auth.settings.nameMax", kind: { min: 1, max: 40 } },
        {
          key: "reservedUsernames",
          label: "auth.settings.reserved",
          hint: "auth.settings.reserved.hint",
          kind: "words",
        },
      ],
    },
    {
      title: "auth.settings.terms",
      fields: [
        {
          key: "termsVersion",
          label: "auth.settings.termsVersion",
          hint: "auth.settings.termsVersion.hint",
          kind: "line",
        },
        { key: "termsUrl", label: "auth.settings.termsUrl", kind: "line" },
      ],
    },
  ],
};

const passwords: SettingsTab = {
  name: "passwords",
  label: "auth.settings.passwords",
  group: "registration",
  sections: [
    {
      title: "auth.settings.passwords",
      fields: [
        {
          key: "passwordMinLength",
          label: "auth.settings.passwordMin",
          hint: "auth.settings.passwordMin.hint",
          kind: { min: 8, max: 64 },
        },
        {
          key: "adminSecondFactor",
          label: "auth.settings.adminFactor",
          hint: "auth.settings.adminFactor.hint",
          kind: adminFactors,
        },
        {
          key: "passkeyOrigins",
          label: "auth.settings.passkeyOrigins",
          hint: "auth.settings.passkeyOrigins.hint",
          kind: "words",
        },
        {
          key: "resetUrl",
          label: "auth.settings.resetUrl",
          hint: "auth.settings.resetUrl.hint",
          kind: "line",
        },
      ],
    },
  ],
};

const checkin: SettingsTab = {
  name: "checkin",
  label: "auth.settings.checkin",
  hint: "auth.settings.checkin.hint",
  group: "checkin",
  sections: [
    {
      title: "auth.settings.checkin",
      fields: [
        { key: "enabled", label: "auth.settings.checkin.enabled", kind: "tick" },
        { key: "requireVerifiedEmail", label: "auth.settings.checkin.verified", kind: "tick" },
        {
          key: "timeZone",
          label: "auth.settings.timeZone",
          hint: "auth.settings.timeZone.hint",
          kind: "line",
        },
        { key: "rewardMin", label: "auth.settings.rewardMin", kind: { min: 0, max: 1_000_000 } },
        {
          key: "rewardMax",
          label: "auth.settings.rewardMax",
          hint: "auth.settings.rewardMax.hint",
          kind: { min: 0, max: 1_000_000 },
        },
        { key: "minAccountAgeHours", label: "auth.settings.minAge", kind: { min: 0, max: 8_760 } },
        {
          key: "streakBonuses",
          label: "auth.settings.bonuses",
          hint: "auth.settings.bonuses.hint",
          kind: "words",
        },
      ],
    },
  ],
};

const invites: SettingsTab = {
  name: "invites",
  label: "auth.settings.invites",
  group: "invites",
  sections: [
    {
      title: "auth.settings.invites",
      fields: [
        { key: "defaultMaxUses", label: "auth.settings.maxUses", kind: { min: 1, max: 100_000 } },
        {
          key: "defaultTtlDays",
          label: "auth.settings.ttlDays",
          hint: "auth.settings.ttlDays.hint",
          kind: { min: 0, max: 3_650 },
        },
      ],
    },
  ],
};

const mail: SettingsTab = {
  name: "mail",
  label: "auth.settings.mail",
  hint: "auth.settings.mail.hint",
  group: "mail",
  sections: [
    {
      title: "auth.settings.mail",
      fields: [
        { key: "enabled", label: "auth.settings.mail.enabled", kind: "tick" },
        { key: "host", label: "auth.settings.host", kind: "line" },
        { key: "security", label: "auth.settings.security", kind: securities },
        { key: "port", label: "auth.settings.port", kind: { min: 1, max: 65_535 } },
        { key: "username", label: "auth.settings.username", kind: "line" },
        {
          key: "password",
          label: "auth.settings.password",
          hint: "auth.settings.password.hint",
          kind: "secret",
        },
        { key: "from", label: "auth.settings.from", hint: "auth.settings.from.hint", kind: "line" },
      ],
    },
  ],
};

const branding: SettingsTab = {
  name: "branding",
  label: "auth.settings.branding",
  hint: "auth.settings.branding.hint",
  group: "branding",
  sections: [
    {
      title: "auth.settings.links",
      fields: [
        { key: "privacyUrl", label: "auth.settings.privacyUrl", kind: "line" },
        { key: "imprintUrl", label: "auth.settings.imprintUrl", kind: "line" },
      ],
    },
    {
      title: "auth.settings.css",
      fields: [
        {
          key: "customCss",
          label: "auth.settings.customCss",
          hint: "auth.settings.customCss.hint",
          kind: "long",
        },
      ],
    },
  ],
};

/** In the order in which they are shown. */
export const tabs: readonly SettingsTab[] = [registration, passwords, mail, branding, invites, checkin];
