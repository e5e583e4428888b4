/** Sends one notice to one channel and says what became of it. */
import { NO_MAIL_SERVER, findRemedy } from "../site/private-networks.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { signText } from "../../kit/secrets/hmac.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { DeliveryOutcome } from "../../records/delivery.ts";
import type { MailMessage, MailOutcome } from "../../kit/mail/mail.ts";
import type { Outbound, OutboundOutcome, OutboundRequest } from "../../kit/outbound/outbound.ts";
import type { TestResult } from "./schema.ts";
import type { OpenChannel } from "./secrets.ts";
import type { Notice } from "./kinds/notice.ts";
import { clip } from "./kinds/messages.ts";
import { kindOf } from "./kinds/kinds.ts";

/** The mail server, as far as channels need it. */
export interface NoticeMail {
  /** Never rejects. */
  send(message: MailMessage): Promise<MailOutcome>;
  /** Sends over a new connection, and returns the server's response. Never rejects. */
  try(message: MailMessage): Promise<{ readonly ok: boolean; readonly said: string }>;
}

export interface SendingDeps {
  readonly outbound: Outbound;
  /** undefined while no SMTP server is set. */
  readonly mail: NoticeMail | undefined;
  readonly clock: Clock;
}

/** A notice on its way to a channel; `to` is the recipient, of e-mail alone. */
export interface NoticeDelivery {
  readonly id: string;
  readonly channel: OpenChannel;
  readonly to: string;
  readonly notice: Notice;
}

export interface Sending {
  /** Never rejects. */
  send(delivery: NoticeDelivery): Promise<DeliveryOutcome>;
  /** Sends to all recipients of the channel at once. Never rejects. */
  test(channel: OpenChannel, notice: Notice): Promise<TestResult>;
}

const MAX_ANSWER = 2_000;
const MAX_REASON = 200;
const MAX_QUOTED = 100;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
/** Why no mail can be sent. */
/** Refusals that say nothing of the notice: RFC 9110 section 15.5.9, RFC 8470, RFC 6585. */
const TEMPORARY_STATUS = new Set([408, 425, 429]);

type Answered = Extract<OutboundOutcome, { kind: "answered" }>;

/** Without secrets, which a receiver may quote. One or two characters would be found in every word. */
function hide(text: string, { secrets }: OpenChannel): string {
  let hidden = text;
  for (const secret of Object.values(secrets)) if (secret.length > 3) hidden = hidden.replaceAll(secret, "…");
  return hidden;
}

