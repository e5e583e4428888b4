/** The auth center's groups of settings in the store. */
import type { z } from "zod";
import { defineSettings } from "../../records/settings.ts";
import type { Store } from "../../store/store.ts";
import { settings } from "./records.ts";
import {
  type BrandingSettings,
  type CheckInSettings,
  type InviteSettings,
  type MailSettings,
  type RegistrationSettings,
  brandingSettingsSchema,
  checkInSettingsSchema,
  inviteSettingsSchema,
  mailSettingsSchema,
  registrationSettingsSchema,
} from "./schema.ts";

interface Groups {
  registration: RegistrationSettings;
  branding: BrandingSettings;
  checkin: CheckInSettings;
  invites: InviteSettings;
  /** The SMTP password in it is sealed. */
  mail: MailSettings;
}

export type SettingsGroup = keyof Groups;
export type SettingsOf<G extends SettingsGroup> = Groups[G];

/** Schemas of the stored groups. */
export const settingsSchemas: { readonly [G in keyof Groups]: z.ZodType<Groups[G]> } = {
  registration: registrationSettingsSchema,
  branding: brandingSettingsSchema,
  checkin: checkInSettingsSchema,
  invites: inviteSettingsSchema,
  mail: mailSettingsSchema,
};

export const { read: readSettings, replace: replaceSettings } = defineSettings<Groups>(
  settings,
  settingsSchemas,
);

/** Reads a group in a separate view. */
export async function loadSettings<G extends SettingsGroup>(store: Store, group: G): Promise<SettingsOf<G>> {
  return (await store.read((tx) => readSettings(tx, group))).fields;
}
