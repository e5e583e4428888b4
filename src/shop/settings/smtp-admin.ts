/** Mail settings and the outbox as an administrator sees them. */
import { writeAudit } from "../../records/audit.ts";
import { AppError, type FieldError } from "../../kit/errors.ts";
import type { MailMessage } from "../../kit/mail/mail.ts";
import type { OutboxEntry, OutboxListOptions } from "../../records/outbox-read.ts";
import type { SmtpSettings as MailServer } from "../../kit/mail/smtp-url.ts";
import {
  type SmtpLogin,
  type SmtpLoginChange,
  findLoginFaults,
  toStoredPassword,
} from "../../kit/mail/smtp-rules.ts";
import type { Page } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { VersionedSettings } from "../../records/settings.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { toOneLine } from "../mails/mail-layout.ts";
import { readSettings, replaceSettings } from "../site/settings.ts";
import { type ChangeBy, checkVersion } from "./settings-admin.ts";
import { mailKinds, smtpSettingsSchema, type SmtpSettings } from "../site/schema.ts";
import { SMTP_PURPOSE, toMailServer } from "../site/smtp-server.ts";

/** Members to change; what is left out stays, a password of "" is removed. */
export type SmtpPatch = SettingsPatch & { readonly password?: string | undefined };

type SmtpDeps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox">;

export type SmtpView = ReturnType<typeof toView>;

/** The mail server in use. */
export const mailSources = ["settings", "environment", "none"] as const;

function toView({ fields, version }: VersionedSettings<SmtpSettings>, { outbox }: Pick<SmtpDeps, "outbox">) {
  const { password, ...rest } = fields;
  const other = outbox.hasServer() ? "environment" : "none";
  const source: (typeof mailSources)[number] = rest.enabled ? "settings" : other;
  return { ...rest, passwordSet: password !== undefined, source, version };
}

const HOST = /^[a-z0-9](?:[a-z0-9._:-]*[a-z0-9])?$/iu;

function toLogin({ host, port, security, username: user }: Omit<SmtpSettings, "password">): SmtpLogin {
  return { host, port, security, user };
}

/** Mail that is switched on must know where to and from whom. */
function checkFields(
  { enabled, host, fromAddress }: Omit<SmtpSettings, "password">,
  login: SmtpLoginChange,
): void {
  const errors: FieldError[] = [
    {
      pointer: "/host",
      isWrong: host !== "" && !HOST.test(host),
      message: "must be a host name or an IP address",
    },
    { pointer: "/host", isWrong: enabled && host === "", message: "is required when SMTP is enabled" },
    {
      pointer: "/fromAddress",
      isWrong: enabled && fromAddress === "",
      message: "is required when SMTP is enabled",
    },
  ].flatMap(({ pointer, isWrong, message }) => (isWrong ? [{ pointer, code: "invalid", message }] : []));
  errors.push(...findLoginFaults(login));
  if (errors.length > 0) throw new AppError("invalid", "The mail settings are invalid", { errors });
}

async function change(deps: SmtpDeps, patch: SmtpPatch, by: ChangeBy): Promise<SmtpView> {
  const { store, clock, box, outbox } = deps;
  const { password: changed, ...members } = patch;
  const stored = await store.transact(async (tx) => {
    const { fields: before, version: present } = await readSettings(tx, "smtp");
    checkVersion(present, by);
    const { password: kept, ...rest } = applyPatch(smtpSettingsSchema, before, members);
    const login = { before: toLogin(before), after: toLogin(rest), stored: kept, given: changed };
    checkFields(rest, login);
    const password = toStoredPassword(login, (text) => box.seal(text, SMTP_PURPOSE));
    const enabledAt = rest.enabled && !before.enabled ? clock.now() : before.enabledAt;
    const fields = { ...rest, enabledAt, password };
    const { actor, ifMatch: version } = by;
    return replaceSettings(tx, { group: "smtp", fields, version, actor, clock });
  });
  // After a crash here, the gate drops the rest when it would be sent.
  for (const kind of mailKinds) if (!stored.fields.notify[kind]) await outbox.drop(kind);
  return toView(stored, deps);
}

function prepareTest(
  { store, clock, box }: SmtpDeps,
  to: string,
  actor: Actor,
): Promise<{ server: MailServer; message: MailMessage }> {
  return store.transact(async (tx) => {
    const { fields } = await readSettings(tx, "smtp");
    if (fields.host === "" || fields.fromAddress === "") {
      throw new AppError("conflict", "No mail server is configured. Set host and fromAddress first");
    }
    await writeAudit(tx, { actor, action: "smtp.test", target: to }, clock);
    const { name } = (await readSettings(tx, "site")).fields;
    const message = {
      to,
      subject: toOneLine(`${name}: a test`, 250),
      text: `This mail was sent to try the mail settings of ${name}. They work.\n`,
    };
    return { server: toMailServer(fields, box), message };
  });
}

export type SmtpAdmin = ReturnType<typeof createSmtpAdmin>;

/** Creates the administration of mail. */
export function createSmtpAdmin(deps: SmtpDeps) {
  const { store, clock, outbox } = deps;
  return {
    read: async (): Promise<SmtpView> => toView(await store.read((tx) => readSettings(tx, "smtp")), deps),
    /** @throws AppError `invalid`, `stale_version`, `version_conflict` */
    change: (patch: SmtpPatch, by: ChangeBy): Promise<SmtpView> => change(deps, patch, by),
    /** The mail with which the settings are tried, and the server to try. @throws AppError `conflict` while none is named */
    prepareTest: (to: string, actor: Actor) => prepareTest(deps, to, actor),
    listMails: (options: OutboxListOptions): Promise<Page<OutboxEntry>> => outbox.list(options),
    /** Removes a waiting or failed mail. @throws AppError `not_found` */
    cancelMail: async (id: string, actor: Actor): Promise<void> => {
      await outbox.cancel(id);
      await store.transact((tx) => writeAudit(tx, { actor, action: "mail.cancel", target: id }, clock));
    },
    /** Marks a waiting or failed email as due now. @throws AppError `not_found` */
    retryMail: async (id: string, actor: Actor): Promise<void> => {
      await outbox.retry(id);
      await store.transact((tx) => writeAudit(tx, { actor, action: "mail.retry", target: id }, clock));
    },
  };
}
