/** In place of the program's SMTP client: the mail goes to a model of a mail server. */
import { findMailFault } from "../../../src/kit/mail/smtp.ts";
import type { MailSender } from "../../../src/kit/mail/mail.ts";
import { getWorld } from "../kernel/current.ts";

export function createSmtpSender(): MailSender {
  return {
    send: async (message) => {
      const fault = findMailFault(message);
      if (fault !== undefined) return { status: "permanent", reason: fault };
      // The files are created as they would be for a real server.
      await message.attach?.();
      return getWorld().post.take(message);
    },
    close: () => undefined,
  };
}
