/** The mail server that the settings name, as what sends mails wants it. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { SmtpSettings as MailServer } from "../../kit/mail/smtp-url.ts";
import type { SmtpSettings } from "./schema.ts";

/** The purpose of sealing the SMTP password. */
export const SMTP_PURPOSE = "smtp";

/** The server of the settings, whether SMTP is switched on or not. */
export function toMailServer(fields: SmtpSettings, box: SecretBox): MailServer {
  const { host, port, security, username, password = "", fromAddress, fromName, replyTo } = fields;
  const name = fromName.replaceAll(/["\\<>]/gu, "").trim();
  return {
    host,
    port,
    security,
    from: name === "" ? fromAddress : `"${name}" <${fromAddress}>`,
    replyTo: replyTo || undefined,
    user: username || undefined,
    password: password === "" ? undefined : box.open(password, SMTP_PURPOSE),
  };
}
