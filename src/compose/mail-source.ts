/** Which SMTP server mails go to: that of the settings, or else that of SMTP_URL. Hidden here: following changed settings, and closing connections to the old server. */
import type { MailSender } from "../kit/mail.ts";
import type { SecretBox } from "../kit/secret-box.ts";
import type { SmtpSettings } from "../kit/smtp-url.ts";
import { createSmtpSender } from "../kit/smtp.ts";
import { readSettings } from "../auth/settings.ts";
import type { Store } from "../store/store.ts";

export interface MailSource {
  /** The present sender; undefined when no server is set. */
  sender(): MailSender | undefined;
  /** Takes over changed settings; call it every second. Throws what the store throws. */
  refresh(): Promise<void>;
  /** Closes connections. */
  close(): void;
}

/** Makes the source; `refresh` once before mails are sent. */
export function createMailSource(deps: {
  store: Store;
  box: SecretBox;
  smtp: SmtpSettings | undefined;
}): MailSource {
  const { store, box, smtp } = deps;
  let current: { readonly version: number; readonly sender: MailSender | undefined } | undefined;

  function make(fields: Awaited<ReturnType<typeof readMail>>["fields"]): MailSender | undefined {
    if (!fields.enabled) return smtp === undefined ? undefined : createSmtpSender(smtp);
    const { host, port, security, user, password, from } = fields;
    return createSmtpSender({
      host,
      port,
      security,
      from,
      ...(user === "" ? {} : { user }),
      ...(password === undefined || password === "" ? {} : { password: box.open(password, "smtp") }),
    });
  }

  const readMail = () => store.read((tx) => readSettings(tx, "mail"));

  return {
    sender: () => current?.sender,
    refresh: async () => {
      const { fields, version } = await readMail();
      if (current?.version === version) return;
      const before = current?.sender;
      current = { version, sender: make(fields) };
      before?.close();
    },
    close: () => current?.sender?.close(),
  };
}
