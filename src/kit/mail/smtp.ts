/** Mail over SMTP (RFC 5321). */
import type { Socket } from "node:net";
import { callbackify } from "node:util";
import type { Transporter } from "nodemailer";
import {
  type Mailbox,
  type MailMessage,
  type MailOutcome,
  type MailSender,
  isMailAddress,
  isMailLine,
  parseMailbox,
} from "./mail.ts";
import type { SmtpRules } from "./smtp-rules.ts";
import { openServerSocket, resolveServer, SmtpRefusal } from "./smtp-socket.ts";
import type { SmtpSettings } from "./smtp-url.ts";
import { codeOf, textOf } from "../thrown.ts";

export interface SmtpOptions {
  /** For the name's resolution, the connection, the greeting and each answer; default 10,000 ms. */
  readonly timeoutMs?: number;
  /** Authorities (PEM) to trust instead of the well-known ones, for a server in the house. */
  readonly ca?: string;
  /** Which addresses the server may have; without them it may have any. */
  readonly rules?: SmtpRules;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** A server that trickles its answers passes every single time-out; this many of them end the whole sending. */
const TIMEOUTS_A_MAIL = 4;
const CONNECTIONS = 2;
const IDLE_MS = 30_000;
const MAX_REASON = 200;

/** The fields of nodemailer's errors beside their text. */
interface SmtpFailure {
  readonly code: string;
  /** The error code of the system or OpenSSL, which nodemailer replaces. */
  readonly originalCode: string;
  readonly command: string;
  /** 0 when the server did not answer. */
  readonly responseCode: number;
  readonly response: string;
}

function toFailure(thrown: unknown): SmtpFailure {
  const of = (name: string): unknown =>
    typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, name) : undefined;
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return {
    code: codeOf(thrown) ?? "",
    originalCode: text(of("originalCode")),
    command: text(of("command")),
    responseCode: Number(of("responseCode") ?? 0) || 0,
    response: text(of("response")),
  };
}

