/** PORT: sending mail, and what a mail and its address must be. `smtp.ts` is the adapter; `outbox.ts` keeps what waits. */

/** A file that goes with a mail. */
export interface MailAttachment {
  /** One line; see {@link isMailLine}. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** One mail to one person: plain text, and the same as HTML where there is any. */
export interface MailMessage {
  /** A bare address such as "ada@example.org", for which {@link isMailAddress} holds. */
  readonly to: string;
  /** One line; see {@link isMailLine}. */
  readonly subject: string;
  readonly text: string;
  /** A whole HTML document with the same content as `text`. Its author escapes the values. */
  readonly html?: string;
  /** Becomes the first part of Message-ID, so that a mail that is sent again is known as the same one. */
  readonly id?: string;
  /** Where a POST switches mails of this kind off, for its List-Unsubscribe header (RFC 2369, RFC 8058). */
  readonly unsubscribe?: string | undefined;
  /** Creates the files when the mail leaves, for they may be large. */
  readonly attach?: (() => Promise<readonly MailAttachment[]>) | undefined;
}

/** How a sending ended. `reason` is one line of at most 200 characters without secrets and without the text. */
export type MailOutcome =
  | { readonly status: "sent" }
  /** The same mail may go through later, or when an administrator has mended the settings. */
  | { readonly status: "temporary"; readonly reason: string }
  /** This mail to this address will never go through. */
  | { readonly status: "permanent"; readonly reason: string };

/** The steps in which a mail reaches a server. */
export const mailSteps = ["resolve", "connect", "tls", "auth", "send"] as const;

/** The result of one step; `said` is the server's response, or the system's error without one. */
export interface MailStep {
  readonly step: (typeof mailSteps)[number];
  readonly result: "ok" | "skipped" | "failed";
  readonly said: string;
}

/** The step at which a mail got stuck; undefined when it was sent. */
export function findFailedStep(steps: readonly MailStep[]): MailStep | undefined {
  return steps.find(({ result }) => result === "failed");
}

/** The same for people. */
export function describeFailedStep({ step, said }: MailStep): string {
  return `Step "${step}" failed: ${said}`;
}

/** How a mail that tries the settings ended, with its steps where the sender can tell them. */
export type MailTest = MailOutcome & { readonly steps?: readonly MailStep[] };

/**
 * The summary of a test email's steps; servers reject permanently with a code of 500 and more (RFC 5321 section
 * 4.2.1).
 */
export function toMailTest(steps: readonly MailStep[]): MailTest {
  const failed = findFailedStep(steps);
  if (failed === undefined) return { status: "sent", steps };
  const status = /^5\d\d/u.test(failed.said) ? "permanent" : "temporary";
  return { status, reason: failed.said, steps };
}

/** Hands mails to a mail server. */
export interface MailSender {
  /** Never rejects. */
  send(message: MailMessage): Promise<MailOutcome>;
  /** Sends over a new connection and reports each step. Never rejects for errors of the server. */
  check?(message: MailMessage): Promise<readonly MailStep[]>;
  /** Frees connections. Mails on their way are finished first; later ones are temporary failures. */
  close(): void;
}

/** A mailbox as in RFC 5322 section 3.4, with its name ("" when there is none). */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** RFC 5321 section 4.5.3.1: 64 octets before the @, 255 after it, 256 for the path with its angle brackets. */
const MAX_ADDRESS_BYTES = 254;
const MAX_LOCAL_BYTES = 64;

/** Neither spaces nor what would make it a list, a group, a route, a comment or a quoted text. */
const ADDRESS = /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@,;:<>()[\]\\"]+$/u;

/** True for one bare address that nothing can read as two, or as a header. Quoted local parts and [1.2.3.4] are not taken. */
export function isMailAddress(text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= MAX_ADDRESS_BYTES && bytes.indexOf(0x40) <= MAX_LOCAL_BYTES && ADDRESS.test(text);
}

/**
 * Whether a text is allowed in a header: one line, without control characters, separators or lone surrogates.
 */
export function isMailLine(text: string): boolean {
  return text.length <= 500 && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}

/** Reads `ada@example.org`, `Ada <ada@example.org>` or `"Ada" <ada@example.org>`; undefined for anything else. */
export function parseMailbox(text: string): Mailbox | undefined {
  const trimmed = text.trim();
  if (!isMailLine(trimmed)) return undefined;
  if (isMailAddress(trimmed)) return { name: "", address: trimmed };
  const open = trimmed.lastIndexOf("<");
  if (open === -1 || !trimmed.endsWith(">")) return undefined;
  const address = trimmed.slice(open + 1, -1);
  const name = trimmed
    .slice(0, open)
    .trim()
    .replace(/^"(.*)"$/u, "$1");
  return isMailAddress(address) && !/[<>"\\]/u.test(name) ? { name, address } : undefined;
}
