/** Settings as an administrator reads and changes them. */
import { assertLogoChange } from "../../kit/brand/logo-change.ts";
import { AppError } from "../../kit/errors.ts";
import { type MailTest, parseMailbox } from "../../kit/mail/mail.ts";
import { type SmtpLoginChange, findLoginFaults, toStoredPassword } from "../../kit/mail/smtp-rules.ts";
import { writeAudit } from "../../records/audit.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { testMail } from "../mails/mails.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { stampRequirement } from "../policy/grace.ts";
import { keepSitePolicy } from "../base/access-rules.ts";
import {
  type SettingsGroup,
  type SettingsOf,
  readSettings,
  replaceSettings,
  settingsSchemas,
} from "./settings.ts";
import { type MailSettings, mailSettingsSchema, registrationSettingsSchema } from "./schema.ts";

/** The purpose that the SMTP password is sealed for. */
const SMTP_PASSWORD_PURPOSE = "smtp";

/** Mail settings without the password. */
export type MailSettingsView = Omit<MailSettings, "password" | "user"> & {
  readonly username: string;
  readonly passwordSet: boolean;
};

export interface Versioned<T> {
  readonly fields: T;
  /** 0 if the group was never changed. */
  readonly version: number;
}

/** From what a change was made, and by whom. */
export interface ChangeBy {
  /** Of the body. */
  readonly version: number | undefined;
  readonly ifMatch: number | undefined;
  readonly actor: Actor;
}

/** A group that is shown as it is stored. */
export type PlainGroup = Exclude<SettingsGroup, "mail">;

export type MailPatch = SettingsPatch & {
  readonly username?: string;
  readonly password?: string;
};

function toView({ fields, version }: Versioned<MailSettings>): Versioned<MailSettingsView> {
  const { password, user: username, ...rest } = fields;
  return { fields: { ...rest, username, passwordSet: password !== undefined }, version };
}

/** Throws `stale_version` or `version_conflict` for a change that was made from another version. */
function assertVersion(present: number, { version, ifMatch }: ChangeBy): void {
  if ((ifMatch ?? present) === present && (version ?? present) === present) return;
  const isTag = ifMatch !== undefined && ifMatch !== present;
  throw new AppError(
    isTag ? "stale_version" : "version_conflict",
    "Someone else changed these settings. Reload them and try again",
    { details: { currentVersion: present } },
  );
}

/** Mail that is switched on must know where to and from whom. */
function checkMail({ enabled, host, from }: Omit<MailSettings, "password">, login: SmtpLoginChange): void {
  const faults = [
    { pointer: "/host", isWrong: enabled && host === "", message: "is required when email is enabled" },
    {
      pointer: "/from",
      isWrong: (enabled || from !== "") && parseMailbox(from) === undefined,
      message: "must be an address such as noreply@example.org or Name <noreply@example.org>",
    },
  ].filter(({ isWrong }) => isWrong);
  const incomplete = faults.map(({ pointer, message }) => ({ pointer, code: "invalid", message }));
  const errors = [...incomplete, ...findLoginFaults(login)];
  if (errors.length > 0) throw new AppError("invalid", "The mail settings are invalid", { errors });
}

/** The same change with the time at which everyone began to need a second factor. Throws `invalid`. */
function stamp(before: object, patch: SettingsPatch, nowMs: number): SettingsPatch {
  if (!("requireTwoFactor" in patch)) return patch;
  const former = registrationSettingsSchema.parse(before).requireTwoFactor;
  const next = applyPatch(registrationSettingsSchema, before, patch).requireTwoFactor;
  const { since, ...rest } = stampRequirement(former, next, toIsoTime(nowMs));
  return { ...patch, requireTwoFactor: { ...rest, since: since ?? null } };
}

export type SettingsAdmin = ReturnType<typeof createSettingsAdmin>;

export function createSettingsAdmin(
  deps: Pick<AuthDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">,
) {
  const { store, clock, box, outbox } = deps;
  return {
    read: <G extends SettingsGroup>(group: G): Promise<Versioned<SettingsOf<G>>> =>
      store.read((tx) => readSettings(tx, group)),
    /** Omitted members are unchanged. Throws `stale_version`, `invalid`. */
    change: <G extends PlainGroup>(
      group: G,
      patch: SettingsPatch,
      by: ChangeBy,
    ): Promise<Versioned<SettingsOf<G>>> =>
      store.transact(async (tx) => {
        const { fields: before, version } = await readSettings(tx, group);
        assertVersion(version, by);
        const stamped = group === "registration" ? stamp(before, patch, clock.now()) : patch;
        const fields = applyPatch<SettingsOf<typeof group>>(settingsSchemas[group], before, stamped);
        if (group === "registration" && "applicationPolicy" in patch)
          await keepSitePolicy(tx, registrationSettingsSchema.parse(fields).applicationPolicy);
        if ("logo" in before && "logo" in fields) assertLogoChange(before.logo, fields.logo, "/logo");
        return replaceSettings(tx, { group, fields, actor: by.actor, clock });
      }),
    readMail: async (): Promise<Versioned<MailSettingsView>> =>
      toView(await store.read((tx) => readSettings(tx, "mail"))),
    /** The same; a password goes with another host, port, security or user, or "" removes it. */
    changeMail: async (
      { password: given, username: user, ...members }: MailPatch,
      by: ChangeBy,
    ): Promise<Versioned<MailSettingsView>> => {
      const stored = await store.transact(async (tx) => {
        const { fields: before, version } = await readSettings(tx, "mail");
        assertVersion(version, by);
        const { password: kept, ...rest } = applyPatch(mailSettingsSchema, before, { ...members, user });
        const login = { before, after: rest, stored: kept, given };
        checkMail(rest, login);
        const password = toStoredPassword(login, (text) => box.seal(text, SMTP_PASSWORD_PURPOSE));
        const fields = { ...rest, ...(password === undefined ? {} : { password }) };
        return replaceSettings(tx, { group: "mail", fields, actor: by.actor, clock });
      });
      return toView(stored);
    },
    /** Sends a mail at once. Throws `unavailable` while no mail server is set. */
    testMail: async (to: string, actor: Actor): Promise<MailTest> => {
      const site = await store.transact(async (tx) => {
        await writeAudit(tx, { actor, action: "settings.mail-test", target: to }, clock);
        return readMailSite(tx, deps, {});
      });
      return outbox.sendTest(testMail(to, site));
    },
  };
}