function toLine(text: string, limit: number): string {
  return clip(text.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").trim(), limit);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Discord and Telegram say in the body how many seconds to wait. */
function readSeconds(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const seconds: unknown = Reflect.get(value, "retry_after");
  return typeof seconds === "number" ? seconds : readSeconds(Reflect.get(value, "parameters"));
}

/** How long the receiver wants to be left alone, in milliseconds, a day at most; undefined when it does not say. */
function readRetryAfter(answer: Answered, now: number): number | undefined {
  const given = answer.retryAfter?.trim() ?? "";
  const seconds = /^\d{1,9}$/u.test(given) ? Number(given) : readSeconds(parseJson(answer.text));
  // A date (RFC 9110 section 5.6.7), or nothing that is known.
  const waitMs = seconds === undefined ? Date.parse(given) - now : seconds * 1_000;
  return Number.isFinite(waitMs) ? Math.min(Math.max(Math.ceil(waitMs), 0), MAX_RETRY_AFTER_MS) : undefined;
}

function explainStatus(outcome: Answered, channel: OpenChannel): string {
  const { status, text, redirectsTo } = outcome;
  if (redirectsTo !== undefined)
    return `The receiver redirects to ${redirectsTo} (${status}). Set that URL instead`;
  const quoted = toLine(hide(text, channel), MAX_QUOTED);
  return toLine(
    `The receiver responded with status ${status}${quoted === "" ? "" : `: ${quoted}`}`,
    MAX_REASON,
  );
}

/** Why an answer of a good status is a refusal all the same, or undefined. */
function findFault({ text }: Answered, channel: OpenChannel): string | undefined {
  const fault = kindOf(channel.settings).findFailure?.(text);
  return fault && toLine(`The receiver rejected the notification: ${hide(fault, channel)}`, MAX_REASON);
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function toDeliveryOutcome(
  outcome: OutboundOutcome,
  { channel, now }: { channel: OpenChannel; now: number },
): DeliveryOutcome {
  // A rejected address may become allowed when an administrator changes the settings.
  if (outcome.kind !== "answered") return { status: "temporary", reason: hide(outcome.reason, channel) };
  const { status } = outcome;
  const fault = isSuccess(status) ? findFault(outcome, channel) : undefined;
  // Most often a limit that passes; what is wrong with the channel is seen meanwhile.
  if (fault !== undefined) return { status: "temporary", reason: fault };
  if (isSuccess(status)) return { status: "sent" };
  const reason = explainStatus(outcome, channel);
  if (status < 500 && !TEMPORARY_STATUS.has(status)) return { status: "permanent", reason };
  return { status: "temporary", reason, retryAfterMs: readRetryAfter(outcome, now) };
}

function toMail({ id, to, notice }: { id: string; to: string; notice: Notice }): MailMessage {
  const { title, text, url } = notice;
  const parts = [text, url ?? ""].filter((part) => part !== "");
  // The same mail sent again has the same Message-ID.
  const messageId = id.replaceAll(/[^\w-]+/gu, "-").slice(-100);
  return {
    id: messageId,
    to,
    subject: title,
    text: `${(parts.length === 0 ? [title] : parts).join("\n\n")}\n`,
  };
}

/** The request to the channel's receiver; undefined for emails. */
function toRequest(
  { settings, secrets }: OpenChannel,
  parcel: { notice: Notice; id: string; to: string; now: number },
): OutboundRequest | undefined {
  return kindOf(settings).request?.(settings, { ...parcel, secrets, sign: signText });
}

async function send(deps: SendingDeps, delivery: NoticeDelivery): Promise<DeliveryOutcome> {
  const { id, channel, to, notice } = delivery;
  const request = toRequest(channel, { notice, id, to, now: deps.clock.now() });
  if (request !== undefined)
    return toDeliveryOutcome(await deps.outbound.send(request), { channel, now: deps.clock.now() });
  if (deps.mail === undefined) return { status: "temporary", reason: NO_MAIL_SERVER };
  return deps.mail.send(toMail({ id, to, notice }));
}

/** One recipient after the other; what fails for one would mostly fail for all, so the first failure ends it. */
async function testMail(
  mail: NoticeMail | undefined,
  { recipients, notice }: { recipients: readonly string[]; notice: Notice },
): Promise<Omit<TestResult, "ms">> {
  if (mail === undefined) return { ok: false, answer: "", error: NO_MAIL_SERVER };
  const lines: string[] = [];
  for (const to of recipients) {
    const { ok, said } = await mail.try(toMail({ id: "", to, notice }));
    lines.push(`${to}: ${said}`);
    const answer = clip(lines.join("\n"), MAX_ANSWER);
    if (!ok)
      return { ok: false, answer, error: toLine(`The email to ${to} was rejected: ${said}`, MAX_REASON) };
  }
  return { ok: true, answer: clip(lines.join("\n"), MAX_ANSWER) };
}

async function test(
  deps: SendingDeps,
  { channel, notice }: { channel: OpenChannel; notice: Notice },
): Promise<Omit<TestResult, "ms">> {
  const recipients = kindOf(channel.settings).recipients?.(channel.settings) ?? [];
  if (kindOf(channel.settings).request === undefined) return testMail(deps.mail, { recipients, notice });
  const results: Omit<TestResult, "ms">[] = [];
  for (const to of recipients.length === 0 ? [""] : recipients) {
    results.push(await testRequest(deps, { channel, notice, to }));
    if (results.at(-1)?.ok !== true) break;
  }
  const [first, ...rest] = results;
  const answer = clip(results.map((result) => result.answer).join("\n"), MAX_ANSWER);
  return { ...(rest.at(-1) ?? first ?? { ok: false }), answer };
}

async function testRequest(
  deps: SendingDeps,
  { channel, notice, to }: { channel: OpenChannel; notice: Notice; to: string },
): Promise<Omit<TestResult, "ms">> {
  const now = deps.clock.now();
  const request = toRequest(channel, { notice, id: newId("try", now), to, now });
  if (request === undefined) return { ok: false, answer: "" };
  const outcome = await deps.outbound.send(request);
  if (outcome.kind !== "answered") return { ok: false, answer: "", error: hide(outcome.reason, channel) };
  const answer = clip(hide(outcome.text, channel), MAX_ANSWER);
  const { status } = outcome;
  const fault = isSuccess(status) ? findFault(outcome, channel) : undefined;
  if (fault !== undefined) return { ok: false, status, answer, error: fault };
  if (isSuccess(status)) return { ok: true, status, answer };
  return { ok: false, status, answer, error: explainStatus(outcome, channel) };
}

export function createSending(deps: SendingDeps): Sending {
  const { clock } = deps;
  return {
    send: (delivery) => send(deps, delivery),
    test: async (channel, notice) => {
      const startMs = clock.monotonic();
      const result = await test(deps, { channel, notice });
      const setting = findRemedy(result.error ?? "");
      const ms = Math.round(clock.monotonic() - startMs);
      return setting === undefined ? { ...result, ms } : { ...result, ms, setting };
    },
  };
}
