/** Settings as an administrator reads and replaces them. Hidden here: that the SMTP password goes in sealed and never comes out. */
import { AppError } from "../kit/errors.ts";
import type { MailOutcome } from "../kit/mail.ts";
import { parseMailbox } from "../kit/mail.ts";
import { writeAudit } from "../kit/audit.ts";
import type { Actor } from "./caller.ts";
import type { AuthDeps } from "./deps.ts";
import { testMail } from "./mails.ts";
import type { SettingsGroup, SettingsOf } from "./settings.ts";
import { readSettings, replaceSettings } from "./settings.ts";
import type { MailSettings } from "./settings-schema.ts";

/** The purpose that the SMTP password is sealed for. */
export const SMTP_PASSWORD_PURPOSE = "smtp";

/** Mail settings without the password. */
export type MailSettingsView = Omit<MailSettings, "password"> & { readonly passwordSet: boolean };

export interface Versioned<T> {
  readonly fields: T;
  /** 0 while nobody changed the group. */
  readonly version: number;
}

/** From what a replacement was made, and by whom. */
export interface ReplaceBy {
  readonly version: number | undefined;
  readonly actor: Actor;
}

export interface SettingsAdmin {
  read<G extends SettingsGroup>(group: G): Promise<Versioned<SettingsOf<G>>>;
  /** Throws `stale_version`. */
  replace<G extends Exclude<SettingsGroup, "mail">>(
    group: G,
    fields: SettingsOf<G>,
    by: ReplaceBy,
  ): Promise<Versioned<SettingsOf<G>>>;
  readMail(): Promise<Versioned<MailSettingsView>>;
  /** A password that is left out stays as it is; "" removes it. Throws `stale_version`, `invalid`. */
  replaceMail(fields: MailSettings, by: ReplaceBy): Promise<Versioned<MailSettingsView>>;
  /** Sends a mail at once. Throws `unavailable` while no mail server is set. */
  testMail(to: string, actor: Actor): Promise<MailOutcome>;
}

function toView({ fields, version }: Versioned<MailSettings>): Versioned<MailSettingsView> {
  const { password, ...rest } = fields;
  return { fields: { ...rest, passwordSet: password !== undefined }, version };
}

/** Mail that is switched on must know where to and from whom. */
function checkMail({ enabled, host, from }: MailSettings): void {
  const errors = [
    { pointer: "/host", isWrong: enabled && host === "", message: "must be there when mail is enabled" },
    {
      pointer: "/from",
      isWrong: (enabled || from !== "") && parseMailbox(from) === undefined,
      message: "must be an address such as noreply@example.org or Name <noreply@example.org>",
    },
  ].filter(({ isWrong }) => isWrong);
  if (errors.length === 0) return;
  throw new AppError("invalid", "The mail settings are not complete", {
    errors: errors.map(({ pointer, message }) => ({ pointer, code: "invalid", message })),
  });
}

/** Makes the administration of settings. */
export function createSettingsAdmin(
  deps: Pick<AuthDeps, "store" | "clock" | "box" | "outbox">,
): SettingsAdmin {
  const { store, clock, box, outbox } = deps;
  return {
    read: (group) => store.read((tx) => readSettings(tx, group)),
    replace: (group, fields, { version, actor }) =>
      store.transact((tx) => replaceSettings(tx, { group, fields, version, actor, clock })),
    readMail: async () => toView(await store.read((tx) => readSettings(tx, "mail"))),
    replaceMail: async ({ password: given, ...rest }, { version, actor }) => {
      checkMail(rest);
      const sealed = given === undefined || given === "" ? undefined : box.seal(given, SMTP_PASSWORD_PURPOSE);
      const stored = await store.transact(async (tx) => {
        const kept = given === undefined ? (await readSettings(tx, "mail")).fields.password : sealed;
        const fields = { ...rest, ...(kept === undefined ? {} : { password: kept }) };
        return replaceSettings(tx, { group: "mail", fields, version, actor, clock });
      });
      return toView(stored);
    },
    testMail: async (to, actor) => {
      const { siteName } = await store.transact(async (tx) => {
        await writeAudit(tx, { actor, action: "settings.mail-test", target: to }, clock);
        return (await readSettings(tx, "registration")).fields;
      });
      return outbox.sendTest(testMail(to, siteName));
    },
  };
}
