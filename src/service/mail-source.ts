/** Which SMTP server mails go to: that of the settings, or else that of SMTP_URL. */
import { z } from "zod";
import { coalesce } from "../kit/limits/coalesce.ts";
import type { MailSender } from "../kit/mail/mail.ts";
import type { SmtpSettings } from "../kit/mail/smtp-url.ts";
import { type SmtpRules, toSmtpRules } from "../kit/mail/smtp-rules.ts";
import { checkSmtp } from "../kit/mail/smtp-check.ts";
import { type SmtpOptions, createSmtpSender } from "../kit/mail/smtp.ts";
import { type OutboxDeps, createOutbox } from "../records/outbox.ts";
import type { MailOutcomes } from "../records/watched-sender.ts";
import type { Job } from "./jobs.ts";
import type { ServiceBase } from "./run.ts";

/** The server that settings name, if any, with the settings' version. */
export interface StoredServer {
  readonly version: number;
  readonly server: SmtpSettings | undefined;
}

/** Each answer of the server that a test mail waits for, in milliseconds; a person waits for the whole. */
const TEST_TIMEOUT_MS = 5_000;

/** Reports to the other nodes whether the last email was sent. */
const OUTCOMES_TOPIC = "mail-outcomes";
const outcomeSchema = z.object({ isStuck: z.boolean() });

function createSender(server: SmtpSettings, options: SmtpOptions): MailSender {
  return {
    ...createSmtpSender(server, options),
    check: (message) => checkSmtp(server, message, { ...options, timeoutMs: TEST_TIMEOUT_MS }),
  };
}

/** Creates the source; `refresh` once before mails are sent. */
function createMailSource(deps: {
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
    /** Applies changed settings; call it every second. Throws what the store throws. */
    // One at a time: of two that overlap, the one that read the older settings could end last.
    refresh: coalesce(async () => {
      const { version, server } = await read();
      if (current?.version === version) return;
      const before = current?.sender;
      current = {
        version,
        sender: server === undefined ? smtp && createSender(smtp, {}) : createSender(server, { rules }),
      };
      before?.close();
    }),
    /** Closes connections. */
    close: (): void => current?.sender?.close(),
  };
}

/** Opens the mails of a service: its source, the outbox that sends through it, and their jobs. Throws what the store throws. */
export async function openMails(
  { config, store, box, log, bus, onClose }: ServiceBase,
  {
    read,
    ...options
  }: Pick<OutboxDeps, "clock" | "gate" | "layOut" | "maxTries"> & { read: () => Promise<StoredServer> },
) {
  const source = createMailSource({ read, smtp: config.smtp, rules: toSmtpRules(config.smtpPrivate) });
  await source.refresh();
  const outcomes: MailOutcomes = {
    tell: (isStuck) => bus.publish(OUTCOMES_TOPIC, { isStuck }),
    listen: (take) =>
      onClose(
        bus.subscribe(OUTCOMES_TOPIC, (message) => {
          const { success, data } = outcomeSchema.safeParse(message);
          if (success) take(data.isStuck);
        }),
      ),
  };
  const outbox = createOutbox({ store, log, box, sender: source.sender, outcomes, ...options });
  onClose(source.close);
  onClose(outbox.close);
  const jobs: Job[] = [
    { name: "mail-settings", everyMs: () => 1_000, run: source.refresh },
    { name: "outbox", everyMs: () => 1_000, run: () => outbox.deliver().then(() => undefined) },
  ];
  return { outbox, refresh: source.refresh, jobs };
}