/** One line that fits a record and a page. */
function toReason(text: string): string {
  const line = text.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").trim();
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1)}…`;
}

/** Code and enhanced code (RFC 3463) alone: the words of a server may quote what it was sent. */
function toCodes(failure: SmtpFailure): string {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/u.exec(failure.response)?.[1];
  return enhanced === undefined ? String(failure.responseCode) : `${failure.responseCode} ${enhanced}`;
}

const temporary = (reason: string): MailOutcome => ({ status: "temporary", reason: toReason(reason) });
const permanent = (reason: string): MailOutcome => ({ status: "permanent", reason: toReason(reason) });

/** https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes, and the words of Deno's rustls. */
const CERTIFICATE = /CERT|ISSUER|SIGNATURE|INVALID_CA|ALTNAME|UnknownIssuer|certificate/u;

function explainConnection(failure: SmtpFailure, message: string): string {
  const { code, originalCode } = failure;
  if (CERTIFICATE.test(originalCode) || CERTIFICATE.test(message)) {
    return `The certificate of the SMTP server is not trusted${originalCode === "" ? "" : ` (${originalCode})`}`;
  }
  if (code === "ETLS" || /^(EPROTO$|ERR_SSL|ERR_TLS)/u.test(originalCode)) {
    return "The TLS connection to the SMTP server failed. Check the port and the security setting";
  }
  if (code === "ETIMEDOUT" || code === "EABORT") return "The SMTP server did not respond in time";
  if (code === "EDNS") return "The name of the SMTP server could not be resolved";
  if (originalCode === "ECONNREFUSED") return "The SMTP server refused the connection";
  return `The connection to the SMTP server failed${originalCode === "" ? "" : ` (${originalCode})`}`;
}

/** 530, 534, 535, 538: it wants other credentials (RFC 4954 section 6), which is not the mail's fault. */
const credentialCodes = new Set([530, 534, 535, 538]);

/** A refusal of this very mail, which later tries would meet again. 503 says that the session was at fault. */
function isRefusedForGood({ code, command, responseCode }: SmtpFailure): boolean {
  const isAboutMail = (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE";
  if (responseCode === 0) return isAboutMail && command !== "CONN";
  return isAboutMail && responseCode >= 500 && responseCode !== 503;
}

/** The outcome of an email after a nodemailer error. */
function toOutcome(thrown: unknown): MailOutcome {
  if (thrown instanceof SmtpRefusal) return temporary(`The SMTP server is not allowed: ${thrown.message}`);
  const failure = toFailure(thrown);
  const { code, command, responseCode } = failure;
  if (code === "ETLS" && responseCode !== 0) {
    return temporary(
      `The SMTP server rejected STARTTLS (${toCodes(failure)}). Check the port and the security setting`,
    );
  }
  if (credentialCodes.has(responseCode)) {
    return temporary(
      `The SMTP server rejected the username or password: the credentials are wrong (${toCodes(failure)})`,
    );
  }
  if (code === "EAUTH") {
    return temporary(
      responseCode === 0
        ? "The SMTP server does not support sign-in with username and password"
        : `The SMTP server could not verify the username and password (${toCodes(failure)})`,
    );
  }
  if (isRefusedForGood(failure)) {
    if (responseCode === 0)
      return permanent("The SMTP server cannot accept this email because of its address or size");
    // The server has not seen the text yet, so its words cannot quote it; they say what is wrong with the address.
    return permanent(
      command === "RCPT TO"
        ? `The SMTP server rejected the recipient: ${failure.response}`
        : `The SMTP server rejected the email (${toCodes(failure)})`,
    );
  }
  if (responseCode === 0) return temporary(explainConnection(failure, textOf(thrown)));
  if (command === "MAIL FROM" && responseCode >= 500) {
    return temporary(`The SMTP server rejected the sender address: ${failure.response}`);
  }
  return temporary(`The SMTP server cannot accept the email at the moment (${toCodes(failure)})`);
}

/** Why a message is not even tried, if so. */
export function findMailFault(message: MailMessage): string | undefined {
  if (!isMailAddress(message.to)) return "The recipient is not a single email address";
  if (!isMailLine(message.subject)) return "The subject is not a single line of up to 500 characters";
  return undefined;
}

/** RFC 8058 section 3.1: one click is offered for https alone. */
function toListHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  const one = { "List-Unsubscribe": `<${url}>` };
  return url.startsWith("https:") ? { ...one, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : one;
}

/** Provides the pool with sockets to addresses that the rules allow. */
async function openSocket(
  settings: SmtpSettings,
  rules: SmtpRules,
  timeoutMs: number,
): Promise<{ connection: Socket }> {
  const addresses = await resolveServer(settings, rules);
  return { connection: await openServerSocket(addresses, { port: settings.port, timeoutMs }) };
}

/** Loads what speaks SMTP with the first mail: most installs send none for a long time. */
async function createPool(settings: SmtpSettings, options: SmtpOptions): Promise<Transporter> {
  const { default: nodemailer } = await import("nodemailer");
  const { timeoutMs = DEFAULT_TIMEOUT_MS, rules } = options;
  const { user, password } = settings;
  return nodemailer.createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // Once: a connection that had been idle may be gone. Longer waits are the outbox's business.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    host: settings.host,
    port: settings.port,
    secure: settings.security === "tls",
    requireTLS: settings.security === "starttls",
    ignoreTLS: settings.security === "none",
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    ...(options.ca === undefined ? {} : { tls: { ca: options.ca } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: Math.min(timeoutMs, 1_000),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(rules === undefined
      ? {}
      : { getSocket: callbackify((_pool: unknown) => openSocket(settings, rules, timeoutMs)) }),
  });
}

/** The mailbox that a text holds. @throws RangeError when it holds none */
export function getMailbox(text: string): Mailbox {
  const mailbox = parseMailbox(text);
  if (mailbox !== undefined) return mailbox;
  throw new RangeError("The sender must be one mailbox, such as Ada <ada@example.org>");
}

/**
 * Creates a sender with up to two pooled connections, opened when needed. A mail takes at most four times
 * `timeoutMs`. @throws RangeError when `settings.from` is no mailbox or
 * `settings.replyTo` no address
 */
export function createSmtpSender(settings: SmtpSettings, options: SmtpOptions = {}): MailSender {
  const from = getMailbox(settings.from);
  const { replyTo } = settings;
  if (replyTo !== undefined && !isMailAddress(replyTo))
    throw new RangeError("The reply-to address must be a single email address");
  let pool: Promise<Transporter> | undefined;
  const limitMs = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) * TIMEOUTS_A_MAIL;
  const domain = from.address.slice(from.address.indexOf("@") + 1);

  async function submit(message: MailMessage): Promise<MailOutcome> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    const { id } = message;
    try {
      const files = (await message.attach?.()) ?? [];
      // Objects, not texts: nothing in them is parsed as a list. The envelope says who gets it, whatever the headers say.
      await (
        await (pool ??= createPool(settings, options))
      ).sendMail({
        from,
        to: { name: "", address: message.to },
        envelope: { from: from.address, to: [message.to] },
        subject: message.subject,
        text: message.text,
        html: message.html,
        attachments: files.map(({ name, contentType, content }) => ({
          filename: name,
          contentType,
          content: Buffer.from(content),
        })),
        ...(replyTo === undefined ? {} : { replyTo: { name: "", address: replyTo } }),
        // RFC 3834 section 5: no automatic answers to this, please.
        headers: { "Auto-Submitted": "auto-generated", ...toListHeaders(message.unsubscribe) },
        ...(id !== undefined && /^[\w-]{1,100}$/u.test(id) ? { messageId: `<${id}@${domain}>` } : {}),
        signal: limit.signal,
      });
      return { status: "sent" };
    } catch (error) {
      return toOutcome(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    send: (message) => {
      const fault = findMailFault(message);
      return fault === undefined ? submit(message) : Promise.resolve(permanent(fault));
    },
    // Also one that has sent nothing: what comes later is refused.
    close: () => void (pool ??= createPool(settings, options)).then((opened) => opened.close()),
  };
}
