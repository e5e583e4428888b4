/** Tries a mail server step by step with one mail, for an administrator who sets it up. */
import { type Socket, isIP } from "node:net";
import { toBase64 } from "../text/base64.ts";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { type MailMessage, type MailStep, mailSteps } from "./mail.ts";
import { lookUpAll } from "../outbound/look-up.ts";
import { type SmtpOptions, findMailFault, getMailbox } from "./smtp.ts";
import type { SmtpRules } from "./smtp-rules.ts";
import { openServerSocket, resolveServer } from "./smtp-socket.ts";
import type { SmtpSettings } from "./smtp-url.ts";
import { codeOf, textOf } from "../thrown.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
const TIMEOUTS_A_CHECK = 3;
const MAX_SAID = 500;
const MAX_LINES = 200;

/** One line without control characters, and without what must not be shown. */
function toSaid(text: string, hidden: readonly string[]): string {
  let line = text.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").trim();
  for (const secret of hidden) line = line.replaceAll(secret, "…");
  return line.length <= MAX_SAID ? line : `${line.slice(0, MAX_SAID - 1)}…`;
}

/** User and password as a server may quote them: plain, and as AUTH LOGIN and AUTH PLAIN (RFC 4616) encode them. */
function toHidden({ user, password }: SmtpSettings): string[] {
  if (user === undefined) return [];
  const secret = password ?? "";
  const base64 = (text: string): string => toBase64(new TextEncoder().encode(text));
  const all = [secret, base64(secret), base64(user), base64(`\0${user}\0${secret}`), user];
  // One or two characters would be found in every word.
  return all.filter((text) => text.length > 2 || text === secret).filter((text) => text !== "");
}

/** Collects what the server says. */
function createListener(): { logger: object; greeting(): string; last(): string } {
  const lines: string[] = [];
  const note = (entry: { tnx?: string } | undefined, message: unknown): void => {
    if (entry?.tnx !== "server" || typeof message !== "string" || lines.length >= MAX_LINES) return;
    lines.push(message);
  };
  const none = (): void => undefined;
  const logger = { level: none, trace: none, debug: note, info: note, warn: none, error: none, fatal: none };
  return {
    logger,
    greeting: () => lines.find((line) => /^(?:S: )?220[ -]/u.test(line))?.replace(/^S: /u, "") ?? "connected",
    last: () => lines.at(-1)?.replace(/^S: /u, "") ?? "",
  };
}

function connect(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once("error", reject);
    connection.connect((error) => {
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });
}

