/** Every setting of the auth center by the tab that it stands on. */
import { languages } from "../../../kit/text/languages.ts";
import { toLanguageName } from "../../app/format.ts";
import type { TextName } from "../../app/texts.ts";
import type { LabelledValue, FieldSpec } from "../../ui/settings/setting-specs.ts";

function listLanguages(): LabelledValue[] {
  return languages.map((value) => ({ value, label: toLanguageName(value) }));
}

export interface SettingsTab {
  readonly name: string;
  readonly label: TextName;
  readonly hint?: TextName;
  /** The group of the API, at /api/admin/settings/{group}. */
  readonly group: "registration" | "checkin" | "invites" | "mail" | "branding";
  readonly sections: readonly { readonly title: TextName; readonly fields: readonly FieldSpec[] }[];
}

const registration: SettingsTab = {
  name: "registration",
  label: "auth.settings.registration",
  group: "registration",
  sections: [
    {
      title: "auth.settings.site",
      fields: [
        { key: "siteName", label: "auth.settings.siteName", kind: "line" },
        { key: "language", label: "auth.settings.language", kind: { listed: listLanguages } },
      ],
    },
    {
      title: "auth.settings.who",
      fields: [
        {
          key: "mode",
          label: "auth.settings.mode",
          kind: { choices: ["open", "invite", "approval", "closed"] },
        },
        {
          key: "emailVerification",
          label: "auth.settings.verify",
          kind: { choices: ["required", "optional", "off"] },
        },
        { key: "allowedDomains", label: "auth.settings.allowed", kind: "words" },
        { key: "blockedDomains", label: "auth.settings.blocked", kind: "words" },
        { key: "maxPerAddressPerDay", label: "auth.settings.perAddress", kind: { min: 1, max: 100_000 } },
      ],
    },
    {
      title: "auth.settings.names",
      fields: [
        { key: "usernameMinLength", label: "auth.settings.nameMin", kind: { min: 1, max: 40 } },
        { key: "usernameMaxLength", label: "auth.settings.nameMax", kind: { min: 1, max: 40 } },
        { key: "reservedUsernames", label: "auth.settings.reserved", kind: "words" },
      ],
    },
    {
      title: "auth.settings.terms",
      fields: [
        { key: "termsVersion", label: "auth.settings.termsVersion", kind: "line" },
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
        { key: "passwordMinLength", label: "auth.settings.passwordMin", kind: { min: 8, max: 64 } },
        { key: "passkeyOrigins", label: "auth.settings.passkeyOrigins", kind: "words" },
        { key: "resetUrl", label: "auth.settings.resetUrl", kind: "line" },
      ],
    },
    {
      title: "auth.settings.guesses",
      fields: [
        { key: "failuresPerAddress", label: "auth.settings.failures", kind: { min: 5, max: 1_000 } },
        {
          key: "failureWindowMinutes",
          label: "auth.settings.failureWindow",
          hint: "",
          kind: { min: 1, max: 60 },
        },
      ],
    },
    {
      title: "auth.settings.proxies",
      fields: [{ key: "unnamedForwardRoute", label: "auth.settings.unnamedForward", kind: "tick" }],
    },
  ],
};

const access: SettingsTab = {
  name: "access",
  label: "auth.settings.access",
  group: "registration",
  sections: [
    {
      title: "auth.settings.twoFactor",
      fields: [
        {
          key: "adminSecondFactor",
          label: "auth.settings.adminFactor",
          kind: { choices: ["auto", "required", "off"] },
        },
        { key: "requireTwoFactor/on", label: "auth.settings.twoFactor.everyone", kind: "tick" },
        {
          key: "requireTwoFactor/graceDays",
          label: "auth.settings.twoFactor.grace",
          kind: { min: 0, max: 365 },
        },
      ],
    },
    {
      title: "auth.settings.policy",
      fields: [
        {
          key: "applicationPolicy/minimumAssurance",
          label: "auth.policy.assurance",
          hint: "auth.settings.policy.assurance",
          kind: { choices: ["any", "two-factor", "phishing-resistant"] },
        },
        {
          key: "applicationPolicy/maxSignInAgeMinutes",
          label: "auth.policy.age",
          kind: { min: 0, max: 525_600 },
        },
        { key: "applicationPolicy/networks", label: "auth.policy.networks", kind: "words" },
        { key: "applicationPolicy/twoFactorOutsideNetworks", label: "auth.policy.outside", kind: "tick" },
        {
          key: "applicationPolicy/accessTokenMinutes",
          label: "auth.policy.access",
          kind: { min: 1, max: 60 },
        },
        {
          key: "applicationPolicy/refreshTokenDays",
          label: "auth.policy.refresh",
          kind: { min: 0, max: 365 },
        },
        { key: "applicationPolicy/sessionDays", label: "auth.policy.session", kind: { min: 0, max: 365 } },
        { key: "applicationPolicy/offlineAccess", label: "auth.policy.offline", kind: "tick" },
      ],
    },
  ],
};

const checkin: SettingsTab = {
  name: "checkin",
  label: "auth.settings.checkin",
  group: "checkin",
  sections: [
    {
      title: "auth.settings.checkin",
      fields: [
        { key: "enabled", label: "auth.settings.checkin.enabled", kind: "tick" },
        { key: "requireVerifiedEmail", label: "auth.settings.checkin.verified", kind: "tick" },
        { key: "timeZone", label: "auth.settings.timeZone", kind: "line" },
        { key: "rewardMin", label: "auth.settings.rewardMin", kind: { min: 0, max: 1_000_000 } },
        { key: "rewardMax", label: "auth.settings.rewardMax", kind: { min: 0, max: 1_000_000 } },
        { key: "minAccountAgeHours", label: "auth.settings.minAge", kind: { min: 0, max: 8_760 } },
        { key: "streakBonuses", label: "auth.settings.bonuses", kind: "words" },
      ],
    },
  ],
};

const invites: SettingsTab = {
  name: "invites",
  label: "auth.nav.invites",
  group: "invites",
  sections: [
    {
      title: "auth.nav.invites",
      fields: [
        { key: "defaultMaxUses", label: "auth.settings.maxUses", kind: { min: 1, max: 100_000 } },
        { key: "defaultTtlDays", label: "auth.settings.ttlDays", kind: { min: 0, max: 3_650 } },
      ],
    },
  ],
};

const mail: SettingsTab = {
  name: "mail",
  label: "auth.settings.mail",
  group: "mail",
  sections: [
    {
      title: "auth.settings.mail",
      fields: [
        { key: "enabled", label: "auth.settings.mail.enabled", kind: "tick" },
        { key: "host", label: "auth.settings.host", kind: "line" },
        { key: "security", label: "auth.settings.security", kind: { choices: ["starttls", "tls", "none"] } },
        { key: "port", label: "admin.field.port", kind: { min: 1, max: 65_535 } },
        { key: "username", label: "auth.settings.username", kind: "line" },
        { key: "password", label: "auth.settings.password", kind: "secret" },
        { key: "from", label: "auth.settings.from", kind: "line" },
      ],
    },
  ],
};

const branding: SettingsTab = {
  name: "branding",
  label: "auth.settings.branding",
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
      fields: [{ key: "customCss", label: "auth.settings.customCss", kind: "long" }],
    },
  ],
};

/** In the order in which they are shown. */
export const tabs: readonly SettingsTab[] = [
  registration,
  passwords,
  access,
  mail,
  branding,
  invites,
  checkin,
];
