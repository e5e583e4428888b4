/** The mail server that notifications leave through: that of the settings, or else that of SMTP_URL. */
import { lacking, privateRemedies } from "../site/private-networks.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import { type MailMessage, isMailAddress, parseMailbox } from "../../kit/mail/mail.ts";
import {
  type SmtpLogin,
  type SmtpLoginChange,
  type SmtpRules,
  findLoginFaults,
  toStoredPassword,
} from "../../kit/mail/smtp-rules.ts";
import type { SmtpSettings } from "../../kit/mail/smtp-url.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { defineSettings } from "../../records/settings.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import { settingGroups } from "../site/records.ts";
import type { SettingsFields } from "../base/schema.ts";
import { type MailServerFields, mailServerSchema } from "./mail-schema.ts";

const PURPOSE = "smtp";
const HOST = /^[a-z0-9](?:[a-z0-9._:-]*[a-z0-9])?$/iu;

/** Members to change; a password of "" is removed, one that is left out stays. */
export type MailServerPatch = SettingsPatch & { readonly password?: string | undefined };

const groups = defineSettings<{ smtp: MailServerFields }>(settingGroups, { smtp: mailServerSchema });

export interface PresentServer {
  /** Another text whenever something about it is another. */
  readonly key: string;
  readonly server: SmtpSettings;
  /** Which addresses it may have; a server of the environment may have any. */
  readonly rules: SmtpRules | undefined;
}

export interface MailEnvironment {
  /** Of SMTP_URL. */
  readonly smtp?: SmtpSettings | undefined;
  /** Whether mail servers may be in private networks, whatever the settings say. */
  readonly allowsPrivate?: boolean;
}

function toRules(
  { privateReceivers }: Pick<SettingsFields, "privateReceivers">,
  by: MailEnvironment,
): SmtpRules {
  return {
    allowPrivate: privateReceivers || by.allowsPrivate === true,
    privateRemedy: privateRemedies.privateReceivers,
  };
}

function toServer(
  { host, port, security, user, from, password }: MailServerFields,
  box: SecretBox,
): SmtpSettings {
  return {
    host,
    port,
    security,
    from,
    user: user || undefined,
    password: password === undefined ? undefined : openPassword(password, box),
  };
}

function openPassword(sealed: string, box: SecretBox): string {
  try {
    return box.open(sealed, PURPOSE);
  } catch (cause) {
    const message = "The password of the mail server was sealed with another secret. Enter it again";
    throw new AppError("conflict", message, { cause });
  }
}

/** The server that mails leave through now; undefined when none is set. @throws AppError `conflict` when its password was sealed with another key */
export async function findMailServer(
  tx: ReadTx,
  deps: { box: SecretBox; environment: MailEnvironment; settings: Pick<SettingsFields, "privateReceivers"> },
): Promise<PresentServer | undefined> {
  const { box, environment, settings } = deps;
  const { fields, version } = await groups.read(tx, "smtp");
  if (fields.host === "") {
    const { smtp } = environment;
    return smtp && { key: "environment", server: smtp, rules: undefined };
  }
  const rules = toRules(settings, environment);
  return { key: `${version} ${rules.allowPrivate}`, server: toServer(fields, box), rules };
}

function toLogin({ host, port, security, user }: MailServerFields): SmtpLogin {
  return { host, port, security, user };
}

function assertUsable({ host, from }: MailServerFields, login: SmtpLoginChange): void {
  if (host === "") return;
  const errors: FieldError[] = [];
  const refuse = (pointer: string, message: string): number =>
    errors.push({ pointer, code: "invalid", message });
  if (!HOST.test(host)) refuse("/host", "must be a host name or an IP address");
  if (parseMailbox(from) === undefined)
    refuse("/from", "must be a single email address, such as status@example.org");
  errors.push(...findLoginFaults(login));
  if (errors.length > 0) throw new AppError("invalid", "The mail server settings are invalid", { errors });
}

/** The fields after a change. @throws AppError `invalid` */
function toChanged(
  before: MailServerFields,
  { password: given, ...patch }: MailServerPatch,
  box: SecretBox,
): MailServerFields {
  const after = applyPatch(mailServerSchema, before, patch);
  const login = { before: toLogin(before), after: toLogin(after), stored: before.password, given };
  assertUsable(after, login);
  const password = toStoredPassword(login, (text) => box.seal(text, PURPOSE));
  return { ...after, password: after.host === "" ? undefined : password };
}

export type MailServers = ReturnType<typeof createMailServers>;

/** Creates the administration of the mail server. */
export function createMailServers(deps: {
  store: Store;
  clock: Clock;
  box: SecretBox;
  environment: MailEnvironment;
  settings: { read(): Promise<SettingsFields> };
}) {
  const { store, clock, box, environment, settings } = deps;
  const { smtp } = environment;
  const toView = ({ fields, version }: { fields: MailServerFields; version: number }) => {
    const { password, ...shown } = fields;
    const source = fields.host !== "" ? "settings" : smtp === undefined ? "none" : "environment";
    const { password: _password, ...named } = smtp ?? { host: "", port: 0, security: "none", from: "" };
    return {
      ...shown,
      passwordSet: password !== undefined,
      version,
      source,
      environment: smtp === undefined ? undefined : named,
    } as const;
  };
  return {
    read: async () => toView(await store.read((tx) => groups.read(tx, "smtp"))),
    /** Omitted members are unchanged. @throws AppError `invalid`, `version_conflict` */
    change: (patch: MailServerPatch, by: ChangedBy) =>
      store.transact(async (tx) => {
        const { fields: before, version } = await groups.read(tx, "smtp");
        assertVersion(version, by, "mail server");
        const fields = toChanged(before, patch, box);
        return toView(await groups.replace(tx, { group: "smtp", fields, actor: by.actor, clock }));
      }),
    /** The server to try with these changes, which are not stored, and the mail. @throws AppError `invalid`, `conflict` without a server */
    prepareTest: async (
      patch: MailServerPatch,
      { to, actor }: { to: string; actor: AuditActor },
    ): Promise<Pick<PresentServer, "server" | "rules"> & { message: MailMessage }> => {
      if (!isMailAddress(to)) throw new AppError("invalid", `"${to}" is not a single email address`);
      const present = await settings.read();
      return store.transact(async (tx) => {
        const fields = toChanged((await groups.read(tx, "smtp")).fields, patch, box);
        const server = fields.host === "" ? smtp : toServer(fields, box);
        if (server === undefined)
          throw new AppError(
            "conflict",
            "No mail server is configured. Set its host and the sender first",
            lacking("mailServer"),
          );
        await writeAudit(tx, { actor, action: "smtp.test", target: to }, clock);
        const message = {
          to,
          subject: `${present.siteTitle}: a test`,
          text: `This mail was sent to try the mail server of ${present.siteTitle}. It works.\n`,
        };
        return { server, rules: fields.host === "" ? undefined : toRules(present, environment), message };
      });
    },
  };
}