function logIn(connection: SMTPConnection, { user = "", password = "" }: SmtpSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once("error", reject);
    connection.login({ credentials: { user, pass: password } }, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

async function sendOne(
  connection: SMTPConnection,
  { settings, message }: { settings: SmtpSettings; message: MailMessage },
): Promise<string> {
  const from = getMailbox(settings.from);
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const mail = new MailComposer({
    from,
    to: { name: "", address: message.to },
    subject: message.subject,
    text: message.text,
    ...(message.html === undefined ? {} : { html: message.html }),
    ...(settings.replyTo === undefined ? {} : { replyTo: { name: "", address: settings.replyTo } }),
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const bytes = await mail.compile().build();
  return new Promise((resolve, reject) => {
    connection.once("error", reject);
    connection.send({ from: from.address, to: [message.to] }, bytes, (error, info) => {
      if (error === null || error === undefined) resolve(info.response);
      else reject(error);
    });
  });
}

/** The step of a failed connection; implicit TLS fails inside of it. */
function toConnectStep(error: unknown, security: SmtpSettings["security"]): "connect" | "tls" {
  const { code, command } = Object(error) as { code?: unknown; command?: unknown };
  if (code === "ETLS" || command === "STARTTLS") return "tls";
  // The errors of a TLS greeting to a listener without TLS, or with another certificate.
  const isTls = /SSL|TLS|CERT|ISSUER|ALTNAME|EPROTO|certificate|wrong version/iu.test(
    `${codeOf(error) ?? ""} ${textOf(error)}`,
  );
  return security !== "none" && isTls ? "tls" : "connect";
}

/** Ends what takes too long as a whole: a server that trickles its answers passes every single time-out. */
function createLimit(limitMs: number): { within<T>(work: Promise<T>): Promise<T>; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The server did not respond in time")), limitMs);
  });
  over.catch(() => undefined);
  return { within: (work) => Promise.race([work, over]), end: () => clearTimeout(timer) };
}

function toReports(done: readonly MailStep[], failed?: MailStep): MailStep[] {
  const known = failed === undefined ? done : [...done, failed];
  return mailSteps.map(
    (step) => known.find((report) => report.step === step) ?? { step, result: "skipped", said: "" },
  );
}

interface ConnectionParts {
  readonly timeoutMs: number;
  readonly ca: string | undefined;
  readonly logger: object;
  /** Opened before; without it the connection opens its own. */
  readonly socket: Socket | undefined;
}

/** The addresses of the server, for the report; with rules, the connection is made to one of them. */
async function findAddresses(
  settings: SmtpSettings,
  rules: SmtpRules | undefined,
): Promise<readonly string[]> {
  if (rules !== undefined) return resolveServer(settings, rules);
  if (isIP(settings.host) !== 0) return [settings.host];
  return lookUpAll(settings.host);
}

async function createConnection(
  { host, port, security }: SmtpSettings,
  { timeoutMs, ca, logger, socket }: ConnectionParts,
): Promise<SMTPConnection> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const connection = new Connection({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(socket === undefined ? {} : { connection: socket }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // `as`: its types want the loggers of one library, of which these are the methods that are called.
    logger: logger as SMTPConnection.Options["logger"] & object,
    debug: true,
  });
  // Each step listens for itself; what comes after the last one must not end the process.
  connection.on("error", () => undefined);
  return connection;
}

/**
 * Sends one email over a new connection, or only signs in without one, and returns the result of each step;
 * ends at the first failure. Never rejects for errors of the server. @throws RangeError for an email or
 * settings that cannot be sent
 */
export async function checkSmtp(
  settings: SmtpSettings,
  message: MailMessage | undefined,
  options: SmtpOptions = {},
): Promise<MailStep[]> {
  const fault = message && findMailFault(message);
  if (fault !== undefined) throw new RangeError(fault);
  const { security, user, port } = settings;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, rules, ca } = options;
  const hidden = toHidden(settings);
  const { logger, ...heard } = createListener();
  const done: MailStep[] = [];
  const ok = (step: MailStep["step"], said: string): void => {
    done.push({ step, result: "ok", said: toSaid(said, hidden) });
  };
  let connection: SMTPConnection | undefined;
  const limit = createLimit(timeoutMs * TIMEOUTS_A_CHECK);
  let step: MailStep["step"] = "resolve";
  try {
    const addresses = await limit.within(findAddresses(settings, rules));
    ok("resolve", addresses.join(", "));
    step = "connect";
    const socket = rules && (await openServerSocket(addresses, { port, timeoutMs }));
    connection = await createConnection(settings, { timeoutMs, ca, logger, socket });
    await limit.within(connect(connection));
    ok("connect", heard.greeting());
    if (security !== "none") ok("tls", "the connection is encrypted and the certificate is trusted");
    step = "auth";
    if (user !== undefined) {
      await limit.within(logIn(connection, settings));
      ok("auth", heard.last());
    }
    step = "send";
    if (message !== undefined) ok("send", await limit.within(sendOne(connection, { settings, message })));
    connection.quit();
    return toReports(done);
  } catch (error) {
    if (step === "connect") step = toConnectStep(error, security);
    if (step === "tls") ok("connect", heard.greeting());
    connection?.close();
    const { response } = Object(error) as { response?: unknown };
    const said = typeof response === "string" && response !== "" ? response : textOf(error);
    return toReports(done, { step, result: "failed", said: toSaid(said, hidden) });
  } finally {
    limit.end();
  }
}
