/**
 * Dependencies of the monitor's notifications: the secret that seals channels, HTTP with its rules, and the current
 * mail server.
 */
import { NO_MAIL_SERVER, privateRemedies } from "./site/private-networks.ts";
import { type Outbound, createOutbound } from "../kit/outbound/outbound.ts";
import { type MailSender, describeFailedStep, findFailedStep } from "../kit/mail/mail.ts";
import { checkSmtp } from "../kit/mail/smtp-check.ts";
import { createSmtpSender } from "../kit/mail/smtp.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { NotifyDeps } from "./channels/notifying.ts";
import type { NoticeMail } from "./channels/sending.ts";
import { type MailEnvironment, type PresentServer, findMailServer } from "./channels/mail-server.ts";
import { createSettings } from "./site/settings.ts";
import { textOf } from "../kit/thrown.ts";
import { VERSION } from "../version.ts";
import type { ServiceBase } from "../service/run.ts";

/** Email through the current server: the outbox by a pool, tests step by step to show the server's responses. */
export function createNoticeMail(find: () => Promise<PresentServer | undefined>): {
  mail: NoticeMail;
  close: () => void;
} {
  let opened: { readonly key: string; readonly sender: MailSender } | undefined;
  function open({ key, server, rules }: PresentServer): MailSender {
    if (opened?.key === key) return opened.sender;
    opened?.sender.close();
    opened = { key, sender: createSmtpSender(server, { rules }) };
    return opened.sender;
  }
  const mail: NoticeMail = {
    send: async (message) => {
      try {
        const present = await find();
        if (present === undefined) return { status: "temporary", reason: NO_MAIL_SERVER };
        return await open(present).send(message);
      } catch (error) {
        return { status: "temporary", reason: textOf(error) };
      }
    },
    try: async (message) => {
      try {
        const present = await find();
        if (present === undefined) return { ok: false, said: NO_MAIL_SERVER };
        const steps = await checkSmtp(present.server, message, { rules: present.rules });
        const failed = findFailedStep(steps);
        if (failed !== undefined) return { ok: false, said: describeFailedStep(failed) };
        return { ok: true, said: steps.at(-1)?.said ?? "" };
      } catch (error) {
        // The mail itself cannot be sent, whatever the server is, or its settings cannot be read.
        return { ok: false, said: textOf(error) };
      }
    },
  };
  return { mail, close: () => opened?.sender.close() };
}

/** Opens it; call `close` when no notification is being sent. */
export function openNotifyDeps(
  { config, store, clock }: ServiceBase,
  box: SecretBox,
): { notify: NotifyDeps; environment: MailEnvironment; close: () => void } {
  const settings = createSettings({ store, clock });
  const rules = {
    privateRemedy: privateRemedies.privateReceivers,
    userAgent: `Trivet/${VERSION}`,
  };
  const strict = createOutbound({ ...rules, allowPrivate: false });
  const open = createOutbound({ ...rules, allowPrivate: true });
  const outbound: Outbound = {
    send: async (request) => {
      const isOpen = config.notifyPrivate || (await settings.read()).privateReceivers;
      return (isOpen ? open : strict).send(request);
    },
  };
  const environment = { smtp: config.smtp, allowsPrivate: config.smtpPrivate || config.notifyPrivate };
  const { mail, close } = createNoticeMail(async () => {
    const present = await settings.read();
    return store.read((tx) => findMailServer(tx, { box, environment, settings: present }));
  });
  return { notify: { box, outbound, publicOutbound: strict, mail }, environment, close };
}
