/** Which SMTP server mails go to: that of the settings, or else that of SMTP_URL. */
import { coalesce } from "../kit/limits/coalesce.ts";
import type { MailSender } from "../kit/mail/mail.ts";
import type { SmtpSettings } from "../kit/mail/smtp-url.ts";
import { type SmtpRules, toSmtpRules } from "../kit/mail/smtp-rules.ts";
import { createSmtpSender } from "../kit/mail/smtp.ts";
import type { ServiceContext } from "./service.ts";

/** The server that settings name, if any, with the settings' version. */
export interface StoredServer {
  readonly version: number;
  readonly server: SmtpSettings | undefined;
}

export type MailSource = ReturnType<typeof createMailSource>;

/** Makes the source; `refresh` once before mails are sent. */
export function createMailSource(deps: {
  read: () => Promise<StoredServer>;
  /** Used while the settings name none. */
  smtp: SmtpSettings | undefined;
  /** For servers that settings name; the one of SMTP_URL is the operator's own word. */
  rules: SmtpRules;
}) {
  const { read, smtp, rules } = deps;
  let current: { readonly version: number; readonly sender: MailSender | undefined } | undefined;
  return {
    /** The present sender; undefined when no server is set. */
    sender: (): MailSender | undefined => current?.sender,
    /** Takes over changed settings; call it every second. Throws what the store throws. */
    // One at a time: of two that overlap, the one that read the older settings could end last.
    refresh: coalesce(async () => {
      const { version, server } = await read();
      if (current?.version === version) return;
      const before = current?.sender;
      current = {
        version,
        sender: server === undefined ? smtp && createSmtpSender(smtp) : createSmtpSender(server, { rules }),
      };
      before?.close();
    }),
    /** Closes connections. */
    close: (): void => current?.sender?.close(),
  };
}

/** Makes the source of a service and reads its settings. Throws what the store throws. */
export async function openMailSource(
  { config }: Pick<ServiceContext, "config">,
  read: () => Promise<StoredServer>,
): Promise<MailSource> {
  const source = createMailSource({ read, smtp: config.smtp, rules: toSmtpRules(config.smtpPrivate) });
  await source.refresh();
  return source;
}
