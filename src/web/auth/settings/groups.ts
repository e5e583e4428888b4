/** Every setting of the auth center by tab. */
import {
  brandingSettingsSchema,
  checkInSettingsSchema,
  inviteSettingsSchema,
  sentMailSettingsSchema,
  registrationSettingsSchema,
} from "../../../auth/settings/schema.ts";
import { toLanguageName } from "../../app/format.ts";
import type { TextName } from "../../app/texts.ts";
import { type MadeForm, makeForm } from "../../ui/resource/form.ts";
import { accentKind, logoKind } from "../../ui/resource/brand-kinds.tsx";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { secretKind } from "../../ui/resource/secret-kinds.tsx";

import { bonusesKind } from "./bonuses-kind.ts";

export interface SettingsTab {
  readonly name: string;
  readonly label: TextName;
  readonly hint?: TextName;
  /** The group of the API, at /api/admin/settings/{group}. */
  readonly group: "registration" | "checkin" | "invites" | "mail" | "branding";
  readonly form: MadeForm<unknown>;
}

const registration: SettingsTab = {
  name: "registration",
  label: "auth.settings.registration",
  group: "registration",
  form: makeForm({
    schema: registrationSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.settings.site",
        fields: [
          { name: "siteName", label: "auth.settings.siteName" },
          {
            name: "language",
            label: "auth.settings.language",
            kind: choiceKind({ as: "list", toLabel: toLanguageName }),
          },
        ],
      },
      {
        title: "auth.settings.who",
        fields: [
          { name: "mode", label: "auth.settings.mode" },
          { name: "emailVerification", label: "auth.settings.verify" },
          { name: "allowedDomains", label: "auth.settings.allowed" },
          { name: "blockedDomains", label: "auth.settings.blocked" },
          { name: "maxPerAddressPerDay", label: "auth.settings.perAddress" },
        ],
      },
      {
        title: "auth.settings.names",
        fields: [
          { name: "usernameMinLength", label: "auth.settings.nameMin" },
          { name: "usernameMaxLength", label: "auth.settings.nameMax" },
          { name: "reservedUsernames", label: "auth.settings.reserved" },
        ],
      },
      {
        title: "auth.settings.terms",
        fields: [
          { name: "termsVersion", label: "auth.settings.termsVersion" },
          { name: "termsUrl", label: "auth.settings.termsUrl" },
        ],
      },
    ],
  }),
};

const passwords: SettingsTab = {
  name: "passwords",
  label: "auth.settings.passwords",
  group: "registration",
  form: makeForm({
    schema: registrationSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.settings.passwords",
        fields: [
          { name: "passwordMinLength", label: "auth.settings.passwordMin" },
          { name: "passkeyOrigins", label: "auth.settings.passkeyOrigins" },
          { name: "resetUrl", label: "auth.settings.resetUrl" },
        ],
      },
      {
        title: "auth.settings.guesses",
        fields: [
          { name: "failuresPerAddress", label: "auth.settings.failures" },
          { name: "failureWindowMinutes", label: "auth.settings.failureWindow", hint: "" },
        ],
      },
      {
        title: "auth.settings.proxies",
        fields: [{ name: "unnamedForwardRoute", label: "auth.settings.unnamedForward" }],
      },
    ],
  }),
};

const access: SettingsTab = {
  name: "access",
  label: "auth.settings.access",
  group: "registration",
  form: makeForm({
    schema: registrationSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.settings.twoFactor",
        fields: [
          { name: "adminSecondFactor", label: "auth.settings.adminFactor" },
          { name: "requireTwoFactor/on", label: "auth.settings.twoFactor.everyone" },
          { name: "requireTwoFactor/graceDays", label: "auth.settings.twoFactor.grace" },
        ],
      },
      {
        title: "auth.settings.policy",
        fields: [
          {
            name: "applicationPolicy/minimumAssurance",
            label: "auth.policy.assurance",
            hint: "auth.settings.policy.assurance",
          },
          { name: "applicationPolicy/maxSignInAgeMinutes", label: "auth.policy.age" },
          { name: "applicationPolicy/networks", label: "auth.policy.networks" },
          { name: "applicationPolicy/twoFactorOutsideNetworks", label: "auth.policy.outside" },
          { name: "applicationPolicy/accessTokenMinutes", label: "auth.policy.access" },
          { name: "applicationPolicy/refreshTokenDays", label: "auth.policy.refresh" },
          { name: "applicationPolicy/sessionDays", label: "auth.policy.session" },
          { name: "applicationPolicy/offlineAccess", label: "auth.policy.offline" },
        ],
      },
    ],
  }),
};

const checkin: SettingsTab = {
  name: "checkin",
  label: "auth.settings.checkin",
  group: "checkin",
  form: makeForm({
    schema: checkInSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.settings.checkin",
        fields: [
          { name: "enabled", label: "auth.settings.checkin.enabled" },
          { name: "requireVerifiedEmail", label: "auth.settings.checkin.verified" },
          { name: "timeZone", label: "auth.settings.timeZone" },
          { name: "rewardMin", label: "auth.settings.rewardMin" },
          { name: "rewardMax", label: "auth.settings.rewardMax" },
          { name: "minAccountAgeHours", label: "auth.settings.minAge" },
          { name: "streakBonuses", label: "auth.settings.bonuses", kind: bonusesKind },
        ],
      },
    ],
  }),
};

const invites: SettingsTab = {
  name: "invites",
  label: "auth.nav.invites",
  group: "invites",
  form: makeForm({
    schema: inviteSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.nav.invites",
        fields: [
          { name: "defaultMaxUses", label: "auth.settings.maxUses" },
          { name: "defaultTtlDays", label: "auth.settings.ttlDays" },
        ],
      },
    ],
  }),
};

const mail: SettingsTab = {
  name: "mail",
  label: "auth.settings.mail",
  group: "mail",
  form: makeForm({
    schema: sentMailSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.settings.mail",
        fields: [
          { name: "enabled", label: "auth.settings.mail.enabled" },
          { name: "host", label: "auth.settings.host" },
          { name: "security", label: "auth.settings.security" },
          { name: "port", label: "admin.field.port" },
          { name: "username", label: "auth.settings.username" },
          { name: "password", label: "auth.settings.password", kind: secretKind },
          { name: "from", label: "auth.settings.from" },
        ],
      },
    ],
  }),
};

const branding: SettingsTab = {
  name: "branding",
  label: "auth.settings.branding",
  group: "branding",
  form: makeForm({
    schema: brandingSettingsSchema,
    words: "auth.settings",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels: [
      {
        title: "auth.settings.look",
        fields: [
          { name: "logo", label: "auth.settings.logo", kind: logoKind },
          { name: "accent", label: "auth.settings.accentLight", kind: accentKind },
          { name: "shopBrand", label: "auth.settings.shopBrand" },
        ],
      },
      {
        title: "auth.settings.links",
        fields: [
          { name: "privacyUrl", label: "auth.settings.privacyUrl" },
          { name: "imprintUrl", label: "auth.settings.imprintUrl" },
        ],
      },
      {
        title: "auth.settings.css",
        fields: [{ name: "customCss", label: "auth.settings.customCss" }],
      },
    ],
  }),
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
