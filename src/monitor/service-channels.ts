/** What the monitor's notices need from outside: the secret that seals channels, HTTP with its rules, and the mail server of SMTP_URL. */
import { createOutbound } from "../kit/outbound/outbound.ts";
import { checkSmtp } from "../kit/mail/smtp-check.ts";
import type { SmtpSettings } from "../kit/mail/smtp-url.ts";
import { createSmtpSender } from "../kit/mail/smtp.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { NotifyDeps } from "./channels/notifying.ts";
import type { NoticeMail } from "./channels/sending.ts";
import { VERSION } from "../version.ts";
import type { ServiceContext } from "../service/service.ts";

/** Mail through one server: the outbox by a pool, tests step by step so that the server's words are seen. */
export function createNoticeMail(settings: SmtpSettings): { mail: NoticeMail; close: () => void } {
  const sender = createSmtpSender(settings);
  const mail: NoticeMail = {
    send: (message) => sender.send(message),
    try: async (message) => {
      try {
        const steps = await checkSmtp(settings, message);
        const last = steps.findLast(({ result }) => result !== "skipped");
        const ok = last?.step === "send" && last.result === "ok";
        return { ok, said: ok ? last.said : `${last?.step ?? "connect"}: ${last?.said ?? ""}` };
      } catch (error) {
        // The mail itself cannot be sent, whatever the server is.
        return { ok: false, said: error instanceof Error ? error.message : "The mail cannot be sent" };
      }
    },
  };
  return { mail, close: () => sender.close() };
}

/** Opens it; call `close` when no notice is on its way any more. */
export function openNotifyDeps(
  { config }: ServiceContext,
  box: SecretBox,
): { notify: NotifyDeps; close: () => void } {
  const outbound = createOutbound({
    allowPrivate: config.notifyPrivate,
    privateRemedy: "set NOTIFY_PRIVATE=1 to allow that",
    userAgent: `Trivet/${VERSION}`,
  });
  const opened = config.smtp === undefined ? undefined : createNoticeMail(config.smtp);
  return { notify: { box, outbound, mail: opened?.mail }, close: () => opened?.close() };
}
